"""The sentences of a slab: what is embedded, and between which it may be cut.

A sentence is what stands between two boundaries of sentence quality or better. Two rules besides:

- A very short one ("Yes.", "3.1", a bullet of one word) says too little to be compared. It is joined with the sentence
  behind it, or with the one before where a paragraph ends behind it, until both make `SHORT` code points.
- Of a very long one, `LONGEST` code points are embedded. Models read no more, and so the work stays linear.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from udfs.chunking.boundaries import CUT, Boundaries
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]

SHORT = 12
LONGEST = 1000
_LAST = -1  # the boundary behind the last sentence of a document


@dataclass(frozen=True)
class Sentences:
    """The sentences of all documents of a slab, in order.

    Attributes:
        start, end: each is [start, end) in code points of the slab.
        boundary: the row of the boundary behind it; -1 for the last of its document.
    """

    start: Int64
    end: Int64
    boundary: Int64

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def is_last(self) -> Bool:
        """Whether each is the last of its document."""
        last: Bool = self.boundary == _LAST
        return last

    @cached_property
    def document(self) -> Int64:
        """The document of each: 0, 1, ..., those without sentences not counted."""
        return np.concatenate(([0], np.cumsum(self.is_last[:-1]))) if len(self) else np.zeros(0, np.int64)

    @cached_property
    def first(self) -> Int64:
        """For each, the first sentence of its document."""
        firsts = np.concatenate(([0], np.flatnonzero(self.is_last[:-1]) + 1))
        return firsts.take(self.document)

    def texts(self, slab: Slab) -> list[str]:
        """What of each sentence is embedded."""
        ends = np.minimum(self.end, self.start + LONGEST)
        return [slab.text[start:end] for start, end in zip(self.start.tolist(), ends.tolist(), strict=True)]


def sentences_of(slab: Slab, boundaries: Boundaries) -> Sentences:
    """The sentences of a slab, by its boundaries of prose."""
    begin, last = np.array(slab.extents[0]), np.array(slab.extents[1])
    rows = np.flatnonzero(boundaries.cut <= CUT["sentence"])
    document = np.searchsorted(slab.stop, boundaries.left.take(rows))
    known = document < len(begin)
    rows, document = rows[known], document[known]
    inside = (boundaries.left.take(rows) > begin.take(document)) & (boundaries.right.take(rows) < last.take(document))
    rows = rows[inside]
    full = begin < last
    start = np.sort(np.concatenate((begin[full], boundaries.right.take(rows))))
    end = np.concatenate((last[full], boundaries.left.take(rows)))
    order = np.argsort(end, kind="stable")
    boundary = np.concatenate((np.full(int(full.sum()), _LAST), rows)).take(order)
    return _without(_joined(start, end.take(order), boundary, boundaries), start, end.take(order), boundary)


def _joined(start: Int64, end: Int64, boundary: Int64, boundaries: Boundaries) -> Bool:
    """Which sentences go on with the one behind, because one of the two is very short."""
    joined = np.zeros(len(start), dtype=np.bool_)
    first = 0  # of the sentences that are joined with the current one
    for row in np.flatnonzero(end - start < SHORT).tolist():
        if not (row and joined[row - 1]):
            first = row
        behind = boundary[row]
        follows = first > 0 and boundary[first - 1] != _LAST
        if behind == _LAST:
            joined[first - 1] |= follows
        elif end[row] - start[first] < SHORT:
            if follows and boundaries.cut[behind] < boundaries.cut[boundary[first - 1]]:
                joined[first - 1] = True
            else:
                joined[row] = True
    return joined


def _without(joined: Bool, start: Int64, end: Int64, boundary: Int64) -> Sentences:
    closes = np.flatnonzero(~joined)
    opens = np.concatenate(([0], closes[:-1] + 1)) if len(closes) else closes
    return Sentences(start.take(opens), end.take(closes), boundary.take(closes))
