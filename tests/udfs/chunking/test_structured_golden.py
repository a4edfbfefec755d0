"""One document of each format, its chunks as people read them. LAKECHUNK_GOLDEN=1 writes the files anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.udfs.chunking.laws import check_document
from udfs.chunking import Chunk, Chunker, ChunkSettings
from udfs.chunking.document import About

GOLDEN = Path(__file__).parent / "golden"


def shown(chunk: Chunk) -> str:
    """A chunk as a few lines: what is known of it, its context, its text."""
    pages = "" if chunk.page_start is None else f"  pages {chunk.page_start}-{chunk.page_end}"
    head = f"--- {chunk.chunk_index}  {chunk.char_start}-{chunk.char_end}  {chunk.token_count} tokens  {chunk.kind}"
    context = chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]
    above = "".join(f"  | {line}\n" for line in context.splitlines())
    text = "".join(f"  {line}".rstrip() + "\n" for line in chunk.text.splitlines())
    return f"{head}  cut {chunk.cut}{pages}  [{' > '.join(chunk.section)}]\n{above}{text}"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("handbook.md", {"strategy": "markdown", "size": 64}),
        ("manual.html", {"strategy": "html", "size": 40}),
        ("pump.py.txt", {"strategy": "code", "size": 80, "language": "python"}),
        ("orders.csv.txt", {"strategy": "table", "size": 48}),
        ("report.pages.txt", {"strategy": "auto", "size": 32, "whole_below": 0, "overlap": 0}),
    ],
)
def test_the_chunks_of_a_document_are_the_golden_ones(name: str, settings: dict[str, object]) -> None:
    text = (GOLDEN / name).read_bytes().decode()
    chunker = Chunker(ChunkSettings.of(settings))
    about = About(content_type="text/plain") if name.endswith("pages.txt") else About()
    batch = chunker.chunk_batch([text], [about])
    chunks = batch.document(0)
    check_document(chunker, text, chunks, about)
    found = f"removed {dict(sorted(batch.removed[0].items()))}\nmetadata {dict(batch.metadata[0])}\n"
    found += "".join(map(shown, chunks))
    golden = GOLDEN / f"{name.partition('.')[0]}.chunks.txt"
    if os.environ.get("LAKECHUNK_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_golden_files_are_not_rewritten_where_they_are_to_be_checked() -> None:
    assert not (os.environ.get("CI") and os.environ.get("LAKECHUNK_GOLDEN"))
