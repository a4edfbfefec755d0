"""The structure of a part of a document."""

from __future__ import annotations

import numpy as np

from udfs.chunking.formats.structure import Blocks, Repeat, Section, Structure


def sliced(structure: Structure, start: int, end: int) -> Structure:
    """The structure of text[start:end]: what reaches beyond it is cut off; positions count from `start`.

    A section whose heading stands before the part goes on through it, so its title stays in the path.

    Example:
        >>> whole = Structure(sections=[Section(0, 7, 30, 1, "Pumps"), Section(10, 15, 30, 2, "Old")])
        >>> [(one.title, one.start, one.body, one.end) for one in sliced(whole, 12, 30).sections]
        [('Pumps', 0, 0, 18), ('Old', 0, 3, 18)]
    """

    def clipped(position: int) -> int:
        return min(max(position, start), end) - start

    return Structure(
        sections=[
            Section(clipped(one.start), clipped(one.body), clipped(one.end), one.level, one.title)
            for one in structure.sections
            if one.start < end and start < one.end
        ],
        blocks=_blocks(structure.blocks, start, end),
        repeats=[
            Repeat(clipped(one.start), clipped(one.end), one.text)
            for one in structure.repeats
            if one.start < end and start < one.end
        ],
        metadata=structure.metadata,
    )


def _blocks(blocks: Blocks, start: int, end: int) -> Blocks:
    inside = np.flatnonzero((blocks.start < end) & (start < blocks.end))
    return Blocks(
        start=np.clip(blocks.start[inside], start, end) - start,
        end=np.clip(blocks.end[inside], start, end) - start,
        kind=blocks.kind[inside],
        cut=blocks.cut[inside],
    )
