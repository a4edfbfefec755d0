"""An odd document changes nothing for its neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest

from udfs import isolation
from udfs.chunking import ChunkBatch, Chunker
from udfs.isolation import chunk_rows, chunk_rows_by

FOUR = Chunker(strategy="fixed", size=4, overlap=0, unit="characters")
THREE = Chunker(strategy="fixed", size=3, overlap=0, unit="characters")


class Moody(Chunker):
    """Fails on every batch with a document that says so, and counts what it was given."""

    def chunk_batch(self, texts: Sequence[str]) -> ChunkBatch:
        self.calls = [*getattr(self, "calls", []), len(texts)]
        if any("boom" in text for text in texts):
            raise RuntimeError("boom " + "x" * 1000)
        return super().chunk_batch(texts)


def texts_of(lists: pa.Array) -> list[list[str] | None]:
    return [None if chunks is None else [chunk["text"] for chunk in chunks] for chunks in lists.to_pylist()]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_null_and_blank_texts_give_empty_lists(kind: pa.DataType) -> None:
    outcome = chunk_rows(FOUR, pa.array([None, "abcdef", "", " \n", None], kind))
    assert texts_of(outcome.chunks) == [[], ["abcd", "ef"], [], [], []]
    assert outcome.failure.null_count == 5


@pytest.mark.parametrize("texts", [[], [None, None]])
def test_batches_without_any_text_are_no_trouble(texts: list[None]) -> None:
    outcome = chunk_rows(FOUR, pa.array(texts, pa.string()))
    assert outcome.chunks.to_pylist() == [[]] * len(texts)


def test_a_failing_document_is_marked_and_its_neighbours_are_chunked() -> None:
    chunker = Moody(strategy="fixed", size=4, overlap=0, unit="characters")
    outcome = chunk_rows(chunker, pa.array(["abcdef", "boom", None, "xyz"]))
    assert texts_of(outcome.chunks) == [["abcd", "ef"], None, [], ["xyz"]]
    assert [failure is not None for failure in outcome.failure.to_pylist()] == [False, True, False, False]


def test_a_failure_names_the_error_and_is_short() -> None:
    chunker = Moody(strategy="fixed", size=4, overlap=0, unit="characters")
    failure = chunk_rows(chunker, pa.array(["boom"])).failure[0].as_py()
    assert failure.startswith("RuntimeError: boom xxx")
    assert len(failure) == isolation.FAILURE_LENGTH


def test_bytes_that_are_no_text_fail_alone() -> None:
    bad = pa.array([b"good", b"Z\xfcrich", b"also good"], pa.binary()).view(pa.string())
    outcome = chunk_rows(FOUR, bad)
    assert texts_of(outcome.chunks) == [["good"], None, ["also", " goo", "d"]]
    assert "UnicodeDecodeError" in outcome.failure[1].as_py()


def test_portions_are_bounded_by_bytes_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = pa.array(["abcdef", "ghi", None, "j" * 50, "k"])
    whole = chunk_rows(FOUR, texts).chunks
    monkeypatch.setattr(isolation, "PORTION_BYTES", 9)
    chunker = Moody(strategy="fixed", size=4, overlap=0, unit="characters")
    assert chunk_rows(chunker, texts).chunks.to_pylist() == whole.to_pylist()
    assert chunker.calls == [2, 1, 1]  # 6 + 3 bytes fit; a document over the bound goes alone


def test_each_document_is_chunked_by_its_own_profile_in_the_order_of_the_rows() -> None:
    outcome = chunk_rows_by(
        {"four": FOUR, "three": THREE}.__getitem__,
        pa.array(["abcdef", "abcdef", None, "ghijk", "abcdef"]),
        pa.array(["three", "four", "four", None, "three"]),
    )
    assert texts_of(outcome.chunks) == [["abc", "def"], ["abcd", "ef"], [], [], ["abc", "def"]]


def test_rows_without_any_profile_give_empty_lists() -> None:
    outcome = chunk_rows_by({"four": FOUR}.__getitem__, pa.array(["a", None]), pa.array([None, None], pa.string()))
    assert texts_of(outcome.chunks) == [[], []]


def test_a_canonical_text_comes_back_at_its_row() -> None:
    class Cleaning(Chunker):
        def chunk_batch(self, texts: Sequence[str]) -> ChunkBatch:
            batch = super().chunk_batch(texts)
            cleaned: list[str | None] = [text.strip() if text != text.strip() else None for text in texts]
            return type(batch)(**{name: getattr(batch, name) for name in batch.__slots__} | {"canonical": cleaned})

    chunker = Cleaning(strategy="fixed", size=4, overlap=0, unit="characters")
    outcome = chunk_rows(chunker, pa.array(["a", None, " b", "c"]))
    assert outcome.canonical.to_pylist() == [None, None, "b", None]
