"""Where a text may be cut, and how good each cut is.

A boundary is a gap: the chunk before it ends at `left`, the chunk after it
begins at `right`, and only blanks lie between. `cut` names its quality.

Only line breaks and marks such as `.` and `,` are looked for. They are one code
point in twenty, and all work after finding them is on these alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.blanks import WordGaps
from udfs.chunking.characters import CLAUSE, FULL_CLAUSE, LINE, PARAGRAPH
from udfs.chunking.chunk import CUTS
from udfs.chunking.line_gaps import LineGaps
from udfs.chunking.marks import Marks
from udfs.chunking.sentences import ends_sentence
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]

CUT = {name: index for index, name in enumerate(CUTS)}

# An indentation of up to so many code points stays with the line it belongs to, in chunks that have room for it.
MAX_INDENT = 40
ROOM_FOR_INDENT = 64


@dataclass(frozen=True)
class Boundaries:
    """The cuts of a slab that are better than a word gap, in order.

    Attributes:
        left, right: int64 arrays; the gap between two chunks is [left, right).
        cut: uint8 array of indexes into CUTS.
        tier: uint8 array; 0 is what the strategy likes best.
    """

    left: Int64
    right: Int64
    cut: UInt8
    tier: UInt8

    def quality_at(self, slab: Slab, ends: Int64) -> UInt8:
        """The quality of cuts at these positions of the slab: indexes into CUTS."""
        quality = np.full(len(ends), CUT["grapheme"], dtype=np.uint8)
        which = np.searchsorted(self.left, ends, side="right") - 1
        inside = which >= 0
        inside[inside] = self.right[which[inside]] >= ends[inside]
        quality[inside] = self.cut[which[inside]]
        others = np.flatnonzero(~inside)
        if len(others):
            gaps = WordGaps(slab)
            between_words = [gaps.holds(position) for position in ends[others].tolist()]
            quality[others[between_words]] = CUT["word"]
        return quality


def prose_boundaries(slab: Slab, size: int) -> Boundaries:
    """Paragraphs, lines, sentences and clauses of plain text in any script.

    Args:
        slab: the documents.
        size: the most a chunk may hold; an indentation beyond an eighth of it is no part of a line.
    """
    found = np.flatnonzero(slab.classes - np.uint8(LINE) <= FULL_CLAUSE - LINE)
    kind = slab.classes.take(found)
    breaks, other = np.flatnonzero(kind <= PARAGRAPH), np.flatnonzero(kind > PARAGRAPH)
    max_indent = min(MAX_INDENT, size // 8) if size >= ROOM_FOR_INDENT else 0
    lines = LineGaps.of(slab, found.take(breaks), kind.take(breaks), max_indent)
    marks = Marks.of(slab, found.take(other), kind.take(other))
    of_marks = _cut_behind(slab, marks)
    # A mark before a line break makes one boundary with it.
    row = np.searchsorted(lines.start, marks.gap)
    same = np.append(lines.start, -1).take(row) == marks.gap
    alone = np.flatnonzero(~same)
    of_lines = np.full(len(lines.start), CUT["word"], dtype=np.uint8)
    of_lines[row.compress(same)] = of_marks.compress(same)
    of_lines[~lines.wrapped(slab) | (of_lines == CUT["sentence"])] = CUT["line"]
    of_lines[lines.ends_paragraph] = CUT["paragraph"]
    right = np.where(of_lines <= CUT["line"], lines.line_start, lines.end)
    return _in_order(
        np.concatenate((lines.start, marks.gap.take(alone))),
        np.concatenate((right, marks.gap_end.take(alone))),
        np.concatenate((of_lines, of_marks.take(alone))),
    )


def _cut_behind(slab: Slab, marks: Marks) -> UInt8:
    cut = np.full(len(marks.mark), CUT["word"], dtype=np.uint8)
    cut[marks.kind >= CLAUSE] = CUT["clause"]
    cut[ends_sentence(slab, marks)] = CUT["sentence"]
    return cut


def _in_order(left: Int64, right: Int64, cut: UInt8) -> Boundaries:
    """Boundaries from rows in any order; those that are mere word gaps are left out."""
    kept = np.flatnonzero(cut != CUT["word"])
    order = kept.take(np.argsort(left.take(kept), kind="stable"))
    cut = cut.take(order)
    return Boundaries(left=left.take(order), right=right.take(order), cut=cut, tier=cut)
