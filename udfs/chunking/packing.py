"""From boundaries and sizes to chunks: choose cuts so that no chunk exceeds the limit.

Plan:
1. A first pass chooses every cut by estimated sizes (see `sizes`).
2. All chunk texts of a slab are counted exactly, in one call.
3. A document with a chunk over the limit is packed again from that chunk on,
   now counting each chunk as it is made and shrinking it until it fits.

Which cut is taken is up to a `CutChooser`; this module knows no boundary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Protocol

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import is_blank
from udfs.chunking.counting import StretchCounter
from udfs.chunking.slab import Slab

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]


class CutChooser(Protocol):
    """Chooses where chunks end and begin. Positions count code points of the slab."""

    def cut(self, document: int, start: int, floor: int, limit: int) -> int | None:
        """Where a chunk that begins at `start` ends.

        Args:
            document: which document of the slab.
            start: where the chunk begins.
            floor: where the chunk before it ends; this one must end behind that.
            limit: the most units that the chunk may hold, by estimate.

        Returns:
            The end. None if no end behind `floor` fits and the chunk shares text with the one before;
            a chunk that shares nothing always has an end: its first grapheme, however large.
        """

    def restart(self, document: int, start: int, end: int, overlap: int) -> int:
        """Where the chunk after [start, end) begins: behind `start`, sharing at most `overlap` units by estimate."""


@dataclass(frozen=True)
class Budget:
    """How large chunks may be and how much they may share.

    Attributes:
        size: the most units of a chunk.
        overlap: the most units that neighbours share.
        in_tokens: whether the unit is the token, whose sizes are only estimated while packing; else the code point.
        max_tokens: the most tokens of a chunk, whatever the unit; None for no bound.
    """

    size: int
    overlap: int
    in_tokens: bool
    max_tokens: int | None

    def exceeded(self, tokens: Int32, characters: Int64) -> Bool:
        """Which chunks are larger than they may be."""
        over = np.zeros(len(tokens), dtype=np.bool_)
        if self.max_tokens is not None:
            over |= tokens > self.max_tokens
        if not self.in_tokens:
            over |= characters > self.size
        return over


class Counters(Protocol):
    """Counts tokens exactly, of chunks with what stands in front of them and of bare text."""

    @property
    def counter(self) -> StretchCounter:
        """Of chunks."""

    @property
    def bare_counter(self) -> StretchCounter:
        """Of text that chunks share; the same object where nothing stands in front of chunks."""

    def context_length(self, start: int) -> int:
        """The code points of what stands in front of a chunk that begins here."""


@dataclass(frozen=True)
class Packed:
    """The chunks of all documents of a slab: those of document i are the rows offsets[i] to offsets[i + 1].

    Attributes:
        offsets: int64 array of shape (documents + 1,).
        start, end: int64 arrays; chunk i is [start[i], end[i]) in code points of the slab.
        tokens: int32 array.
    """

    offsets: Int64
    start: Int64
    end: Int64
    tokens: Int32


def pack(
    slab: Slab, chooser: CutChooser, budget: Budget, counters: Counters, extents: tuple[list[int], list[int]]
) -> Packed:
    """The chunks of every document of a slab; only a single grapheme ever exceeds the size."""
    begin, last = extents
    walk = _Walk(slab, chooser, budget, counters, last)
    documents = [_Edges() for _ in slab.texts]
    for document, edges in enumerate(documents):
        if begin[document] < last[document]:
            walk.fill(document, edges, begin[document], floor=begin[document])
    packed, faults = _counted(documents, budget, counters)
    if not faults:
        return packed
    for document, row in faults.items():
        walk.refill(document, documents[document], row)
    again, _ = _counted([documents[document] for document in faults], budget, counters)
    tokens = np.split(packed.tokens, packed.offsets[1:-1])
    for document, counts in zip(faults, np.split(again.tokens, again.offsets[1:-1]), strict=True):
        tokens[document] = counts
    return _flat(documents, np.concatenate(tokens))


@dataclass
class _Edges:
    """The chunks of one document while they are made."""

    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)

    def append(self, start: int, end: int) -> None:
        self.start.append(start)
        self.end.append(end)

    def truncate(self, row: int) -> None:
        del self.start[row:], self.end[row:]


@dataclass(frozen=True)
class _Walk:
    """Walks documents from chunk to chunk."""

    slab: Slab
    chooser: CutChooser
    budget: Budget
    counters: Counters
    last: list[int]  # where each document's text ends

    def fill(self, document: int, chunks: _Edges, start: int, floor: int, exact: bool = False) -> None:
        """Append the chunks from `start` to the end of the document."""
        choose_end, choose_start = (self._exact_end, self._exact_start) if exact else (self._end, self._start)
        last = self.last[document]
        while True:
            end = choose_end(document, start, floor)
            if end is None:
                start = self.chooser.restart(document, start, floor, 0)
                continue
            if not self.slab.blank_bytes[start] or not is_blank(self.slab.text[start:end]):  # windows may be blank
                chunks.append(start, end)
            if end >= last:
                return
            start, floor = choose_start(document, start, end), end

    def refill(self, document: int, chunks: _Edges, row: int) -> None:
        """Pack again from the chunk `row` on, counting exactly."""
        start = floor = chunks.start[row]
        if row:
            floor = chunks.end[row - 1]
            start = self._exact_start(document, chunks.start[row - 1], floor)
        chunks.truncate(row)
        self.fill(document, chunks, start, floor, exact=True)

    def _end(self, document: int, start: int, floor: int) -> int | None:
        return self.chooser.cut(document, start, floor, self.budget.size)

    def _start(self, document: int, start: int, end: int) -> int:
        return self.chooser.restart(document, start, end, self.budget.overlap)

    def _exact_end(self, document: int, start: int, floor: int) -> int | None:
        limit = self.budget.size
        while True:
            end = self.chooser.cut(document, start, floor, limit)
            if end is None or limit == 0:
                return end
            tokens = _tokens(self.counters.counter, start, end)
            if self.budget.max_tokens is None or tokens <= self.budget.max_tokens:
                return end
            if self.budget.in_tokens:
                limit = max(0, limit - (tokens - self.budget.max_tokens))
            else:  # so many code points as hold that many tokens, if they are spread evenly
                fitting = (end - start) * self.budget.max_tokens // tokens
                limit = min(limit - 1, self.counters.context_length(start) + fitting)

    def _exact_start(self, document: int, start: int, end: int) -> int:
        overlap = self.budget.overlap
        while True:
            begin = self.chooser.restart(document, start, end, overlap)
            if begin >= end or not self.budget.in_tokens:
                return begin
            excess = _tokens(self.counters.bare_counter, begin, end) - self.budget.overlap
            if excess <= 0:
                return begin
            overlap = max(0, overlap - excess)


def _tokens(counter: StretchCounter, start: int, end: int) -> int:
    return int(counter.count(np.array([start]), np.array([end]))[0])


def _flat(documents: Sequence[_Edges], tokens: Int32) -> Packed:
    sizes = np.fromiter((len(edges.start) for edges in documents), np.int64, len(documents))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    start = np.fromiter(chain.from_iterable(edges.start for edges in documents), np.int64, offsets[-1])
    end = np.fromiter(chain.from_iterable(edges.end for edges in documents), np.int64, offsets[-1])
    return Packed(offsets, start, end, tokens)


def _counted(documents: Sequence[_Edges], budget: Budget, counters: Counters) -> tuple[Packed, dict[int, int]]:
    """The chunks of documents, counted with what they share.

    Returns:
        the chunks, and the faults: for each document with a chunk that exceeds the bound or shares too much, the row
        of the first such chunk within the document.
    """
    packed = _flat(documents, np.zeros(0, np.int32))
    start, end = packed.start, packed.end
    shares = np.flatnonzero(start[1:] < end[:-1]) + 1 if budget.in_tokens else np.zeros(0, np.int64)
    shared = (start[shares], end[shares - 1])
    if counters.counter is counters.bare_counter:  # one call costs less than two
        counts = counters.counter.count(np.append(start, shared[0]), np.append(end, shared[1]))
        tokens, shared_tokens = counts[: len(start)], counts[len(start) :]
    else:
        tokens, shared_tokens = counters.counter.count(start, end), counters.bare_counter.count(*shared)
    packed = replace(packed, tokens=tokens)
    if budget.max_tokens is None:
        return packed, {}
    rows = np.union1d(np.flatnonzero(tokens > budget.max_tokens), shares[shared_tokens > budget.overlap])
    document, first = np.unique(np.searchsorted(packed.offsets, rows, side="right") - 1, return_index=True)
    return packed, dict(zip(document.tolist(), (rows[first] - packed.offsets[document]).tolist(), strict=True))
