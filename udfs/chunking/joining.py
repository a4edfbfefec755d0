"""Batches of chunks as one, and in another order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from udfs.chunking.chunk import ChunkBatch

Int64 = npt.NDArray[np.int64]

_NUMBERS = {
    "token_count": np.int32,
    "char_start": np.int32,
    "char_end": np.int32,
    "kind": np.uint8,
    "cut": np.uint8,
    "oversize": np.bool_,
    "occurrence": np.int32,
}


def joined(batches: Iterable[ChunkBatch]) -> ChunkBatch:
    """The documents of several batches, one behind the other."""
    parts = list(batches)
    if len(parts) == 1:
        return parts[0]
    text = [piece for part in parts for piece in part.text]
    bare = all(part.embed_text is part.text for part in parts)
    sizes = [np.diff(part.offsets) for part in parts]
    return ChunkBatch(
        offsets=np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes])),
        text=text,
        embed_text=text if bare else [piece for part in parts for piece in part.embed_text],
        page_start=_pages([part.page_start for part in parts], parts),
        page_end=_pages([part.page_end for part in parts], parts),
        section=_sections(parts),
        canonical=[one for part in parts for one in part.canonical],
        removed=[one for part in parts for one in part.removed],
        metadata=[one for part in parts for one in part.metadata],
        strategy=[one for part in parts for one in part.strategy],
        **{name: _column([getattr(part, name) for part in parts], dtype) for name, dtype in _NUMBERS.items()},
    )


def reordered(batch: ChunkBatch, order: Sequence[int]) -> ChunkBatch:
    """The same documents in another order: document i of the result is document order[i] of the batch."""
    sizes = np.diff(batch.offsets)[list(order)]
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.repeat(batch.offsets[:-1][list(order)] - offsets[:-1], sizes) + np.arange(offsets[-1])
    places = rows.tolist()
    text = [batch.text[row] for row in places]
    return ChunkBatch(
        offsets=offsets,
        text=text,
        embed_text=text if batch.embed_text is batch.text else [batch.embed_text[row] for row in places],
        page_start=None if batch.page_start is None else batch.page_start[rows],
        page_end=None if batch.page_end is None else batch.page_end[rows],
        section=None if batch.section is None else [batch.section[row] for row in places],
        canonical=[batch.canonical[document] for document in order],
        removed=[batch.removed[document] for document in order],
        metadata=[batch.metadata[document] for document in order],
        strategy=[batch.strategy[document] for document in order],
        **{name: getattr(batch, name)[rows] for name in _NUMBERS},
    )


def _column(parts: Sequence[Any], dtype: Any) -> Any:
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype, copy=False)


def _pages(parts: Sequence[Any], batches: Sequence[ChunkBatch]) -> Any:
    if all(part is None for part in parts):
        return None
    filled = [
        np.zeros(len(batch), np.int32) if part is None else part for part, batch in zip(parts, batches, strict=True)
    ]
    return _column(filled, np.int32)


def _sections(parts: Sequence[ChunkBatch]) -> list[tuple[str, ...]] | None:
    if all(part.section is None for part in parts):
        return None
    return [path for part in parts for path in (part.section or [()] * len(part))]
