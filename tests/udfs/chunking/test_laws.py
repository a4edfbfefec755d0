"""The laws as property tests: every strategy, many sizes, nasty and random text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.laws import check_document
from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking import Chunker, ChunkSettings
from udfs.chunking.document import About
from udfs.chunking.patterns import Pattern
from udfs.chunking.strategies import STRUCTURED

STRATEGIES = ("whole", "fixed", "sliding_window", "recursive", "sentence", "markdown", "html", "code", "table", "auto")
ABOUT = About(title="A title that is not short", source="made.py")


TEMPLATES = ["{title}\n{headings}\n{repeats}\n{text}", "[{title}] {headings}: {text}"]
SEPARATORS = st.none() | st.lists(
    st.sampled_from(["\n\n", "\n", ". ", "|", " ", "a", "\u0301", "\u3002", "\r", "\n# "])
    | st.sampled_from([r"\s+", r"\W", r"(?<=\.)", r"(?=\n)", r"\b", r".", r"[^\x00-\x7f]", r"\d"]).map(
        lambda pattern: Pattern(pattern=pattern)
    ),
    min_size=1,
    max_size=4,
).map(tuple)


@st.composite
def any_settings(draw: st.DrawFn) -> ChunkSettings:
    size = draw(st.one_of(st.integers(1, 12), st.sampled_from([16, 40, 64, 65, 200, 512])))
    strategy = draw(st.sampled_from(STRATEGIES))
    return ChunkSettings(
        strategy=strategy,
        separators=draw(SEPARATORS) if strategy == "recursive" else None,
        size=size,
        overlap=draw(st.one_of(st.just(0), st.integers(0, size - 1))),
        unit=draw(st.sampled_from(["tokens", "characters"])),
        tokenizer=draw(st.sampled_from(["cl100k_base", "o200k_base"])),
        keep_apart=draw(st.none() | st.integers(0, 6)) if strategy in STRUCTURED else None,
        context=draw(st.sampled_from([None, "none", "title", "headings", "auto"])),
        embed_template=draw(st.sampled_from(TEMPLATES)),
    )


@given(document=documents(), chosen=any_settings())
@settings(max_examples=400, deadline=None)
@example(document="\n" * 3 + " " * 70 + "x", chosen=ChunkSettings(size=1, overlap=0))
def test_laws_hold_for_any_text_and_settings(document: str, chosen: ChunkSettings) -> None:
    chunker = Chunker(chosen)
    check_document(chunker, document, chunker.chunk(document, ABOUT), ABOUT)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("unit", ["tokens", "characters"])
@pytest.mark.parametrize(("size", "overlap"), [(1, 0), (2, 1), (3, 1), (7, 3), (20, 5), (64, 8), (512, 64)])
def test_laws_hold_for_every_nasty_text(strategy: str, unit: str, size: int, overlap: int) -> None:
    chosen = ChunkSettings(strategy=strategy, size=size, overlap=overlap, unit=unit)
    chunker = Chunker(chosen)
    batch = chunker.chunk_batch(NASTY, [ABOUT] * len(NASTY))
    for index, text in enumerate(NASTY):
        check_document(chunker, text, batch.document(index), ABOUT)


@given(texts=st.lists(documents(), max_size=6), chosen=any_settings())
@settings(max_examples=100, deadline=None)
@example(texts=["---\na: b\n---\n", "---\nc: d\n---\nx"], chosen=ChunkSettings(strategy="markdown"))
def test_no_document_changes_its_neighbours(texts: list[str], chosen: ChunkSettings) -> None:
    chunker = Chunker(chosen)
    together = chunker.chunk_batch(texts)
    assert [together.document(index) for index in range(len(texts))] == [chunker.chunk(text) for text in texts]
