"""`lakechunk run`: the main job, as a list of stages.

read -> route -> check -> clean -> chunk -> identify -> measure -> publish. All tables are built beside the old ones and
take their place at the end; what went wrong with a document is a row in `rejects`, what is wrong with the job an error.
"""

from __future__ import annotations

import contextlib
import sys
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Annotated, Any

import typer
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from rich.console import Console

from jobs.account import Account, take_account
from jobs.check import count_rows, reject_duplicates, reject_unfit, repeated_ids
from jobs.chunk import chunk_documents, working_table
from jobs.errors import JobError
from jobs.file_sizes import chunk_files
from jobs.measuring.findings import FailedChecksError, failed_checks, warnings
from jobs.measuring.histograms import histograms_table
from jobs.measuring.scopes import top_sources
from jobs.measuring.sizes import sizes_table
from jobs.measuring.tallies import size_tallies
from jobs.options import ConfigOption, InputOption, OutputOption, RemoteOption, SetOption
from jobs.paths import refuse_overlap
from jobs.progress import LogFormat, StageClock, progress_on
from jobs.publish import TABLES, Output
from jobs.read import first_line, read_documents, unreadable
from jobs.record import RunReport
from jobs.repeated_lines import without_repeated_lines
from jobs.report import check_extra, print_written, report_of_run
from jobs.route import check_rules, route
from jobs.screen import result_console
from jobs.session import connect, get_session
from jobs.settings import JobSettings, load_settings, masked_text
from jobs.slowest import slowest_documents
from jobs.spread import spread
from jobs.staging import Staging, cleared
from jobs.storage import open_storage
from jobs.summary import print_sizes, print_summary
from jobs.tables import (
    carried_fields,
    chunks_table,
    documents_table,
    has_inline_parents,
    parents_table,
    rejects_table,
)
from schemas import SCOPES, SIZES, chunks_with

# Of the table `sizes`, the driver holds at most so many rows.
_MOST_ROWS = 1000


def command(
    *,
    input_path: InputOption = None,
    output_path: OutputOption = None,
    config: ConfigOption = None,
    sets: SetOption = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the tables of an earlier run: output.mode=overwrite.")
    ] = False,
    with_report: Annotated[
        bool, typer.Option("--report", help="Also write report.html, a page about the run, to the output folder.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing but errors.")] = False,
    log_format: Annotated[
        LogFormat, typer.Option("--log-format", help="What the log gets of each stage: a line to read, or JSON.")
    ] = "text",
    remote: RemoteOption = None,
) -> None:
    """Chunk the documents and write the tables.

    Reads the documents, sends each to its profile, chunks it, and writes the tables chunks, documents, rejects,
    parents, sizes and histograms, and run.json, to the output folder.
    """
    overrides = {
        "input.path": input_path,
        "output.path": output_path,
        "output.mode": "overwrite" if overwrite else None,
    }
    settings = load_settings(config, sets or (), overrides, needs=("input.path", "output.path"))
    if with_report:
        check_extra()
    console = result_console()
    progress = progress_on(Console(stderr=True), quiet=quiet, log_format=log_format)
    spark = None if remote is None else connect(remote, settings.spark)
    with _sizes_shown(None if quiet else console):
        report = run_job(settings, spark, progress)
    if not quiet:
        print_summary(report, console)
    if with_report:
        written = report_of_run(settings.output.path, progress)
        if not quiet:
            print_written(written, console)


@contextlib.contextmanager
def _sizes_shown(console: Console | None) -> Iterator[None]:
    """Where a check fails, the sizes are shown before the error is, so that one can see why."""
    try:
        yield
    except FailedChecksError as error:
        if console is not None:
            print_sizes(error.sizes, console)
        raise


def run_job(settings: JobSettings, spark: SparkSession | None = None, progress: StageClock | None = None) -> RunReport:
    """Runs the job and publishes its tables.

    Args:
        settings: as from `load_settings`.
        spark: the session; by default the active one, else a new one.
        progress: what to show meanwhile; by default nothing.

    Raises:
        SettingsError: a column, predicate or output format that cannot be, before any document is read.
        InputError: the input is missing or cannot be read; the output is untouched.
        OutputExistsError: the output is filled; nothing was read.
        FailedChecksError: the chunks are not what `checks` asks for; nothing was published.
        AccountError: rows in are not rows out; nothing was published.
        ContractError: a table has not the columns that `schemas` promises; nothing was published.
        JobError: Spark or the file system failed; the message says whether the run counts.
    """
    started = datetime.now(timezone.utc)
    clock = progress or StageClock()
    refuse_overlap(settings.input.path, settings.output.path)
    with clock.stage("start Spark") as facts, _told_plainly(settings):
        spark = spark or get_session(settings.spark)
        output = _claim(spark, settings, started)
        facts |= {"run_id": output.run_id, "spark": spark.version}
    staging = Staging(spark, output, settings.output)
    with _told_plainly(settings), cleared(output):
        with clock.stage("read and check", spark) as facts:
            facts["run_id"] = output.run_id
            documents, input_rows = check_documents(staging, settings)
            facts["input_rows"] = input_rows
            documents, dropped = clean_documents(staging, settings, documents)
        with clock.stage("chunk", spark) as facts:
            facts |= {"run_id": output.run_id, "profiles": sorted(settings.profiles_resolved)}
            work = chunk_stage(staging, settings, documents)
        with clock.stage("write tables", spark) as facts:
            facts["run_id"] = output.run_id
            account = write_tables(staging, settings, work, input_rows)
            facts.update(account.as_dict())
            sizes = checked_sizes(staging, settings, account)
            slowest = slowest_documents(work)
        report = _report(
            settings, output, account, started, clock, spark, sizes=sizes, slowest=slowest, repeated_lines=dropped
        )
        with clock.stage("publish") as facts:
            facts |= {"run_id": output.run_id, "tables": list(TABLES)}
            output.publish(TABLES, report.as_json())
    return report


def check_documents(staging: Staging, settings: JobSettings) -> tuple[DataFrame, int]:
    """The documents with profile and reason, one row kept for each id; and how many rows the input has."""
    documents = read_documents(staging.spark, settings.input)
    check_rules(documents, settings.rules)
    routed = route(documents, settings.rules, settings.input.carry)
    inline = has_inline_parents(settings.profiles_resolved)
    staging.try_out(chunks_with(carried_fields(routed), parent_text=inline))
    counted = count_rows(routed)
    checked = reject_unfit(routed, settings.input.max_document_bytes)
    if counted.repeated_ids:
        # Written down, so that both sides of the split see the same ids.
        checked = reject_duplicates(checked, staging.work("repeated_ids", repeated_ids(routed)))
    return spread(staging.spark, checked, counted), counted.rows


def clean_documents(
    staging: Staging, settings: JobSettings, documents: DataFrame
) -> tuple[DataFrame, list[dict[str, Any]]]:
    """The documents without the lines that many of them share, if that is wanted; and these lines."""
    lines = settings.input.repeated_lines
    return (documents, []) if lines.mode == "keep" else without_repeated_lines(staging, documents, lines)


def chunk_stage(staging: Staging, settings: JobSettings, documents: DataFrame) -> DataFrame:
    """The working table: the only place where Python runs."""
    chunked = chunk_documents(documents, settings.profiles_resolved)
    return staging.work("work", working_table(chunked))


def write_tables(staging: Staging, settings: JobSettings, work: DataFrame, input_rows: int) -> Account:
    """All tables, from the working table; and the account, which must balance."""
    profiles = settings.profiles_resolved
    account = take_account(work, input_rows)
    layout = chunk_files(staging.work_bytes("work"), account.chunks, settings.output.file_bytes)
    work = work.coalesce(layout.tasks)
    chunks = staging.table("chunks", chunks_table(work, profiles), layout.records)
    account.check(chunks.count())
    staging.table("documents", documents_table(work, profiles))
    staging.table("rejects", rejects_table(work))
    staging.table("parents", parents_table(work))
    sources = top_sources(chunks)
    tallies = staging.work("tallies", size_tallies(chunks, sources))
    staging.table("sizes", sizes_table(chunks, tallies, profiles, sources))
    staging.table("histograms", histograms_table(tallies, profiles, sources))
    return account


def _claim(spark: SparkSession, settings: JobSettings, started: datetime) -> Output:
    path = settings.output.path
    output = Output(open_storage(spark, path), path, f"{started:%Y%m%dT%H%M%SZ}-{uuid.uuid4().hex[:8]}")
    output.claim(settings.output.mode)
    return output


@contextlib.contextmanager
def _told_plainly(settings: JobSettings) -> Iterator[None]:
    """Errors of Spark and of the file system in our words; a damaged file may only show when a task reads it."""
    try:
        yield
    except (PySparkException, Py4JJavaError, OSError) as error:
        known = unreadable(error, settings.input)
        message = f"The job failed and published nothing: {masked_text(first_line(error))} (--debug shows where)"
        raise known or JobError(message) from error


def checked_sizes(staging: Staging, settings: JobSettings, account: Account) -> list[dict[str, Any]]:
    """The rows of the table `sizes`, wider ones first; raises FailedChecksError if they are not as `checks` wants."""
    # Content types are few, but nothing makes sure of it.
    order = (F.col("scope") == "content_type", F.desc("chunk_count"), "name")
    rows = staging.read("sizes", SIZES).orderBy(*order).limit(_MOST_ROWS).collect()
    sizes = sorted((row.asDict() for row in rows), key=lambda row: (SCOPES.index(row["scope"]), row["name"] or ""))
    failed = failed_checks(sizes, settings.profiles_resolved, account, settings.checks.thresholds)
    if failed:
        raise FailedChecksError(failed, sizes)
    return sizes


def _report(
    settings: JobSettings,
    output: Output,
    account: Account,
    started: datetime,
    clock: StageClock,
    spark: SparkSession,
    *,
    sizes: list[dict[str, Any]],
    **noted: list[dict[str, Any]],
) -> RunReport:
    return RunReport(
        run_id=output.run_id,
        output=output.path,
        settings=settings,
        account=account,
        started=started,
        finished=datetime.now(timezone.utc),
        timings=dict(clock.timings),
        spark_version=spark.version,
        sizes=sizes,
        **noted,
        warnings=warnings(sizes, settings.profiles_resolved, account),
    )


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("run"))
