"""What each chunk is made of: prose, code, table, list, or a mixture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from udfs.chunking.chunk import KINDS
from udfs.chunking.formats.structure import Blocks

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]

# A chunk is of the kind that makes up this part of it, or more.
MOSTLY = 0.8
_MIXED = KINDS.index("mixed")


def kinds_of(blocks: Blocks, start: Int64, end: Int64, other: int) -> UInt8:
    """The kind of each chunk, as an index into KINDS.

    Args:
        blocks: of a slab.
        start: where each chunk begins.
        end: where it ends.
        other: the kind of text that stands in no block.
    """
    if not len(blocks.start):
        return np.full(len(start), other, dtype=np.uint8)
    outermost = np.maximum.accumulate(np.append(0, blocks.end))[:-1] <= blocks.start
    block_start, block_end, block_kind = blocks.start[outermost], blocks.end[outermost], blocks.kind[outermost]
    length = np.zeros((len(KINDS), len(start)), dtype=np.int64)
    for kind in np.unique(block_kind).tolist():
        of_kind = block_kind == kind
        length[kind] = _within(block_start[of_kind], block_end[of_kind], start, end)
    length[other] += (end - start) - length.sum(axis=0)
    most = length.argmax(axis=0)
    clear = length[most, np.arange(len(start))] >= MOSTLY * (end - start)
    return np.where(clear, most, _MIXED).astype(np.uint8)


def _within(block_start: Int64, block_end: Int64, start: Int64, end: Int64) -> Int64:
    """How many code points of each chunk stand in one of the blocks, which are disjoint and in order."""
    before = np.append(0, np.cumsum(block_end - block_start))

    def up_to(positions: Int64) -> Int64:
        row = np.searchsorted(block_start, positions, side="right")
        last = np.maximum(row - 1, 0)
        beyond = np.where(row > 0, np.maximum(block_end[last] - positions, 0), 0)
        return before[row] - beyond

    return up_to(end) - up_to(start)
