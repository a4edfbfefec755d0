"""The structure of parts of a document."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from udfs.chunking.formats.structure import Blocks, Repeat, Section, Structure
from udfs.chunking.nesting import Nesting


class Slicer:
    """Cuts parts out of a structure. A part costs as much as what stands in it and around it, however long the whole.

    A section whose heading stands before a part goes on through it, so its title stays in the path.

    Example:
        >>> whole = Structure(sections=[Section(0, 7, 30, 1, "Pumps"), Section(10, 15, 30, 2, "Old")])
        >>> [(one.title, one.start, one.body, one.end) for one in Slicer(whole).part(12, 30).sections]
        [('Pumps', 0, 0, 18), ('Old', 0, 3, 18)]
    """

    def __init__(self, structure: Structure) -> None:
        self._whole = structure
        self._sections = _nesting([(one.start, one.end) for one in structure.sections])
        self._repeats = _nesting([(one.start, one.end) for one in structure.repeats])
        blocks = structure.blocks
        self._blocks = Nesting(blocks.start.tolist(), blocks.end.tolist())

    def part(self, start: int, end: int) -> Structure:
        """The structure of text[start:end]: what reaches beyond it is cut off; positions count from `start`."""

        def clipped(position: int) -> int:
            return min(max(position, start), end) - start

        sections = [self._whole.sections[row] for row in _overlapping(self._sections, start, end)]
        repeats = [self._whole.repeats[row] for row in _overlapping(self._repeats, start, end)]
        blocks, rows = self._whole.blocks, list(_overlapping(self._blocks, start, end))
        return Structure(
            sections=[
                Section(clipped(one.start), clipped(one.body), clipped(one.end), one.level, one.title)
                for one in sections
            ],
            blocks=Blocks(
                start=np.clip(blocks.start[rows], start, end) - start,
                end=np.clip(blocks.end[rows], start, end) - start,
                kind=blocks.kind[rows],
                cut=blocks.cut[rows],
            ),
            repeats=[Repeat(clipped(one.start), clipped(one.end), one.text) for one in repeats],
            metadata=self._whole.metadata,
        )


def _nesting(edges: list[tuple[int, int]]) -> Nesting:
    return Nesting([start for start, _ in edges], [end for _, end in edges])


def _overlapping(stretches: Nesting, start: int, end: int) -> Iterator[int]:
    """The stretches that share something with [start, end): those around its beginning, then those inside."""
    first = bisect_left(stretches.start, start)
    around = [row for row in stretches.around(stretches.innermost(start)) if row < first]
    yield from reversed(around)
    for row in range(first, bisect_left(stretches.start, end)):
        if stretches.end[row] > stretches.start[row]:
            yield row
