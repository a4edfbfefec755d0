"""The laws of all strategies, and that nothing but the text moves a cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.laws import check_document
from tests.udfs.chunking.nasty import NASTY, documents
from tests.udfs.chunking.semantic.chunkers import semantic_chunker
from udfs.chunking.document import About
from udfs.chunking.semantic.models import load_embedder

ABOUT = About(title="A title that is not short", source="made.txt")
WAYS: list[dict[str, Any]] = [
    {},
    {"cost": 0.1},
    {"min_size": 5},
    {"method": "dips"},
    {"method": "dips", "threshold": {"cosine": 1}, "min_size": 5},
    {"method": "dips", "threshold": {"percentile": 60}, "window": 1},
    {"method": "dips", "threshold": {"deviations": 0.2}, "window": 2},
]


@pytest.mark.parametrize("own", WAYS)
@pytest.mark.parametrize("unit", ["tokens", "characters"])
def test_laws_hold_for_every_nasty_text(letters: Path, own: dict[str, Any], unit: str) -> None:
    for size, overlap in [(1, 0), (2, 1), (7, 3), (20, 5), (64, 8), (512, 64)]:
        chunker = semantic_chunker(letters, own=own, size=size, overlap=overlap, unit=unit)
        batch = chunker.chunk_batch(NASTY)
        for index, text in enumerate(NASTY):
            check_document(chunker, text, batch.document(index))


@st.composite
def given_settings(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.one_of(st.integers(1, 12), st.sampled_from([16, 40, 64, 65, 200, 512])))
    return {
        "own": draw(st.sampled_from(WAYS)),
        "size": size,
        "overlap": draw(st.one_of(st.just(0), st.integers(0, size - 1))),
        "unit": draw(st.sampled_from(["tokens", "characters"])),
        "context": draw(st.sampled_from(["none", "title"])),
    }


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_laws_hold_for_any_text_and_settings(letters: Path, data: st.DataObject) -> None:
    document, chosen = data.draw(documents()), data.draw(given_settings())
    chunker = semantic_chunker(letters, **chosen)
    check_document(chunker, document, chunker.chunk(document, ABOUT), ABOUT)


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_no_document_changes_its_neighbours(letters: Path, data: st.DataObject) -> None:
    texts = data.draw(st.lists(documents() | st.sampled_from(NASTY), max_size=6))
    chunker = semantic_chunker(letters, **data.draw(given_settings()))
    together = chunker.chunk_batch(texts)
    assert [together.document(index) for index in range(len(texts))] == [chunker.chunk(text) for text in texts]


def test_the_vector_of_a_sentence_is_the_same_in_every_company_to_the_last_bit(letters: Path) -> None:
    random = np.random.default_rng(11)
    sentences = list({"".join(map(chr, random.integers(32, 900, random.integers(1, 300)))) for _ in range(800)})
    embedder = load_embedder(str(letters))
    expected = embedder.encode(sentences)
    order = random.permutation(len(sentences))
    assert np.array_equal(embedder.encode([sentences[row] for row in order]), expected[order])
    for row in range(0, len(sentences), 50):
        assert np.array_equal(embedder.encode(sentences[row : row + 1]), expected[row : row + 1])


@pytest.mark.parametrize("own", WAYS)
def test_order_and_batches_move_no_cut(words: Path, own: dict[str, Any]) -> None:
    random = np.random.default_rng(3)
    known = "pump water valve cat kitten purr tax income form and the of".split()
    texts = [
        " ".join(" ".join(random.choice(known, random.integers(3, 9))) + "." for _ in range(random.integers(1, 40)))
        for _ in range(40)
    ]
    chunker = semantic_chunker(words, own=own, size=60, overlap=10)
    expected = [chunker.chunk(text) for text in texts]
    for batch in (1, 7, 40):
        order = random.permutation(len(texts)).tolist()
        for first in range(0, len(order), batch):
            rows = order[first : first + batch]
            found = chunker.chunk_batch([texts[row] for row in rows])
            assert [found.document(place) for place in range(len(rows))] == [expected[row] for row in rows]
