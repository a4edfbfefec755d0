"""The door to the engine: `Chunker(...).chunk(text)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from udfs.chunking.boundaries import CUT
from udfs.chunking.chunk import Bool, Chunk, ChunkBatch, Int32, Int64
from udfs.chunking.counting import SeamCounter, StretchCounter, WholeCounter
from udfs.chunking.packing import Budget, pack
from udfs.chunking.settings import ChunkSettings
from udfs.chunking.sizes import CappedRuler, CharacterRuler, Ruler, TokenRuler
from udfs.chunking.slab import Slab, slabs
from udfs.chunking.strategies import STRATEGIES
from udfs.chunking.tokenizers import load_tokenizer


class Chunker:
    """Cuts documents into chunks, each with its exact place and token count.

    Args:
        settings: how to cut. Or give the fields of `ChunkSettings` by name.

    Raises:
        SettingsError: a setting that cannot be valid.

    Example:
        >>> chunker = Chunker(strategy="fixed", size=4, overlap=2, unit="characters")
        >>> [chunk.text for chunk in chunker.chunk("0123456789")]
        ['0123', '2345', '4567', '6789']
    """

    def __init__(self, settings: ChunkSettings | None = None, /, **values: Any) -> None:
        self.settings = settings if settings is not None else ChunkSettings.of(values)
        self._plan = STRATEGIES[self.settings.strategy]
        self._tokenizer = load_tokenizer(self.settings.tokenizer)
        self._budget = Budget(
            size=self.settings.limit,
            overlap=self.settings.shared,
            in_tokens=self.settings.unit == "tokens",
            max_tokens=self.settings.max_tokens,
        )

    def chunk(self, text: str) -> list[Chunk]:
        """The chunks of one document, in reading order; none for a blank text.

        Raises:
            TextError: the text holds a lone surrogate.
            TypeError: it is no str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}; decode bytes, and leave nulls out")
        return self.chunk_batch([text]).document(0)

    def canonical(self, text: str) -> str:
        """The text that positions refer to. So far it is the text itself."""
        return text

    def chunk_batch(self, texts: Sequence[str]) -> ChunkBatch:
        """The chunks of many documents as flat columns. No document changes another's chunks.

        Raises:
            TextError: a text holds a lone surrogate.
        """
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise TypeError("texts must be a sequence of str, a document each; for one document use chunk(text)")
        return _joined([self._chunk_slab(slab) for slab in slabs(texts)], len(texts))

    def _chunk_slab(self, slab: Slab) -> ChunkBatch:
        ruler, counter = self._measures(slab)
        plan = self._plan(slab, self.settings, ruler)
        packed = pack(slab, plan.chooser, self._budget, counter)
        offsets, start, end, tokens = packed.offsets, packed.start, packed.end, packed.tokens
        chunks = np.diff(offsets)
        text = [slab.text[begin:stop] for begin, stop in zip(start.tolist(), end.tolist(), strict=True)]
        cut = plan.boundaries.quality_at(slab, end)
        cut[offsets[1:][chunks > 0] - 1] = CUT["end"]
        first = np.repeat(slab.first, chunks)
        return ChunkBatch(
            offsets=offsets,
            text=text,
            embed_text=text,
            token_count=tokens,
            char_start=(start - first).astype(np.int32),
            char_end=(end - first).astype(np.int32),
            page_start=None,
            page_end=None,
            section=None,
            kind=np.zeros(len(text), dtype=np.uint8),
            cut=cut,
            oversize=self._oversize(tokens, end - start),
            occurrence=_occurrences(text, offsets),
            canonical=[None] * len(slab.texts),
        )

    def _measures(self, slab: Slab) -> tuple[Ruler, StretchCounter]:
        """What estimates sizes while packing, and what counts exactly afterwards."""
        tokenizer = self._tokenizer.suited_to(slab.points)
        if self._budget.max_tokens is None:
            return CharacterRuler(slab), WholeCounter(slab, tokenizer)
        tokens = TokenRuler(slab, tokenizer)
        counter = SeamCounter(slab, tokenizer, tokens.ends) if tokenizer.has_seams else None
        ruler = tokens if self._budget.in_tokens else CappedRuler(CharacterRuler(slab), tokens, self._budget.max_tokens)
        return ruler, counter or WholeCounter(slab, tokenizer)

    def _oversize(self, tokens: Int32, characters: Int64) -> Bool:
        over = np.zeros(len(tokens), dtype=np.bool_)
        if self._budget.max_tokens is not None:
            over |= tokens > self._budget.max_tokens
        if not self._budget.in_tokens:
            over |= characters > self._budget.size
        return over


def _occurrences(text: list[str], offsets: Int64) -> Int32:
    """For each chunk: how many earlier chunks of its document have the same text."""
    occurrence = np.zeros(len(text), dtype=np.int32)
    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    length = np.fromiter(map(len, text), np.int64, len(text))
    seen: dict[tuple[int, str], int] = {}
    for row in _recurring(document * (length.max(initial=0) + 1) + length).tolist():  # equal texts are equally long
        key = (int(document[row]), text[row])
        occurrence[row] = seen.get(key, 0)
        seen[key] = int(occurrence[row]) + 1
    return occurrence


def _recurring(keys: Int64) -> Int64:
    """The rows whose key occurs more than once, in order."""
    _, which, count = np.unique(keys, return_inverse=True, return_counts=True)
    return np.flatnonzero(count[which] > 1)


def _joined(parts: list[ChunkBatch], documents: int) -> ChunkBatch:
    """The batches of several slabs as one."""
    if len(parts) == 1:
        return parts[0]
    sizes = [np.diff(part.offsets) for part in parts]

    def column(name: str, dtype: type[np.generic]) -> Any:
        return np.concatenate([np.zeros(0, dtype), *(getattr(part, name) for part in parts)]).astype(dtype, copy=False)

    text = [piece for part in parts for piece in part.text]
    return ChunkBatch(
        offsets=np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes])),
        text=text,
        embed_text=text,
        token_count=column("token_count", np.int32),
        char_start=column("char_start", np.int32),
        char_end=column("char_end", np.int32),
        page_start=None,
        page_end=None,
        section=None,
        kind=column("kind", np.uint8),
        cut=column("cut", np.uint8),
        oversize=column("oversize", np.bool_),
        occurrence=column("occurrence", np.int32),
        canonical=[None] * documents,
    )
