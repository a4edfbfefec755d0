r"""Page edges: the first and last lines of a page, and what makes two of them the same line but for a number.

"  ACME report      Page 3 of 17\n"   ->   key "acme report page 0 of 0", numbers (3, 17)
"xiv\n"                               ->   key "0", numbers (14,)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

# So many lines at each edge of a page may be running lines.
BAND = 3
# A line longer than this, in code points, is text.
_LONGEST_LINE = 200
# As much of each edge is looked at, in code points.
_LOOK = 600

_MOST_NUMBERS = 6
_MOST_DIGITS = 9
_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_AROUND = " -\u2013\u2014|.()[]"  # may stand around a page number
_CELL_GAP = re.compile(r"\s*\|\s*|\t+| {2,}")
_REST_OF_LINE = re.compile(r"[^\S\r\n]{0,200}(?:\r\n|\r|\n)?")

_Row = tuple[int, int, str]  # start and end in the page, and the line without the blanks around it


class EdgeLine(NamedTuple):
    """A line at the edge of a page that is not blank."""

    start: int  # half-open, in the page, the line break included
    end: int
    text: str  # without the blanks around it
    key: str  # the same for lines that differ in numbers only; empty: the line is too long
    numbers: tuple[int, ...]
    inner: str  # the next line on the side of the page's middle; empty if a blank line parts them


def top_lines(page: str) -> list[EdgeLine]:
    """The first lines of a page that are not blank, at most `BAND`, the first one first."""
    first = len(page) - len(page.lstrip())
    start, stop = max(page.rfind("\n", 0, first), page.rfind("\r", 0, first)) + 1, min(len(page), first + _LOOK)
    lines = page[start:stop].splitlines(keepends=True)
    if stop < len(page):
        lines.pop()  # its end was not seen
    return _edge_lines(_downwards(lines, start))


def bottom_lines(page: str) -> list[EdgeLine]:
    """The last lines of a page that are not blank, at most `BAND`, the last one first."""
    solid = len(page.rstrip())
    rest = _REST_OF_LINE.match(page, solid)
    start, stop = max(0, solid - _LOOK), rest.end() if rest else solid
    lines = page[start:stop].splitlines(keepends=True)
    return _edge_lines(_upwards(lines[1:] if start else lines, stop))  # of the first one, the beginning was not seen


def cell_count(text: str) -> int:
    """How many cells a line has, if it is a row of a table: parts between bars, tabs or wide gaps."""
    return len([cell for cell in _CELL_GAP.split(text) if cell])


def _downwards(lines: Sequence[str], start: int) -> Iterator[_Row]:
    for line in lines:
        yield start, start + len(line), line.strip()
        start += len(line)


def _upwards(lines: Sequence[str], stop: int) -> Iterator[_Row]:
    for line in reversed(lines):
        yield stop - len(line), stop, line.strip()
        stop -= len(line)


def _edge_lines(rows: Iterator[_Row]) -> list[EdgeLine]:
    """The first rows that are not blank, each with the one behind it."""
    lines: list[EdgeLine] = []
    row = next(rows, None)
    while row is not None and len(lines) < BAND:
        start, end, text = row
        row = next(rows, None)
        if text:
            key, numbers = _key(text) if len(text) <= _LONGEST_LINE else ("", ())
            lines.append(EdgeLine(start, end, text, key, numbers, row[2] if row else ""))
    return lines


def _key(text: str) -> tuple[str, tuple[int, ...]]:
    words = text.lower().split()
    for index in (0, -1):  # where page numbers stand
        if value := _roman(words[index].strip(_AROUND)):
            words[index] = str(value)
    numbers: list[int] = []
    key = _NUMBER.sub(partial(_counted, numbers), " ".join(words))
    return (key, tuple(numbers)) if len(numbers) <= _MOST_NUMBERS else (text, ())


def _counted(numbers: list[int], found: re.Match[str]) -> str:
    """The sign for a number, which is noted; what has more digits than a page number is a word."""
    digits = found.group()
    if len(digits) > _MOST_DIGITS:
        return digits
    numbers.append(int(digits))
    return "0"


def _roman(word: str) -> int:
    """The value of a roman numeral in small letters; 0 if it is none."""
    if not word or not _ROMAN.fullmatch(word):
        return 0
    values = [_ROMAN_DIGITS[letter] for letter in word]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )
