"""Rows of delimited text: where each begins and ends, by the rules of Python's `csv` module.

A quote opens a quoted field only at the start of a field; within it, a doubled quote
is a quote, and delimiters and line ends are text. So `5" pipe` needs no care. But: a
quote that is never closed is an ordinary character, where `csv` would take all that
follows for one field.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from udfs.chunking.formats.solid import behind_the_last, solid_points
from udfs.chunking.formats.structure import Int64

_QUOTE, _LINE_FEED, _RETURN, _BOM = 34, 10, 13, 0xFEFF


def row_edges(text: str, delimiter: str) -> tuple[Int64, Int64]:
    r"""Where each row begins, and where it ends without its line end and other blanks; blank rows are left out.

    Args:
        text: delimited text.
        delimiter: one character.

    Returns:
        Code points: starts and ends, as long as there are rows.

    >>> [edges.tolist() for edges in row_edges('a,b\r\n"1\n2",3\n\n', ",")]
    [[0, 5], [3, 12]]
    """
    if text.isascii():
        points: npt.NDArray[np.uint8] | npt.NDArray[np.uint32] = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    else:
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    breaks = np.flatnonzero((points == _LINE_FEED) | (points == _RETURN))
    quotes = np.flatnonzero(points == _QUOTE)
    if len(quotes):
        breaks = breaks[~_is_quoted(breaks, quotes, points, text, delimiter)]
    starts = np.concatenate(([0], breaks + 1))
    ends = behind_the_last(solid_points(text), np.concatenate((breaks, [len(text)])))
    filled = ends > starts  # between \r and \n there is an empty row
    return starts[filled], ends[filled]


def _is_quoted(
    breaks: Int64, quotes: Int64, points: npt.NDArray[np.uint8] | npt.NDArray[np.uint32], text: str, delimiter: str
) -> npt.NDArray[np.bool_]:
    """Which line ends stand inside quoted fields."""
    if _is_tidy(quotes, points, ord(delimiter)):
        return np.asarray(np.searchsorted(quotes, breaks) % 2 == 1)
    fields = [match.span() for match in _quoted_field(delimiter).finditer(text)]
    if not fields:
        return np.zeros(len(breaks), dtype=np.bool_)
    opened, closed = np.array(fields, dtype=np.int64).T
    before = np.searchsorted(opened, breaks) - 1
    return np.asarray((before >= 0) & (breaks < closed[before]))


def _is_tidy(quotes: Int64, points: npt.NDArray[np.uint8] | npt.NDArray[np.uint32], delimiter: int) -> bool:
    """Whether each quote opens a field, closes one, or is half of a doubled quote: then counting them is enough.

    Taken in turns as opening and closing, a doubled quote closes and opens at once.
    """
    if len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    edges = [_LINE_FEED, _RETURN, delimiter]
    before = points[np.maximum(opening - 1, 0)]
    after = points[np.minimum(closing + 1, len(points) - 1)]
    opens = (opening == 0) | np.isin(before, edges) | ((before == _BOM) & (opening == 1))
    closes = (closing == len(points) - 1) | np.isin(after, edges)
    doubled = np.zeros(len(opening), dtype=np.bool_)
    doubled[1:] = opening[1:] == closing[:-1] + 1
    closes[:-1] |= doubled[1:]
    return bool(np.all(opens | doubled) and np.all(closes))


def _quoted_field(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf'(?:(?<=[\n\r{re.escape(delimiter)}])|(?<=\A\ufeff)|\A)"[^"]*(?:""[^"]*)*"')
