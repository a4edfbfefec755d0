"""Two runs side by side."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from jobs.comparing import comparison_table, differing_settings, matched

ROW: dict[str, Any] = {
    "scope": "overall",
    "name": None,
    "chunk_count": 200,
    **{f"{of}_{name}": size for of, size in (("token", 100), ("char", 400)) for name in ("mean", "p5", "p50", "p95")},
    "token_max": 512,
    "char_max": 2048,
    "share_of_limit": 0.5,
    "tiny": 20,
    "forced_cuts": {"word": 5, "grapheme": 1},
    "duplicates": 0,
}


def lines(this: list[dict[str, Any]], other: list[dict[str, Any]], unit: str = "tokens") -> list[list[str]]:
    screen = Console(file=io.StringIO(), width=120, color_system=None)
    screen.print(comparison_table(this, other, unit))
    assert isinstance(screen.file, io.StringIO)
    return [line.split() for line in screen.file.getvalue().splitlines()]


def row(scope: str, name: str | None, **values: Any) -> dict[str, Any]:
    return ROW | {"scope": scope, "name": name} | values


def test_rows_are_matched_by_scope_and_name_and_none_is_left_out() -> None:
    this = [row("source", "b"), row("overall", None), row("content_type", None), row("content_type", "x")]
    other = [row("content_type", "x"), row("overall", None), row("profile", "b")]
    pairs = [
        (mine and (mine["scope"], mine["name"]), yours and (yours["scope"], yours["name"]))
        for mine, yours in matched(this, other)
    ]
    assert pairs == [
        (("overall", None), ("overall", None)),
        (None, ("profile", "b")),
        (("content_type", None), None),
        (("content_type", "x"), ("content_type", "x")),
        (("source", "b"), None),
    ]


def test_sizes_change_in_their_unit_chunks_in_percent_and_shares_in_points() -> None:
    other = ROW | {"chunk_count": 100, "token_p95": 90, "share_of_limit": 0.4, "duplicates": 10, "tiny": 10}
    found = lines([ROW], [other])
    assert [
        "all",
        "chunks",
        "this",
        "200",
        "100",
        "100",
        "100",
        "100",
        "512",
        "50.0%",
        "10.0%",
        "3.0%",
        "0%",
    ] in found
    assert ["other", "100", "100", "100", "100", "90", "512", "40.0%", "10.0%", "6.0%", "10.0%"] in found
    assert ["change", "+100.0%", "=", "=", "=", "+10", "=", "+10.0", "=", "-3.0", "-10.0"] in found


def test_a_row_of_one_run_alone_has_dashes_for_the_other_and_no_change() -> None:
    found = lines([row("profile", "new")], [])
    assert ["other", *["-"] * 10] in found
    assert not any(line[:1] == ["change"] for line in found)


def test_what_an_older_output_does_not_tell_is_a_dash() -> None:
    old = {name: value for name, value in ROW.items() if name not in ("forced_cuts", "duplicates")}
    found = lines([ROW], [old])
    (change,) = (line for line in found if line[:1] == ["change"])
    assert change[-2:] == ["-", "-"]


def test_characters_are_compared_where_they_are_asked_for() -> None:
    (this,) = (line for line in lines([ROW], [ROW], "characters") if "this" in line)
    assert this[4:9] == ["400", "400", "400", "400", "2,048"]


@pytest.mark.parametrize("name", ["\x1b[31mred", "[red]x[/red]", "a\u202eb"])
def test_names_are_only_text(name: str) -> None:
    screen = Console(file=io.StringIO(), width=120, force_terminal=True, color_system="standard")
    screen.print(comparison_table([row("source", name)], []))
    assert isinstance(screen.file, io.StringIO)
    assert "\x1b[31m" not in screen.file.getvalue()
    assert "\u202e" not in screen.file.getvalue()


def recorded(**profiles: Any) -> dict[str, Any]:
    return profiles


def test_settings_that_differ_are_listed_by_their_path() -> None:
    this = recorded(default={"size": 512, "clean": {"nfc": True}, "unit": "tokens"}, new={"size": 7})
    other = recorded(default={"size": 256, "clean": {"nfc": False}, "unit": "tokens"})
    assert differing_settings(this, other) == [
        ("default.clean.nfc", "True", "False"),
        ("default.size", "512", "256"),
        ("new.size", "7", "-"),
    ]
    assert differing_settings(this, this) == []


def test_secrets_in_settings_are_masked() -> None:
    this = recorded(default={"tokenizer": "s3a://me:hunter2@lake/tokenizer.json"})
    ((_, shown, _),) = differing_settings(this, recorded(default={}))
    assert shown == "s3a://***@lake/tokenizer.json"
