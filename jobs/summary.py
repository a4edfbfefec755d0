"""What a person reads at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jobs.publish import TABLES
from jobs.record import RunReport
from jobs.screen import plain
from jobs.settings import masked_text
from jobs.storage import join
from schemas import STATUSES

# A terminal of the usual 80 columns has room for these; a wider one for more.
_FEW, _MANY, _WIDE = (5, 50, 95), (5, 25, 50, 75, 90, 95, 99), 110

# A log or pipe has no width of its own.
_UNKNOWN_WIDTH = 120


def summary_console() -> Console:
    """The console for results: as wide as the terminal, or wide enough where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=_UNKNOWN_WIDTH)


def print_summary(report: RunReport, console: Console) -> None:
    """Documents by status, rejects by reason, sizes by profile, what was removed, where the tables are, how long."""
    console.print(_documents(report))
    if report.account.rejected_by_reason:
        console.print(_rejects(report))
    if report.sizes:
        profiles = [row for row in report.sizes if row["scope"] != "content_type"]
        console.print(sizes_table("Chunk sizes in tokens", profiles, console.width))
    _print_places(report, console)


def sizes_table(title: str, rows: Sequence[Mapping[str, Any]], width: int) -> Table:
    """Rows of the table `sizes` as a table on screen, for so many columns of text."""
    percentiles = _MANY if width >= _WIDE else _FEW
    table = _table(title)
    table.add_column("of", overflow="fold")
    for name in ("chunks", "mean", "min", *(f"p{p}" for p in percentiles), "max", "limit", "over", "tiny"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        over = row["over_limit"]
        table.add_row(
            plain(_row_name(row)),
            f"{row['chunk_count']:,}",
            f"{row['token_mean']:,.0f}",
            f"{row['token_min']:,}",
            *(f"{row[f'token_p{p}']:,.0f}" for p in percentiles),
            f"{row['token_max']:,}",
            f"{row['share_of_limit']:.0%}",
            Text(f"{over:,}", style="red" if over else ""),
            f"{row['tiny']:,}",
        )
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))


def _row_name(row: Mapping[str, Any]) -> str:
    if row["scope"] == "overall":
        return "all chunks"
    name = row["name"] if row["name"] is not None else "(none)"
    return name if row["scope"] == "content_type" else f"profile {name}"


def _documents(report: RunReport) -> Table:
    account = report.account
    table = _table("Documents")
    table.add_column("status")
    table.add_column("rows", justify="right")
    for status in STATUSES:
        if (rows := getattr(account, status)) or status != "unchanged":
            table.add_row(status, f"{rows:,}")
    table.add_section()
    table.add_row("rows in", f"{account.input_rows:,}")
    return table


def _rejects(report: RunReport) -> Table:
    table = _table("Rejected")
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
    megabytes = report.account.text_bytes / 1e6
    rate = megabytes / report.seconds if report.seconds else 0.0
    console.print(Text.assemble(f"Tables    {', '.join(TABLES)} in ", plain(output, "bold")), soft_wrap=True)
    console.print(Text.assemble("Record    ", plain(join(output, "run.json"))), soft_wrap=True)
    console.print(
        f"Time      {report.seconds:,.1f} s for {megabytes:,.1f} MB of text: {rate:,.2f} MB/s", highlight=False
    )
