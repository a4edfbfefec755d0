"""An odd document changes nothing for its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa
import pytest

from udfs import isolation
from udfs.arrow import CHUNKS
from udfs.chunking import ChunkBatch, Chunker
from udfs.isolation import Outcome

FOUR = Chunker(strategy="fixed", size=4, overlap=0, unit="characters")
THREE = Chunker(strategy="fixed", size=3, overlap=0, unit="characters")


class Moody(Chunker):
    """Fails on every batch with a document that says so, and counts what it was given."""

    def chunk_batch(self, texts: Sequence[str]) -> ChunkBatch:
        self.calls = [*getattr(self, "calls", []), len(texts)]
        if any("boom" in text for text in texts):
            raise RuntimeError("boom " + "x" * 1000)
        return super().chunk_batch(texts)


def chunk_rows(chunker: Chunker, texts: pa.Array) -> Outcome:
    return whole(isolation.chunk_rows(chunker, texts))


def chunk_rows_by(chunker_of: Callable[[str], Chunker], texts: pa.Array, profiles: pa.Array) -> Outcome:
    return whole(isolation.chunk_rows_by(chunker_of, texts, profiles))


def whole(outcomes: Iterator[Outcome]) -> Outcome:
    none = Outcome(*(pa.array([], kind) for kind in (pa.string(), pa.string(), CHUNKS)))
    return Outcome(*(pa.concat_arrays(list(column)) for column in zip(none, *outcomes, strict=True)))


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
    monkeypatch.setattr(isolation, "PORTION_BYTES", 9 * isolation.growth(FOUR.settings))
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


def test_a_portion_is_bounded_by_the_chunks_that_overlap_lets_expect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "PORTION_BYTES", 64 * 1024)
    texts = pa.array(["0123456789" * 100] * 64)
    for overlap in (0, 256, 448):
        chunker = Chunker(strategy="sliding_window", size=512, overlap=overlap, unit="characters")
        sizes = [outcome.chunks.nbytes for outcome in isolation.chunk_rows(chunker, texts)]
        assert max(sizes) < 2 * isolation.PORTION_BYTES, f"{overlap=}"  # embed_text repeats the text
        assert min(sizes[:-1], default=16 * 1024) > 8 * 1024, f"{overlap=}"


def test_each_profile_of_a_batch_is_bounded_by_its_own_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "PORTION_BYTES", 64 * 1024)
    chunkers = {
        str(overlap): Chunker(strategy="sliding_window", size=512, overlap=overlap, unit="characters")
        for overlap in (0, 448)
    }
    texts, profiles = pa.array(["0123456789" * 100] * 64), pa.array(["0"] * 32 + ["448"] * 32)
    rows = [len(outcome.chunks) for outcome in isolation.chunk_rows_by(chunkers.__getitem__, texts, profiles)]
    assert sum(rows) == 64
    assert rows[0] > 32
    assert max(rows[1:]) < 8


def test_a_document_with_more_chunks_than_a_row_holds_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "ROW_BYTES", 10_000)
    outcome = chunk_rows(FOUR, pa.array(["abcdef", "x" * 1000, "xyz"]))
    assert texts_of(outcome.chunks) == [["abcd", "ef"], None, ["xyz"]]
    assert "ChunksTooLargeError: its 250 chunks take" in outcome.failure[1].as_py()
