"""Chunks a batch of documents from Arrow so that no document can harm another.

Operations: slices the rows into portions whose chunks have a bounded size, chunks each
portion in one call, and gives its outcome on before the next portion is begun.
WARNING: a portion is tried as a whole first; only when that fails is each of its
documents tried alone, so an odd document costs its own portion a second pass.
Portions are never joined again: a batch may make more chunks than one array can hold.

A batch is a `pa.RecordBatch`: `text` (string or large_string; null is no document), and whatever else is known
of the documents: `title`, `content_type`, `source` (strings) and `pages` (a list of integers, where pages begin).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from udfs.arrow import CHUNKS, PARENTS, chunk_lists, parent_lists, spread
from udfs.chunking import Chunker, ChunkSettings, SettingsError
from udfs.chunking.document import About

# Bounds what is made at once, whatever the size of the Arrow batch (bytes of chunks, as the settings let expect).
PORTION_BYTES = 4 * 1024 * 1024

# What a chunk takes beside its text: positions, counts, the head of a Python string (bytes, roughly).
CHUNK_BYTES = 64

# The most that the chunks of one document may take: Arrow's strings and Spark's rows end at 2 GiB, and a row of Spark
# takes more for each chunk than Arrow does (15 fields of 8 bytes, and as much again for the variable ones, at most).
ROW_BYTES = 2**31 - 2**24
ROW_BYTES_PER_CHUNK = 192

# However long the contexts are, each chunk brings at least this share of its text, and the others at most the rest.
LEAST_STEP = 1 / 4

# What is known of a document, by the names of the engine.
ABOUT = ("title", "content_type", "source", "pages")

REMOVED = pa.map_(pa.string(), pa.int32())
METADATA = pa.map_(pa.string(), pa.string())

# A failure is a message for a person, not a copy of the document.
FAILURE_LENGTH = 300


_REMEDY = "set parents: table, or smaller parents"


class ChunksTooLargeError(Exception):
    """A document whose chunks one row cannot hold."""


class Outcome(NamedTuple):
    """What became of each row: arrays of one length, in the order of the rows."""

    canonical: pa.Array  # string; null where the canonical text is the source text
    removed: pa.Array  # map: code points that are in no chunk, by reason; null where there are none
    metadata: pa.Array  # map: what the text says of itself; null where it says nothing
    strategy: pa.Array  # string; under `auto`, the one that was chosen; null where nothing was chunked
    failure: pa.Array  # string; null where all went well
    chunks: pa.ListArray  # null where it failed; an empty list for null and blank texts
    parents: pa.ListArray  # null where the strategy makes no parents
    seconds: pa.Array  # double; of the time that its portion took, what its length accounts for; null where it failed


def chunk_rows(chunker: Chunker, rows: pa.RecordBatch, *, repeat_embed_text: bool = True) -> Iterator[Outcome]:
    """Chunks every document; a null text gives an empty list, one that fails gives null and a failure.

    Args:
        chunker: the profile's chunker.
        rows: the documents.
        repeat_embed_text: as in `chunk_lists`.

    Yields:
        The outcomes of successive stretches of rows, each of at least one row; together they are all rows.
    """

    def chunk_stretch(first: int, last: int) -> Outcome:
        return _chunk_together(chunker, rows.slice(first, last - first), repeat_embed_text)

    for first, last in _portions(_bytes(rows) * growth(chunker.settings)):
        yield from _isolated(chunk_stretch, first, last)


def chunk_rows_by(chunker_of: Callable[[str], Chunker], rows: pa.RecordBatch) -> Iterator[Outcome]:
    """Chunks every document by its profile; a row without text or profile gives an empty list.

    Args:
        chunker_of: the chunker of a profile.
        rows: the documents, with one more column `profile`.

    Yields:
        As `chunk_rows` does.
    """

    def chunk_stretch(first: int, last: int) -> Outcome:
        return _chunk_mixed(chunker_of, rows.slice(first, last - first))

    sizes = _bytes(rows)
    for name, where in _rows_by_profile(rows):
        sizes[where] *= 0 if name is None else growth(chunker_of(name).settings)
    for first, last in _portions(sizes):
        yield from _isolated(chunk_stretch, first, last)


def growth(settings: ChunkSettings) -> float:
    """How many bytes of chunks a byte of text makes, at most and about.

    Overlap repeats text, a context takes room from it and comes with a second copy of it, and every chunk has its
    overhead.

    >>> round(growth(ChunkSettings(size=512, overlap=64)), 2), growth(ChunkSettings(size=512, overlap=504))
    (1.29, 72.0)
    >>> round(growth(ChunkSettings(strategy="markdown", size=512, overlap=64)), 2)
    4.33
    """
    if settings.child_settings is not None and settings.parent_settings is not None:
        inline = settings.parent_settings.limit / settings.child_settings.limit if settings.parents == "inline" else 1
        return growth(settings.child_settings) * (1 + inline)
    if settings.context_mode == "none":
        return (settings.limit + CHUNK_BYTES) / (settings.limit - settings.shared)
    room = settings.limit * (1 - settings.context_share)
    return (room + settings.limit + CHUNK_BYTES) / max(room - settings.shared, room * LEAST_STEP)


def _isolated(chunk_stretch: Callable[[int, int], Outcome], first: int, last: int) -> Iterator[Outcome]:
    outcome: Outcome | None
    try:
        outcome = chunk_stretch(first, last)
    except (SettingsError, ImportError):
        raise  # what is not there, or cannot be, fails for every document: the job must not publish that
    except Exception as error:  # noqa: BLE001 - whatever else it is, it belongs to one document
        outcome = _failed(error) if last - first == 1 else None
    if outcome is not None:
        yield outcome
        return
    for row in range(first, last):
        yield from _isolated(chunk_stretch, row, row + 1)


def _chunk_mixed(chunker_of: Callable[[str], Chunker], rows: pa.RecordBatch) -> Outcome:
    outcomes, places = [], []
    for name, where in _rows_by_profile(rows):
        own = rows if len(where) == len(rows) else rows.take(pa.array(where))
        outcomes.append(_nothing(len(where)) if name is None else _chunk_together(chunker_of(name), own, False))
        places.append(where)
    return outcomes[0] if len(outcomes) == 1 else _in_order(outcomes, np.concatenate(places))


def _rows_by_profile(rows: pa.RecordBatch) -> Iterator[tuple[str | None, npt.NDArray[np.int64]]]:
    """Each profile, None included, with the rows that have it."""
    profiles = rows.column("profile")
    for name in pc.unique(profiles).to_pylist():
        there = profiles.is_null() if name is None else pc.fill_null(pc.equal(profiles, name), False)
        yield name, np.flatnonzero(there.to_numpy(zero_copy_only=False))


def _chunk_together(chunker: Chunker, rows: pa.RecordBatch, repeat_embed_text: bool) -> Outcome:
    length = len(rows)
    places = np.flatnonzero(rows.column("text").is_valid().to_numpy(zero_copy_only=False))
    if len(places) < length:
        rows = rows.take(pa.array(places))
    started = perf_counter()
    batch = chunker.chunk_batch(rows.column("text").to_pylist(), _abouts(rows))
    seconds = _spread_values(_shares(perf_counter() - started, _bytes(rows)), places, length, pa.float64())
    if batch.parent_text is not None and (inline := sum(map(len, batch.parent_text))) > ROW_BYTES:
        raise ChunksTooLargeError(f"the texts of its parents take {inline:,} bytes, repeated on every chunk: {_REMEDY}")
    lists = spread(chunk_lists(batch, repeat_embed_text=repeat_embed_text), places, length)
    canonical = _spread_values(batch.canonical, places, length, pa.string())
    parents = pa.nulls(length, PARENTS)
    if batch.parents is not None:
        parents = spread(parent_lists(batch.parents), places, length)
    size = lists.nbytes + parents.nbytes + canonical.nbytes + len(batch) * ROW_BYTES_PER_CHUNK
    if size > ROW_BYTES:
        raise ChunksTooLargeError(
            f"its {len(batch):,} chunks take {size:,} bytes; a row holds {ROW_BYTES:,}. Lower overlap, or raise size."
        )
    removed = _spread_values(_items(batch.removed), places, length, REMOVED)
    metadata = _spread_values(_items(batch.metadata), places, length, METADATA)
    strategy = _spread_values(batch.strategy, places, length, pa.string())
    return Outcome(canonical, removed, metadata, strategy, pa.nulls(length, pa.string()), lists, parents, seconds)


def _abouts(rows: pa.RecordBatch) -> list[About] | None:
    """What is known of each document; None if nothing is of any."""
    columns = {name: rows.column(name) for name in ABOUT if name in rows.schema.names}
    known = {name: column.to_pylist() for name, column in columns.items() if column.null_count < len(rows)}
    if not known:
        return None
    return [About(**dict(zip(known, values, strict=True))) for values in zip(*known.values(), strict=True)]


def _shares(seconds: float, sizes: npt.NDArray[np.float64]) -> list[float]:
    """The time of a portion, shared out by size: one document's own time is not measured, its portion's is."""
    return list(seconds * sizes / max(float(sizes.sum()), 1.0))


def _items(mappings: Sequence[Mapping[str, Any]]) -> list[list[tuple[str, Any]] | None]:
    """Each mapping as Arrow takes it; None for an empty one."""
    return [list(mapping.items()) or None for mapping in mappings]


def _spread_values(
    values: Sequence[Any], places: npt.NDArray[np.int64], length: int, data_type: pa.DataType
) -> pa.Array:
    """The values at their places in a longer array; everywhere else null."""
    if all(value is None for value in values):
        return pa.nulls(length, data_type)
    column: list[Any] = [None] * length
    for place, value in zip(places.tolist(), values, strict=True):
        column[place] = value
    return pa.array(column, data_type)


def _bytes(rows: pa.RecordBatch) -> npt.NDArray[np.float64]:
    """The bytes of UTF-8 of each text."""
    return np.asarray(pc.fill_null(pc.binary_length(rows.column("text")), 0), np.float64)


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
    failure = pa.array([message[:FAILURE_LENGTH]], pa.string())
    return _nothing(1)._replace(failure=failure, chunks=pa.array([None], CHUNKS))


def _nothing(length: int) -> Outcome:
    texts, empty = pa.nulls(length, pa.string()), pa.array([[]] * length, CHUNKS)
    no_parents = pa.nulls(length, PARENTS)
    maps = pa.nulls(length, REMOVED), pa.nulls(length, METADATA)
    return Outcome(texts, *maps, texts, texts, empty, no_parents, pa.nulls(length, pa.float64()))


def _in_order(outcomes: list[Outcome], places: npt.NDArray[np.int64]) -> Outcome:
    order = pa.array(np.argsort(places, kind="stable"))
    joined = (pa.concat_arrays(list(column)) for column in zip(*outcomes, strict=True))
    return Outcome(*(column.take(order) for column in joined))
