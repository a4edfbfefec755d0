"""What must work, and come out the same, on every version of Spark: `make compat` runs this on each of them.

With LAKECHUNK_SMOKE_TABLES=FILE, the first run writes its rows there, and every other one compares its own with them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pyspark
import pytest
from pyspark.sql import functions as F

from jobs.publish import TABLES
from jobs.report import write_report
from jobs.run import run_job
from jobs.settings import load_settings
from jobs.sizes import read_sizes
from tests.conftest import Result
from tests.udfs.chunking.laws import tokens
from udfs import chunk, join_pages
from udfs.chunking import Chunker
from udfs.chunking.document import About
from udfs.column import is_valid_utf8

pytestmark = pytest.mark.smoke

HEADING = "# Pumps\n\n## Limits\n\n"
PROSE = "The pump runs at ten bar. It must not run dry, and it must not run hot. " * 12
MARKDOWN = HEADING + PROSE + "\n\n| part | limit |\n|---|---|\n" + "| valve | 10 bar |\n" * 30
PAGE = "<html><body><h1>Pumps</h1><p>" + PROSE + "</p><script>run()</script></body></html>"
CODE = "def run(bar):\n    return bar * 2\n\n\n" * 12

CONFIG = """
input:
  columns: {content_type: mime, title: title, source: url}
  carry: [tenant, size, flags]
profiles:
  default: {size: 48, overlap: 8}
  markdown: {strategy: markdown, size: 48, context: headings}
  html: {strategy: html, size: 48}
  code: {strategy: code, size: 48}
  family: {strategy: parent_child, parent: {size: 96}, child: {size: 24}}
  automatic: {strategy: auto, size: 48}
routing:
  - {when: "mime = 'text/markdown'", profile: markdown}
  - {when: "mime = 'text/html'", profile: html}
  - {when: "mime = 'text/x-python'", profile: code}
  - {when: "tenant = 'family'", profile: family}
  - {when: "tenant = 'any'", profile: automatic}
  - {when: "length(text) < 20", profile: whole}
  - {profile: default}
"""
COLUMNS = (
    "id int, text string, mime string, title string, url string, tenant string, size decimal(10,2), flags array<int>"
)


def documents() -> list[tuple[Any, ...]]:
    of = [
        (MARKDOWN, "text/markdown", "a"),
        (PAGE, "text/html", "a"),
        (CODE, "text/x-python", "b"),
        (PROSE, None, "family"),
        (MARKDOWN, None, "any"),
        ("short", None, None),
        (PROSE, "text/plain", "c"),
        (None, None, None),
        (" \n", None, None),
        ("\u00e9\U0001f468\u200d\U0001f469 " * 90, None, "c"),
        (PROSE, "text/plain", "c"),
    ]
    return [
        (number, text, mime, f"Title {number}", f"file-{number}", tenant, None, [number, None])
        for number, (text, mime, tenant) in enumerate(of)
    ]


@pytest.fixture(scope="module")
def finished(_session: Any, tmp_path_factory: pytest.TempPathFactory) -> Result:
    folder = tmp_path_factory.mktemp("smoke")
    (folder / "lake.yaml").write_text(CONFIG, "utf-8")
    rows = [*documents(), (6, "an id that is taken", None, None, None, None, None, None)]
    _session.createDataFrame(rows, COLUMNS).repartition(3, "id").write.parquet(str(folder / "in"))
    paths = {"input.path": str(folder / "in"), "output.path": str(folder / "out")}
    run_job(load_settings(folder / "lake.yaml", (), paths), _session)
    return Result(folder / "out")


def test_every_document_is_accounted_for(finished: Result) -> None:
    counts = finished.record["counts"]
    assert [counts[name] for name in ("input_rows", "chunked", "empty", "rejected")] == [12, 9, 1, 2]
    assert sorted(reason for _, reason in finished.reasons()) == ["duplicate_id", "null_text"]


def test_counts_are_those_of_the_reference_and_carried_columns_keep_their_types(finished: Result) -> None:
    for row in finished.rows("chunks"):
        assert row["token_count"] == tokens(row["embed_text"], "cl100k_base") <= 48
        assert row["flags"] == [int(row["document_id"]), None]
        assert row["size"] is None
    assert {(row["profile"], row["strategy"]) for row in finished.rows("chunks")} == {
        ("markdown", "markdown"), ("html", "html"), ("code", "code"), ("family", "parent_child"),
        ("automatic", "markdown"), ("whole", "whole"), ("default", "recursive"),
    }  # fmt: skip
    assert finished.rows("parents")


def test_sizes_and_report_can_be_made(finished: Result, spark: Any) -> None:
    assert read_sizes(str(finished.path))[0]["scope"] == "overall"
    written = write_report(str(finished.path), spark=spark)
    page = Path(written.place).read_text("utf-8")
    assert "<svg" in page


def test_the_tables_are_those_of_every_other_version(finished: Result) -> None:
    told = os.environ.get("LAKECHUNK_SMOKE_TABLES")
    if told is None:
        pytest.skip("one version alone: `make compat` compares them")
    # In JSON's own types, so that both sides have been through the same.
    tables = json.loads(json.dumps({name: sorted(map(repr, finished.rows(name))) for name in TABLES}))
    path = Path(told)
    if not path.exists():
        path.write_text(json.dumps({"spark": pyspark.__version__, "tables": tables}), "utf-8")
    assert tables == json.loads(path.read_text("utf-8"))["tables"]


def test_the_column_knows_title_type_and_pages(spark: Any) -> None:
    rows = spark.createDataFrame(
        [(1, HEADING + PROSE, "Pumps", ["one page of text", "another page"], [0, 100])],
        "id int, text string, title string, pages array<string>, offsets array<int>",
    )
    made = rows.select(
        chunk("text", strategy="markdown", size=48, context="auto", title="title", pages="offsets").alias("a"),
        chunk(join_pages("pages"), size=48).alias("b"),
    ).first()
    engine = Chunker(strategy="markdown", size=48, context="auto")
    wanted = engine.chunk(HEADING + PROSE, About(title="Pumps", pages=[0, 100]))
    assert [(c["embed_text"], c["page_start"], c["page_end"]) for c in made["a"]] == [
        (c.embed_text, c.page_start, c.page_end) for c in wanted
    ]
    assert (made["b"][0]["page_start"], made["b"][0]["page_end"]) == (1, 2)


def test_bytes_that_are_no_text_are_known_as_such(spark: Any) -> None:
    rows = spark.sql(
        "SELECT cast(X'4142' AS string) AS good, cast(X'41FF' AS string) AS bad, cast(null AS string) AS none"
    )
    assert tuple(rows.select(*map(is_valid_utf8, map(F.col, ("good", "bad", "none")))).first()) == (True, False, None)


def test_the_column_works_in_a_stream(spark: Any, tmp_path: Path) -> None:
    rows = spark.createDataFrame([(1, PROSE), (2, None)], "id int, text string")
    rows.write.parquet(str(tmp_path / "in"))
    stream = spark.readStream.schema(rows.schema).parquet(str(tmp_path / "in"))
    made = stream.select("id", F.explode(chunk("text", size=48)).alias("chunk")).select("id", "chunk.text")
    writer = made.writeStream.option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True)
    assert writer.format("parquet").start(str(tmp_path / "out")).awaitTermination(120)
    found = spark.read.parquet(str(tmp_path / "out")).collect()
    assert sorted(row["text"] for row in found) == sorted(c.text for c in Chunker(size=48).chunk(PROSE))
