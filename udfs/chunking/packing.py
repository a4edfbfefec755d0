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
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from udfs.chunking.characters import is_blank
from udfs.chunking.counting import StretchCounter
from udfs.chunking.slab import Slab


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


@dataclass
class Packed:
    """The chunks of one document: [start[i], end[i]) in code points of the slab, and their tokens."""

    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def append(self, start: int, end: int) -> None:
        """Add a chunk."""
        self.start.append(start)
        self.end.append(end)

    def truncate(self, row: int) -> None:
        """Drop the chunks from `row` on."""
        for column in (self.start, self.end, self.tokens):
            del column[row:]

    def shared(self) -> list[tuple[int, int, int]]:
        """Each chunk that shares text with the one before it: its row, and the text as [start, end)."""
        neighbours = enumerate(zip(self.start[1:], self.end, strict=False), start=1)
        return [(row, start, end) for row, (start, end) in neighbours if start < end]


def pack(slab: Slab, chooser: CutChooser, budget: Budget, counter: StretchCounter) -> list[Packed]:
    """The chunks of every document of a slab; only a single grapheme ever exceeds the size."""
    begin, last = slab.extents
    walk = _Walk(slab, chooser, budget, counter, last)
    packed = [Packed() for _ in slab.texts]
    for document, chunks in enumerate(packed):
        if begin[document] < last[document]:
            walk.fill(document, chunks, begin[document], floor=begin[document])
    _count(packed, counter)
    if budget.max_tokens is not None:
        faults = _faults(packed, budget, budget.max_tokens, counter)
        for document, row in faults.items():
            walk.refill(document, packed[document], row)
        _count([packed[document] for document in faults], counter)
    return packed


@dataclass(frozen=True)
class _Walk:
    """Walks documents from chunk to chunk."""

    slab: Slab
    chooser: CutChooser
    budget: Budget
    counter: StretchCounter
    last: list[int]  # where each document's text ends

    def fill(self, document: int, chunks: Packed, start: int, floor: int, exact: bool = False) -> None:
        """Append the chunks from `start` to the end of the document."""
        while True:
            end = self._end(document, start, floor, exact)
            if end is None:
                start = self.chooser.restart(document, start, floor, 0)
                continue
            if not self._is_blank(start, end):
                chunks.append(start, end)
            if end >= self.last[document]:
                return
            start, floor = self._restart(document, start, end, exact), end

    def refill(self, document: int, chunks: Packed, row: int) -> None:
        """Pack again from the chunk `row` on, counting exactly."""
        start = floor = chunks.start[row]
        if row:
            floor = chunks.end[row - 1]
            start = self._restart(document, chunks.start[row - 1], floor, exact=True)
        chunks.truncate(row)
        self.fill(document, chunks, start, floor, exact=True)

    def _end(self, document: int, start: int, floor: int, exact: bool) -> int | None:
        limit = self.budget.size
        while True:
            end = self.chooser.cut(document, start, floor, limit)
            if end is None or not exact or limit == 0:
                return end
            tokens = self._tokens(start, end)
            if self.budget.max_tokens is None or tokens <= self.budget.max_tokens:
                return end
            if self.budget.in_tokens:
                limit = max(0, limit - (tokens - self.budget.max_tokens))
            else:  # so many code points as hold that many tokens, if they are spread evenly
                limit = min(limit - 1, (end - start) * self.budget.max_tokens // tokens)

    def _restart(self, document: int, start: int, end: int, exact: bool) -> int:
        overlap = self.budget.overlap
        while True:
            begin = self.chooser.restart(document, start, end, overlap)
            if begin >= end or not exact or not self.budget.in_tokens:
                return begin
            excess = self._tokens(begin, end) - self.budget.overlap
            if excess <= 0:
                return begin
            overlap = max(0, overlap - excess)

    def _tokens(self, start: int, end: int) -> int:
        return self.counter.count([start], [end])[0]

    def _is_blank(self, start: int, end: int) -> bool:
        """Windows may fall into a long run of blanks; any other chunk begins with text or its indentation."""
        return self.slab.is_blank_at(start) and is_blank(self.slab.text[start:end])


def _count(packed: Sequence[Packed], counter: StretchCounter) -> None:
    """Count the chunks of many documents in one call."""
    start = [at for chunks in packed for at in chunks.start]
    end = [at for chunks in packed for at in chunks.end]
    tokens = iter(counter.count(start, end))
    for chunks in packed:
        chunks.tokens = list(islice(tokens, len(chunks.start)))


def _faults(packed: Sequence[Packed], budget: Budget, max_tokens: int, counter: StretchCounter) -> dict[int, int]:
    """The first chunk of each document that exceeds the bound or shares too much: document -> row."""
    faults = [
        (document, row)
        for document, chunks in enumerate(packed)
        for row, tokens in enumerate(chunks.tokens)
        if tokens > max_tokens
    ]
    if budget.in_tokens:
        shared = [(document, *found) for document, chunks in enumerate(packed) for found in chunks.shared()]
        counts = counter.count([start for _, _, start, _ in shared], [end for *_, end in shared])
        over = zip(shared, counts, strict=True)
        faults += [(document, row) for (document, row, _, _), tokens in over if tokens > budget.overlap]
    first: dict[int, int] = {}
    for document, row in faults:
        first[document] = min(row, first.get(document, row))
    return first
