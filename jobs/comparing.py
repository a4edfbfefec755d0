"""Two finished runs side by side: what their sizes are, and which settings of their profiles differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

from jobs.quantities import UNKNOWN, share_told
from jobs.screen import plain, titled_table
from jobs.settings.masking import masked_value
from jobs.size_tables import room_for_names, share_of_chunks, start_scope, table_name
from schemas import SCOPES

Row = Mapping[str, Any]

# Columns that hold a share of the chunks, by the column of `sizes` that counts them.
_SHARES = {"tiny": "tiny", "forced": "forced_cuts", "dup": "duplicates"}
_SIZES = ("mean", "p5", "p50", "p95", "max")

_CHANGE = "change"

# In terminals that are narrower, some columns are left out.
_WIDE, _NARROW = 100, 66


def matched(this: Sequence[Row], other: Sequence[Row]) -> list[tuple[Row | None, Row | None]]:
    """The rows of two tables `sizes` in pairs of one scope and name; None where one of them has no such row."""
    here, there = ({_key(row): row for row in rows} for rows in (this, other))
    keys = sorted({**here, **there}, key=lambda key: (SCOPES.index(key[0]), key[1] is not None, key[1] or ""))
    return [(here.get(key), there.get(key)) for key in keys]


def comparison_table(this: Sequence[Row], other: Sequence[Row], unit: str = "tokens", width: int = 120) -> Table:
    """Both runs and the change from the other to this one, row by row.

    Args:
        this: the rows of `sizes` of the run that is looked at.
        other: those of the run that it is compared with.
        unit: tokens or characters.
        width: of the terminal, in columns.
    """
    columns = _columns(width)
    pairs = matched(this, other)
    lines = [_lines(mine, yours, unit, columns) for mine, yours in pairs]
    room = room_for_names(width, ("run", *columns), [cells for of_pair in lines for cells in of_pair])
    table = titled_table(f"Chunk sizes in {unit}, compared")
    table.add_column("of", overflow="fold")
    table.add_column("run", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    scope = ""
    for pair, of_pair in zip(pairs, lines, strict=True):
        row = next(row for row in pair if row is not None)
        if row["scope"] != scope:
            start_scope(table, row)
        scope = row["scope"]
        for place, cells in enumerate(of_pair):
            of = "" if place else table_name(row, room)
            table.add_row(plain(of), *cells, style="bold" if cells[0] == _CHANGE else "")
        table.add_section()
    return table


def _columns(width: int) -> list[str]:
    """Those that there is room for."""
    if width < _NARROW:
        return ["chunks", "p95"]
    if width < _WIDE:
        return ["chunks", "mean", "p50", "p95", "max", "limit", "forced"]
    return ["chunks", *_SIZES, "limit", *_SHARES]


def _lines(this: Row | None, other: Row | None, unit: str, columns: Sequence[str]) -> list[list[str]]:
    """What is told of a pair: this run, the other, and the change where both have the row."""
    mine, yours = ({} if row is None else measures(row, unit) for row in (this, other))
    lines = [["this", *(_value(name, mine.get(name)) for name in columns)]]
    lines.append(["other", *(_value(name, yours.get(name)) for name in columns)])
    if mine and yours:
        lines.append([_CHANGE, *(_change(name, mine[name], yours[name]) for name in columns)])
    return lines


def measures(row: Row, unit: str) -> dict[str, float | None]:
    """What is compared of a row, by the name of its column; None where the output does not tell."""
    prefix = "char" if unit == "characters" else "token"
    return {
        "chunks": row["chunk_count"],
        **{name: row.get(f"{prefix}_{name}") for name in _SIZES},
        "limit": row.get("share_of_limit"),
        **{name: share_of_chunks(row, column) for name, column in _SHARES.items()},
    }


def differing_settings(this: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Settings of profiles that are not the same in two runs: dotted path, this value, the other.

    Args:
        this: the profiles of the run, as they were recorded.
        other: those of the run that it is compared with.
    """
    here, there = (dict(_flat("", masked_value(profiles))) for profiles in (this, other))
    paths = sorted({*here, *there})
    return [(path, _written(here, path), _written(there, path)) for path in paths if here.get(path) != there.get(path)]


def settings_table(differences: Sequence[tuple[str, str, str]]) -> Table:
    """The settings that differ, a line each."""
    table = titled_table("Settings of profiles that differ")
    for column in ("setting", "this", "other"):
        table.add_column(column, overflow="fold")
    for difference in differences:
        table.add_row(*(plain(value) for value in difference))
    return table


def _key(row: Row) -> tuple[str, str | None]:
    return row["scope"], row.get("name")


def _value(name: str, value: float | None) -> str:
    if value is None:
        return UNKNOWN
    return share_told(value) if name in _SHARES or name == "limit" else f"{value:,.0f}"


def _change(name: str, this: float | None, other: float | None) -> str:
    """Chunks in percent, shares in percentage points, sizes in their unit."""
    if this is None or other is None:
        return UNKNOWN
    if this == other:
        return "="
    if name == "chunks":
        return f"{this / other - 1:+.1%}"
    if name in _SHARES or name == "limit":
        return f"{(this - other) * 100:+.1f}"
    return f"{this - other:+,.0f}"


def _flat(path: str, values: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(values, Mapping):
        yield path, values
        return
    for name, value in values.items():
        yield from _flat(f"{path}.{name}" if path else str(name), value)


def _written(values: Mapping[str, Any], path: str) -> str:
    return str(values[path]) if path in values else UNKNOWN
