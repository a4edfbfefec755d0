"""Front matter: the lines of YAML or TOML before the first line of a Markdown document.

It is kept out of the chunks and offered as metadata, but only its plain
`key: value` lines, read without a YAML parser: front matter comes from anywhere,
and what is odd about it must neither fail nor cost anything.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Longer front matter (code points) is text.
MAX_FRONT_MATTER = 65_536

_FIRST_LINE = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n")
_LAST_LINE = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*\r?$", re.MULTILINE),
}
_KEY = r"^([\w.][\w .-]{0,99}|\"[^\"\n]{1,99}\"|'[^'\n]{1,99}')"
_PAIR = {"---": re.compile(_KEY + r"[ \t]*:(?=\s|$)"), "+++": re.compile(_KEY + r"[ \t]*=")}
# What begins a value that is more than plain text: a list, a mapping, an alias, a tag, a text of several lines.
_NO_SCALAR = tuple("[{&*!|>%@`")
_NOTHING = ("", "~", "null", "Null", "NULL")
_ESCAPED = re.compile(r"\\([\"\\/])")


class FrontMatter(NamedTuple):
    """Where the front matter ends, behind its closing line (0: there is none), and its plain pairs."""

    end: int
    metadata: dict[str, str]


def read_front_matter(text: str) -> FrontMatter:
    r"""The front matter of a document.

    >>> read_front_matter("---\ntitle: 'A plan'\ntags: [a, b]\n---\n\n# Plan\n")
    FrontMatter(end=36, metadata={'title': 'A plan'})
    """
    first = _FIRST_LINE.match(text)
    if not first:
        return FrontMatter(0, {})
    mark = first.group(1)
    last = _LAST_LINE[mark].search(text, first.end(), first.end() + MAX_FRONT_MATTER)
    if not last:
        return FrontMatter(0, {})
    lines = text[first.end() : last.start()].splitlines()
    if not _is_metadata(lines, mark):
        return FrontMatter(0, {})
    return FrontMatter(len(text[: last.end()].rstrip()), _pairs(lines, mark))


def _is_metadata(lines: list[str], mark: str) -> bool:
    """Whether the lines between two rules are front matter, and not a text that someone set between rules."""
    if not lines:
        return False
    telling = next((line for line in lines if line.strip() and not line.startswith("#")), None)
    if telling is None or not lines[0].strip():
        return False
    return bool(_PAIR[mark].match(telling)) or (mark == "+++" and telling.startswith("["))


def _pairs(lines: list[str], mark: str) -> dict[str, str]:
    """The pairs at the outermost level whose value is plain text on the same line; the first of equal keys."""
    pairs: dict[str, str] = {}
    odd: set[str] = set()
    key = ""
    for line in lines:
        if mark == "+++" and line.startswith("["):  # from here on, keys belong to a table
            break
        match = _PAIR[mark].match(line)
        if match:
            key = match.group(1).strip("\"' ")
            value = _scalar(line[match.end() :].strip())
            if value is not None:
                pairs.setdefault(key, value)
        elif line.strip() and not line.startswith("#"):  # the value goes on
            odd.add(key)
    return {key: value for key, value in pairs.items() if key and key not in odd}


def _scalar(value: str) -> str | None:
    quote = value[:1]
    if quote and quote in "\"'":
        closing = value.rfind(quote)
        rest = value[closing + 1 :].strip()
        if closing == 0 or value.startswith(quote * 3) or (rest and not rest.startswith("#")):
            return None
        inner = value[1:closing]
        return inner.replace("''", "'") if quote == "'" else _ESCAPED.sub(r"\1", inner)
    plain = value.split(" #", 1)[0].rstrip()
    return None if plain in _NOTHING or plain.startswith((*_NO_SCALAR, "#")) else plain
