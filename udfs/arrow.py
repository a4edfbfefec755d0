"""The engine's flat columns as one Arrow array of lists of chunks.

Nothing here makes a Python object per chunk: offsets and columns are handed to
Arrow as they are, so that wrapping costs little next to chunking.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from udfs.chunking import CUTS, KINDS, ChunkBatch
from udfs.chunking.chunk import Parents

# The chunk struct as Arrow sees it; the fields and their order are those of the engine's `Chunk`.
CHUNK_FIELDS = (
    pa.field("chunk_index", pa.int32()),
    pa.field("text", pa.string()),
    pa.field("embed_text", pa.string()),
    pa.field("token_count", pa.int32()),
    pa.field("char_start", pa.int32()),
    pa.field("char_end", pa.int32()),
    pa.field("page_start", pa.int32()),
    pa.field("page_end", pa.int32()),
    pa.field("section", pa.list_(pa.string())),
    pa.field("kind", pa.string()),
    pa.field("cut", pa.string()),
    pa.field("oversize", pa.bool_()),
    pa.field("occurrence", pa.int32()),
    pa.field("parent_index", pa.int32()),
    pa.field("parent_text", pa.string()),
)
CHUNKS = pa.list_(pa.struct(CHUNK_FIELDS))

# A parent of chunks; the fields are those of the engine's `Parents`.
PARENT_FIELDS = (
    pa.field("text", pa.string()),
    pa.field("char_start", pa.int32()),
    pa.field("char_end", pa.int32()),
    pa.field("token_count", pa.int32()),
    pa.field("section", pa.list_(pa.string())),
    pa.field("page_start", pa.int32()),
    pa.field("page_end", pa.int32()),
    pa.field("occurrence", pa.int32()),
)
PARENTS = pa.list_(pa.struct(PARENT_FIELDS))


def chunk_lists(batch: ChunkBatch, *, repeat_embed_text: bool = True) -> pa.ListArray:
    """One list of chunk structs for each document of the batch.

    Args:
        batch: the chunks of many documents.
        repeat_embed_text: False leaves `embed_text` null where it equals `text`, which halves what is moved.

    Returns:
        An array of type `CHUNKS`, of length `batch.documents`, without nulls.

    Raises:
        OverflowError: the texts together exceed the 2 GiB that one array holds.

    Example:
        >>> from udfs.chunking import Chunker
        >>> lists = chunk_lists(Chunker(strategy="fixed", size=4, overlap=2, unit="characters").chunk_batch(["012345"]))
        >>> [(c["text"], c["char_start"]) for c in lists[0].as_py()]
        [('0123', 0), ('2345', 2)]
    """
    text = _strings(batch.text)
    columns = [
        pa.array(_index_in_document(batch), pa.int32()),
        text,
        _embed_text(batch, text, repeat=repeat_embed_text),
        pa.array(batch.token_count, pa.int32()),
        pa.array(batch.char_start, pa.int32()),
        pa.array(batch.char_end, pa.int32()),
        _pages(batch.page_start, len(batch)),
        _pages(batch.page_end, len(batch)),
        _sections(batch),
        pa.array(KINDS, pa.string()).take(pa.array(batch.kind)),
        pa.array(CUTS, pa.string()).take(pa.array(batch.cut)),
        pa.array(batch.oversize, pa.bool_()),
        pa.array(batch.occurrence, pa.int32()),
        pa.nulls(len(batch), pa.int32()) if batch.parent is None else pa.array(batch.parent, pa.int32()),
        pa.nulls(len(batch), pa.string()) if batch.parent_text is None else _strings(batch.parent_text),
    ]
    structs = pa.StructArray.from_arrays(columns, fields=CHUNK_FIELDS)
    return pa.ListArray.from_arrays(pa.array(batch.offsets, pa.int32()), structs)


def parent_lists(parents: Parents) -> pa.ListArray:
    """One list of parent structs for each document: an array of type `PARENTS`, without nulls.

    Raises:
        OverflowError: the texts together exceed the 2 GiB that one array holds.
    """
    columns = [
        _strings(parents.text),
        pa.array(parents.char_start, pa.int32()),
        pa.array(parents.char_end, pa.int32()),
        pa.array(parents.token_count, pa.int32()),
        _sections(parents),
        _pages(parents.page_start, len(parents)),
        _pages(parents.page_end, len(parents)),
        pa.array(parents.occurrence, pa.int32()),
    ]
    structs = pa.StructArray.from_arrays(columns, fields=PARENT_FIELDS)
    return pa.ListArray.from_arrays(pa.array(parents.offsets, pa.int32()), structs)


def spread(lists: pa.ListArray, places: npt.NDArray[np.int64], length: int) -> pa.ListArray:
    """The lists at their places in a longer array; everywhere else an empty list.

    Args:
        lists: an array without nulls.
        places: where each list goes, rising, shape (len(lists),).
        length: the length of the result.
    """
    counts = np.zeros(length, np.int64)
    counts[places] = np.diff(lists.offsets.to_numpy())
    offsets = np.concatenate(([0], np.cumsum(counts)))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), lists.flatten())


def _index_in_document(batch: ChunkBatch) -> npt.NDArray[np.int64]:
    per_document = np.diff(batch.offsets)
    return np.arange(len(batch), dtype=np.int64) - np.repeat(batch.offsets[:-1], per_document)


def _embed_text(batch: ChunkBatch, text: pa.Array, *, repeat: bool) -> pa.Array:
    if batch.embed_text is batch.text:
        return text if repeat else pa.nulls(len(batch), pa.string())
    if repeat:
        return _strings(batch.embed_text)
    own = (None if embed == text else embed for embed, text in zip(batch.embed_text, batch.text, strict=True))
    return _strings(list(own))


def _strings(values: list[str] | list[str | None]) -> pa.Array:
    array = pa.array(values, pa.string())
    if isinstance(array, pa.ChunkedArray):
        raise OverflowError("the chunks of a document take more than the 2 GiB that one array holds; lower overlap")
    return array


def _pages(pages: npt.NDArray[np.int32] | None, length: int) -> pa.Array:
    """Pages are counted from 1; 0 says that a document has none."""
    return pa.nulls(length, pa.int32()) if pages is None else pa.array(pages, pa.int32(), mask=pages == 0)


def _sections(batch: ChunkBatch | Parents) -> pa.Array:
    if batch.section is None:
        return pa.ListArray.from_arrays(pa.array(np.zeros(len(batch) + 1, np.int32)), pa.array([], pa.string()))
    return pa.array(batch.section, pa.list_(pa.string()))
