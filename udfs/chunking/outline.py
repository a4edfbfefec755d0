"""The structures of a slab's documents in one: positions count code points of the slab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from udfs.chunking.formats.structure import NO_BLOCKS, Blocks, Structure
from udfs.chunking.nesting import Nesting
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]

# A heading that is longer is no heading; all of it stands in the text, and the chunks below it bear its beginning.
MAX_TITLE = 300
# Every chunk bears its path: it is bounded, in titles and in code points.
MAX_DEPTH, MAX_PATH = 16, 1000
CUT_MARK = "\u2026"


@dataclass(frozen=True)
class Outline:
    """What is known of a slab.

    Attributes:
        blocks: of all documents, as in `Structure`.
        sections: of all documents.
        bodies: for each section where its heading ends.
        titles: of each section.
        repeats: the stretches of all documents for which some text is repeated.
        repeated: that text for each stretch.
        removed: int64 array of shape (n, 2): stretches that belong to no chunk, in order.
    """

    blocks: Blocks
    sections: Nesting
    bodies: list[int]
    titles: list[str]
    repeats: Nesting
    repeated: list[str]
    removed: Int64
    _paths: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, slab: Slab, structures: Sequence[Structure | None]) -> Outline:
        """Of the documents of a slab; None for a document of which nothing is known."""
        known = [(first, found) for first, found in zip(slab.first.tolist(), structures, strict=True) if found]
        sections = [(first, section) for first, found in known for section in found.sections]
        repeats = [(first, repeat) for first, found in known for repeat in found.repeats]
        removed = [(first + cut.start, first + cut.end) for first, found in known for cut in found.removed]
        return cls(
            blocks=_joined([(first, found.blocks) for first, found in known if len(found.blocks.start)]),
            sections=Nesting([f + one.start for f, one in sections], [f + one.end for f, one in sections]),
            bodies=[first + section.body for first, section in sections],
            titles=[_bounded(section.title) for _, section in sections],
            repeats=Nesting([f + one.start for f, one in repeats], [f + one.end for f, one in repeats]),
            repeated=[repeat.text for _, repeat in repeats],
            removed=np.array(removed, dtype=np.int64).reshape(-1, 2),
        )

    def path(self, section: int) -> tuple[str, ...]:
        """The titles of the sections around a section, outermost first, its own included; empty for OUTSIDE.

        Of a path that is far too deep or long, the innermost titles are kept, behind a mark.
        """
        if section not in self._paths:
            self._paths[section] = self._path(section)
        return self._paths[section]

    def _path(self, section: int) -> tuple[str, ...]:
        titles: list[str] = []
        length = 0
        for index in self.sections.around(section):
            length += len(self.titles[index])
            if len(titles) == MAX_DEPTH or (titles and length > MAX_PATH):
                return (CUT_MARK, *titles[::-1])
            titles.append(self.titles[index])
        return tuple(titles[::-1])

    def paths_at(self, positions: Int64) -> list[tuple[str, ...]]:
        """The titles of the sections that hold each position, outermost first."""
        return [self.path(self.sections.innermost(position)) for position in positions.tolist()]


def _bounded(title: str) -> str:
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + CUT_MARK


def _joined(blocks: Sequence[tuple[int, Blocks]]) -> Blocks:
    if not blocks:
        return NO_BLOCKS
    first = np.repeat([first for first, _ in blocks], [len(found.start) for _, found in blocks])
    return Blocks(
        start=first + np.concatenate([found.start for _, found in blocks]),
        end=first + np.concatenate([found.end for _, found in blocks]),
        kind=np.concatenate([found.kind for _, found in blocks]),
        cut=np.concatenate([found.cut for _, found in blocks]),
    )
