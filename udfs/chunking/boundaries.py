"""Where a text may be cut, and how good each cut is.

A boundary is a gap: the chunk before it ends at `left`, the chunk after it
begins at `right`, and only blanks lie between. `cut` names its quality.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import (
    CLAUSE,
    CLOSER,
    EXTEND,
    FULL_CLAUSE,
    FULL_STOP,
    LAST_BLANK,
    LINE,
    LOWER,
    NONSTARTER,
    PARAGRAPH,
    STOP,
)
from udfs.chunking.chunk import CUTS
from udfs.chunking.sentences import sentence_ends
from udfs.chunking.slab import Gaps, Slab

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
Bool = npt.NDArray[np.bool_]

CUT = {name: index for index, name in enumerate(CUTS)}

# An indentation of up to so many code points stays with the line it belongs to, in chunks that have room for it.
MAX_INDENT = 40
ROOM_FOR_INDENT = 64
# A shorter line was hardly broken because the margin was reached.
MIN_WRAPPED_LINE = 40


@dataclass(frozen=True)
class Boundaries:
    """The cuts of a slab that are better than a word gap, in order, and the word gaps.

    Attributes:
        left, right: int64 arrays; the gap between two chunks is [left, right).
        cut: uint8 array of indexes into CUTS.
        tier: uint8 array; 0 is what the strategy likes best.
        words: every gap between two words, the better ones included.
    """

    left: Int64
    right: Int64
    cut: UInt8
    tier: UInt8
    words: Gaps

    def quality_at(self, ends: Int64) -> UInt8:
        """The quality of cuts at these positions: indexes into CUTS."""
        quality = np.full(len(ends), CUT["grapheme"], dtype=np.uint8)
        quality[_holds(self.words.start, self.words.end, ends)[0]] = CUT["word"]
        inside, which = _holds(self.left, self.right, ends)
        quality[inside] = self.cut[which[inside]]
        return quality


def prose_boundaries(slab: Slab, size: int) -> Boundaries:
    """Paragraphs, lines, sentences and clauses of plain text in any script.

    Args:
        slab: the documents.
        size: the most a chunk may hold; an indentation beyond an eighth of it is no part of a line.
    """
    gaps = word_gaps(slab)
    breaks = _LineBreaks.of(slab, gaps, min(MAX_INDENT, size // 8) if size >= ROOM_FOR_INDENT else 0)
    before = slab.classes[gaps.start - 1]
    cut = np.full(len(gaps.start), CUT["word"], dtype=np.uint8)
    cut[(before == CLAUSE) | (before == FULL_CLAUSE)] = CUT["clause"]
    sentences = sentence_ends(slab, gaps, before, breaks.count > 0)
    cut[sentences] = CUT["sentence"]
    cut[(breaks.count == 1) & (sentences | ~_wrapped(slab, gaps, breaks))] = CUT["line"]
    cut[(breaks.count > 1) | breaks.hard] = CUT["paragraph"]
    coarse = np.flatnonzero(cut != CUT["word"])
    right = np.where(cut[coarse] <= CUT["line"], breaks.line_start[coarse], gaps.end[coarse])
    return _with_unspaced(slab, gaps, gaps.start[coarse], right, cut[coarse])


def word_gaps(slab: Slab) -> Gaps:
    """The runs of blanks at which cutting cuts no grapheme."""
    start, end = slab.blank_runs.start[:-1], slab.blank_runs.end[:-1]
    if not (slab.classes >= EXTEND).any():
        return Gaps(start, end)
    end = end - slab.continues_blank(end)
    kept = (end > start) & ~slab.joins_blank(start)
    return Gaps(start[kept], end[kept])


@dataclass(frozen=True)
class _LineBreaks:
    """What the line breaks of each gap are."""

    count: Int64  # line breaks in the gap
    hard: Bool  # one of them ends a paragraph by itself
    line_start: Int64  # where the next line begins, its indentation included if it is short

    @classmethod
    def of(cls, slab: Slab, gaps: Gaps, max_indent: int) -> _LineBreaks:
        first = slab.classes[gaps.start]
        count = ((first >= LINE) & (first <= PARAGRAPH)).astype(np.int64)
        hard = first == PARAGRAPH
        line_start = gaps.end.copy()
        long = np.flatnonzero(gaps.end - gaps.start > 1)
        if len(long):
            breaks = np.flatnonzero((slab.classes >= LINE) & (slab.classes <= PARAGRAPH))
            low, high = np.searchsorted(breaks, gaps.start[long]), np.searchsorted(breaks, gaps.end[long])
            count[long] = high - low
            broken = long[high > low]
            after = breaks[high[high > low] - 1] + 1
            line_start[broken] = np.where(gaps.end[broken] - after <= max_indent, after, gaps.end[broken])
            ends_paragraph = np.cumsum(np.concatenate(([0], slab.classes[breaks] == PARAGRAPH)))
            hard[long] = ends_paragraph[high] > ends_paragraph[low]
        return cls(count, hard, line_start)


def _wrapped(slab: Slab, gaps: Gaps, breaks: _LineBreaks) -> Bool:
    """Whether a line break only wraps a sentence: a long line, and the next goes on in lower case as far indented."""
    wrapped = np.zeros(len(gaps.start), dtype=np.bool_)
    lines = np.flatnonzero(breaks.count > 0)
    if len(lines):
        start, indent = gaps.start[lines], gaps.end[lines] - breaks.line_start[lines]
        line_before = np.concatenate(([0], breaks.line_start[lines][:-1]))
        same_indent = indent == np.concatenate(([0], indent[:-1]))
        goes_on = slab.classes[gaps.end[lines]] == LOWER
        wrapped[lines] = goes_on & same_indent & (start - line_before >= MIN_WRAPPED_LINE)
    return wrapped


def _with_unspaced(slab: Slab, gaps: Gaps, left: Int64, right: Int64, cut: UInt8) -> Boundaries:
    """Add the sentence and clause ends that need no blank behind them (CJK and others)."""
    position, quality = _unspaced_ends(slab)
    if len(position):
        left, right = np.concatenate((left, position)), np.concatenate((right, position))
        cut = np.concatenate((cut, quality))
        order = np.argsort(left, kind="stable")
        left, right, cut = left[order], right[order], cut[order]
    return Boundaries(left=left, right=right, cut=cut, tier=cut, words=gaps)


_NO_CUT_BEFORE = (*range(1, LAST_BLANK + 1), STOP, FULL_STOP, FULL_CLAUSE, CLOSER, EXTEND, NONSTARTER)


def _unspaced_ends(slab: Slab) -> tuple[Int64, UInt8]:
    """Positions right after a full stop or clause mark of a script without blanks, closing quotes included."""
    classes = slab.classes
    marks = np.flatnonzero((classes == FULL_STOP) | (classes == FULL_CLAUSE))
    position = marks + 1
    for _ in range(3):
        position = position + (classes[position] == CLOSER)
    kept = ~np.isin(classes[position], _NO_CUT_BEFORE)
    quality = np.where(classes[marks[kept]] == FULL_STOP, CUT["sentence"], CUT["clause"])
    position, first = np.unique(position[kept], return_index=True)
    return position, quality[first].astype(np.uint8)


def _holds(left: Int64, right: Int64, positions: Int64) -> tuple[Bool, Int64]:
    """For each position: does a gap [left, right] hold it, and which."""
    if not len(left):
        return np.zeros(len(positions), dtype=np.bool_), np.zeros(len(positions), dtype=np.int64)
    which = np.searchsorted(left, positions, side="right") - 1
    return (which >= 0) & (right[which] >= positions), which
