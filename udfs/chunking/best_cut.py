"""The chooser behind most strategies: the best cut in reach wins.

For a chunk that begins at `start`, `reach` is the furthest end that fits:

    start ......... quarter ......... half ......................... reach
                    [- second choice -][-------- first choice --------]

1. The best boundary of the second half wins, of equals the last. If that is
   worse than a sentence end, the second quarter is asked too.
2. Where two chunks will hold what is left of the document, they share it
   fairly: of equals the boundary nearest the middle wins, and no crumb is left.
3. Without a boundary, the last word that fits ends the chunk.
4. A word is cut only when it alone exceeds the limit, and then between graphemes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from udfs.chunking.boundaries import CUT, Boundaries
from udfs.chunking.graphemes import GraphemeEdges
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab
from udfs.chunking.words import WordCuts

# What is left at the end must be at least this part of the reach, if anything is left.
_CRUMB = 8


class BestCut:
    """See the module. Implements `packing.CutChooser`.

    Args:
        slab, boundaries, ruler: the documents, where they may be cut, how far things are.
        size: the most units of a chunk.
        good: the worst tier that is as good as a sentence end.
        last: where the text of each document ends; by default at its last code point that is not blank.
    """

    def __init__(
        self,
        slab: Slab,
        boundaries: Boundaries,
        ruler: Ruler,
        size: int,
        good: int = CUT["sentence"],
        last: list[int] | None = None,
    ) -> None:
        self._blank = slab.blank_bytes
        self._last = slab.extents[1] if last is None else last
        self._left: list[int] = boundaries.left.tolist()  # a list is searched faster; of `right` little is asked
        self._right = boundaries.right.data
        self._tiers = boundaries.tier.tobytes()
        self._words = WordCuts(slab)
        self._graphemes = GraphemeEdges(slab)
        self._ruler = ruler
        self._size = size
        self._good = good

    def cut(self, document: int, start: int, floor: int, limit: int) -> int | None:
        """See `packing.CutChooser.cut`."""
        last = self._last_from(document, start)
        reach = self._reach(document, start, limit)
        if reach >= last:
            return last
        if reach <= floor:
            return self._graphemes.following(start) if start >= floor else None
        low, high, target = _window(start, floor, reach, last)
        choice = self._best(low, high, target)
        if choice is None or self._tiers[choice] > self._good:
            wider = self._best(max(floor, start + (reach - start) // 4), high, target)
            if wider is not None and self._tiers[wider] <= self._good:
                choice = wider
        if choice is not None:
            return self._left[choice]
        return self._inside_sentence(document, start, floor, limit, reach, target)

    def restart(self, document: int, start: int, end: int, overlap: int) -> int:
        """See `packing.CutChooser.restart`."""
        if overlap == 0:
            return self._after(document, end)
        earliest = max(self._ruler.back(document, end, overlap), start + 1)
        low = bisect_left(self._right, earliest)
        window = self._tiers[low : bisect_left(self._right, end, low)]
        if window:
            best = min(window)
            index = low + window.find(best)
            return self._line_start(document, index) if best <= self._good else self._right[index]
        word = self._words.first_start(earliest, end)
        if word is not None:
            return word
        following = self._after(document, end)
        if following == end:  # the cut went through a word, so the overlap may begin inside it too
            return self._graphemes.first(start, earliest, end)
        return following

    def _last_from(self, document: int, start: int) -> int:  # noqa: ARG002 - it matters to those with stops
        """Where a chunk that begins at `start` ends at the latest."""
        return self._last[document]

    def _reach(self, document: int, start: int, limit: int) -> int:
        """How far a chunk that begins at `start` may reach."""
        return self._ruler.reach(document, start, limit)

    def _best(self, low: int, high: int, target: int) -> int | None:
        """The best boundary in (low, high], of equals the one nearest `target`: its index, or None."""
        first = bisect_right(self._left, low)
        window = self._tiers[first : bisect_right(self._left, high, first)]
        if not window:
            return None
        best = min(window)
        split = bisect_right(self._left, target, first, first + len(window)) - first
        below, above = window.rfind(best, 0, split), window.find(best, split)
        if below < 0 or above < 0:
            return first + max(below, above)
        nearer_below = target - self._left[first + below] <= self._left[first + above] - target
        return first + (below if nearer_below else above)

    def _inside_sentence(
        self, document: int, start: int, floor: int, limit: int, reach: int, target: int
    ) -> int | None:
        """The last word that fits; or a cut through a word that alone exceeds the limit."""
        end = self._words.last_end(floor, target)
        if end is not None and 2 * (end - start) >= target - start:
            return end
        end = self._words.last_end(floor, reach)
        if end is not None or floor > start:  # the word that does not fit may fit into the next chunk
            word = self._words.after(floor if end is None else end)
            if self._word_ends(document, reach, self._ruler.reach(document, word, limit)):
                return end
        inside = self._graphemes.last(max(start, floor), reach)
        if inside is None and start >= floor:
            return self._graphemes.following(start)
        return inside

    def _after(self, document: int, end: int) -> int:
        """Where the text goes on behind a cut."""
        index = bisect_left(self._left, end)
        if index < len(self._left) and self._left[index] == end:
            return self._line_start(document, index)
        return self._words.after(end)

    def _line_start(self, document: int, boundary: int) -> int:
        """Where the text behind a boundary begins: with its indentation if the first word fits as well."""
        start = self._right[boundary]
        if not self._blank[start]:
            return start
        if self._word_ends(document, start + 1, self._ruler.reach(document, start, self._size // 2)):
            return start
        return self._words.after(self._left[boundary])

    def _word_ends(self, document: int, position: int, limit: int) -> bool:
        """Whether the word at `position` ends at `limit` or before."""
        return limit >= self._last[document] or self._words.next_end(position, limit) is not None


def _window(start: int, floor: int, reach: int, last: int) -> tuple[int, int, int]:
    """Where to look for the end of a chunk: the window (low, high] and the target within it."""
    span, rest = reach - start, last - start
    if rest < 2 * span:
        low, high = max(floor, start + span // 4, last - span), min(reach, last - span // _CRUMB)
        if low < high:
            return low, high, min(max(start + rest // 2, low + 1), high)
    return max(floor, start + span // 2), reach, reach
