"""The chooser of the strategy `semantic`: the best cut in reach wins, and no chunk goes on where the topic changes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from udfs.chunking.best_cut import BestCut
from udfs.chunking.boundaries import Boundaries
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab


class TopicCut(BestCut):
    """See the module. Implements `packing.CutChooser`.

    Args:
        slab, boundaries, ruler: the documents, where they may be cut, how far things are.
        size: the most units of a chunk.
        stops: where chunks end for their topic, in order: the left edges of boundaries.
    """

    def __init__(self, slab: Slab, boundaries: Boundaries, ruler: Ruler, size: int, stops: list[int]) -> None:
        super().__init__(slab, boundaries, ruler, size)
        self._stops = stops

    def restart(self, document: int, start: int, end: int, overlap: int) -> int:
        """See `packing.CutChooser.restart`. Nothing is shared over a change of topic."""
        stop = bisect_left(self._stops, end)
        if stop < len(self._stops) and self._stops[stop] == end:
            return super().restart(document, start, end, 0)
        return super().restart(document, start, end, overlap)

    def _last_from(self, document: int, start: int) -> int:
        stop = bisect_right(self._stops, start)
        last = super()._last_from(document, start)
        return min(last, self._stops[stop]) if stop < len(self._stops) else last
