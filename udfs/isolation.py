"""Chunks an Arrow array of texts so that no document can harm another.

Operations: slices the rows into portions whose chunks have a bounded size, chunks each
portion in one call, and gives its outcome on before the next portion is begun.
WARNING: a portion is tried as a whole first; only when that fails is each of its
documents tried alone, so an odd document costs its own portion a second pass.
Portions are never joined again: a batch may make more chunks than one array can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from udfs.arrow import CHUNKS, chunk_lists, spread
from udfs.chunking import Chunker, ChunkSettings

# Bounds what is made at once, whatever the size of the Arrow batch (bytes of chunks, as the settings let expect).
PORTION_BYTES = 4 * 1024 * 1024

# What a chunk takes beside its text: positions, counts, the head of a Python string (bytes, roughly).
CHUNK_BYTES = 64

# The most that the chunks of one document may take: Arrow's strings and Spark's rows end at 2 GiB, and a row of Spark
# takes more for each chunk than Arrow does (13 fields of 8 bytes, and as much again for the variable ones, at most).
ROW_BYTES = 2**31 - 2**24
ROW_BYTES_PER_CHUNK = 192

# A failure is a message for a person, not a copy of the document.
FAILURE_LENGTH = 300


class ChunksTooLargeError(Exception):
    """A document whose chunks one row cannot hold."""


class Outcome(NamedTuple):
    """What became of each row: arrays of one length, in the order of the rows."""

    canonical: pa.Array  # string; null where the canonical text is the source text
    failure: pa.Array  # string; null where all went well
    chunks: pa.ListArray  # null where it failed; an empty list for null and blank texts


def chunk_rows(chunker: Chunker, texts: pa.Array, *, repeat_embed_text: bool = True) -> Iterator[Outcome]:
    """Chunks every text; a null text gives an empty list, a text that fails gives null and a failure.

    Args:
        chunker: the profile's chunker.
        texts: strings, of type string or large_string.
        repeat_embed_text: as in `chunk_lists`.

    Yields:
        The outcomes of successive stretches of rows, each of at least one row; together they are all rows.
    """

    def chunk_stretch(first: int, last: int) -> Outcome:
        return _chunk_together(chunker, texts.slice(first, last - first), repeat_embed_text)

    for first, last in _portions(_bytes(texts) * growth(chunker.settings)):
        yield from _isolated(chunk_stretch, first, last)


def chunk_rows_by(chunker_of: Callable[[str], Chunker], texts: pa.Array, profiles: pa.Array) -> Iterator[Outcome]:
    """Chunks every text with the chunker of its profile; a row without text or profile gives an empty list.

    Yields:
        As `chunk_rows` does.
    """

    def chunk_stretch(first: int, last: int) -> Outcome:
        return _chunk_mixed(chunker_of, texts.slice(first, last - first), profiles.slice(first, last - first))

    sizes = _bytes(texts)
    for name, where in _rows_by_profile(profiles):
        sizes[where] *= 0 if name is None else growth(chunker_of(name).settings)
    for first, last in _portions(sizes):
        yield from _isolated(chunk_stretch, first, last)


def growth(settings: ChunkSettings) -> float:
    """How many bytes of chunks a byte of text makes, about: overlap repeats text, and every chunk has its overhead.

    >>> round(growth(ChunkSettings(size=512, overlap=64)), 2), growth(ChunkSettings(size=512, overlap=504))
    (1.29, 72.0)
    """
    return (settings.limit + CHUNK_BYTES) / (settings.limit - settings.shared)


def _isolated(chunk_stretch: Callable[[int, int], Outcome], first: int, last: int) -> Iterator[Outcome]:
    outcome: Outcome | None
    try:
        outcome = chunk_stretch(first, last)
    except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to one document
        outcome = _failed(error) if last - first == 1 else None
    if outcome is not None:
        yield outcome
        return
    for row in range(first, last):
        yield from _isolated(chunk_stretch, row, row + 1)


def _chunk_mixed(chunker_of: Callable[[str], Chunker], texts: pa.Array, profiles: pa.Array) -> Outcome:
    outcomes, places = [], []
    for name, where in _rows_by_profile(profiles):
        rows = texts if len(where) == len(texts) else texts.take(pa.array(where))
        outcomes.append(_nothing(len(where)) if name is None else _chunk_together(chunker_of(name), rows, False))
        places.append(where)
    return outcomes[0] if len(outcomes) == 1 else _in_order(outcomes, np.concatenate(places))


def _rows_by_profile(profiles: pa.Array) -> Iterator[tuple[str | None, npt.NDArray[np.int64]]]:
    """Each profile, None included, with the rows that have it."""
    for name in pc.unique(profiles).to_pylist():
        there = profiles.is_null() if name is None else pc.fill_null(pc.equal(profiles, name), False)
        yield name, np.flatnonzero(there.to_numpy(zero_copy_only=False))


def _chunk_together(chunker: Chunker, texts: pa.Array, repeat_embed_text: bool) -> Outcome:
    places = np.flatnonzero(texts.is_valid().to_numpy(zero_copy_only=False))
    batch = chunker.chunk_batch(texts.drop_null().to_pylist())
    lists = spread(chunk_lists(batch, repeat_embed_text=repeat_embed_text), places, len(texts))
    size = lists.nbytes + len(batch) * ROW_BYTES_PER_CHUNK
    if size > ROW_BYTES:
        raise ChunksTooLargeError(
            f"its {len(batch):,} chunks take {size:,} bytes; a row holds {ROW_BYTES:,}. Lower overlap, or raise size."
        )
    return Outcome(_canonical(batch.canonical, places, len(texts)), pa.nulls(len(texts), pa.string()), lists)


def _canonical(canonical: list[str | None], places: npt.NDArray[np.int64], length: int) -> pa.Array:
    if all(text is None for text in canonical):
        return pa.nulls(length, pa.string())
    column: list[str | None] = [None] * length
    for place, text in zip(places.tolist(), canonical, strict=True):
        column[place] = text
    return pa.array(column, pa.string())


def _bytes(texts: pa.Array) -> npt.NDArray[np.float64]:
    """The bytes of UTF-8 of each text."""
    return np.asarray(pc.fill_null(pc.binary_length(texts), 0), np.float64)


def _portions(sizes: npt.NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Half-open row ranges of at most `PORTION_BYTES` each, but of at least one row."""
    first, used = 0, 0.0
    for row, size in enumerate(sizes.tolist()):
        if row > first and used + size > PORTION_BYTES:
            yield first, row
            first, used = row, 0.0
        used += size
    if len(sizes) > first:
        yield first, len(sizes)


def _failed(error: Exception) -> Outcome:
    message = f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace").decode("utf-8")
    nothing = pa.array([None], CHUNKS)
    return Outcome(pa.nulls(1, pa.string()), pa.array([message[:FAILURE_LENGTH]], pa.string()), nothing)


def _nothing(length: int) -> Outcome:
    empty = pa.array([[]] * length, CHUNKS)
    return Outcome(pa.nulls(length, pa.string()), pa.nulls(length, pa.string()), empty)


def _in_order(outcomes: list[Outcome], places: npt.NDArray[np.int64]) -> Outcome:
    order = pa.array(np.argsort(places, kind="stable"))
    joined = (pa.concat_arrays(list(column)) for column in zip(*outcomes, strict=True))
    return Outcome(*(column.take(order) for column in joined))
