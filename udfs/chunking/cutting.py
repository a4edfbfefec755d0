"""From documents to their chunks, one slab at a time: measure, plan, pack, and describe what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from udfs.chunking.boundaries import CUT
from udfs.chunking.chunk import KINDS, ChunkBatch, Int32, Int64, UInt8
from udfs.chunking.contexts import Contexts
from udfs.chunking.document import Document
from udfs.chunking.embed_template import Context, EmbedTemplate
from udfs.chunking.formats.pages import page_ranges
from udfs.chunking.joining import joined
from udfs.chunking.kinds import kinds_of
from udfs.chunking.measuring import Measures
from udfs.chunking.occurrences import occurrences
from udfs.chunking.outline import Outline
from udfs.chunking.packing import Budget, Packed, pack
from udfs.chunking.removal import extents_without_removed
from udfs.chunking.settings import ChunkSettings
from udfs.chunking.slab import Slab, slabs
from udfs.chunking.strategies import STRATEGIES
from udfs.chunking.tokenizers import load_tokenizer


class DocumentCutter:
    """Cuts documents, all by the same settings."""

    def __init__(self, settings: ChunkSettings) -> None:
        self._settings = settings
        self._strategy = STRATEGIES[settings.strategy]
        self._tokenizer = load_tokenizer(settings.tokenizer)
        self._template = EmbedTemplate(settings.embed_template, settings.context_mode)
        self._budget = Budget(
            size=settings.limit,
            overlap=settings.shared,
            in_tokens=settings.unit == "tokens",
            max_tokens=settings.max_tokens,
        )

    def cut(self, documents: Sequence[Document]) -> ChunkBatch:
        """The chunks of the documents. No document changes another's."""
        return joined(self._cut_slab(slab, found) for slab, found in _on_slabs(documents))

    def _cut_slab(self, slab: Slab, documents: Sequence[Document]) -> ChunkBatch:
        outline = Outline.of(slab, [document.structure for document in documents])
        contexts = self._contexts(slab, outline, documents)
        measures = Measures.of(slab, self._tokenizer, self._budget, contexts)
        plan = self._strategy.plan(measures.workpiece(slab, outline), self._settings)
        extents = plan.extents or extents_without_removed(slab, outline)
        packed = pack(slab, plan.chooser, self._budget, measures, extents)
        cut = plan.boundaries.quality_at(slab, packed.end)
        return self._described(slab, documents, outline, measures, packed, cut)

    def _described(
        self,
        slab: Slab,
        documents: Sequence[Document],
        outline: Outline,
        measures: Measures,
        packed: Packed,
        cut: UInt8,
    ) -> ChunkBatch:
        """All that is told of the chunks."""
        start, end = packed.start, packed.end
        text = [slab.text[begin:stop] for begin, stop in zip(start.tolist(), end.tolist(), strict=True)]
        tokens, prefixes = measures.with_context(packed.tokens, start, end)
        embed_text = text if prefixes is None else list(map(str.__add__, prefixes, text))
        chunks = np.diff(packed.offsets)
        cut[packed.offsets[1:][chunks > 0] - 1] = CUT["end"]
        first = np.repeat(slab.first, chunks)
        char_start = (start - first).astype(np.int32)
        page_start, page_end = page_columns(documents, packed.offsets, char_start, text)
        return ChunkBatch(
            offsets=packed.offsets,
            text=text,
            embed_text=embed_text,
            token_count=tokens,
            char_start=char_start,
            char_end=(end - first).astype(np.int32),
            page_start=page_start,
            page_end=page_end,
            section=outline.paths_at(start) if outline.titles else None,
            kind=kinds_of(outline.blocks, start, end, KINDS.index(self._strategy.kind)),
            cut=cut,
            oversize=self._budget.exceeded(tokens, np.fromiter(map(len, embed_text), np.int64, len(embed_text))),
            occurrence=occurrences(embed_text, packed.offsets),
            canonical=[None] * len(documents),
            removed=[document.removed for document in documents],
            metadata=[document.structure.metadata if document.structure else {} for document in documents],
        )

    def _contexts(self, slab: Slab, outline: Outline, documents: Sequence[Document]) -> Contexts | None:
        """The contexts that chunks bear; None if all are empty."""
        titles = [document.title for document in documents]
        known = outline.titles or outline.repeated or any(titles) or self._template.prefix(Context())
        if self._settings.context_mode == "none" or not known:
            return None
        most = int(self._settings.limit * self._settings.context_share)
        return Contexts(slab, outline, titles, self._template, most, self._measure)

    def _measure(self, text: str) -> int:
        """In units; where tokens are bounded beside characters, in whichever of the two it takes the larger part of."""
        if self._budget.max_tokens is None:
            return len(text)
        tokens = int(self._tokenizer.count([text])[0])
        if self._budget.in_tokens:
            return tokens
        return max(len(text), -(-tokens * self._budget.size // self._budget.max_tokens))


def _on_slabs(documents: Sequence[Document]) -> Iterator[tuple[Slab, Sequence[Document]]]:
    first = 0
    for slab in slabs([document.text for document in documents]):
        last = first + len(slab.texts)
        yield slab, documents[first:last]
        first = last


def page_columns(
    documents: Sequence[Document], offsets: Int64, char_start: Int32, text: Sequence[str]
) -> tuple[Int32 | None, Int32 | None]:
    """The first and last page of each chunk; 0 where a document has no pages.

    Args:
        documents: whose chunks these are.
        offsets: the chunks of document i are the rows offsets[i] to offsets[i + 1].
        char_start: where each chunk begins in its document.
        text: of each chunk.
    """
    if all(document.pages is None for document in documents):
        return None, None
    first, last = np.zeros(len(text), np.int32), np.zeros(len(text), np.int32)
    for document, (low, high) in zip(
        documents, zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True), strict=True
    ):
        if document.pages is not None:
            first[low:high], last[low:high] = page_ranges(document.pages, char_start[low:high].tolist(), text[low:high])
    return first, last
