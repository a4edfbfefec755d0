"""Tables on the screen: the files of a directory, and two ways to chunk one document."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from jobs.previewing.comparison import Comparison, cut_told, figure_lines
from jobs.previewing.directory import Directory, FileLine, left_out_line
from jobs.previewing.subject import Figures
from jobs.previewing.terminal import print_title
from jobs.screen import plain, titled_table, visible

_MOST_FILES = 60


def print_directory(directory: Directory, console: Console) -> None:
    """Print a line for each file, what could not be read, and what was left out."""
    table = titled_table(plain(directory.name))
    table.add_column("file", overflow="fold")
    table.add_column("strategy", no_wrap=True)
    for name in ("chunks", "tokens", "p50", "p95", "max", "forced"):
        table.add_column(name, justify="right", no_wrap=True)
    read = [line for line in directory.lines if line.figures is not None]
    for line in read[:_MOST_FILES]:
        _add(table, plain(line.name), line.strategy, line.figures)
    if len(read) > _MOST_FILES:
        table.add_row(Text(f"... {len(read) - _MOST_FILES:,} more files", style="dim"))
    table.add_section()
    _add(table, Text("all", style="bold"), "", directory.total)
    console.print(table)
    _print_troubles([line for line in directory.lines if line.figures is None], console)
    if told := left_out_line(directory.hidden, directory.binary, directory.beyond):
        console.print(told, style="dim")


def print_comparison(comparison: Comparison, limit: int, console: Console) -> None:
    """Print the figures of both ways, and the places where only one of them cuts: at most so many, or with 0 none."""
    left, right = comparison.left.document, comparison.right.document
    print_title(left, console)
    print_title(right, console)
    table = titled_table(None)
    table.add_column("")
    table.add_column(plain(left.profile), justify="right")
    table.add_column(plain(right.profile), justify="right")
    for name, of_left, of_right in figure_lines(comparison):
        table.add_row(name, plain(of_left), plain(of_right))
    console.print(table)
    if not comparison.comparable:
        console.print("The two read the document differently (cleaning, conversion), so places cannot be compared.")
        return
    console.print(f"Cuts that both make: {comparison.shared:,}. Cuts that only one makes: {len(comparison.cuts):,}.")
    if comparison.cuts and limit:
        console.print(_cuts(comparison, limit))
    if len(comparison.cuts) > limit > 0:
        console.print(f"... {len(comparison.cuts) - limit:,} more; --limit shows more.", style="dim")


def _cuts(comparison: Comparison, limit: int) -> Table:
    table = titled_table(None)
    table.add_column("at", justify="right", no_wrap=True)
    table.add_column(plain(comparison.left.document.profile), overflow="fold")
    table.add_column(plain(comparison.right.document.profile), overflow="fold")
    table.add_column("text around the cut", overflow="fold")
    for line in comparison.cuts[:limit]:
        around = Text.assemble((line.before, "cyan"), (" | ", "bold"), (line.after, "yellow"))
        table.add_row(f"{line.place:,}", cut_told(line.left), cut_told(line.right), around)
    return table


def _add(table: Table, name: Text, strategy: str, figures: Figures | None) -> None:
    if figures is None:
        return
    forced = figures.forced_cuts
    table.add_row(
        name,
        strategy,
        f"{figures.chunks:,}",
        f"{figures.tokens:,}",
        f"{figures.p50:,.0f}",
        f"{figures.p95:,.0f}",
        f"{figures.most:,}",
        Text(f"{forced:,}", style="yellow" if forced else ""),
    )


def _print_troubles(lines: list[FileLine], console: Console) -> None:
    for line in lines[:_MOST_FILES]:
        told = Text.assemble((visible(line.name), "red"), f": {visible(line.trouble)}")
        console.print(told, soft_wrap=True)
    if len(lines) > _MOST_FILES:
        console.print(f"... {len(lines) - _MOST_FILES:,} more files could not be read", style="dim")
