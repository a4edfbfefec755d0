"""What is the delimiter of a text, and does it have a header? Answered from its first rows.

The delimiter is the one that parts the rows most evenly: the share of rows that have
the same number of it outside of quotes. So decimal commas, and commas in titles above
the table, do no harm.

The first row is the header, unless it holds a number in a column of numbers. Years
are no such numbers: `country,2019,2020` is a header.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from typing import NamedTuple

from udfs.chunking.formats.delimited_rows import row_edges

_DELIMITERS = "\t;|,"  # of equals, the first
_SAMPLE_ROWS = 30
_SAMPLE_LENGTH = 16 * 1024  # code points
_TITLES = 5  # rows with less than half of the usual delimiters that may stand above the header
_TITLED = 0.7  # what a delimiter is worth that the first row lacks
_NUMBER = re.compile(r"\s*[-+]?[\d.,\u00a0' ]*\d[\d.,]*(?:[eE][-+]?\d+)?\s*[%€$£]?\s*\Z")
_YEAR = re.compile(r"\s*(?:1[5-9]|20|21)\d\d\s*\Z")


class Layout(NamedTuple):
    """How a delimited text is laid out."""

    delimiter: str
    titles: int  # how many rows stand above the table
    header: bool  # whether the first row of the table names the columns


class _Candidate(NamedTuple):
    """A delimiter on trial; the greatest is the best."""

    evenness: float  # the share of rows with the same number of it, less where rows stand above the table
    columns: int
    preference: int  # no two candidates have the same
    delimiter: str
    titles: int
    rows: list[list[str]]


def sniff(text: str, delimiter: str | None = None) -> Layout:
    r"""The layout of a text.

    Args:
        text: delimited text.
        delimiter: the delimiter, if it is known, such as a tab in TSV.

    >>> sniff("name;price\npear;1,50\nplum;2,20\n")
    Layout(delimiter=';', titles=0, header=True)
    """
    sample = text[:_SAMPLE_LENGTH]
    present = [one for one in delimiter or _DELIMITERS if one in sample]
    best = max(_try(sample, one, len(sample) == len(text)) for one in present or [delimiter or ","])
    return Layout(best.delimiter if best.columns else delimiter or ",", best.titles, _has_header(best.rows))


def cells_of(row: str, delimiter: str) -> list[str]:
    """The cells of one row, as `csv` reads them; a row that it refuses is split at each delimiter.

    >>> cells_of('a,"b ""c"", d"', ",")
    ['a', 'b "c", d']
    """
    if '"' in row:
        try:
            return next(csv.reader([row], delimiter=delimiter), [])
        except csv.Error:  # a cell beyond the limit of `csv`; a NUL, before Python 3.11
            pass
    return row.split(delimiter)


def sample_rows(sample: str, delimiter: str, complete: bool) -> list[list[str]]:
    """The cells of the first rows, without a last one that may be cut off."""
    starts, ends = (edges[: _SAMPLE_ROWS + 1].tolist() for edges in row_edges(sample, delimiter))
    if len(starts) > 1 and (len(starts) > _SAMPLE_ROWS or not complete):
        del starts[-1], ends[-1]
    return [cells_of(sample[start:end].lstrip("\ufeff"), delimiter) for start, end in zip(starts, ends, strict=True)]


def _try(sample: str, delimiter: str, complete: bool) -> _Candidate:
    rows = sample_rows(sample, delimiter, complete)
    counts = [len(cells) - 1 for cells in rows]
    preference = -_DELIMITERS.find(delimiter)
    columns, frequency = Counter(filter(None, counts)).most_common(1)[0] if any(counts) else (0, 0)
    titles = next((index for index, count in enumerate(counts) if 2 * count > columns), 0)
    if titles > _TITLES or not columns:
        return _Candidate(0.0, 0, preference, delimiter, 0, rows)
    evenness = frequency / (len(counts) - titles) * (_TITLED if titles else 1)
    return _Candidate(evenness, columns, preference, delimiter, titles, rows[titles:])


def _has_header(rows: list[list[str]]) -> bool:
    if len(rows) < 2:
        return bool(rows)
    return not any(_is_value(name, [row[i] for row in rows[1:] if i < len(row)]) for i, name in enumerate(rows[0]))


def _is_value(name: str, below: list[str]) -> bool:
    """Whether the cell of a first row is of a kind with those below it: a number above numbers."""
    filled = [cell for cell in below if cell.strip()]
    if not filled or not _NUMBER.match(name) or _YEAR.match(name):
        return False
    return all(_NUMBER.match(cell) for cell in filled)
