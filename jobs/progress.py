"""What is told while Spark works: a bar in a terminal, one line a stage in a log, nothing if quiet.

Whatever is shown, each stage is also one JSON object to Python's logger `lakechunk`: for services that collect logs.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import datetime, timezone
from typing import Any, Literal

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from jobs.described import described
from jobs.session import is_remote

LogFormat = Literal["text", "json"]

_LOG = logging.getLogger("lakechunk")

# How often the bar looks at Spark, in seconds.
_INTERVAL = 0.25


class StageClock:
    """Times the stages of a job and shows nothing. The base of those that do."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str, spark: SparkSession | None = None) -> Iterator[dict[str, Any]]:
        """A stage of the job; its time goes to `timings[name]`, in seconds.

        Args:
            name: what is being done, as a person would say it.
            spark: the session whose tasks are shown, and described so on Spark's pages.

        Yields:
            Facts about the stage, empty at first: what is put into it (counts, names) is logged with the stage.
        """
        facts: dict[str, Any] = {}
        start = time.monotonic()
        try:
            with self.shown(name, spark), nullcontext() if spark is None else described(spark, name):
                yield facts
        except BaseException as error:
            self._log("stage_failed", name, start, facts | {"error": type(error).__name__})
            raise
        self.timings[name] = time.monotonic() - start
        self._log("stage", name, start, facts)
        self.finished(name)

    def _log(self, event: str, name: str, start: float, facts: dict[str, Any]) -> None:
        told = {"time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"), "event": event, "stage": name}
        _LOG.info(json.dumps({**told, "seconds": round(time.monotonic() - start, 3), **facts}, ensure_ascii=False))

    def shown(self, _name: str, _spark: SparkSession | None) -> AbstractContextManager[object]:
        """What is on screen during a stage."""
        return nullcontext()

    def finished(self, name: str) -> None:
        """Called when a stage has ended well."""


class StageLines(StageClock):
    """One line for each finished stage: for logs and pipes."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def finished(self, name: str) -> None:
        """Prints the stage and its time."""
        self._console.print(f"{name:<24} {self.timings[name]:8.1f} s", highlight=False)


class StageBars(StageLines):
    """The tasks of the running stage as a bar, then its line."""

    def shown(self, name: str, spark: SparkSession | None) -> AbstractContextManager[object]:
        """The bar."""
        return self._bar(name, spark)

    @contextmanager
    def _bar(self, name: str, spark: SparkSession | None) -> Iterator[None]:
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[tasks]}"))
        with Progress(*columns, TimeElapsedColumn(), console=self._console, transient=True) as bars:
            bar = bars.add_task(name, total=None, tasks="")
            if spark is None or is_remote(spark):  # a remote session does not tell of its tasks
                yield
                return
            ended = threading.Event()
            watcher = threading.Thread(target=_watch, args=(spark, bars, bar, ended), daemon=True)
            watcher.start()
            try:
                yield
            finally:
                ended.set()
                watcher.join()


def progress_on(console: Console, *, quiet: bool, log_format: LogFormat = "text") -> StageClock:
    """The display that suits where the output goes.

    Args:
        console: where it goes.
        quiet: nothing is shown.
        log_format: `json` sends the log lines there, instead of what a person would read.
    """
    if quiet:
        return StageClock()
    if log_format == "json":
        _log_to(console)
        return StageClock()
    return StageBars(console) if console.is_terminal else StageLines(console)


def _log_to(console: Console) -> None:
    """The log lines of lakechunk go to this console's file, and no longer to the handlers of the root logger."""
    handler = logging.StreamHandler(console.file)
    handler.setFormatter(logging.Formatter("%(message)s"))
    _LOG.handlers[:] = [handler]
    _LOG.setLevel(logging.INFO)
    _LOG.propagate = False


def _watch(spark: SparkSession, bars: Progress, bar: TaskID, ended: threading.Event) -> None:
    # A JVM that has died is told of by whoever waits for the stage.
    with suppress(Py4JError, OSError):
        tracker = spark.sparkContext.statusTracker()
        while not ended.wait(_INTERVAL):
            stages = [info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage))]
            total = sum(info.numTasks for info in stages)
            done = sum(info.numCompletedTasks for info in stages)
            if total:
                bars.update(bar, total=total, completed=done, tasks=f"{done} of {total} tasks")
