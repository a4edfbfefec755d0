"""Stretches of text that are nested or disjoint: which of them hold a position."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

OUTSIDE = -1


class Nesting:
    """Some stretches in order of their starts, outer before inner.

    Args:
        start, end: stretch i is [start[i], end[i]).

    Attributes:
        parent: for each stretch the index of the one around it; OUTSIDE if there is none.
        depth: for each stretch how many hold it, itself included.

    Example:
        >>> nesting = Nesting([0, 2, 5], [9, 4, 7])
        >>> [nesting.innermost(position) for position in (1, 3, 4, 6, 9)]
        [0, 1, 0, 2, -1]
    """

    def __init__(self, start: Sequence[int], end: Sequence[int]) -> None:
        self.start, self.end = start, end
        self.parent: list[int] = []
        self.depth: list[int] = []
        around = OUTSIDE
        for index, begin in enumerate(start):
            while around != OUTSIDE and end[around] <= begin:
                around = self.parent[around]
            self.parent.append(around)
            self.depth.append(1 if around == OUTSIDE else self.depth[around] + 1)
            around = index

    def __len__(self) -> int:
        return len(self.start)

    def innermost(self, position: int) -> int:
        """The index of the innermost stretch that holds the position; OUTSIDE if none does."""
        index = bisect_right(self.start, position) - 1
        while index != OUTSIDE and self.end[index] <= position:
            index = self.parent[index]
        return index

    def around(self, index: int) -> Iterator[int]:
        """The stretch of this index and those around it, innermost first; none for OUTSIDE."""
        while index != OUTSIDE:
            yield index
            index = self.parent[index]
