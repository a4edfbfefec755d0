"""Rows of the table `sizes` on screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from jobs.quantities import share_told
from jobs.screen import plain, titled_table, visible

# From these widths on there is room for more columns, sizes in characters being longer. Below the narrowest, numbers
# that are cut would tell nothing: only the first few are shown.
_FEW, _MANY = (5, 50, 95), (5, 25, 50, 75, 90, 95, 99)
_WIDE, _WIDE_IN_CHARACTERS, _USUAL, _NARROW = 110, 130, 78, 54

# Sources may be addresses of any length.
_LONGEST_NAME = 60
_SHORTEST_NAME = 10

# What stands above the rows of a scope whose names do not tell what they are.
_HEADINGS = {"content_type": "by content type", "source": "by source"}


def sizes_table(title: str, rows: Sequence[Mapping[str, Any]], width: int, unit: str = "tokens") -> Table:
    """Rows of the table `sizes`, for so many columns of text.

    Args:
        title: stands above.
        rows: in the order in which they are to be shown.
        width: of the terminal, in columns.
        unit: tokens or characters.
    """
    in_characters = unit == "characters"
    names = _columns(width, in_characters=in_characters)
    cells = [_cells(row, "char" if in_characters else "token") for row in rows]
    room = room_for_names(width, names, [[str(of_row[name]) for name in names] for of_row in cells])
    table = titled_table(title)
    table.add_column("of", overflow="fold")
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for before, row, of_row in zip([None, *rows], rows, cells, strict=False):
        if before is None or before["scope"] != row["scope"]:
            start_scope(table, row)
        table.add_row(plain(table_name(row, room)), *(of_row[name] for name in names))
    return table


def start_scope(table: Table, row: Mapping[str, Any]) -> None:
    """Sets the rows that follow apart, and says what they are of where their names do not."""
    if table.rows:
        table.add_section()
    if row["scope"] in _HEADINGS and row.get("name") is not None:
        table.add_row(Text(_HEADINGS[row["scope"]], style="dim", no_wrap=True, overflow="ellipsis"))


def row_name(row: Mapping[str, Any]) -> str:
    """What a row is of, as it is called in a sentence; what comes from a document has been made harmless."""
    name = table_name(row, _LONGEST_NAME)
    return f"source {name}" if row["scope"] == "source" else name


def table_name(row: Mapping[str, Any], room: int) -> str:
    """What a row is of, below the heading of its scope: `row_name` in at most so many characters."""
    if row["scope"] == "overall":
        return "all chunks"
    name = row.get("name")
    if name is None:
        return "(no content type)" if row["scope"] == "content_type" else "(none)"
    shown = visible(name) if str(name).strip() else "(blank)"
    told = f"profile {shown}" if row["scope"] == "profile" else shown
    return told if len(told) <= room else fitted(shown, room)


def fitted(text: str, room: int) -> str:
    """The text, shortened in the middle if it is longer: of a path, both ends tell something, and the last one more.

    >>> fitted("s3a://lake/contracts/2024", 14), fitted("wiki", 14)
    ('s3a:\u2026acts/2024', 'wiki')
    """
    if len(text) <= room:
        return text
    head = (room - 1) // 3
    return f"{text[:head]}\u2026{text[head + 1 - room :]}"


def room_for_names(width: int, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """How many characters the first column of a table may take beside these.

    Args:
        width: of the terminal, in columns.
        columns: the heads of the other columns.
        rows: their cells.
    """
    taken = sum(2 + max(map(len, cells)) for cells in zip(columns, *rows, strict=True))
    return min(_LONGEST_NAME, max(_SHORTEST_NAME, width - 3 - taken))


def share_of_chunks(row: Mapping[str, Any], name: str) -> float | None:
    """What share of its chunks a row counts under this name, of all kinds together; None where it does not say."""
    count = row.get(name)
    if count is None:
        return None
    counted = sum(count.values()) if isinstance(count, Mapping) else count
    return float(counted / row["chunk_count"])


def _columns(width: int, *, in_characters: bool) -> list[str]:
    """Those that there is room for."""
    if width < _USUAL:
        return ["chunks", "p50", "p95"] if width < _NARROW else ["chunks", "mean", "p50", "p95", "max", "limit"]
    percentiles = _MANY if width >= (_WIDE_IN_CHARACTERS if in_characters else _WIDE) else _FEW
    names = ["chunks", "mean", "min", *(f"p{p}" for p in percentiles), "max", "limit", "over", "tiny"]
    return [*names, "forced", "dup"] if width >= _WIDE else names


def _cells(row: Mapping[str, Any], measure: str) -> dict[str, str | Text]:
    over = row["over_limit"]
    return {
        "chunks": f"{row['chunk_count']:,}",
        "mean": f"{row[f'{measure}_mean']:,.0f}",
        "min": f"{row[f'{measure}_min']:,}",
        **{f"p{p}": f"{row[f'{measure}_p{p}']:,.0f}" for p in _MANY},
        "max": f"{row[f'{measure}_max']:,}",
        "limit": f"{row['share_of_limit']:.0%}",
        "over": Text(f"{over:,}", style="red" if over else ""),
        "tiny": f"{row['tiny']:,}",
        "forced": share_told(share_of_chunks(row, "forced_cuts")),
        "dup": share_told(share_of_chunks(row, "duplicates")),
    }
