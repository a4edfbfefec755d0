"""What is shown to a person: values that are not ours can neither style, link, nor steer the terminal."""

from __future__ import annotations

import re

from rich.text import Text

# Control characters, those that turn the direction of writing, line and paragraph separators, lone surrogates; and
# what is never seen, so that text can hide in it (tags, annotations, invisible operators). Joiners stay: emoji and
# whole scripts need them.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
    "\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(value: object) -> str:
    r"""The value with everything that a terminal would obey, or not show, written as an escape.

    >>> print(visible("a\x1b[31mb\n"))
    a\x1b[31mb\n
    """
    return _UNSEEN.sub(_escape, str(value))


def visible_lines(value: object) -> str:
    r"""The same for a message of several lines, which stay lines.

    >>> print(visible_lines("one\ntwo\x1b"))
    one
    two\x1b
    """
    return "\n".join(visible(line) for line in str(value).split("\n"))


def plain(value: object, style: str = "") -> Text:
    """The value as text for rich: no markup is read, and `style` is the only style."""
    return Text(visible(value), style=style)


def _escape(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape", "surrogatepass").decode("ascii")
