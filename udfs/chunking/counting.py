"""Exact token counts of stretches of a slab.

`WholeCounter` counts each stretch as the text that it is. `SeamCounter` knows the
tokens of the whole documents already and counts only the edges anew:

    The quick brown fox jumps over the lazy dog.
       [uick brown fox jumps over the la]              the stretch
       [uick]                        [ la]             its first and last word: counted anew
            [ brown fox jumps over the]                tokens of the document: known

This is exact, not an estimate, for encodings that cut text at every such place, a seam,
before they merge bytes (`Tokenizer.has_seams`): what stands on one side of a seam
does not change the tokens on the other side. A line's start is a seam as well, so most
chunks have no first word to count, and a chunk's last word is also that of what it
shares with the next.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from udfs.chunking.contexts import Contexts
from udfs.chunking.seams import Seams, begins_line
from udfs.chunking.sizes import ContextSizes
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import Tokenizer

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


class StretchCounter(Protocol):
    """Counts the tokens of stretches [start[i], end[i]) of a slab, each as a text of its own."""

    def count(self, start: Int64, end: Int64) -> Int32:
        """The tokens of each stretch: int32 array of the same shape."""


class WholeCounter:
    """Counts every stretch as a text. Implements `StretchCounter`."""

    def __init__(self, slab: Slab, tokenizer: Tokenizer) -> None:
        self._text = slab.text
        self._tokenizer = tokenizer

    def count(self, start: Int64, end: Int64) -> Int32:
        """See `StretchCounter`."""
        edges = zip(start.tolist(), end.tolist(), strict=True)
        return self._tokenizer.count([self._text[begin:stop] for begin, stop in edges])


class SeamCounter:
    """Counts the edges of every stretch. Implements `StretchCounter`.

    Args:
        slab: the documents.
        tokenizer: one that has seams.
        ends: where each token of the slab ends, as `TokenRuler.ends`.
    """

    # Below this many stretches, looking up seams costs more than counting.
    FEW = 8

    def __init__(self, slab: Slab, tokenizer: Tokenizer, ends: Int64) -> None:
        self._slab = slab
        self._whole = WholeCounter(slab, tokenizer)
        self._ends = ends
        self._seams = Seams(slab)

    def count(self, start: Int64, end: Int64) -> Int32:
        """See `StretchCounter`."""
        if len(start) < self.FEW:
            return self._whole.count(start, end)
        tail = self._seams.last(start, end)
        begins_document = self._seams.begin_documents(start)
        head = start.copy()
        inner = np.flatnonzero(~(begins_document | self._seams.begin_lines(start)) & (start < tail))
        head[inner] = self._seams.first(start[inner], tail[inner])
        # A token ends at every seam but the beginning of a document. Tokens that end
        # within the code point behind the seam have the same position, but come later.
        between = np.searchsorted(self._ends, tail) - np.searchsorted(self._ends, head)
        between += begins_document & (start < tail)
        between[inner] += self._whole.count(start[inner], head[inner])
        counts: Int32 = (between + self._count_tails(tail, end)).astype(np.int32)
        return counts

    def _count_tails(self, start: Int64, end: Int64) -> Int32:
        """The tokens of last words. A chunk and what it shares with the next end with the same one."""
        words, which = np.unique(start << 32 | end, return_inverse=True)
        return np.asarray(self._whole.count(words >> 32, words & 0xFFFFFFFF)[which], dtype=np.int32)


class ContextCounter:
    """Counts stretches with the contexts that chunks bear which begin where they do. Implements `StretchCounter`.

    Args:
        slab: the documents.
        tokenizer: counts texts.
        counter: counts stretches without context.
        contexts: of the slab.
        sizes: the tokens of each context by itself.
    """

    def __init__(
        self, slab: Slab, tokenizer: Tokenizer, counter: StretchCounter, contexts: Contexts, sizes: ContextSizes
    ) -> None:
        self._slab, self._tokenizer, self._counter = slab, tokenizer, counter
        self._contexts, self._sizes = contexts, sizes

    def count(self, start: Int64, end: Int64) -> Int32:
        """See `StretchCounter`."""
        numbers = self._contexts.numbers_at(start).tolist()
        prefixes = [self._contexts.prefixes[number] for number in numbers]
        context = np.fromiter(map(self._sizes.of, numbers), np.int32, len(numbers))
        counts: Int32 = self._counter.count(start, end) + context
        ends_line = np.fromiter((prefix[-1:] == "\n" for prefix in prefixes), np.bool_, len(prefixes))
        seamed = ends_line & begins_line(self._slab, start) & self._tokenizer.has_seams
        rows = np.flatnonzero((context > 0) & ~seamed)
        if len(rows):
            edges = zip(rows.tolist(), start[rows].tolist(), end[rows].tolist(), strict=True)
            whole = [prefixes[row] + self._slab.text[begin:stop] for row, begin, stop in edges]
            counts[rows] = self._tokenizer.count(whole)
        return counts
