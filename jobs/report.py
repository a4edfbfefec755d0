"""`lakechunk report`: a finished run as one HTML file to look at and to pass on."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from jobs.errors import JobError, MissingExtraError
from jobs.finished_run import FinishedRun
from jobs.options import ConfigOption, OutputOption, SetOption
from jobs.paths import local_path
from jobs.progress import StageClock, progress_on
from jobs.publish import REPORT_FILE
from jobs.screen import plain, result_console
from jobs.settings import load_settings, masked_text
from jobs.showing import can_show
from jobs.storage import join, open_storage
from udfs.chunking import LakechunkError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Written:
    """A report that was written."""

    place: str
    size: int  # bytes


def command(
    *,
    output_path: OutputOption = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE",
            show_default=False,
            help="Where the page goes; by default report.html in the output folder. A file there is replaced.",
        ),
    ] = None,
    config: ConfigOption = None,
    sets: SetOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing but errors.")] = False,
) -> None:
    """Write the report of a run: one HTML file that needs no network and runs no scripts.

    It shows how the documents fared, how large the chunks came out and where they were cut, what was rejected and
    removed, and a few documents with their chunks drawn.
    """
    check_extra()
    settings = load_settings(config, sets or (), {"output.path": output_path}, needs=("output.path",))
    progress = progress_on(Console(stderr=True), quiet=quiet)
    written = write_report(settings.output.path, to=to, spark_settings=dict(settings.spark), progress=progress)
    if not quiet:
        print_written(written, result_console())


def check_extra() -> None:
    """Raises MissingExtraError unless a report can be made; to be asked before any work is done."""
    if not can_show():
        raise MissingExtraError("The report", "report")


def write_report(
    path: str,
    *,
    to: str | None = None,
    spark: SparkSession | None = None,
    spark_settings: dict[str, str] | None = None,
    progress: StageClock | None = None,
) -> Written:
    """Makes the report of a finished run and writes it.

    Args:
        path: the output folder of the run.
        to: the file to write; None: `report.html` in that folder.
        spark: the session; None: the active one, else a new one.
        spark_settings: for a new session.
        progress: what to show meanwhile; by default nothing.

    Raises:
        InputError: there is no run in that folder, or it cannot be read.
        MissingExtraError: the extra `report` is not installed.
        JobError: the file cannot be written.
    """
    from jobs.reporting import report_page
    from jobs.session import get_session

    check_extra()
    clock = progress or StageClock()
    run = FinishedRun(path, spark_settings or {})
    if local_path(path) is not None:
        _ = run.record  # a wrong path is told before Spark starts
    if to is not None:
        _check_folder(to)
    if spark is None:
        with clock.stage("start Spark"):
            spark = get_session(spark_settings)
    with clock.stage("report", spark):
        page = report_page(run, spark)
    return _write(page, to or join(run.path, REPORT_FILE), spark)


def report_of_run(path: str, progress: StageClock) -> Written:
    """The report at the end of `lakechunk run`, whose tables are already in place.

    Raises:
        JobError: it could not be made; the message says that the run counts.
    """
    from jobs.session import get_session

    try:
        return write_report(path, spark=get_session(), progress=progress)
    except LakechunkError as error:
        raise JobError(
            f"The run is complete and its tables are in {masked_text(path)}, but its report could not be written: "
            f"{error} Try again with: lakechunk report --output {masked_text(path)}"
        ) from error


def print_written(written: Written, console: Console) -> None:
    """Says where the report is, and how large."""
    place = plain(masked_text(written.place), "bold")
    console.print(Text.assemble("Report    ", place, f" ({written.size / 1e6:,.1f} MB)"), soft_wrap=True)


def _check_folder(place: str) -> None:
    """A wrong place on this machine is told before Spark starts."""
    local = local_path(place)
    if local is not None and (local.is_dir() or not local.parent.is_dir()):
        why = "is a directory" if local.is_dir() else "there is no such directory"
        raise JobError(f"--to {masked_text(place)!r}: {why}. Name a file in a folder that exists and may be written.")


def _write(page: str, place: str, spark: SparkSession) -> Written:
    local = local_path(place)
    target = place if local is None else str(local)
    try:
        storage = open_storage(None if local is not None else spark, target)
        storage.write_text(target, page)
    except Exception as error:  # storage, Py4J and Arrow each raise their own
        from jobs.read import first_line

        raise JobError(
            f"--to {masked_text(place)!r}: the report cannot be written there: {masked_text(first_line(error))}. Name "
            "a file in a folder that exists and may be written."
        ) from error
    return Written(place, len(page.encode("utf-8")))


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("report"))
