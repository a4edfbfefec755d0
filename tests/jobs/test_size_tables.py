"""Rows of `sizes` in terminals of any width."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from jobs.comparing import comparison_table
from jobs.quantities import share_told
from jobs.size_tables import row_name, sizes_table

NUMBERS: dict[str, Any] = {
    "chunk_count": 1_234_567,
    **{
        f"{of}_{name}": 512
        for of in ("token", "char")
        for name in ("mean", "min", "max", *(f"p{p}" for p in (5, 25, 50, 75, 90, 95, 99)))
    },
    "share_of_limit": 0.78,
    "over_limit": 0,
    "tiny": 17,
    "forced_cuts": {"word": 568},
    "duplicates": 6,
}
LONG = "s3a://lake/contracts/" + "x" * 300 + "/the end"


def row(scope: str, name: str | None) -> dict[str, Any]:
    return {"scope": scope, "name": name, **NUMBERS}


ROWS = [
    row("overall", None),
    row("profile", "handbook"),
    row("content_type", "text/markdown"),
    row("source", LONG),
    row("source", "s3a://lake/short"),
]


def printed(table: object, width: int) -> list[str]:
    screen = Console(file=io.StringIO(), width=width, color_system=None)
    screen.print(table)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_every_row_has_its_name_and_its_whole_numbers_on_one_line(width: int) -> None:
    lines = printed(sizes_table("Sizes", ROWS, width), width)
    rows = [line for line in lines if "1,234,567" in line]
    assert len(rows) == len(ROWS)
    assert all("512" in line and "\u2026" not in line.split("1,234,567")[1] for line in rows)
    assert "handbook" in rows[1]
    assert "end " in rows[-2]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_two_runs_side_by_side_fit_as_well(width: int) -> None:
    lines = printed(comparison_table(ROWS, ROWS, width=width), width)
    rows = [line for line in lines if "this  " in line]
    assert len(rows) == len(ROWS)
    assert all("1,234,567" in line and "512" in line for line in rows)


def test_sources_stand_below_a_heading_and_keep_their_last_part() -> None:
    lines = [line.strip() for line in printed(sizes_table("Sizes", ROWS, 100), 100)]
    place = lines.index("by source")
    assert "the end" in lines[place + 1]
    assert lines[place + 1].startswith("s3a:")
    assert lines[place + 2].startswith("s3a://lake/short ")


def test_a_sentence_says_that_a_name_is_of_a_source() -> None:
    assert row_name(row("source", "wiki")) == "source wiki"
    assert row_name(row("content_type", None)) == "(no content type)"


@pytest.mark.parametrize(("share", "told"), [(0.99981, ">99.9%"), (0.0002, "<0.1%"), (1.0, "100%"), (0.0, "0%")])
def test_a_share_is_never_rounded_to_all_or_to_nothing(share: float, told: str) -> None:
    assert share_told(share) == told
