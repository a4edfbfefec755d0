"""The chooser of fixed windows: so many units, then so many back, whatever the text says.

Cuts fall between tokens (or characters), moved to the edge of a grapheme where
they would go through one. Blanks are kept: the windows tile the document.
"""

from __future__ import annotations

from udfs.chunking.graphemes import GraphemeEdges
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab


class FixedWindow:
    """See the module. Implements `packing.CutChooser`."""

    def __init__(self, slab: Slab, ruler: Ruler) -> None:
        self._last = slab.extents[1]
        self._graphemes = GraphemeEdges(slab)
        self._ruler = ruler

    def cut(self, document: int, start: int, floor: int, limit: int) -> int | None:
        """See `packing.CutChooser.cut`."""
        last = self._last[document]
        reach = self._ruler.reach(document, start, limit)
        if reach >= last:
            return last
        end = self._graphemes.last(max(start, floor), reach)
        if end is None and start >= floor:
            return self._graphemes.following(start)
        return end

    def restart(self, document: int, start: int, end: int, overlap: int) -> int:
        """See `packing.CutChooser.restart`."""
        if overlap == 0:
            return end
        earliest = max(self._ruler.back(document, end, overlap), start + 1)
        return self._graphemes.first(start, min(earliest, end), end)
