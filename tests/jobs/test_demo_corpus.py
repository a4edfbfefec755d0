"""The demo's documents: real, complete, the same every time, and broken where they should be."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from jobs.demo_corpus import SCHEMA, Document, gather, write_documents

TOO_LARGE = 2 * 1024 * 1024


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return gather(TOO_LARGE)


@pytest.fixture(scope="module")
def corpus(documents: list[Document], tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    folder = tmp_path_factory.mktemp("corpus")
    rows = write_documents(documents, folder)
    table = pq.read_table(folder)
    assert table.num_rows == rows == len(documents) + 1
    return table


def test_the_columns_are_as_promised(corpus: pa.Table) -> None:
    assert corpus.schema.remove_metadata() == SCHEMA


def test_there_is_enough_to_chunk_and_not_too_much(corpus: pa.Table) -> None:
    size = pc.sum(pc.binary_length(corpus["body"])).as_py()
    assert 10_000_000 < size < 60_000_000


def test_every_kind_of_document_is_there(corpus: pa.Table) -> None:
    kinds = {name.split("/")[0] for name in corpus["id"].to_pylist() if name}
    assert kinds == {"package", "source", "manual", "broken"}
    assert {"text/markdown", "text/x-rst", "text/x-python", "text/plain"} <= set(corpus["mime"].to_pylist())


def test_there_is_one_row_for_each_thing_that_goes_wrong(documents: list[Document], corpus: pa.Table) -> None:
    ids = corpus["id"].to_pylist()
    assert ids.count(None) == 1
    assert [name for name in set(ids) if ids.count(name) > 1] == [documents[0].id]
    size = dict(zip(ids, pc.binary_length(corpus["body"]).to_pylist(), strict=True))
    assert size["broken/no-text"] is None
    assert [name for name, length in size.items() if length is not None and length > TOO_LARGE] == ["broken/too-large"]
    raw = corpus["body"].cast(pa.binary()).to_pylist()[ids.index("broken/latin-1")]
    with pytest.raises(UnicodeDecodeError):
        raw.decode("utf-8")


def test_no_id_or_url_tells_where_the_machine_keeps_its_files(corpus: pa.Table) -> None:
    for column in ("id", "url"):
        assert not [value for value in corpus[column].to_pylist() if value and (value[0] == "/" or ".." in value)]


def test_the_same_machine_gives_the_same_documents(documents: list[Document], tmp_path: Path) -> None:
    assert gather(TOO_LARGE) == documents
    write_documents(documents[:50], tmp_path / "a")
    write_documents(documents[:50], tmp_path / "b")
    for file in sorted((tmp_path / "a").iterdir()):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_files_of_others_are_left_alone(documents: list[Document], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "part-99.parquet").write_text("from an earlier call")
    write_documents(documents[:50], tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert not (tmp_path / "part-99.parquet").exists()


def test_readmes_sources_and_docstrings_say_what_they_are(documents: list[Document]) -> None:
    by_id = {document.id: document for document in documents}
    readme = by_id["package/pydantic"]
    assert readme.mime == "text/markdown"
    assert readme.title.startswith("pydantic ")
    source = by_id["source/json/decoder.py"]
    assert "class JSONDecoder" in (source.body or "")
    manual = by_id["manual/json.decoder"]
    assert "JSONDecoder\nSimple JSON" in (manual.body or "")
    assert "import re" not in (manual.body or "")
