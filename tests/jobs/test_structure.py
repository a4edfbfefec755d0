"""Documents of many formats, end to end: the tables hold what the engine gives without Spark."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas import CHUNKS
from tests.conftest import Result
from udfs.chunking import Chunk, Chunker, ChunkSettings
from udfs.chunking.document import About

MARKDOWN = (
    "\ufeff---\ntitle: Pumps\nauthor: N. N.\n---\n# Pumps\n\nA pump lifts water.\n\n## Limits\n\nThey hold:\n\n"
    "| Site | Flow |\n|------|------|\n"
    + "".join(f"| place {n} | {n * 7} litres |\n" for n in range(40))
    + "\n# Care\n\nDo this:\n\n"
    + "".join(f"- step {n}: open the valve and wait\n" for n in range(20))
    + "\n```sh\n# no heading\npump --stop\n```\n"
)
HTML = (
    "<html><head><title>Valves</title><script>x()</script></head><body><nav><a href='/'>Home</a> <a href='/n'>News</a>"
    "</nav><h1>Valves</h1><p>A valve &amp; its seat.</p>"
    + "".join(f"<h2>Part {n}</h2><p>{'The seat is ground. ' * 12}</p>" for n in range(6))
    + "<table><tr><th>Size</th><th>Bar</th></tr><tr><td>15</td><td>6</td></tr></table></body></html>"
)
PYTHON = '"""Pipes."""\n\nimport math\n\n\nclass Pipe:\n    """A pipe."""\n\n' + "\n".join(
    f"    def flow_{n}(self, bar: float) -> float:\n        return math.sqrt(bar) * {n}\n" for n in range(30)
)
CSV = "site,flow,unit\n" + "".join(f"place {n},{n * 3},litres\n" for n in range(150))
PAGES = "\f".join(
    f"Water works report\n\nPage {n} tells of the river and of the rain. {'It rained. ' * 40}\n\n{n}"
    for n in range(1, 8)
)
PROSE = "The river rose in the night. Nobody slept.\n\n" * 60
CONTROL = "One\x00 line.\r\nco\u00adoperate\n"

# id -> text, content type, source, title
LAKE: dict[str, tuple[str, str | None, str | None, str | None]] = {
    "markdown": (MARKDOWN, "text/markdown", "pumps.md", None),
    "html": (HTML, "text/html; charset=utf-8", "https://example.org/valves", None),
    "python": (PYTHON, "text/x-python", "pipe.py", "Pipe library"),
    "csv": (CSV, "text/csv", "flow.csv", "Flows"),
    "pages": (PAGES, "application/pdf", "report.pdf", "Report"),
    "prose": (PROSE, "text/plain", "river.txt", "The river"),
    "short": ("It rained.", "text/plain", None, None),
    "unknown": (MARKDOWN.split("---\n", 2)[2], None, None, "No type"),
    "control": (CONTROL, "text/plain", "odd.txt", None),
    "only noise": ("\x00\u00ad\n", "text/plain", None, None),
}

BY_TYPE: dict[str, dict[str, Any]] = {
    "text/markdown": {"strategy": "markdown", "size": 120, "overlap": 12},
    "text/html; charset=utf-8": {"strategy": "html", "size": 100, "overlap": 0, "context": "headings"},
    "text/x-python": {"strategy": "code", "size": 90, "overlap": 0},
    "text/csv": {"strategy": "table", "size": 80, "overlap": 0},
    "application/pdf": {"strategy": "recursive", "size": 64, "boilerplate": "drop", "context": "title"},
}
OTHERS: dict[str, Any] = {"strategy": "recursive", "size": 50}
AUTO: dict[str, Any] = {"strategy": "auto", "whole_below": 20}


def yaml_of(values: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in values.items()) + "}"


def sets_by_type() -> tuple[str, ...]:
    profiles = {f"p{number}": (kind, settings) for number, (kind, settings) in enumerate(BY_TYPE.items())}
    rules = [f"{{when: \"content_type = '{kind}'\", profile: {name}}}" for name, (kind, _) in profiles.items()]
    return (
        *(f"profiles.{name}={yaml_of(settings)}" for name, (_, settings) in profiles.items()),
        f"profiles.others={yaml_of(OTHERS)}",
        f"routing=[{', '.join(rules)}, {{profile: others}}]",
    )


def settings_by_type(content_type: str | None) -> dict[str, Any]:
    return BY_TYPE.get(content_type or "", OTHERS)


def settings_auto(_: str | None) -> dict[str, Any]:
    return AUTO


SETS = {"by type": sets_by_type(), "auto": (f"profiles.own={yaml_of(AUTO)}", "routing=[{profile: own}]")}
SETTINGS_OF = {"by type": settings_by_type, "auto": settings_auto}


def rows() -> list[dict[str, Any]]:
    return [
        {"id": name, "text": text, "content_type": kind, "source": source, "title": title}
        for name, (text, kind, source, title) in LAKE.items()
    ]


@pytest.fixture(scope="module")
def runs(module_run: Callable[..., Result]) -> dict[str, Result]:
    return {name: module_run(rows(), *sets, name=name.replace(" ", "-")) for name, sets in SETS.items()}


def as_row(chunk: Chunk) -> dict[str, Any]:
    columns = [field.name for field in fields(chunk) if field.name in CHUNKS.names]
    values = {name: getattr(chunk, name) for name in columns}
    return {**values, "section": list(chunk.section)}


def assert_as_without_spark(result: Result, settings_of: Callable[[str | None], dict[str, Any]]) -> None:
    documents = {row["document_id"]: row for row in result.rows("documents")}
    assert set(documents) == set(LAKE)
    for name, (text, kind, source, title) in LAKE.items():
        chunker = Chunker(**settings_of(kind))
        about = About(title=title, content_type=kind, source=source)
        batch = chunker.chunk_batch([text], [about])
        wanted = [as_row(chunk) for chunk in batch.document(0)]
        found = [row for row in result.rows("chunks") if row["document_id"] == name]
        assert [{key: row[key] for key in wanted[0]} for row in found] == wanted if wanted else found == []
        canonical = chunker.canonical(text, about)
        document = documents[name]
        assert document["text"] == (None if canonical == text else canonical)
        assert document["document_hash"] == hashlib.sha256(canonical.encode()).hexdigest()
        assert document["char_count"] == len(canonical)
        assert dict(document["removed"]) == dict(batch.removed[0])
        assert dict(document["metadata"]) == dict(batch.metadata[0])
        assert document["status"] == ("chunked" if wanted else "empty")
        assert document["config_hash"] == ChunkSettings(**settings_of(kind)).config_hash()


@pytest.mark.parametrize("way", SETS)
def test_every_row_is_what_the_engine_gives_without_spark(runs: dict[str, Result], way: str) -> None:
    assert_as_without_spark(runs[way], SETTINGS_OF[way])


@pytest.mark.parametrize("way", SETS)
def test_pandas_functions_give_the_same_rows(
    run: Callable[..., Result], runs: dict[str, Result], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("udfs.evaluation._arrow_udf", None)
    assert_same(run(rows(), *SETS[way]), runs[way])


def test_order_files_and_batches_change_nothing(
    run: Callable[..., Result], runs: dict[str, Result], spark: Any, tmp_path: Path
) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "2")
    shuffled = random.Random(3).sample(rows(), len(LAKE))
    folder = tmp_path / "lake"
    folder.mkdir()
    for number in range(3):
        schema = pa.schema([(name, pa.string()) for name in shuffled[0]])
        pq.write_table(pa.Table.from_pylist(shuffled[number::3], schema=schema), folder / f"{number}.parquet")
    assert_same(run(folder, *SETS["auto"]), runs["auto"])


def assert_same(found: Result, wanted: Result) -> None:
    assert found.rows("chunks") == wanted.rows("chunks")
    assert found.rows("documents") == wanted.rows("documents")


def test_the_lake_shows_what_it_was_made_for(runs: dict[str, Result]) -> None:
    chunks = runs["by type"].rows("chunks")
    assert {row["kind"] for row in chunks} >= {"prose", "code", "table", "list"}
    assert {row["cut"] for row in chunks} >= {"end", "heading", "block", "line", "paragraph"}
    assert any(row["embed_text"] != row["text"] for row in chunks)
    assert max(row["page_end"] or 0 for row in chunks) == 7
    assert {row["page_start"] is None for row in chunks} == {True, False}
    assert any(len(row["section"]) == 2 for row in chunks)
    documents = {row["document_id"]: row for row in runs["by type"].rows("documents")}
    assert dict(documents["markdown"]["metadata"])["author"] == "N. N."
    assert set(dict(documents["markdown"]["removed"])) == {"byte_order_mark", "front_matter"}
    assert dict(documents["control"]["removed"]) == {"control": 1, "soft_hyphen": 1}
    assert {"running_header", "page_number"} <= set(dict(documents["pages"]["removed"]))
    assert documents["only noise"]["status"] == "empty"


def test_no_chunk_is_larger_than_its_limit_with_its_context(runs: dict[str, Result]) -> None:
    for result in runs.values():
        assert {row["over_limit"] for row in result.rows("sizes", by=("scope", "name"))} == {0}
        assert not any(row["oversize"] for row in result.rows("chunks"))


@pytest.mark.parametrize("way", SETS)
def test_the_record_sums_up_what_was_removed(runs: dict[str, Result], way: str) -> None:
    removed: Counter[str] = Counter()
    for row in runs[way].rows("documents"):
        removed.update(dict(row["removed"]))
    assert runs[way].record["counts"]["removed"] == dict(sorted(removed.items()))
    assert removed.total() > 100


def test_ids_and_hashes_are_of_what_is_embedded(runs: dict[str, Result]) -> None:
    for row in runs["by type"].rows("chunks"):
        assert row["content_hash"] == hashlib.sha256(row["embed_text"].encode()).hexdigest()
    ids = [row["chunk_id"] for row in runs["by type"].rows("chunks")]
    assert len(set(ids)) == len(ids)


def test_a_document_of_front_matter_alone_is_empty_and_keeps_its_metadata(run: Callable[..., Result]) -> None:
    out = run([{"id": "a", "text": "---\na: b\n---\n"}], "profiles.default.strategy=markdown")
    (row,) = out.rows("documents")
    assert (row["status"], row["metadata"], row["removed"]) == ("empty", [("a", "b")], [("front_matter", 12)])
    assert out.rows("chunks") == []


def test_the_title_column_wins_over_what_the_text_calls_itself(run: Callable[..., Result]) -> None:
    text = "---\ntitle: Own\n---\nWords.\n"
    documents = [{"id": "a", "text": text, "title": "Given"}, {"id": "b", "text": text, "title": None}]
    out = run(documents, "profiles.default.strategy=markdown", "profiles.default.context=title")
    assert [row["embed_text"] for row in out.rows("chunks")] == ["Given\nWords.", "Own\nWords."]
