"""Stretches of a slab that belong to no chunk, such as front matter."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from udfs.chunking.blanks import gaps_around, skip_blanks
from udfs.chunking.graphemes import GraphemeEdges
from udfs.chunking.outline import Outline
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]


def around_removed(slab: Slab, outline: Outline) -> tuple[Int64, Int64]:
    """What is removed, with the blanks around it: left, right."""
    left, _ = gaps_around(slab, outline.removed[:, 0])
    _, right = gaps_around(slab, outline.removed[:, 1])
    return left, right


def extents_without_removed(slab: Slab, outline: Outline) -> tuple[list[int], list[int]]:
    """Where each document's text begins and ends without what is removed at its edges: as `Slab.extents`."""
    begin, last = (list(edge) for edge in slab.extents)
    removed_left, removed_right = around_removed(slab, outline)
    documents = np.searchsorted(slab.first, outline.removed[:, 0], side="right") - 1
    for document, left, right in zip(documents.tolist(), removed_left.tolist(), removed_right.tolist(), strict=True):
        if left <= begin[document]:
            behind = _whole_grapheme(slab, int(slab.first[document]), right, last[document])
            begin[document] = min(max(behind, begin[document]), last[document])
        if right >= last[document]:
            last[document] = max(left, begin[document])
    return begin, last


def _whole_grapheme(slab: Slab, floor: int, position: int, last: int) -> int:
    """Where the text goes on at `position` or behind it without a part of a grapheme."""
    if not slab.has_marks or position >= last:
        return position
    edge = GraphemeEdges(slab).first(floor, position, last)
    return position if edge == position else skip_blanks(slab, edge, last)
