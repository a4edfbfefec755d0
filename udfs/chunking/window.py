"""The chooser of fixed windows: so many units, then so many back, whatever the text says.

Cuts fall between tokens (or characters), moved to the edge of a grapheme where
they would go through one. Blanks are kept: the windows tile the document.
"""

from __future__ import annotations

from udfs.chunking.boundaries import Boundaries
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab
from udfs.chunking.words import WordCuts


class FixedWindow:
    """See the module. Implements `packing.CutChooser`."""

    def __init__(self, slab: Slab, boundaries: Boundaries, ruler: Ruler) -> None:
        self._last: list[int] = slab.extents[1].tolist()
        self._words = WordCuts(slab, boundaries.words)
        self._ruler = ruler

    def cut(self, document: int, start: int, floor: int, limit: int) -> int | None:
        """See `packing.CutChooser.cut`."""
        last = self._last[document]
        reach = self._ruler.reach(document, start, limit)
        if reach >= last:
            return last
        end = self._words.last_grapheme_end(max(start, floor), reach)
        if end is None and start >= floor:
            return self._words.next_grapheme_end(start)
        return end

    def restart(self, document: int, start: int, end: int, overlap: int) -> int:
        """See `packing.CutChooser.restart`."""
        if overlap == 0:
            return end
        earliest = max(self._ruler.back(document, end, overlap), start + 1)
        return min(self._words.first_grapheme_start(start, earliest), end)
