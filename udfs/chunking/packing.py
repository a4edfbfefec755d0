"""From boundaries and sizes to chunks: choose cuts so that no chunk exceeds the limit.

Plan:
1. A first pass chooses every cut by estimated sizes (see `sizes`).
2. All chunk texts of a slab are counted exactly, in one call.
3. A document with a chunk over the limit is packed again from that chunk on,
   now counting each chunk as it is made and shrinking it until it fits.

Which cut is taken is up to a `CutChooser`; this module knows no boundary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from typing import Protocol

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import is_blank
from udfs.chunking.slab import Slab

Int32 = npt.NDArray[np.int32]
Counter = Callable[[Sequence[str]], Int32]


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
        count: counts the tokens of texts exactly.
    """

    size: int
    overlap: int
    in_tokens: bool
    max_tokens: int | None
    count: Counter

    def oversize(self, text: str, tokens: int) -> bool:
        """Whether a chunk exceeds the size or the bound on tokens."""
        over_bound = self.max_tokens is not None and tokens > self.max_tokens
        return over_bound or (not self.in_tokens and len(text) > self.size)


@dataclass
class Packed:
    """The chunks of one document: text[i] is [start[i], end[i]) in code points of the slab."""

    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def append(self, start: int, end: int, text: str) -> None:
        """Add a chunk."""
        self.start.append(start)
        self.end.append(end)
        self.text.append(text)

    def truncate(self, row: int) -> None:
        """Drop the chunks from `row` on."""
        for column in (self.start, self.end, self.text, self.tokens):
            del column[row:]

    def shared(self) -> list[str]:
        """What each chunk shares with the one before it, in order; empty if nothing."""
        return ["", *(self._tail(row) for row in range(1, len(self.start)))] if self.start else []

    def _tail(self, row: int) -> str:
        length = self.end[row - 1] - self.start[row]
        return self.text[row][:length] if length > 0 else ""


def pack(slab: Slab, chooser: CutChooser, budget: Budget) -> list[Packed]:
    """The chunks of every document of a slab; only a single grapheme ever exceeds the size."""
    begin, last = (edge.tolist() for edge in slab.extents)
    walk = _Walk(slab, chooser, budget, last)
    packed = [Packed() for _ in slab.texts]
    for document, chunks in enumerate(packed):
        if begin[document] < last[document]:
            walk.fill(document, chunks, begin[document], floor=begin[document])
    _count(packed, budget.count)
    if budget.max_tokens is not None:
        faults = _faults(packed, budget, budget.max_tokens)
        for document, row in faults.items():
            walk.refill(document, packed[document], row)
        _count([packed[document] for document in faults], budget.count)
    return packed


@dataclass(frozen=True)
class _Walk:
    """Walks documents from chunk to chunk."""

    slab: Slab
    chooser: CutChooser
    budget: Budget
    last: list[int]  # where each document's text ends

    def fill(self, document: int, chunks: Packed, start: int, floor: int, exact: bool = False) -> None:
        """Append the chunks from `start` to the end of the document."""
        while True:
            end = self._end(document, start, floor, exact)
            if end is None:
                start = self.chooser.restart(document, start, floor, 0)
                continue
            text = self.slab.text[start:end]
            if not is_blank(text):  # windows may fall into a long run of blanks
                chunks.append(start, end, text)
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
        return int(self.budget.count([self.slab.text[start:end]])[0])


def _count(packed: Sequence[Packed], count: Counter) -> None:
    """Count the chunks of many documents in one call."""
    tokens = iter(count([text for chunks in packed for text in chunks.text]).tolist())
    for chunks in packed:
        chunks.tokens = list(islice(tokens, len(chunks.text)))


def _faults(packed: Sequence[Packed], budget: Budget, max_tokens: int) -> dict[int, int]:
    """The first chunk of each document that exceeds the bound or shares too much: document -> row."""
    shared = [chunks.shared() for chunks in packed] if budget.in_tokens else []
    sharing = chain(budget.count([text for texts in shared for text in texts]).tolist(), repeat(0))
    faults: dict[int, int] = {}
    for document, chunks in enumerate(packed):
        for row, tokens in enumerate(chunks.tokens):
            if (next(sharing) > budget.overlap or tokens > max_tokens) and document not in faults:
                faults[document] = row
    return faults
