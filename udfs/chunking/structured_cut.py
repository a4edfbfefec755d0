"""The chooser for structured documents: the best cut in reach wins, and what is solid stays whole."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from udfs.chunking.best_cut import BestCut
from udfs.chunking.layout import BEHIND_HEADING, GOOD, NEAR, Layout
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab


class StructuredCut(BestCut):
    """See the module. Implements `packing.CutChooser`.

    Args:
        slab, layout, ruler: the documents, where they may be cut and what stays whole, how far things are.
        size: the most units of a chunk.
    """

    def __init__(self, slab: Slab, layout: Layout, ruler: Ruler, size: int) -> None:
        super().__init__(slab, layout.boundaries, ruler, size, GOOD, layout.last)
        self._layout = layout

    def cut(self, document: int, start: int, floor: int, limit: int) -> int | None:
        """See `packing.CutChooser.cut`. No heading stands alone at the end, and no solid block is cut at a word."""
        end = super().cut(document, start, floor, limit)
        if end is None:
            return None
        last = self._last_from(document, start)
        if end < last and self._is_behind_heading(end):
            end = self._words.next_end(end, min(last, self._reach(document, start, limit))) or end
        block = bisect_left(self._layout.solid_start, end) - 1
        if block < 0 or end >= self._layout.solid_end[block]:
            return end
        if self._layout.solid_end[block] <= self._reach(document, start, limit):
            return self._layout.solid_end[block]
        left = self._layout.solid_left[block]
        return left if left > max(start, floor) else end

    def restart(self, document: int, start: int, end: int, overlap: int) -> int:
        """See `packing.CutChooser.restart`. Nothing is shared over a heading, and no part of a solid block."""
        layout = self._layout
        fence = bisect_right(layout.fence_left, end) - 1
        if fence >= 0 and layout.fence_left[fence] == end:
            return layout.fence_right[fence]
        begin = super().restart(document, start, end, overlap)
        if fence >= 0:  # what begins before a heading has another context than what comes after it
            begin = max(begin, layout.fence_right[fence])
        block = bisect_left(layout.solid_start, begin) - 1
        if block >= 0 and begin < layout.solid_end[block]:
            return self._after(document, min(layout.solid_end[block], end))
        return begin

    def _last_from(self, document: int, start: int) -> int:
        stop = bisect_right(self._layout.stops, start)
        last = self._last[document]
        return min(last, self._layout.stops[stop]) if stop < len(self._layout.stops) else last

    def _reach(self, document: int, start: int, limit: int) -> int:
        reach = super()._reach(document, start, limit)
        block = bisect_left(self._layout.solid_start, reach) - 1
        if block < 0 or reach >= self._layout.solid_end[block]:
            return reach
        if self._layout.solid_left[block] > start:
            return self._layout.solid_left[block]
        if start <= self._layout.solid_start[block] and self._nearly_reaches(document, start, limit, block):
            return self._layout.solid_end[block]
        return reach

    def _best(self, low: int, high: int, target: int) -> int | None:
        choice = super()._best(low, high, target)
        return None if choice is not None and self._tiers[choice] == BEHIND_HEADING else choice

    def _is_behind_heading(self, end: int) -> bool:
        boundary = bisect_left(self._left, end)
        return boundary < len(self._left) and self._left[boundary] == end and self._tiers[boundary] == BEHIND_HEADING

    def _nearly_reaches(self, document: int, start: int, limit: int, block: int) -> bool:
        """Whether a solid block, which was counted, may fit although the estimate is short of it by some tokens."""
        return limit == self._size or super()._reach(document, start, limit + NEAR) >= self._layout.solid_end[block]
