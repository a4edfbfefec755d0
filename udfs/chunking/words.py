"""Cutting between words, where no better boundary is in reach.

A word gap is a run of blanks or, in text of ideographs and kana, a place where
a line may be broken (a simple form of the rules in UAX #14 and JIS X 4051).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from udfs.chunking.characters import (
    CLAUSE,
    CLOSER,
    EXTEND,
    FULL_CLAUSE,
    FULL_STOP,
    IDEOGRAPH,
    KANA,
    LAST_BLANK,
    NONSTARTER,
    OPENER,
    PERIOD,
    PREPEND,
    STOP,
)
from udfs.chunking.slab import Gaps, Slab

# How far to look back for a place where Han begins before any place will do.
_LOOK_BACK = 24
_NEVER_FIRST = frozenset(
    (*range(1, LAST_BLANK + 1), PERIOD, STOP, FULL_STOP, CLAUSE, FULL_CLAUSE, CLOSER, EXTEND, NONSTARTER)
)
_NEVER_LAST = frozenset((*range(1, LAST_BLANK + 1), OPENER, PREPEND))
_SCRIPT = frozenset((IDEOGRAPH, KANA))


class WordCuts:
    """Finds cuts between words near a position."""

    def __init__(self, slab: Slab, gaps: Gaps) -> None:
        self._start, self._end = gaps.start.data, gaps.end.data
        self._classes = slab.class_bytes
        self._unspaced = bool(((slab.classes == IDEOGRAPH) | (slab.classes == KANA)).any())

    def last_end(self, floor: int, limit: int) -> int | None:
        """The last place in (floor, limit] where a word ends, or None."""
        index = bisect_right(self._start, limit) - 1
        end = self._start[index] if index >= 0 and self._start[index] > floor else None
        if self._unspaced:
            unspaced = self._unspaced_end(max(floor, end or 0), limit)
            return end if unspaced is None else unspaced
        return end

    def next_end(self, position: int, last: int) -> int:
        """Where the word at `position` ends: the first word gap behind it, or `last`."""
        index = bisect_right(self._start, position)
        return min(self._start[index], last) if index < len(self._start) else last

    def first_start(self, low: int, high: int) -> int | None:
        """The first place in [low, high) where a word begins, or None."""
        index = bisect_left(self._end, low)
        start = self._end[index] if index < len(self._end) and self._end[index] < high else None
        if self._unspaced:
            for position in range(low, min(start or high, low + _LOOK_BACK)):
                if self._breaks_at(position):
                    return position
        return start

    def after(self, end: int) -> int:
        """Where the text goes on behind a cut at `end`: the gap there is skipped."""
        index = bisect_left(self._start, end)
        return self._end[index] if index < len(self._start) and self._start[index] == end else end

    def gap_around(self, position: int) -> tuple[int, int]:
        """The gap that holds `position`, as [left, right]; empty where there is none."""
        index = bisect_right(self._start, position) - 1
        if index >= 0 and self._end[index] >= position:
            return self._start[index], self._end[index]
        return position, position

    def _unspaced_end(self, floor: int, limit: int) -> int | None:
        if limit >= len(self._classes):
            return None
        any_place = None
        for position in range(limit, max(floor, limit - _LOOK_BACK), -1):
            if self._breaks_at(position):
                if self._classes[position] == IDEOGRAPH and self._classes[position - 1] != IDEOGRAPH:
                    return position
                any_place = any_place or position
        return any_place

    def _breaks_at(self, position: int) -> bool:
        before, behind = self._classes[position - 1], self._classes[position]
        return (before in _SCRIPT or behind in _SCRIPT) and behind not in _NEVER_FIRST and before not in _NEVER_LAST
