"""`lakechunk sizes`: how large the chunks of a run came out, on screen; or of two runs, side by side.

Local Parquet is read without Spark, so that looking takes no longer than it should.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Annotated, Any, Literal

import typer
from rich.console import Console

from jobs.bars import histogram_lines, near
from jobs.comparing import comparison_table, differing_settings, settings_table
from jobs.finished_run import FinishedRun, recorded_limit
from jobs.options import ConfigOption, OutputOption, SetOption
from jobs.screen import plain, result_console
from jobs.settings import load_settings, masked_text
from jobs.size_tables import sizes_table
from jobs.summary import print_warnings
from schemas import SCOPES

# There may be as many content types as documents.
_MOST_CONTENT_TYPES = 40

Unit = Literal["tokens", "characters"]

CompareOption = Annotated[
    str | None,
    typer.Option("--compare", metavar="PATH", show_default=False, help="The output of another run, to compare with."),
]
UnitOption = Annotated[Unit, typer.Option("--unit", help="Show sizes in tokens or in characters.")]


def command(
    *,
    output_path: OutputOption = None,
    compare: CompareOption = None,
    unit: UnitOption = "tokens",
    config: ConfigOption = None,
    sets: SetOption = None,
) -> None:
    """Show how large the chunks of a run came out: for all, by profile, by content type and by source.

    Shown are mean, smallest, percentiles, largest; how much of the limit is used; chunks over the limit (must be 0);
    tiny ones, under a tenth of the limit; and in a wide terminal the shares of those that end within a sentence and of
    duplicates. With --compare, two runs side by side, and which settings of their profiles differ.
    """
    settings = load_settings(config, sets or (), {"output.path": output_path}, needs=("output.path",))
    run = FinishedRun(settings.output.path, dict(settings.spark))
    if compare is None:
        show_sizes(run, unit, result_console())
    else:
        show_comparison(run, FinishedRun(compare, dict(settings.spark)), unit, result_console())


def show_sizes(run: FinishedRun, unit: Unit, console: Console) -> None:
    """The sizes of a run, its histogram and its warnings."""
    rows = sizes_of(run)
    if not rows:
        console.print("The run has no chunks, so there are no sizes.")
        return
    names = _told_types(rows)
    console.print(sizes_table(f"Chunk sizes in {unit}", _with_types(rows, names), console.width, unit))
    _print_left_out(rows, names, console)
    _print_histogram(run, rows, unit, console)
    print_warnings(run.warnings, console)


def _print_histogram(run: FinishedRun, rows: Sequence[Mapping[str, Any]], unit: Unit, console: Console) -> None:
    """Of all chunks, which is the first of the rows."""
    limit, ascii_only = _limit(run.profiles, rows, unit), console.options.ascii_only
    bins, far = near(_bins(run, unit), limit, rows[0]["char_p99" if unit == "characters" else "token_p99"])
    if not bins:
        return
    for line in histogram_lines(bins, limit, unit, console.width, ascii_only=ascii_only):
        console.print(line, no_wrap=True, crop=False)
    if far:
        told = f"  {far:,} chunk{'' if far == 1 else 's'} beyond what is drawn"
        console.print(told, style="dim", highlight=False)
    console.print()


def show_comparison(this: FinishedRun, other: FinishedRun, unit: Unit, console: Console) -> None:
    """Two runs side by side, and the settings in which they differ."""
    rows, others = sizes_of(this), sizes_of(other)
    for label, run in (("this", this), ("other", other)):
        console.print(plain(f"{label:<6} {masked_text(run.path)}, started {run.started}"), soft_wrap=True)
    console.print()
    names = _told_types(rows) | _told_types(others)
    told = (_with_types(rows, names), _with_types(others, names))
    console.print(comparison_table(*told, unit, console.width))
    _print_left_out([*rows, *others], names, console)
    differences = differing_settings(this.profiles, other.profiles)
    console.print(settings_table(differences) if differences else "No setting of a profile differs.")


def read_sizes(path: str, spark_settings: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """The rows of the table `sizes`: overall first, then by profile, by content type, by source.

    Args:
        path: the output folder of a run.
        spark_settings: for a session, should one be needed.

    Raises:
        InputError: there is no run in that folder, or it cannot be read.
    """
    return sizes_of(FinishedRun(path, spark_settings or {}))


def sizes_of(run: FinishedRun) -> list[dict[str, Any]]:
    """The rows of the table `sizes` of a run, wider ones first; sources by their chunks, all others by name."""
    return sorted(run.rows("sizes"), key=_place)


def _place(row: Mapping[str, Any]) -> tuple[int, int, str]:
    most_first = -row["chunk_count"] if row["scope"] == "source" else 0
    return SCOPES.index(row["scope"]), most_first, row.get("name") or ""


def _told_types(rows: Sequence[Mapping[str, Any]]) -> set[str | None]:
    """The content types with the most chunks, as many as are shown."""
    types = (row for row in rows if row["scope"] == "content_type")
    ordered = sorted(types, key=lambda row: (-row["chunk_count"], row.get("name") or ""))
    return {row.get("name") for row in ordered[:_MOST_CONTENT_TYPES]}


def _with_types(rows: Sequence[Mapping[str, Any]], names: AbstractSet[str | None]) -> list[Mapping[str, Any]]:
    return [row for row in rows if row["scope"] != "content_type" or row.get("name") in names]


def _print_left_out(rows: Sequence[Mapping[str, Any]], names: AbstractSet[str | None], console: Console) -> None:
    types = {row.get("name") for row in rows if row["scope"] == "content_type"}
    if more := len(types - names):
        told = f"{more:,} more content types are in the table sizes."
        console.print(told, style="dim", soft_wrap=True, highlight=False)


def _bins(run: FinishedRun, unit: Unit) -> list[dict[str, Any]]:
    """Of all chunks; an output of an older version has none."""
    if not run.has("histograms"):
        return []
    return [bin_ for bin_ in run.rows("histograms") if (bin_["scope"], bin_["unit"]) == ("overall", unit)]


def _limit(profiles: Mapping[str, Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], unit: Unit) -> int | None:
    """The limit that all profiles with chunks share, if they do and count in this unit."""
    limits = {_limit_of(profiles.get(row["name"], {}), unit) for row in rows if row["scope"] == "profile"}
    return limits.pop() if len(limits) == 1 else None


def _limit_of(profile: Mapping[str, Any], unit: Unit) -> int | None:
    """None for a profile that counts in another unit, and for `auto` where it chooses itself."""
    return recorded_limit(profile) if profile.get("unit") == unit and "size" in profile else None


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("sizes"))
