"""An odd document changes nothing for its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa
import pytest

from udfs import isolation
from udfs.arrow import CHUNKS, PARENTS
from udfs.chunking import ChunkBatch, Chunker
from udfs.chunking.document import About
from udfs.isolation import Outcome

FOUR = Chunker(strategy="fixed", size=4, overlap=0, unit="characters")
THREE = Chunker(strategy="fixed", size=3, overlap=0, unit="characters")


class Moody(Chunker):
    """Fails on every batch with a document that says so, and counts what it was given."""

    def chunk_batch(self, texts: Sequence[str], abouts: Sequence[About] | None = None) -> ChunkBatch:
        self.calls = [*getattr(self, "calls", []), len(texts)]
        if any("boom" in text for text in texts):
            raise RuntimeError("boom " + "x" * 1000)
        return super().chunk_batch(texts, abouts)


def rows_of(texts: pa.Array, **columns: pa.Array) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([texts, *columns.values()], ["text", *columns])


def chunk_rows(chunker: Chunker, texts: pa.Array, **about: pa.Array) -> Outcome:
    return whole(isolation.chunk_rows(chunker, rows_of(texts, **about)))


def chunk_rows_by(chunker_of: Callable[[str], Chunker], texts: pa.Array, **columns: pa.Array) -> Outcome:
    return whole(isolation.chunk_rows_by(chunker_of, rows_of(texts, **columns)))


def whole(outcomes: Iterator[Outcome]) -> Outcome:
    text = pa.string()
    kinds = Outcome(text, isolation.REMOVED, isolation.METADATA, text, text, CHUNKS, PARENTS, pa.float64())
    none = Outcome(*(pa.array([], kind) for kind in kinds))
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
        profile=pa.array(["three", "four", "four", None, "three"]),
    )
    assert texts_of(outcome.chunks) == [["abc", "def"], ["abcd", "ef"], [], [], ["abc", "def"]]


def test_rows_without_any_profile_give_empty_lists() -> None:
    outcome = chunk_rows_by({"four": FOUR}.__getitem__, pa.array(["a", None]), profile=pa.nulls(2, pa.string()))
    assert texts_of(outcome.chunks) == [[], []]


def test_a_canonical_text_comes_back_at_its_row() -> None:
    class Cleaning(Chunker):
        def chunk_batch(self, texts: Sequence[str], abouts: Sequence[About] | None = None) -> ChunkBatch:
            batch = super().chunk_batch(texts, abouts)
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
        sizes = [outcome.chunks.nbytes for outcome in isolation.chunk_rows(chunker, rows_of(texts))]
        assert max(sizes) < 2 * isolation.PORTION_BYTES, f"{overlap=}"  # embed_text repeats the text
        assert min(sizes[:-1], default=16 * 1024) > 8 * 1024, f"{overlap=}"


def test_each_profile_of_a_batch_is_bounded_by_its_own_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "PORTION_BYTES", 64 * 1024)
    chunkers = {
        str(overlap): Chunker(strategy="sliding_window", size=512, overlap=overlap, unit="characters")
        for overlap in (0, 448)
    }
    texts, profiles = pa.array(["0123456789" * 100] * 64), pa.array(["0"] * 32 + ["448"] * 32)
    outcomes = isolation.chunk_rows_by(chunkers.__getitem__, rows_of(texts, profile=profiles))
    rows = [len(outcome.chunks) for outcome in outcomes]
    assert sum(rows) == 64
    assert rows[0] > 32
    assert max(rows[1:]) < 8


def test_a_document_with_more_chunks_than_a_row_holds_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "ROW_BYTES", 10_000)
    outcome = chunk_rows(FOUR, pa.array(["abcdef", "x" * 1000, "xyz"]))
    assert texts_of(outcome.chunks) == [["abcd", "ef"], None, ["xyz"]]
    assert "ChunksTooLargeError: its 250 chunks take" in outcome.failure[1].as_py()


MARKDOWN = Chunker(strategy="markdown", size=40, overlap=0)


def test_what_is_known_of_a_document_reaches_the_engine_with_its_own_text() -> None:
    outcome = chunk_rows(
        MARKDOWN,
        pa.array(["one", None, "two", "three"]),
        title=pa.array(["First", "lost", None, "Third"]),
        pages=pa.array([None, [0, 5], [0], [0, 2]], pa.list_(pa.int64())),
    )
    found = [
        [(c["embed_text"], c["page_start"], c["page_end"]) for c in chunks] for chunks in outcome.chunks.to_pylist()
    ]
    assert found == [[("First\none", None, None)], [], [("two", 1, 1)], [("Third\nthree", 1, 2)]]


def test_columns_of_nulls_are_no_trouble_and_cost_nothing() -> None:
    class Watching(Chunker):
        def chunk_batch(self, texts: Sequence[str], abouts: Sequence[About] | None = None) -> ChunkBatch:
            assert abouts is None
            return super().chunk_batch(texts, abouts)

    nothing = {"title": pa.nulls(1, pa.string()), "pages": pa.nulls(1, pa.list_(pa.int64()))}
    assert texts_of(chunk_rows(Watching(size=9, overlap=0), pa.array(["one"]), **nothing).chunks) == [["one"]]


def test_pages_that_do_not_fit_the_text_are_the_fault_of_their_document_alone() -> None:
    outcome = chunk_rows(
        FOUR,
        pa.array(["abcd", "efgh", "ijkl", "mnop"]),
        pages=pa.array([[0, 2], [0, 9], [0, None], [1]], pa.list_(pa.int32())),
    )
    assert texts_of(outcome.chunks) == [["abcd"], None, None, None]
    failures = outcome.failure.to_pylist()
    assert failures[0] is None
    assert "ValueError: page 2 begins at 9, behind the text's end (4 code points)" in failures[1]
    assert "page 2 begins at None" in failures[2]
    assert "page 1 begins at 1" in failures[3]


def test_what_was_removed_and_what_the_text_says_of_itself_come_back_at_their_rows() -> None:
    texts = pa.array(["plain", None, "---\ntitle: Plan\n---\nBody\x00", "more"])
    outcome = chunk_rows(MARKDOWN, texts)
    assert outcome.removed.to_pylist() == [None, None, [("control", 1), ("front_matter", 19)], None]
    assert outcome.metadata.to_pylist() == [None, None, [("title", "Plan")], None]
    assert outcome.canonical.to_pylist() == [None, None, "---\ntitle: Plan\n---\nBody", None]


def test_profiles_that_know_structure_and_others_mix_in_one_batch() -> None:
    outcome = chunk_rows_by(
        {"four": FOUR, "markdown": MARKDOWN}.__getitem__,
        pa.array(["# A\n\nb", "abcdef", "---\na: b\n---\nc"]),
        profile=pa.array(["markdown", "four", "markdown"]),
        title=pa.array(["T", "T", None]),
    )
    assert texts_of(outcome.chunks) == [["# A\n\nb"], ["abcd", "ef"], ["c"]]
    assert outcome.metadata.to_pylist() == [None, None, [("a", "b")]]


def test_a_portion_is_bounded_with_contexts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "PORTION_BYTES", 64 * 1024)
    heading = "# " + "a long heading that stands in front of each chunk " * 10
    texts = pa.array([f"{heading}\n\n" + "Some words of text go on and on. " * 60] * 32)
    for settings in ({"overlap": 0}, {"overlap": 64}, {"overlap": 64, "context_share": 0.9}):
        chunker = Chunker(strategy="markdown", size=256, unit="characters", **settings)
        sizes = [outcome.chunks.nbytes for outcome in isolation.chunk_rows(chunker, rows_of(texts))]
        one = chunk_rows(chunker, texts[:1]).chunks.nbytes
        assert max(sizes) < max(2 * isolation.PORTION_BYTES, 1.1 * one), f"{settings=}"


def test_the_time_of_a_portion_is_shared_out_by_length(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 14.0, 20.0, 21.0])
    monkeypatch.setattr("udfs.isolation.perf_counter", lambda: next(clock))
    assert chunk_rows(FOUR, pa.array(["abc", None, "é" * 4 + "x"])).seconds.to_pylist() == [1.0, None, 3.0]
    assert chunk_rows(FOUR, pa.array([""])).seconds.to_pylist() == [0.0]
