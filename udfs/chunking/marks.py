"""Marks that may end a sentence or a clause, each with the place where a text may be cut behind it.

    He said: "Stop!" Then he left.
           ^      ^ ^            ^
         mark   mark gap        mark

Closing quotes and brackets stay with what they close. Most marks need a blank
behind them; those of scripts without blanks (CJK and others) need none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.blanks import gap_edges, run_ends
from udfs.chunking.characters import (
    CLAUSE,
    CLOSER,
    EXTEND,
    FULL_CLAUSE,
    FULL_STOP,
    LAST_BLANK,
    NONSTARTER,
    STOP,
)
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
Bool = npt.NDArray[np.bool_]

# So many closing quotes and brackets may follow a mark.
_MOST_CLOSERS = 3
_CUT_BEFORE = np.ones(256, dtype=np.bool_)
_CUT_BEFORE[[*range(1, LAST_BLANK + 1), STOP, FULL_STOP, FULL_CLAUSE, CLOSER, EXTEND, NONSTARTER]] = False


@dataclass(frozen=True)
class Marks:
    """The marks behind which a text may be cut, in order.

    Attributes:
        mark: where each stands.
        kind: its class, PERIOD to FULL_CLAUSE.
        gap, gap_end: the blanks behind it and its closers, half-open; empty for a mark that needs no blank.
    """

    mark: Int64
    kind: UInt8
    gap: Int64
    gap_end: Int64

    @classmethod
    def of(cls, slab: Slab, mark: Int64, kind: UInt8) -> Marks:
        """Those of the marks of a slab (all positions of the classes PERIOD to FULL_CLAUSE) that count."""
        gap = mark + 1
        behind = slab.classes.take(gap)
        closed = np.flatnonzero((behind == CLOSER) & (kind != CLAUSE))
        if len(closed):
            gap = _behind_closers(slab, gap, closed)
            behind = slab.classes[gap]
        spaced = behind - np.uint8(1) < LAST_BLANK
        spaced &= (kind != FULL_CLAUSE) | (gap == mark + 1)
        unspaced = ((kind == FULL_STOP) | (kind == FULL_CLAUSE)) & _CUT_BEFORE[behind]
        kept = np.flatnonzero(spaced | unspaced)
        mark, kind, gap, spaced = mark.take(kept), kind.take(kept), gap.take(kept), spaced.take(kept)
        is_gap, gap_end = gap_edges(slab, gap, run_ends(slab, gap))
        kept = np.flatnonzero(is_gap | ~spaced)
        return cls(mark.take(kept), kind.take(kept), gap.take(kept), gap_end.take(kept))


def _behind_closers(slab: Slab, gap: Int64, closed: Int64) -> Int64:
    """Where the closers end that begin at the rows `closed` of `gap`."""
    for _ in range(_MOST_CLOSERS):
        gap[closed] += 1
        closed = closed[slab.classes[gap[closed]] == CLOSER]
    return gap
