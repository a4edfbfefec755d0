"""`lakechunk run --report`, what stops a report, and how large it may become."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.cli import main
from jobs.errors import InputError
from jobs.exit_codes import ExitCode
from jobs.report import write_report
from tests.conftest import Result

CHUNKS = 200_000
# Of which row there are to be many.
WHICH = {"chunks": "document_id = '0'", "sizes": "scope = 'content_type'"}
LONG = "<&\x1b\u202e> " * 6_000


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"id": ["a", "b"], "text": ["Some words. " * 20, "Other words."]}), tmp_path / "in.parquet")
    return tmp_path / "in.parquet"


def run_command(documents: Path, *more: str) -> int:
    return main(["run", "--input", str(documents), "--output", str(documents.parent / "out"), *more])


@pytest.mark.usefixtures("spark")
def test_a_run_writes_its_report_when_asked_and_the_next_one_removes_it(
    documents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = documents.parent / "out" / "report.html"
    assert run_command(documents, "--report") == ExitCode.OK
    assert report.read_text("utf-8").startswith("<!doctype html>")
    assert f"Report    {report}" in capsys.readouterr().out
    assert run_command(documents) == ExitCode.OUTPUT_EXISTS
    assert report.exists()
    assert run_command(documents, "--overwrite") == ExitCode.OK
    assert not report.exists()


@pytest.mark.usefixtures("spark")
def test_a_report_that_fails_leaves_the_run_and_says_so(
    documents: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> str:
        raise InputError("the table went away.")

    monkeypatch.setattr("jobs.reporting.report_page", broken)
    assert run_command(documents, "--report") == ExitCode.FAILURE
    told = capsys.readouterr().err
    out = documents.parent / "out"
    assert f"The run is complete and its tables are in {out}" in told
    assert "the table went away." in told
    assert f"lakechunk report --output {out}" in told
    assert json.loads((out / "run.json").read_text())["counts"]["chunked"] == 2


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
@pytest.mark.parametrize("command", ["run", "report"])
def test_without_the_extra_nothing_is_begun(
    command: str, package: str, documents: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for module in ("jobs.run", "jobs.session"):  # in this order: the first imports the name from the second
        monkeypatch.setattr(f"{module}.get_session", lambda *_: pytest.fail("Spark was started"))
    out = documents.parent / "out"
    asked = ["run", "--input", str(documents), "--report"] if command == "run" else ["report"]
    assert main([*asked, "--output", str(out)]) == ExitCode.FAILURE
    assert "pip install 'lakechunk[report]'" in capsys.readouterr().err
    assert not out.exists()


def test_a_table_of_many_chunks_makes_a_small_page(run: Callable[..., Result], spark: Any) -> None:
    from pyspark.sql import functions as F

    out = run([{"id": f"{n}", "text": LONG, "content_type": "x"} for n in range(3)], "profiles.default.strategy=whole")
    copies = spark.range(CHUNKS, numPartitions=4).withColumnRenamed("id", "number")
    number = F.col("number").cast("string")
    is_long = F.col("number") % 10_000 == 0
    chunks = {
        "chunk_id": F.sha2(number, 256),
        "document_id": F.concat(F.lit("<" * 500), number),
        "content_hash": F.sha2(F.floor(F.col("number") / 3).cast("string"), 256),
        "text": F.when(is_long, F.lit(LONG)).otherwise("short"),
        "embed_text": F.when(is_long, F.lit(2 * LONG)).otherwise("short"),
        "section": F.when(is_long, F.array_repeat(F.lit("\x07" * 400), 10)),
    }
    types = {"name": F.concat(F.lit("\u202e" * 500), number)}
    for table, columns in {"chunks": chunks, "sizes": types}.items():
        rows = spark.read.parquet(str(out.path / table))
        first = spark.createDataFrame(rows.where(WHICH[table]).head(1), rows.schema)
        first.drop(*columns).crossJoin(copies).withColumns(columns).select(rows.columns).write.parquet(
            str(out.path / f"more-{table}")
        )
    for table in ("chunks", "sizes"):
        for part in (out.path / f"more-{table}").glob("*.parquet"):
            part.rename(out.path / table / part.name)
    spark.catalog.clearCache()
    written = write_report(str(out.path), spark=spark)
    assert written.size < 1_500_000
