"""`python -m tests.bench.lakes [CASE ...]`: the whole job on lakes that are awkward or large.

Each case runs in a process of its own, so that peaks of memory are its own. Wall time is that of the job without the
start of Spark; peaks are of the largest Python worker and of the JVM (driver and executor in one, in local mode);
shuffle is what Spark's own pages say was written for other tasks to read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from tests.bench.corpora import Corpus, from_folder, of_every_machine
from tests.bench.memory import peak_of

ROOT = Path(__file__).parents[2]
MEGABYTE = 1_000_000

# What a laptop has; the bound on documents is raised for the case that is about it.
SETTINGS = {"spark.driver.memory": "6g", "spark.ui.enabled": "true", "spark.ui.port": "0"}
HEADINGS = ("case", "text MB", "chunks", "read", "chunk", "write", "all s", "MB/s", "worker MiB", "JVM MiB", "shuffle")
SCHEMA = pa.schema({"id": pa.string(), "text": pa.string()})


def monster(corpus: Corpus, folder: Path) -> None:
    """One document of 200 MB among 100,000 of 2 kB, in files of 10,000."""
    text = "\n\n".join(_endless(corpus, 200 * MEGABYTE))
    pieces = list(_pieces(corpus, 100_000, 2_000))
    for number in range(10):
        rows = [(f"{number}-{row}", piece) for row, piece in enumerate(pieces[number::10])]
        rows += [("monster", text)] * (number == 4)
        _write(folder / f"{number}.parquet", rows, len(rows))


def row_group(corpus: Corpus, folder: Path) -> None:
    """One file with a single row group of 1 GB."""
    rows = [(str(number), piece) for number, piece in enumerate(_pieces(corpus, 125_000, 8_000))]
    _write(folder / "one.parquet", rows, len(rows))


def tiny_files(corpus: Corpus, folder: Path) -> None:
    """Ten thousand files of one document of 2 kB."""
    for number, piece in enumerate(_pieces(corpus, 10_000, 2_000)):
        _write(folder / f"{number}.parquet", [(str(number), piece)], 1)


def even(corpus: Corpus, folder: Path) -> None:
    """600 MB in documents of 20 kB and row groups of 4 MB: to see what a second core brings."""
    rows = [(str(number), piece) for number, piece in enumerate(_pieces(corpus, 30_000, 20_000))]
    _write(folder / "even.parquet", rows, 200)


CASES: dict[str, tuple[Callable[[Corpus, Path], None], str]] = {
    "monster": (monster, "local[2]"),
    "row_group": (row_group, "local[2]"),
    "tiny_files": (tiny_files, "local[2]"),
    "even, one core": (even, "local[1]"),
    "even, two cores": (even, "local[2]"),
}


def main(wanted: list[str], corpus: Corpus) -> None:
    """Measure the cases and print a table."""
    table = Table(title=f"The job on awkward lakes, text of {corpus.name}")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "case" else "right")
    for name in wanted or CASES:
        write, master = CASES[name]
        with TemporaryDirectory() as folder:
            source = Path(folder) / "documents"
            source.mkdir()
            write(corpus, source)
            command = [sys.executable, "-m", "tests.bench.lakes", "--run", folder, master]
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        table.add_row(name, *_row(json.loads(done.stdout.splitlines()[-1])))
    Console(width=140).print(table)


def _row(found: dict[str, Any]) -> Iterator[str]:
    stages = found["timings"]
    seconds = sum(stages.values()) - stages["start Spark"]
    yield from (f"{found['megabytes']:,.0f}", f"{found['chunks']:,}")
    yield from (f"{stages[name]:.1f}" for name in ("read and check", "chunk", "write tables"))
    yield from (f"{seconds:.1f}", f"{found['megabytes'] / seconds:.1f}")
    yield from (f"{found['worker']:,}", f"{found['jvm']:,}", f"{found['shuffle'] / MEGABYTE:,.1f} MB")


def run(folder: Path, master: str) -> None:
    """Run the job on the documents in this folder, and print what was measured as JSON."""
    if master == "local[1]" and hasattr(os, "sched_setaffinity"):
        # One task alone keeps more than a core busy: the JVM and Python work at the same time.
        os.sched_setaffinity(0, {0})
    from jobs.progress import StageClock
    from jobs.run import run_job
    from jobs.session import get_session
    from jobs.settings import load_settings

    spark = get_session(SETTINGS | {"spark.master": master, "spark.local.dir": str(folder / "spark")})
    paths = {"input.path": str(folder / "documents"), "output.path": str(folder / "out")}
    settings = load_settings(None, [f"input.max_document_bytes={256 * MEGABYTE}"], paths)
    clock = StageClock()
    report = run_job(settings, spark, clock)
    found = {
        "megabytes": report.account.text_bytes / MEGABYTE,
        "chunks": report.account.chunks,
        "timings": clock.timings,
        "worker": peak_of(b"pyspark.daemon"),
        "jvm": peak_of(b"org.apache.spark.deploy.SparkSubmit"),
        "shuffle": _shuffled(spark),
    }
    sys.stdout.write(json.dumps(found) + "\n")
    spark.stop()


def _shuffled(spark: Any) -> int:
    """Bytes that tasks wrote for others, by Spark's own pages."""
    address = f"{spark.sparkContext.uiWebUrl}/api/v1/applications/{spark.sparkContext.applicationId}/stages"
    with urllib.request.urlopen(address, timeout=30) as answer:
        return sum(int(stage["shuffleWriteBytes"]) for stage in json.load(answer))


def _endless(corpus: Corpus, size: int) -> Iterator[str]:
    """The documents again and again, each time a little different, until there are so many characters."""
    done, round_ = 0, 0
    while done < size:
        for document in corpus.documents:
            text = document.replace(". ", f". {round_} ") if round_ else document
            yield text
            done += len(text)
            if done >= size:
                return
        round_ += 1


def _pieces(corpus: Corpus, count: int, size: int) -> Iterator[str]:
    """So many stretches of so many characters."""
    made, rest = 0, ""
    for document in _endless(corpus, count * size * 2):
        rest += document
        for start in range(0, len(rest) - size, size):
            yield rest[start : start + size]
            made += 1
            if made == count:
                return
        rest = rest[len(rest) - len(rest) % size :]


def _write(path: Path, rows: list[tuple[str, str]], row_group_size: int) -> None:
    ids, texts = zip(*rows, strict=True)
    pq.write_table(pa.table([ids, texts], schema=SCHEMA), path, row_group_size=row_group_size)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(Path(sys.argv[2]), sys.argv[3])
    else:
        folders = [Path(name) for name in sys.argv[1:] if name not in CASES]
        text = from_folder(folders[0]) if folders else of_every_machine()[0]
        main([name for name in sys.argv[1:] if name in CASES], text)
