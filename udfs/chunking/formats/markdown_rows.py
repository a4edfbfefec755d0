"""Rows of `structure.Blocks` and repeats, collected so that they nest or are disjoint, whatever the text."""

from __future__ import annotations

from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats.structure import Repeat

Row = tuple[int, int, int, int]

PROSE, CODE, TABLE, LIST = (KINDS.index(kind) for kind in ("prose", "code", "table", "list"))
BLOCK, PARAGRAPH, LINE = (CUTS.index(cut) for cut in ("block", "paragraph", "line"))


class Rows:
    """The blocks so far, a parent before its children. `floor` is where the next one may begin."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.repeats: list[Repeat] = []
        self.floor = 0

    def open(self, start: int, end: int, kind: int, cut: int) -> int:
        """Adds a block that may hold others, and gives its start. Adds nothing that is empty."""
        start = max(start, self.floor)
        if start >= end:
            return start
        self.floor = start
        if self.rows and self.rows[-1][0] == start and self.rows[-1][1] == end:  # all that its parent holds
            _, _, parent_kind, parent_cut = self.rows.pop()
            kind, cut = parent_kind or kind, min(parent_cut, cut)
        self.rows.append((start, end, kind, cut))
        return start

    def close(self, end: int) -> None:
        """Ends a block: the next one begins behind it."""
        self.floor = max(self.floor, end)

    def add(self, start: int, end: int, kind: int, cut: int) -> None:
        """Adds a block that holds no others, and is not all that its parent holds."""
        if start < self.floor:  # noqa: PLR1730 - a call would cost as much as all the rest
            start = self.floor
        if start < end:
            self.rows.append((start, end, kind, cut))
            self.floor = end

    def repeat(self, start: int, end: int, words: str) -> None:
        """Words that stand in front of what begins in a stretch; nothing if there are none or it is empty."""
        if words and start < end:
            self.repeats.append(Repeat(start, end, words))
