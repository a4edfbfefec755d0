"""Runs of blanks that hold line breaks: paragraph ends, line ends, and lines that are merely wrapped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.blanks import gap_edges, line_run_starts, run_ends
from udfs.chunking.characters import LOWER, PARAGRAPH
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
Bool = npt.NDArray[np.bool_]

# A shorter line was hardly broken because the margin was reached.
MIN_WRAPPED_LINE = 40


@dataclass(frozen=True)
class LineGaps:
    """The gaps between words that hold a line break, in order.

    Attributes:
        start, end: int64 arrays; gap i is [start[i], end[i]).
        line_start: where the next line begins, its indentation included if it is short.
        ends_paragraph: there are two line breaks or more, or one that ends a paragraph by itself.
    """

    start: Int64
    end: Int64
    line_start: Int64
    ends_paragraph: Bool

    @classmethod
    def of(cls, slab: Slab, breaks: Int64, kind: UInt8, max_indent: int) -> LineGaps:
        """Those around the line breaks of a slab.

        Args:
            slab: the documents.
            breaks: every position of the classes LINE and PARAGRAPH.
            kind: which of the two each is.
            max_indent: the most code points of an indentation that stays with its line.
        """
        start, follows = line_run_starts(slab, breaks)
        first = np.flatnonzero(~follows)
        last = np.append(first[1:], len(breaks)) - 1
        hard = np.logical_or.reduceat(kind == PARAGRAPH, first)
        start, after = start.take(first), breaks.take(last) + 1
        end = run_ends(slab, after)
        kept, end = gap_edges(slab, start, end)
        line_start = np.where(end - after <= max_indent, after, end)
        ends_paragraph = hard | (last > first)
        return cls(start[kept], end[kept], line_start[kept], ends_paragraph[kept])

    def wrapped(self, slab: Slab) -> Bool:
        """Whether a break only wraps a sentence: a long line, and the next goes on in lower case as far indented."""
        indent = self.end - self.line_start
        line_before = np.concatenate(([0], self.line_start[:-1]))
        same_indent = indent == np.concatenate(([0], indent[:-1]))
        goes_on = slab.classes.take(self.end) == LOWER
        wrapped: Bool = goes_on & same_indent & (self.start - line_before >= MIN_WRAPPED_LINE)
        return wrapped
