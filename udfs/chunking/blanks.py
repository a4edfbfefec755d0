"""Runs of blanks near a position, found without a list of them all.

    words   One   two. Three
    class   xxx___xxxx_xxxxx        (_ is a blank)
               [  )    [)           gaps between words

A gap is a run of blanks at which cutting cuts no grapheme: a combining mark
makes one grapheme with the blank before it, a prepended mark with the one behind it.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import EXTEND, LAST_BLANK, LINE, PARAGRAPH, PREPEND, SPACE
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]

_RUN = re.compile(b"[%s]*" % re.escape(bytes(range(1, LAST_BLANK + 1))))
_NO_BREAK = bytes(range(1, LINE))  # the blanks that break no line
# Steps that are taken for all positions at once; what is longer is looked up among all runs, or one by one in C.
_STEPS = 12
# To list all runs of blanks costs as much as to look for one in so many code points.
_FEW = 256


def skip_blanks(slab: Slab, position: int, stop: int) -> int:
    """The first position from `position` on that is not blank; at most `stop`."""
    match = _RUN.match(slab.class_bytes, position, stop)
    return match.end() if match else position


def run_ends(slab: Slab, positions: Int64) -> Int64:
    """Where the run of blanks that begins at each position ends: int64 array of the same shape."""
    ends: Int64 = positions.copy()
    going = np.arange(len(ends))
    for _ in range(_STEPS):
        going = going[slab.blank.take(ends[going], mode="clip")]
        if not len(going):
            return ends
        ends[going] += 1
    few = len(going) * _FEW < len(slab)
    ends[going] = (_ends_one_by_one if few else _ends_of_runs)(slab, ends[going])
    return ends


def _ends_one_by_one(slab: Slab, positions: Int64) -> Int64:
    ends = [slab.blank_bytes.find(0, position) for position in positions.tolist()]
    return np.array([len(slab) if end < 0 else end for end in ends])


def _ends_of_runs(slab: Slab, positions: Int64) -> Int64:
    runs = slab.blank_runs
    return runs.end[np.searchsorted(runs.start, positions, side="right") - 1]


def line_run_starts(slab: Slab, breaks: Int64) -> tuple[Int64, Bool]:
    """For each line break, what stands before it.

    Args:
        slab: the documents.
        breaks: the positions of all line breaks.

    Returns:
        start: where the blanks directly before the break begin, other line breaks not counted.
        follows: whether only blanks part it from the line break before it.
    """
    start = breaks.copy()
    going = np.arange(1, len(start))
    for _ in range(_STEPS):
        going = going[slab.classes[start[going] - 1] - np.uint8(1) < LINE - 1]
        if not len(going):
            break
        start[going] -= 1
    for row in going.tolist():
        before = int(breaks[row - 1]) + 1
        start[row] = before + len(slab.class_bytes[before : start[row]].rstrip(_NO_BREAK))
    follows = slab.classes[start - 1] - np.uint8(LINE) <= PARAGRAPH - LINE
    follows[0] = False
    return start, follows


def gap_edges(slab: Slab, start: Int64, end: Int64) -> tuple[Bool, Int64]:
    """Of runs of blanks [start, end): which are gaps between words, and where those end."""
    if not slab.has_marks:
        return end < len(slab), end
    inner = end < len(slab)
    end = end - (inner & slab.continues_blank(np.where(inner, end, 1)))
    return inner & (end > start) & ~slab.joins_blank(start), end


def gaps_around(slab: Slab, positions: Int64) -> tuple[Int64, Int64]:
    """The gap that holds each position, edges included, as [left, right); left == right where there is none."""
    runs = slab.blank_runs
    row = np.searchsorted(runs.start, positions, side="right") - 1
    left = runs.start[row]
    is_gap, right = gap_edges(slab, left, runs.end[row])
    there = is_gap & (right >= positions)
    return np.where(there, left, positions), np.where(there, right, positions)


class WordGaps:
    """Gaps near a position; None where there is none."""

    def __init__(self, slab: Slab) -> None:
        self._slab = slab
        self._classes = slab.class_bytes
        self._blank = slab.blank_bytes

    def last_start(self, floor: int, limit: int) -> int | None:
        """The last position in (floor, limit] at which a gap begins."""
        high = limit + 1
        while (found := self._blank.rfind(_BEGINS, floor, high)) >= 0:
            if self._end_of_gap(found + 1) is not None:
                return found + 1
            high = found + 1
        return None

    def next_start(self, position: int, limit: int) -> int | None:
        """The first position in (position, limit] at which a gap begins."""
        low = position
        while (found := self._blank.find(_BEGINS, low, limit + 1)) >= 0:
            if self._end_of_gap(found + 1) is not None:
                return found + 1
            low = found + 1
        return None

    def first_end(self, low: int, high: int) -> int | None:
        """The first position in [low, high) at which a gap ends."""
        at = low - 1
        while (found := self._blank.find(_ENDS, at, high + 1)) >= 0:
            end = found + 1 - self._marks_blank(found + 1)
            if low <= end < high and self._is_gap_before(end):
                return end
            at = found + 2
        return None

    def after(self, end: int) -> int:
        """Where the text goes on behind a cut at `end`: the gap that begins there is skipped."""
        if self._blank[end] and not self._blank[end - 1]:
            return self._end_of_gap(end) or end
        return end

    def holds(self, position: int) -> bool:
        """Whether a cut here falls between two words."""
        if not self._blank[position]:
            return bool(self._blank[position - 1]) and not self._marks_blank(position)
        return bool(self._blank[position - 1]) or self._end_of_gap(position) is not None

    def _end_of_gap(self, start: int) -> int | None:
        """Where the gap ends whose run of blanks begins at `start`; None if the run is no gap."""
        if self._classes[start - 1] == PREPEND and self._classes[start] == SPACE:
            return None
        end = skip_blanks(self._slab, start, len(self._classes))
        if end < len(self._classes):
            end -= self._marks_blank(end)
        return end if end > start else None

    def _is_gap_before(self, end: int) -> bool:
        if not self._blank[end - 1]:
            return False
        start = self._blank.rfind(0, 0, end) + 1
        return not (self._classes[start - 1] == PREPEND and self._classes[start] == SPACE)

    def _marks_blank(self, position: int) -> bool:
        return self._classes[position] == EXTEND and self._classes[position - 1] == SPACE


_BEGINS, _ENDS = b"\0\1", b"\1\0"  # in bytes that are 1 where a code point is blank
