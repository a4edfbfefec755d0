"""What a person reads at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from jobs.publish import TABLES
from jobs.record import RunReport
from jobs.screen import plain, titled_table
from jobs.settings import masked_text
from jobs.size_tables import row_name, sizes_table
from jobs.storage import join
from schemas import STATUSES

# So many of the lines that were dropped from documents are shown; run.json has more.
_MOST_LINES = 3


def print_summary(report: RunReport, console: Console) -> None:
    """Documents by status, rejects by reason, sizes by profile, warnings, what was removed, places, time."""
    console.print(_documents(report))
    if report.account.rejected_by_reason:
        console.print(_rejects(report))
    print_sizes(report.sizes, console)
    print_warnings([finding.as_dict() for finding in report.warnings], console)
    _print_places(report, console)


def print_sizes(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """The sizes of all chunks and of each profile; `lakechunk sizes` shows the others, too."""
    shown = [row for row in rows if row["scope"] in ("overall", "profile")]
    if shown:
        console.print(sizes_table("Chunk sizes in tokens", shown, console.width))


def print_warnings(warnings: Sequence[Mapping[str, Any]], console: Console) -> None:
    """What is worth a look, a line each.

    Args:
        warnings: as they stand in run.json.
        console: where to.
    """
    for warning in warnings:
        told = Text.assemble("Warning   ", plain(row_name(warning)), ": ", plain(warning["message"]))
        told.stylize("yellow")
        console.print(told, soft_wrap=True)


def _documents(report: RunReport) -> Table:
    account = report.account
    table = titled_table("Documents")
    table.add_column("status")
    table.add_column("rows", justify="right")
    for status in STATUSES:
        if (rows := getattr(account, status)) or status != "unchanged":
            table.add_row(status, f"{rows:,}")
    table.add_section()
    table.add_row("rows in", f"{account.input_rows:,}")
    return table


def _rejects(report: RunReport) -> Table:
    table = titled_table("Rejected")
    table.add_column("reason")
    table.add_column("rows", justify="right")
    for reason, rows in report.account.rejected_by_reason.items():
        table.add_row(plain(reason), f"{rows:,}")
    return table


def _print_places(report: RunReport, console: Console) -> None:
    account, output = report.account, masked_text(report.output)
    console.print(f"Chunks    {account.chunks:,} with {account.tokens:,} tokens", highlight=False)
    if account.removed:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in account.removed.items())
        total = sum(account.removed.values())
        console.print(plain(f"Removed   {total:,} characters: {reasons}"), soft_wrap=True)
    for row in report.repeated_lines[:_MOST_LINES]:
        told = f"Dropped   from {row['documents']:,} documents of {row['source']}: {row['line']}"
        console.print(plain(told), soft_wrap=True)
    megabytes = report.account.text_bytes / 1e6
    rate = megabytes / report.seconds if report.seconds else 0.0
    console.print(Text.assemble(f"Tables    {', '.join(TABLES)} in ", plain(output, "bold")), soft_wrap=True)
    console.print(Text.assemble("Record    ", plain(join(output, "run.json"))), soft_wrap=True)
    console.print(
        f"Time      {report.seconds:,.1f} s for {megabytes:,.1f} MB of text: {rate:,.2f} MB/s", highlight=False
    )
