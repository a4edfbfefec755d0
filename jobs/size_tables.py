"""Rows of the table `sizes` on screen."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from jobs.screen import plain, visible

# A terminal of the usual 80 columns has room for these; a wider one for more, sizes in characters being longer.
_FEW, _MANY = (5, 50, 95), (5, 25, 50, 75, 90, 95, 99)
_WIDE, _WIDE_IN_CHARACTERS = 110, 130

# What an output of an older version does not tell.
UNKNOWN = "-"

# Sources may be addresses of any length.
_LONGEST_NAME = 60


def sizes_table(title: str, rows: Sequence[Mapping[str, Any]], width: int, unit: str = "tokens") -> Table:
    """Rows of the table `sizes`, for so many columns of text.

    Args:
        title: stands above.
        rows: in the order in which they are to be shown.
        width: of the terminal, in columns.
        unit: tokens or characters.
    """
    in_characters = unit == "characters"
    percentiles = _MANY if width >= (_WIDE_IN_CHARACTERS if in_characters else _WIDE) else _FEW
    more = width >= _WIDE
    table = titled_table(title)
    table.add_column("of", overflow="fold")
    names = ["chunks", "mean", "min", *(f"p{p}" for p in percentiles), "max", "limit", "over", "tiny"]
    for name in [*names, "forced", "dup"] if more else names:
        table.add_column(name, justify="right", no_wrap=True)
    for before, row in itertools.pairwise([None, *rows]):
        if before is not None and row is not None and before["scope"] != row["scope"]:
            table.add_section()
        if row is not None:
            cells = _cells(row, "char" if in_characters else "token", percentiles)
            table.add_row(plain(row_name(row)), *cells, *(_shares(row) if more else []))
    return table


def titled_table(title: str) -> Table:
    """An empty table in the style of all of them."""
    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))


def row_name(row: Mapping[str, Any]) -> str:
    """What a row is of, as it is called on screen; what comes from a document has yet to be made harmless."""
    if row["scope"] == "overall":
        return "all chunks"
    name = row.get("name")
    if name is None:
        return "(no content type)" if row["scope"] == "content_type" else "(none)"
    shown = visible(name)
    shown = shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 1]}\u2026"
    return shown if row["scope"] == "content_type" else f"{row['scope']} {shown}"


def share_of_chunks(row: Mapping[str, Any], name: str) -> float | None:
    """What share of its chunks a row counts under this name, of all kinds together; None where it does not say."""
    count = row.get(name)
    if count is None:
        return None
    counted = sum(count.values()) if isinstance(count, Mapping) else count
    return float(counted / row["chunk_count"])


def _cells(row: Mapping[str, Any], measure: str, percentiles: Sequence[int]) -> list[str | Text]:
    over = row["over_limit"]
    return [
        f"{row['chunk_count']:,}",
        f"{row[f'{measure}_mean']:,.0f}",
        f"{row[f'{measure}_min']:,}",
        *(f"{row[f'{measure}_p{p}']:,.0f}" for p in percentiles),
        f"{row[f'{measure}_max']:,}",
        f"{row['share_of_limit']:.0%}",
        Text(f"{over:,}", style="red" if over else ""),
        f"{row['tiny']:,}",
    ]


def _shares(row: Mapping[str, Any]) -> list[str]:
    return [_share(share_of_chunks(row, name)) for name in ("forced_cuts", "duplicates")]


def _share(share: float | None) -> str:
    if share is None:
        return UNKNOWN
    return "<0.1%" if 0 < share < 0.001 else f"{share:.0%}" if share in (0, 1) else f"{share:.1%}"  # noqa: PLR2004
