"""What a person sees while the job works and when it has ended."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from rich.console import Console

from jobs.account import Account
from jobs.errors import AccountError
from jobs.exit_codes import ExitCode
from jobs.measuring.findings import Finding
from jobs.progress import StageBars, StageClock, StageLines, progress_on
from jobs.record import RunReport
from jobs.settings import load_settings
from jobs.summary import print_summary, print_warnings

ACCOUNT = Account(
    input_rows=1234,
    chunked=1200,
    empty=30,
    rejected=4,
    unchanged=0,
    rejected_by_reason={"missing_id": 1, "too_large": 3},
    chunks=56_789,
    tokens=9_876_543,
    characters=40_000_000,
    text_bytes=42_000_000,
    removed={"control": 12, "front_matter": 3400},
)
SIZES: dict[str, Any] = {
    "scope": "profile",
    "name": "handbook",
    "chunk_count": 56_789,
    "token_mean": 401.4,
    "token_min": 3,
    **{f"token_p{p}": float(p) for p in (5, 25, 50, 75, 90, 95, 99)},
    "token_max": 512,
    "share_of_limit": 0.78,
    "over_limit": 0,
    "tiny": 17,
    "forced_cuts": {"word": 568},
    "duplicates": 6,
}


def console(width: int, *, terminal: bool = False) -> Console:
    return Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)


def report_of(output: str) -> RunReport:
    started = datetime(2024, 1, 1, tzinfo=timezone.utc)
    return RunReport(
        "run-1",
        output,
        load_settings(),
        ACCOUNT,
        started,
        started + timedelta(seconds=21),
        {"chunk": 20.0},
        "4.0",
        [SIZES],
    )


def shown(width: int) -> str:
    screen = console(width)
    print_summary(report_of("s3a://me:hunter2@lake/out"), screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


@pytest.mark.parametrize("width", [80, 120])
def test_the_summary_tells_counts_sizes_places_and_speed(width: int) -> None:
    text = shown(width)
    for fact in (
        "1,234",
        "1,200",
        "too_large",
        "56,789",
        "9,876,543",
        "profile handbook",
        "512",
        "78%",
        "21.0 s",
        "2.00 MB/s",
    ):
        assert fact in text
    assert "chunks, documents, rejects, parents, sizes, histograms in s3a://***@lake/out" in text
    assert "\u2026" not in text  # nothing was cut off


def test_warnings_stand_after_the_sizes_with_what_they_are_about_and_whole() -> None:
    screen = console(80)
    told = "30 % of the chunks are tiny, under a tenth of the limit. " + "Clean the source. " * 9
    report = replace(report_of("out"), warnings=[Finding("source", "[red]x\x1b", "max_tiny", 0.3, 0.25, told)])
    print_summary(report, screen)
    assert isinstance(screen.file, io.StringIO)
    text = screen.file.getvalue()
    assert f"Warning   source [red]x\\x1b: {told}\n" in text
    assert text.index("Chunk sizes") < text.index("Warning") < text.index("Tables")
    assert report.as_dict()["warnings"][0]["message"] == told


def test_warnings_are_yellow() -> None:
    screen = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    print_warnings([{"scope": "overall", "name": None, "message": "look"}], screen)
    assert isinstance(screen.file, io.StringIO)
    assert screen.file.getvalue().startswith("\x1b[33mWarning   all chunks: look")


def test_what_was_removed_is_told_in_one_line_and_only_if_something_was() -> None:
    assert "Removed   3,412 characters: control 12, front_matter 3,400\n" in shown(120)
    screen = console(120)
    report = report_of("out")
    print_summary(replace(report, account=replace(ACCOUNT, removed={})), screen)
    assert isinstance(screen.file, io.StringIO)
    assert "Removed" not in screen.file.getvalue()


def test_the_commonest_of_the_lines_that_were_dropped_are_named() -> None:
    lines = [
        {"source": "a.org", "line": f"[red]Home\x1b {number}", "documents": 1000, "share": 0.9} for number in range(9)
    ]
    screen = console(120)
    print_summary(replace(report_of("out"), repeated_lines=lines), screen)
    assert isinstance(screen.file, io.StringIO)
    told = [line for line in screen.file.getvalue().splitlines() if line.startswith("Dropped")]
    assert told == [f"Dropped   from 1,000 documents of a.org: [red]Home\\x1b {number}" for number in range(3)]


def test_a_wide_terminal_shows_more_percentiles() -> None:
    assert "p25" not in shown(80)
    assert "p25" in shown(120)


def test_a_wide_terminal_shows_what_share_is_cut_by_force_and_what_is_a_copy() -> None:
    assert "forced" not in shown(80)
    (line,) = (line for line in shown(120).splitlines() if "profile handbook" in line)
    assert line.split()[-2:] == ["1.0%", "<0.1%"]


def test_the_display_suits_where_the_output_goes() -> None:
    assert type(progress_on(console(80), quiet=True)) is StageClock
    assert type(progress_on(console(80), quiet=False)) is StageLines
    assert type(progress_on(console(80, terminal=True), quiet=False)) is StageBars


def test_a_log_gets_one_line_for_each_finished_stage() -> None:
    screen = console(80)
    lines = StageLines(screen)
    with lines.stage("chunk"):
        pass
    with pytest.raises(RuntimeError), lines.stage("publish"):
        raise RuntimeError
    assert isinstance(screen.file, io.StringIO)
    assert screen.file.getvalue().split()[0] == "chunk"
    assert screen.file.getvalue().count("\n") == 1
    assert list(lines.timings) == ["chunk"]


def test_bars_follow_the_tasks_of_spark(spark: Any) -> None:
    screen = console(80, terminal=True)
    with StageBars(screen).stage("counting", spark):
        assert spark.range(1000).repartition(4).count() == 1000
    assert isinstance(screen.file, io.StringIO)
    assert "counting" in screen.file.getvalue()


def test_an_account_that_balances_passes() -> None:
    ACCOUNT.check(chunk_rows=56_789)


def test_a_lost_row_is_an_error_that_names_the_numbers() -> None:
    lost = Account(**{**ACCOUNT.as_dict(), "input_rows": 1235})
    with pytest.raises(AccountError, match="1235 rows in, but 1234 out") as raised:
        lost.check(chunk_rows=56_789)
    assert raised.value.exit_code == ExitCode.CHECK


def test_a_lost_chunk_is_an_error() -> None:
    with pytest.raises(AccountError, match="56789 chunks made, but 56788 written"):
        ACCOUNT.check(chunk_rows=56_788)
