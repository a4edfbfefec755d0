"""The door to the engine: `Chunker(...).chunk(text)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from udfs.chunking.chunk import Chunk, ChunkBatch
from udfs.chunking.settings import ChunkSettings


class Chunker:
    """STUB (the real engine replaces the body; the interface stays)."""

    def __init__(self, settings: ChunkSettings | None = None, /, **values: Any) -> None:
        self.settings = settings if settings is not None else ChunkSettings.of(values)

    def chunk(self, text: str) -> list[Chunk]:
        return self.chunk_batch([text]).document(0)

    def canonical(self, text: str) -> str:
        return text

    def chunk_batch(self, texts: Sequence[str]) -> ChunkBatch:
        size = self.settings.size
        offsets, out, starts, ends, cuts, occ = [0], [], [], [], [], []
        for text in texts:
            seen: dict[str, int] = {}
            for s in range(0, len(text), size):
                piece = text[s : s + size]
                if piece.strip():
                    out.append(piece); starts.append(s); ends.append(s + len(piece))
                    cuts.append(0 if s + size >= len(text) else 7)
                    occ.append(seen.get(piece, 0)); seen[piece] = seen.get(piece, 0) + 1
            offsets.append(len(out))
        n = len(out)
        return ChunkBatch(
            offsets=np.array(offsets, np.int64), text=out, embed_text=out,
            token_count=np.array([len(t.split()) for t in out], np.int32),
            char_start=np.array(starts, np.int32), char_end=np.array(ends, np.int32),
            page_start=None, page_end=None, section=None, kind=np.zeros(n, np.uint8),
            cut=np.array(cuts, np.uint8), oversize=np.zeros(n, bool), occurrence=np.array(occ, np.int32),
            canonical=[None] * len(texts),
        )
