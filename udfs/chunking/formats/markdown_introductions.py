"""The sentence that introduces a list, a table or code: where it begins, and what of it is worth repeating."""

from __future__ import annotations

import re

from udfs.chunking.formats.markdown_edges import line_start

# So much (code points) of a paragraph may go with what it introduces; of a longer one, its last sentence.
MAX_INTRODUCTION = 300
# So much of it may be repeated.
MAX_REPEATED = 200
# A paragraph of one sentence that is no longer than this introduces code that follows it.
MAX_LONE_SENTENCE = 200

_TRAILING_MARKUP = "*_` \t"
_COLONS = (":", "\uff1a")
_SENTENCE_END = re.compile(r"[.!?][\"')\]*_\u2019\u201d\u00bb]*\s+|[\u3002\uff01\uff1f]\s*")
_LABEL = re.compile(
    r"[ \t>*_\[(]*(?:"
    r"(?:table|tab|figure|fig|listing|tabelle|abbildung|tableau|tabla|tabela)\b\.?[ \t]*(?:[\dIVX]|[A-Z]\.?\d|:)"
    r"|(?:\u8868|\u56fe|\u5716|\u56f3|\ud45c|\uadf8\ub9bc)\s*[\d:\uff1a])",
    re.IGNORECASE,
)


def ends_with_colon(text: str, start: int, end: int) -> bool:
    """Whether a paragraph announces what comes next, such as `**Steps:**`."""
    return text[max(start, end - 16) : end].rstrip(_TRAILING_MARKUP).endswith(_COLONS)


def is_lone_sentence(text: str, start: int, end: int) -> bool:
    """Whether a paragraph is a single short sentence."""
    if end - start > MAX_LONE_SENTENCE:
        return False
    inner = _SENTENCE_END.search(text, start, end)
    return inner is None or inner.end() == end


def is_label(text: str, start: int, end: int) -> bool:
    """Whether a paragraph is a caption, such as `Table 7: output by site`."""
    return end - start <= MAX_INTRODUCTION and bool(_LABEL.match(text, start, end))


def sentence_start(text: str, start: int, end: int, limit: int = MAX_INTRODUCTION) -> int | None:
    """Where the introduction begins: the paragraph, if it is not longer than the limit, else its last sentence.

    None if the last sentence is longer than the limit, too, and the last line as well.

    >>> sentence_start("One. Two: ", 0, 9), sentence_start("One. Two: ", 0, 9, limit=6)
    (0, 5)
    """
    if end - start <= limit:
        return start
    window = end - limit
    last = None
    for match in _SENTENCE_END.finditer(text, window, end):
        if match.end() < end:
            last = match.end()
    if last is None:
        line = text.rfind("\n", window, end) + 1
        last = line if line > window else None
    return last


def introduction_start(text: str, start: int, end: int) -> int | None:
    """Where a block begins that an introduction goes with: `sentence_start`, with the indentation of its line."""
    begin = sentence_start(text, start, end)
    return None if begin is None else line_start(text, begin)


def repeated(text: str, start: int, end: int) -> str:
    """What of an introduction is put in front of later parts; empty if nothing of it is short enough."""
    begin = sentence_start(text, start, end, MAX_REPEATED)
    return "" if begin is None else text[begin:end].strip()
