"""Seams: places where the encodings cut a text whatever stands on either side.

    The quick brown fox.         before a space behind a word
       ^     ^     ^
    first line                   behind a line feed, before neither a blank nor a slash
    second line
    ^

In CJK text, which has few blanks, there is one before punctuation behind a letter as well.
What stands on one side of a seam does not change the tokens on the other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import FULL_CLAUSE, FULL_STOP
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]

_SPACE, _LINE_FEED, _SLASH = 0x20, 0x0A, 0x2F
_CJK_LETTERS = ((0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FFF))
_WORD_END = b"\0\1"  # in bytes that are 1 where a code point is blank
# So far seams are looked for everywhere at once; where there is none so near, one by one.
_NEAR = np.arange(1, 17)
# So many words are looked at then: beyond that, counting costs less than looking on.
_WORDS = 8


class Seams:
    """The seams of a slab."""

    def __init__(self, slab: Slab) -> None:
        self._slab = slab
        self._blank = slab.blank_bytes
        self._marks = _at_marks(slab)

    def begin_documents(self, positions: Int64) -> Bool:
        """Whether a document begins at each position."""
        first = self._slab.first
        begins: Bool = first[np.searchsorted(first, positions, side="right") - 1] == positions
        return begins

    def begin_lines(self, positions: Int64) -> Bool:
        """Whether a line begins at each position that is a seam for it."""
        begins: Bool = (self._slab.points[positions - 1] == _LINE_FEED) & begins_line(self._slab, positions)
        return begins

    def last(self, start: Int64, end: Int64) -> Int64:
        """A late seam in each (start, end), the last one as a rule; or `start`."""
        low = np.maximum(start, self._marks[np.searchsorted(self._marks, end) - 1])
        near = end[:, None] - _NEAR
        points, blank = self._slab.points, self._slab.blank
        here, before = points.take(near, mode="clip"), near - 1
        is_seam = (here == _SPACE) & ~blank.take(before, mode="clip")
        begins_line = (points.take(before, mode="clip") == _LINE_FEED) & ~blank.take(near, mode="clip")
        is_seam |= begins_line & (here != _SLASH)
        is_seam &= near > low[:, None]
        at = is_seam.argmax(axis=1)
        found: Int64 = np.where(is_seam[np.arange(len(at)), at], end - 1 - at, low)
        for row in np.flatnonzero((found == low) & (low < end - len(_NEAR) - 1)).tolist():
            found[row] = self._last_space(int(low[row]), int(end[row]))
        return found

    def first(self, start: Int64, end: Int64) -> Int64:
        """An early seam in each (start, end], the first before a space as a rule; all ends are seams."""
        high = np.minimum(end, np.append(self._marks, end.max(initial=0))[np.searchsorted(self._marks, start, "right")])
        edges = zip(start.tolist(), high.tolist(), strict=True)
        return np.fromiter((self._first_space(begin, stop) for begin, stop in edges), np.int64, len(start))

    def _last_space(self, low: int, high: int) -> int:
        """The last seam before a space in (low, high); `low` if it is not among the last words."""
        for _ in range(_WORDS):
            word = self._blank.rfind(_WORD_END, low, high)
            if word < 0 or self._slab.text[word + 1] == " ":
                return max(word + 1, low)
            high = word + 1
        return low

    def _first_space(self, low: int, high: int) -> int:
        """The first seam before a space in (low, high); `high` if it is not among the first words."""
        for _ in range(_WORDS):
            word = self._blank.find(_WORD_END, low, high)
            if word < 0:
                break
            if self._slab.text[word + 1] == " ":
                return word + 1
            low = word + 1
        return high


def begins_line(slab: Slab, positions: Int64) -> Bool:
    """Whether what stands at each position begins with a seam wherever a line feed stands before it."""
    begins: Bool = (slab.points[positions] != _SLASH) & ~slab.blank[positions]
    return begins


def _at_marks(slab: Slab) -> Int64:
    """In CJK text: where punctuation follows a letter. A first one at 0 stands before every position."""
    if not slab.has_unspaced:
        return np.zeros(1, np.int64)
    marks = np.flatnonzero((slab.classes == FULL_STOP) | (slab.classes == FULL_CLAUSE))
    before = slab.points[marks - 1]
    behind_letter = np.zeros(len(marks), dtype=np.bool_)
    for low, high in _CJK_LETTERS:
        behind_letter |= (before >= low) & (before <= high)
    return np.append(0, marks[behind_letter])
