"""Flat columns of the engine as Arrow lists."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from udfs.arrow import CHUNK_FIELDS, CHUNKS, _strings, chunk_lists, spread
from udfs.chunking import Chunker
from udfs.chunking.chunk import CHUNK_FIELDS as ENGINE_FIELDS

FOUR = Chunker(strategy="fixed", size=4, overlap=0, unit="characters")


def test_the_arrow_struct_has_the_fields_of_the_engines_chunk_in_order() -> None:
    assert tuple(field.name for field in CHUNK_FIELDS) == ENGINE_FIELDS


@pytest.mark.parametrize("texts", [[], ["", "  "], ["01234567", "", "\U0001f680 emoji \U0001f680"]])
def test_lists_hold_what_the_engine_gives_for_each_document(texts: list[str]) -> None:
    batch = FOUR.chunk_batch(texts)
    lists = chunk_lists(batch)
    assert lists.type == CHUNKS
    for index, chunks in enumerate(lists.to_pylist()):
        wanted = [
            {name: getattr(chunk, name) for name in ENGINE_FIELDS} | {"section": list(chunk.section)}
            for chunk in batch.document(index)
        ]
        assert chunks == wanted
    assert len(lists) == len(texts)


def test_embed_text_is_left_out_only_where_it_equals_text() -> None:
    batch = FOUR.chunk_batch(["01234567"])
    with_context = type(batch)(
        **{name: getattr(batch, name) for name in batch.__slots__} | {"embed_text": ["# A\n0123", "4567"]}
    )
    chunks = chunk_lists(with_context, repeat_embed_text=False)[0].as_py()
    assert [chunk["embed_text"] for chunk in chunks] == ["# A\n0123", None]


def test_spread_puts_lists_at_their_places_and_empty_ones_elsewhere() -> None:
    lists = pa.array([[1, 2], [], [3]])
    assert spread(lists, np.array([1, 3, 4]), 6).to_pylist() == [[], [1, 2], [], [], [3], []]


def test_spread_reads_a_slice_from_where_it_starts() -> None:
    lists = pa.array([[9], [1, 2], [3]]).slice(1)
    assert spread(lists, np.array([0, 2]), 3).to_pylist() == [[1, 2], [], [3]]


def test_texts_that_one_array_cannot_hold_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = FOUR.chunk_batch(["01234567"])
    # What Arrow gives for more than 2 GiB of strings.
    monkeypatch.setattr(pa, "array", lambda values, kind: pa.chunked_array([values[:1], values[1:]], kind))
    with pytest.raises(OverflowError, match="more than the 2 GiB"):
        _strings(batch.text)
