"""Cutting between words, where no better boundary is in reach.

A word gap is a run of blanks or, in text of ideographs and kana, a place where
a line may be broken (a simple form of the rules in UAX #14 and JIS X 4051).
"""

from __future__ import annotations

from udfs.chunking.blanks import WordGaps
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
from udfs.chunking.slab import Slab

# How far to look back for a place where Han begins before any place will do.
_LOOK_BACK = 24
_NEVER_FIRST = frozenset(
    (*range(1, LAST_BLANK + 1), PERIOD, STOP, FULL_STOP, CLAUSE, FULL_CLAUSE, CLOSER, EXTEND, NONSTARTER)
)
_NEVER_LAST = frozenset((*range(1, LAST_BLANK + 1), OPENER, PREPEND))
_SCRIPT = frozenset((IDEOGRAPH, KANA))


class WordCuts:
    """Finds cuts between words near a position."""

    def __init__(self, slab: Slab) -> None:
        self._gaps = WordGaps(slab)
        self._classes = slab.class_bytes
        self._unspaced = slab.has_unspaced
        self.after, self.next_end = self._gaps.after, self._gaps.next_start

    def last_end(self, floor: int, limit: int) -> int | None:
        """The last place in (floor, limit] where a word ends, or None."""
        end = self._gaps.last_start(floor, limit)
        if self._unspaced:
            unspaced = self._unspaced_end(max(floor, end or 0), limit)
            return end if unspaced is None else unspaced
        return end

    def first_start(self, low: int, high: int) -> int | None:
        """The first place in [low, high) where a word begins, or None."""
        start = self._gaps.first_end(low, high)
        if self._unspaced:
            for position in range(low, min(start or high, low + _LOOK_BACK)):
                if self._breaks_at(position):
                    return position
        return start

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
