"""Where a block of a Markdown document really begins and ends: at the start of its line, and before trailing blanks."""

from __future__ import annotations

from udfs.chunking.characters import _BLANKS as BLANKS

# What may stand before a block on its line and belongs to it: its indentation, and the marks of quotes around it.
_MARGIN = " \t>"
MAX_MARGIN = 256


def line_start(text: str, position: int) -> int:
    r"""The start of the line if only indentation and quote marks precede, else the position itself.

    >>> line_start("a\n  b", 4), line_start("a - b", 4)
    (2, 4)
    """
    if position == 0 or text[position - 1] == "\n":
        return position
    before = text[max(0, position - MAX_MARGIN) : position]
    start = position - len(before) + len(before.rstrip(_MARGIN))
    return start if start == 0 or text[start - 1] in "\r\n" else position


def trim_ends(text: str, ends: list[int], which: list[int]) -> None:
    r"""Moves the ends of these indexes back behind the last code point that is not blank.

    >>> ends = [2, 3, 5]
    >>> trim_ends("a\n\nb\n", ends, [0, 2])
    >>> ends
    [1, 3, 4]
    """
    trimmed = _before_blanks(text, sorted({ends[index] for index in which}))
    for index in which:
        ends[index] = trimmed[ends[index]]


def _before_blanks(text: str, ends: list[int]) -> dict[int, int]:
    """For each of the rising ends, the last position with a letter before it. One pass: many may share their blanks."""
    trimmed: dict[int, int] = {}
    before = result = 0
    for end in ends:
        length = len(text[before:end].rstrip(BLANKS))
        if length:
            result = before + length
        trimmed[end] = result
        before = end
    return trimmed


def end_without_quote_marks(text: str, start: int, end: int) -> int:
    r"""The end of a list in a quote, without trailing lines of nothing but quote marks.

    >>> end_without_quote_marks("> - a\n>\n> ", 2, 10)
    5
    """
    last = start + len(text[start:end].rstrip(BLANKS + ">"))
    line_end = text.find("\n", last, end)
    return end if line_end < 0 else start + len(text[start:line_end].rstrip(BLANKS))
