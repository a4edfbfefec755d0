"""Chunks an Arrow array of texts so that no document can harm another.

Operations: slices the texts into portions of bounded size, chunks each portion in
one call, and puts the lists back in the order of the rows.
WARNING: a portion is tried as a whole first; only when that fails is each of its
documents tried alone, so an odd document costs its own portion a second pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from udfs.arrow import CHUNKS, chunk_lists, spread
from udfs.chunking import Chunker

# Bounds the Python strings that exist at once, whatever the size of the Arrow batch (bytes of UTF-8).
PORTION_BYTES = 4 * 1024 * 1024

# A failure is a message for a person, not a copy of the document.
FAILURE_LENGTH = 300


class Outcome(NamedTuple):
    """What became of each row: arrays of one length, in the order of the rows."""

    canonical: pa.Array  # string; null where the canonical text is the source text
    failure: pa.Array  # string; null where all went well
    chunks: pa.ListArray  # null where it failed; an empty list for null and blank texts


def chunk_rows(chunker: Chunker, texts: pa.Array, *, repeat_embed_text: bool = True) -> Outcome:
    """Chunks every text; a null text gives an empty list, a text that fails gives null and a failure.

    Args:
        chunker: the profile's chunker.
        texts: strings, of type string or large_string.
        repeat_embed_text: as in `chunk_lists`.
    """
    portions = [
        _chunk_portion(chunker, texts.slice(first, last - first), repeat_embed_text) for first, last in _portions(texts)
    ]
    return _join(portions)


def chunk_rows_by(chunker_of: Callable[[str], Chunker], texts: pa.Array, profiles: pa.Array) -> Outcome:
    """Chunks every text with the chunker of its profile; a row without text or profile gives an empty list."""
    names = [name for name in pc.unique(profiles).to_pylist() if name is not None]
    if len(names) == 1 and not profiles.null_count:
        return chunk_rows(chunker_of(names[0]), texts, repeat_embed_text=False)
    outcomes, places = [], []
    for name in names:
        where = np.flatnonzero(pc.fill_null(pc.equal(profiles, name), False).to_numpy(zero_copy_only=False))
        outcomes.append(chunk_rows(chunker_of(name), texts.take(pa.array(where)), repeat_embed_text=False))
        places.append(where)
    without = np.flatnonzero(profiles.is_null().to_numpy(zero_copy_only=False))
    return _in_order([*outcomes, _nothing(len(without))], np.concatenate([*places, without]))


def _chunk_portion(chunker: Chunker, texts: pa.Array, repeat_embed_text: bool) -> Outcome:
    try:
        return _chunk_together(chunker, texts, repeat_embed_text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to one document
        if len(texts) == 1:
            return _failed(error)
    return _join([_chunk_portion(chunker, texts.slice(row, 1), repeat_embed_text) for row in range(len(texts))])


def _chunk_together(chunker: Chunker, texts: pa.Array, repeat_embed_text: bool) -> Outcome:
    places = np.flatnonzero(texts.is_valid().to_numpy(zero_copy_only=False))
    batch = chunker.chunk_batch(texts.drop_null().to_pylist())
    lists = spread(chunk_lists(batch, repeat_embed_text=repeat_embed_text), places, len(texts))
    return Outcome(_canonical(batch.canonical, places, len(texts)), pa.nulls(len(texts), pa.string()), lists)


def _canonical(canonical: list[str | None], places: npt.NDArray[np.int64], length: int) -> pa.Array:
    if all(text is None for text in canonical):
        return pa.nulls(length, pa.string())
    column: list[str | None] = [None] * length
    for place, text in zip(places.tolist(), canonical, strict=True):
        column[place] = text
    return pa.array(column, pa.string())


def _portions(texts: pa.Array) -> Iterator[tuple[int, int]]:
    """Half-open row ranges of at most `PORTION_BYTES` each, but of at least one row."""
    sizes = pc.fill_null(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False)
    first, used = 0, 0
    for row, size in enumerate(sizes.tolist()):
        if row > first and used + size > PORTION_BYTES:
            yield first, row
            first, used = row, 0
        used += size
    if len(texts) > first:
        yield first, len(texts)


def _failed(error: Exception) -> Outcome:
    message = f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace").decode("utf-8")
    nothing = pa.array([None], CHUNKS)
    return Outcome(pa.nulls(1, pa.string()), pa.array([message[:FAILURE_LENGTH]], pa.string()), nothing)


def _nothing(length: int) -> Outcome:
    empty = pa.array([[]] * length, CHUNKS)
    return Outcome(pa.nulls(length, pa.string()), pa.nulls(length, pa.string()), empty)


def _join(outcomes: list[Outcome]) -> Outcome:
    if len(outcomes) == 1:
        return outcomes[0]
    if not outcomes:
        return _nothing(0)
    return Outcome(*(pa.concat_arrays(list(column)) for column in zip(*outcomes, strict=True)))


def _in_order(outcomes: list[Outcome], places: npt.NDArray[np.int64]) -> Outcome:
    order = pa.array(np.argsort(places, kind="stable"))
    return Outcome(*(column.take(order) for column in _join(outcomes)))
