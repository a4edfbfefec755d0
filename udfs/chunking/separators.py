"""Boundaries at separators that the user gives, best first.

A separator of blanks alone is a gap between chunks. One that begins with blanks
(such as a line break and a heading mark) begins the next chunk; any other ends
the chunk before it. Nothing of a separator but blanks is ever left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from udfs.chunking.blanks import gaps_around
from udfs.chunking.boundaries import CUT, Boundaries
from udfs.chunking.characters import is_blank
from udfs.chunking.graphemes import EdgeScan, GraphemeEdges
from udfs.chunking.slab import Slab

_LINE_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


def separator_boundaries(slab: Slab, patterns: Sequence[re.Pattern[str]]) -> Boundaries:
    """Every place where one of the patterns matches; the tier is the pattern's rank.

    Args:
        slab: the documents; a match never goes from one into the next.
        patterns: best first.
    """
    edges = GraphemeEdges(slab)
    found: dict[int, tuple[int, int, int]] = {}  # left -> (tier, cut, right)
    for tier, pattern in enumerate(patterns):
        for text, first in zip(slab.texts, slab.first.tolist(), strict=True):
            scan = EdgeScan(edges, first)
            anchors = np.array(list(_anchors(text, pattern)), dtype=np.int64).reshape(-1, 2)
            lefts, rights = gaps_around(slab, first + anchors[:, 0])
            for left, right, cut in zip(lefts.tolist(), rights.tolist(), anchors[:, 1].tolist(), strict=True):
                if left not in found and (left < right or scan.is_edge(left)):
                    found[left] = (tier, cut, right)
    rows = sorted((left, right, cut, tier) for left, (tier, cut, right) in found.items())
    left, right, cut, tier = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return Boundaries(
        left=np.ascontiguousarray(left),
        right=np.ascontiguousarray(right),
        cut=cut.astype(np.uint8),
        tier=tier.astype(np.uint8),
    )


def _anchors(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Each match as (a position in the text where it allows a cut, the quality of the cut), in order."""
    for match in pattern.finditer(text):
        separator = match.group()
        begins_blank = separator and is_blank(separator[0])
        anchor = match.start() if begins_blank else match.start() + len(separator.rstrip())
        if 0 < anchor < len(text):
            yield anchor, _quality(separator)


def _quality(separator: str) -> int:
    """What a cut at this separator is called: by its line breaks if it is blank, else a block of the user's own."""
    if not is_blank(separator):
        return CUT["block"]
    breaks = len(_LINE_BREAK.findall(separator))
    if breaks > 1 or "\f" in separator:
        return CUT["paragraph"]
    if breaks:
        return CUT["line"]
    return CUT["word"] if separator else CUT["block"]
