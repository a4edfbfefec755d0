"""Cutting inside a word: only at the edges of graphemes (UAX #29).

Most edges show in the classes of the two code points around them. The others
(emoji families, flags, Hangul jamo, conjuncts) are found by segmenting from the
nearest plain edge before them, so the work is bounded by the grapheme's surroundings.
"""

from __future__ import annotations

import regex

from udfs.chunking.characters import (
    CONSONANT,
    EXTEND,
    HANGUL_L,
    HANGUL_LV,
    HANGUL_LVT,
    HANGUL_T,
    HANGUL_V,
    PICTOGRAPH,
    PREPEND,
    REGIONAL,
    STOP,
)
from udfs.chunking.slab import Slab

_GRAPHEME = regex.compile(r"\X")
_WINDOW = 64  # code points to segment at first; doubled while one grapheme fills it

# A class joins forward where a bit of it meets the same bit of what joins back.
_FLAG, _AFTER_L, _AFTER_V, _AFTER_T, _AFTER_MARK = 1, 2, 4, 8, 16
_FORWARD = {
    REGIONAL: _FLAG,
    HANGUL_L: _AFTER_L,
    HANGUL_V: _AFTER_V | _AFTER_T,
    HANGUL_LV: _AFTER_V | _AFTER_T,
    HANGUL_T: _AFTER_T,
    HANGUL_LVT: _AFTER_T,
    EXTEND: _AFTER_MARK,
}
_BACK = {
    REGIONAL: _FLAG,
    HANGUL_L: _AFTER_L,
    HANGUL_V: _AFTER_L | _AFTER_V,
    HANGUL_LV: _AFTER_L,
    HANGUL_LVT: _AFTER_L,
    HANGUL_T: _AFTER_T,
    PICTOGRAPH: _AFTER_MARK,
    CONSONANT: _AFTER_MARK,
    STOP: _AFTER_MARK,  # some stops are pictographs as well
}


class GraphemeEdges:
    """Finds edges of graphemes near a position. Positions given as `floor` must be edges themselves."""

    def __init__(self, slab: Slab) -> None:
        self._text = slab.text
        self._classes = slab.class_bytes

    def last(self, floor: int, limit: int) -> int | None:
        """The last edge in (floor, limit], or None."""
        if limit <= floor:
            return None
        edge = self._flag_edge(floor, limit)
        if edge is None:
            edge = self._plain_edge(floor, limit)
            if edge < limit:
                edge += self._last_in(self._text[edge : limit + 2], limit - edge)
        return edge if edge > floor else None

    def following(self, edge: int) -> int:
        """The first edge behind `edge`."""
        window = _WINDOW
        while True:
            piece = self._text[edge : edge + window]
            match = _GRAPHEME.match(piece)
            if match is None:
                return edge
            if match.end() < len(piece) or edge + window >= len(self._text):
                return edge + int(match.end())
            window *= 2

    def first(self, floor: int, low: int, high: int) -> int:
        """The first edge in [low, high]; `high` is an edge."""
        if low <= floor:
            return floor
        before = self.last(floor, low)
        return low if before == low else min(self.following(before or floor), high)

    @staticmethod
    def _last_in(piece: str, limit: int) -> int:
        """The last edge in [0, limit] of a piece that begins with one."""
        edge = 0
        for match in _GRAPHEME.finditer(piece):
            if match.end() > limit:
                break
            edge = int(match.end())
        return edge

    def _flag_edge(self, floor: int, limit: int) -> int | None:
        """Within a run of regional indicators: the edge at or before `limit`, by their parity."""
        if not self._classes[limit - 1] == self._classes[limit] == REGIONAL:
            return None
        begin = limit - 1
        while begin > floor and self._classes[begin - 1] == REGIONAL:
            begin -= 1
        edge = limit - (limit - begin) % 2
        return edge if edge > begin else None

    def _plain_edge(self, floor: int, position: int) -> int:
        """The nearest position from `position` back to `floor` whose two neighbours alone show an edge."""
        while position > floor and not self._is_plain(position):
            position -= 1
        return position

    def _is_plain(self, position: int) -> bool:
        before, behind = self._classes[position - 1], self._classes[position]
        if behind == EXTEND or before == PREPEND or _FORWARD.get(before, 0) & _BACK.get(behind, 0):
            return False
        return not (self._text[position] == "\n" and self._text[position - 1] == "\r")


class EdgeScan:
    """Whether positions are edges, asked in rising order, so that no grapheme is looked at twice.

    Args:
        edges: of the slab.
        begin: an edge before all positions.
    """

    def __init__(self, edges: GraphemeEdges, begin: int) -> None:
        self._edges = edges
        self._floor = begin  # the last known edge
        self._next = begin  # no edge lies between the two

    def is_edge(self, position: int) -> bool:
        """Whether no grapheme goes on over `position`."""
        if position < self._next:
            return position == self._floor
        self._floor = self._edges.last(self._next, position) or self._next
        self._next = self._edges.following(self._floor)
        return position == self._floor
