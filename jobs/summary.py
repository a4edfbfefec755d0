"""What a person reads at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from jobs.record import RunReport
from jobs.storage import join
from jobs.tables import TABLES

_SHOWN_PERCENTILES = (5, 25, 50, 75, 95)


def print_summary(report: RunReport, console: Console) -> None:
    """Documents by status, rejects by reason, sizes by profile, where the tables are, how long it took."""
    console.print(_documents(report))
    if report.account.rejected_by_reason:
        console.print(_rejects(report))
    if report.sizes:
        profiles = [row for row in report.sizes if row["scope"] != "content_type"]
        console.print(sizes_table("Chunk sizes in tokens", profiles))
    _print_places(report, console)


def sizes_table(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """Rows of the table `sizes` as a table on screen."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for name in ("of", "chunks", "mean", "min", *(f"p{p}" for p in _SHOWN_PERCENTILES), "max", "of limit", "over", "tiny"):
        table.add_column(name, justify="left" if name == "of" else "right")
    for row in rows:
        over = row["over_limit"]
        table.add_row(
            _row_name(row),
            f"{row['chunk_count']:,}",
            f"{row['token_mean']:,.1f}",
            f"{row['token_min']:,}",
            *(f"{row[f'token_p{p}']:,.0f}" for p in _SHOWN_PERCENTILES),
            f"{row['token_max']:,}",
            f"{row['share_of_limit']:.0%}",
            f"[red]{over:,}[/red]" if over else "0",
            f"{row['tiny']:,}",
        )
    return table


def _row_name(row: Mapping[str, Any]) -> str:
    if row["scope"] == "overall":
        return "all chunks"
    return f"{row['scope'].replace('_', ' ')} {row['name'] if row['name'] is not None else '(none)'}"


def _documents(report: RunReport) -> Table:
    account = report.account
    table = Table(title="Documents", title_justify="left", title_style="bold")
    for name in ("rows in", "chunked", "empty", "rejected", "unchanged", "chunks", "tokens", "characters"):
        table.add_column(name, justify="right")
    numbers = (
        account.input_rows,
        account.chunked,
        account.empty,
        account.rejected,
        account.unchanged,
        account.chunks,
        account.tokens,
        account.characters,
    )
    table.add_row(*(f"{number:,}" for number in numbers))
    return table


def _rejects(report: RunReport) -> Table:
    table = Table(title="Rejected", title_justify="left", title_style="bold")
    table.add_column("reason")
    table.add_column("rows", justify="right")
    for reason, rows in report.account.rejected_by_reason.items():
        table.add_row(reason, f"{rows:,}")
    return table


def _print_places(report: RunReport, console: Console) -> None:
    megabytes = report.account.text_bytes / 1e6
    rate = megabytes / report.seconds if report.seconds else 0.0
    console.print(f"Tables    {', '.join(TABLES)} in [bold]{report.output}[/bold]", highlight=False, soft_wrap=True)
    console.print(f"Record    {join(report.output, 'run.json')}", highlight=False, soft_wrap=True)
    console.print(
        f"Time      {report.seconds:,.1f} s for {megabytes:,.1f} MB of text: {rate:,.2f} MB/s", highlight=False
    )
