"""The last resort: cutting between words, and inside a word that alone exceeds the limit.

A word gap is a run of blanks or, in text of ideographs and kana, a place where
a line may be broken (a simple form of the rules in UAX #14 and JIS X 4051).
Inside a word only the edges of graphemes are cut (UAX #29).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import regex

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
_GRAPHEME = regex.compile(r"\X")


class WordCuts:
    """Finds cuts between words and graphemes near a position."""

    def __init__(self, slab: Slab, gaps: Gaps) -> None:
        self._text = slab.text
        self._start, self._end = memoryview(gaps.start), memoryview(gaps.end)
        self._classes = slab.classes.tobytes()
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
        return (
            (before in _SCRIPT or behind in _SCRIPT or (before == EXTEND and behind in _SCRIPT))
            and behind not in _NEVER_FIRST
            and before not in _NEVER_LAST
        )

    def last_grapheme_end(self, floor: int, limit: int) -> int | None:
        """The last edge of a grapheme in (floor, limit], or None. `floor` must itself be such an edge."""
        if limit <= floor:
            return None
        if limit >= len(self._text) or self._simple_edge(limit):
            return limit
        found = None
        for match in _GRAPHEME.finditer(self._text, self._safe_edge(floor, limit)):
            if match.end() > limit:
                break
            found = match.end()
        return found if found is not None and found > floor else self._edge_before(floor, limit)

    def next_grapheme_end(self, position: int) -> int:
        """The first edge of a grapheme behind `position`, which must itself be one."""
        match = _GRAPHEME.match(self._text, position)
        return match.end() if match else position + 1

    def first_grapheme_start(self, floor: int, low: int) -> int:
        """The first edge of a grapheme at or behind `low`; `floor` is an edge before it."""
        if low <= floor or self._simple_edge(low):
            return low
        for match in _GRAPHEME.finditer(self._text, self._safe_edge(floor, low)):
            if match.end() >= low:
                return match.end()
        return low

    def is_grapheme_edge(self, floor: int, position: int) -> bool:
        """Whether no grapheme goes on over `position`; `floor` is an edge before it."""
        return self.first_grapheme_start(floor, position) == position

    def _edge_before(self, floor: int, limit: int) -> int | None:
        """The safe edge itself, where no whole grapheme lies between it and the limit."""
        edge = self._safe_edge(floor, limit)
        return edge if edge > floor else None

    def _safe_edge(self, floor: int, position: int) -> int:
        """The nearest edge before `position` that is one whatever stands before it."""
        while position > floor and not self._simple_edge(position):
            position -= 1
        return position

    def _simple_edge(self, position: int) -> bool:
        """Whether the two code points around `position` alone show that a grapheme ends there."""
        before, behind = self._text[position - 1], self._text[position]
        return before < "\u0300" and behind < "\u0300" and not (before == "\r" and behind == "\n")


