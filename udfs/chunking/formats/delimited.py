"""CSV, TSV and their like: rows stay whole, and the header is repeated for those that are parted from it."""

from __future__ import annotations

import numpy as np

from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats.delimited_rows import row_edges
from udfs.chunking.formats.delimited_sniff import cells_of, sniff
from udfs.chunking.formats.structure import Blocks, Converted, Int64, Repeat, Structure

_TABLE = KINDS.index("table")
_INVISIBLE = " \u200b\u2060\ufeff"  # blanks to `characters.py`, though not to Python
_LONGEST_NAME = 100  # code points
_BLOCK, _PARAGRAPH, _LINE = CUTS.index("block"), CUTS.index("paragraph"), CUTS.index("line")


def read_delimited(text: str, *, delimiter: str | None = None) -> Structure:
    r"""The structure of a delimited text: one table, and in it a block a row.

    The first block inside the table reaches from its start to the end of the first row
    behind the header, so that the header is not alone.

    Args:
        text: CSV, TSV and the like: `,`, `;`, `|` or tab between the cells, quoted or not, ragged or not.
        delimiter: one character, if it is known; None: it is found out.

    >>> structure = read_delimited("name,price\npear,1\nplum,2\n")
    >>> structure.blocks.start.tolist(), structure.blocks.end.tolist(), structure.repeats[0].text
    ([0, 0, 18], [24, 17, 24], 'name,price')
    """
    layout = sniff(text, delimiter)
    starts, ends = row_edges(text, layout.delimiter)
    if not len(starts):
        return Structure()
    lead = layout.titles + layout.header  # rows before the first that holds data
    starts[0] = 0
    if len(starts) <= lead:
        return Structure(blocks=_blocks(starts[:1], ends[-1:], _LINE))
    blocks = _blocks(np.concatenate((starts[:1], starts[lead + 1 :])), ends[lead:], _LINE)
    if not layout.header:
        return Structure(blocks=blocks)
    header = text[starts[lead - 1] : ends[lead - 1]].strip("\ufeff\r\n")
    return Structure(blocks=blocks, repeats=[Repeat(int(starts[lead]), int(ends[-1]), header)])


def rows_as_pairs(text: str, *, delimiter: str | None = None) -> Converted:
    r"""A text in which each row stands on its own, as lines of `column: value`, and a blank line between rows.

    Empty cells are left out. Cells beyond the header, and those of a table without one,
    are named `column 4` and so on. A cell of several lines becomes one line. What stands
    above the table stays above it.

    Args:
        text: as for `read_delimited`.
        delimiter: one character, if it is known; None: it is found out.

    >>> rows_as_pairs("name,price\npear,1\nplum,\n").text
    'name: pear\nprice: 1\n\nname: plum'
    """
    layout = sniff(text, delimiter)
    starts, ends = (edges.tolist() for edges in row_edges(text, layout.delimiter))
    rows = [text[start:end].lstrip("\ufeff") for start, end in zip(starts, ends, strict=True)]
    lead = layout.titles + layout.header
    header = cells_of(rows[lead - 1], layout.delimiter) if layout.header and rows else []
    names = [_name(cell) for cell in header]
    records = [_record(cells_of(row, layout.delimiter), names) for row in rows[lead:]]
    paragraphs = [*rows[: layout.titles], *filter(None, records)]
    lengths = np.array([len(paragraph) for paragraph in paragraphs], dtype=np.int64)
    begins = np.concatenate(([0], np.cumsum(lengths + 2)))[:-1]
    table = slice(layout.titles, None)
    blocks = _blocks(begins[table], (begins + lengths)[table], _PARAGRAPH)
    return Converted("\n\n".join(paragraphs), Structure(blocks=blocks))


def _blocks(starts: Int64, ends: Int64, cut: int) -> Blocks:
    """A table, and in it what stands between these edges."""
    if not len(starts):
        return Blocks.of(())
    single = len(starts) == 1
    all_starts = starts if single else np.concatenate((starts[:1], starts))
    all_ends = ends if single else np.concatenate((ends[-1:], ends))
    cuts = np.full(len(all_starts), cut, dtype=np.uint8)
    cuts[0] = _BLOCK
    return Blocks(all_starts, all_ends, np.full(len(all_starts), _TABLE, dtype=np.uint8), cuts)


def _name(cell: str) -> str:
    """A column's name in one line, and so short that repeating it for every row costs little."""
    name = " ".join(cell.split())
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "\u2026"


def _record(cells: list[str], names: list[str]) -> str:
    lines = []
    for index, cell in enumerate(cells):
        value = _one_line(cell)
        if value:
            name = _one_line(names[index]) if index < len(names) else ""
            lines.append(f"{name or f'column {index + 1}'}: {value}")
    return "\n".join(lines)


def _one_line(cell: str) -> str:
    return " ".join(cell.split()).strip(_INVISIBLE)
