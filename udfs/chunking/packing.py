"""From boundaries and sizes to chunks: choose cuts so that no chunk exceeds the limit.

Plan:
1. A first pass chooses every cut by estimated sizes (see `sizes`).
2. All chunk texts of a slab are counted exactly, in one call.
3. A document with a chunk over the limit is packed again from that chunk on,
   now counting each chunk as it is made and shrinking it until it fits.

Which cut is taken is up to a `CutChooser`; this module knows no boundary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

import numpy as np
import numpy.typing as npt

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
        exact: counts units exactly; None where estimates are exact already (characters).
    """

    size: int
    overlap: int
    exact: Counter | None


@dataclass
class Spans:
    """The chunks of one document: [start[i], end[i]) in code points of the slab."""

    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)

    def shared(self, row: int) -> tuple[int, int]:
        """What the chunk `row` shares with the one before: [start, end), empty if end <= start."""
        return self.start[row], self.end[row - 1]


def pack(slab: Slab, chooser: CutChooser, budget: Budget) -> list[Spans]:
    """The chunks of every document of a slab; only a single grapheme ever exceeds the size."""
    first, last = (edge.tolist() for edge in slab.extents)
    walk = _Walk(slab, chooser, budget, last)
    spans = [Spans() for _ in slab.texts]
    for document, found in enumerate(spans):
        if first[document] < last[document]:
            walk.fill(document, found, first[document], floor=first[document])
    if budget.exact is not None:
        for document, row in _faults(slab, spans, budget.size, budget.overlap, budget.exact):
            walk.refill(document, spans[document], row)
    return spans


@dataclass(frozen=True)
class _Walk:
    """Walks documents from chunk to chunk."""

    slab: Slab
    chooser: CutChooser
    budget: Budget
    last: list[int]  # where each document's text ends

    def fill(self, document: int, spans: Spans, start: int, floor: int, exact: Counter | None = None) -> None:
        """Append the chunks from `start` to the end of the document."""
        while True:
            end = self._end(document, start, floor, exact)
            if end is None:
                start = self.chooser.restart(document, start, floor, 0)
                continue
            spans.start.append(start)
            spans.end.append(end)
            if end >= self.last[document]:
                return
            start, floor = self._restart(document, start, end, exact), end

    def refill(self, document: int, spans: Spans, row: int) -> None:
        """Pack again from the chunk `row` on, counting exactly."""
        exact = self.budget.exact
        start = floor = spans.start[row]
        if row:
            floor = spans.end[row - 1]
            start = self._restart(document, spans.start[row - 1], floor, exact)
        del spans.start[row:], spans.end[row:]
        self.fill(document, spans, start, floor, exact)

    def _end(self, document: int, start: int, floor: int, exact: Counter | None) -> int | None:
        limit = self.budget.size
        while True:
            end = self.chooser.cut(document, start, floor, limit)
            if end is None or exact is None or limit == 0:
                return end
            excess = int(exact([self.slab.text[start:end]])[0]) - self.budget.size
            if excess <= 0:
                return end
            limit = max(0, limit - excess)

    def _restart(self, document: int, start: int, end: int, exact: Counter | None) -> int:
        overlap = self.budget.overlap
        while True:
            begin = self.chooser.restart(document, start, end, overlap)
            if begin >= end or exact is None:
                return begin
            excess = int(exact([self.slab.text[begin:end]])[0]) - self.budget.overlap
            if excess <= 0:
                return begin
            overlap = max(0, overlap - excess)


def _faults(slab: Slab, spans: list[Spans], size: int, overlap: int, exact: Counter) -> Iterator[tuple[int, int]]:
    """The first chunk of each document that exceeds the size or shares too much: (document, row)."""
    text = slab.text
    counts = exact([text[start:end] for found in spans for start, end in zip(found.start, found.end)])
    shared = [
        found.shared(row) if row else (0, 0) for found in spans for row in range(len(found.start))
    ]
    sharing = [row for row, (start, end) in enumerate(shared) if start < end]
    over = counts > size
    if sharing:
        over[sharing] |= exact([text[slice(*shared[row])] for row in sharing]) > overlap
    document_of = list(chain.from_iterable([document] * len(found.start) for document, found in enumerate(spans)))
    reported: set[int] = set()
    base = np.cumsum([0, *(len(found.start) for found in spans)])
    for row in np.flatnonzero(over).tolist():
        document = document_of[row]
        if document not in reported:
            reported.add(document)
            yield document, row - int(base[document])
