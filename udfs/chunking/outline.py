"""The structures of a slab's documents in one: positions count code points of the slab."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from udfs.chunking.formats.structure import Blocks, Repeat, Structure
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]


class Part(NamedTuple):
    """A section of a document, with the sections around it."""

    start: int
    body: int  # where its heading ends
    end: int
    path: tuple[str, ...]  # the titles of the sections it stands in, outermost first, its own included


Stretch = TypeVar("Stretch", Part, Repeat)

# A heading that is longer is no heading; all of it stands in the text, and every chunk below it bears the rest.
MAX_TITLE = 300


@dataclass(frozen=True)
class Outline:
    """What is known of a slab.

    Attributes:
        blocks: of all documents, as in `Structure`.
        parts: the sections of all documents, in order of their starts, outer before inner.
        repeats: of all documents, in order of their starts, outer before inner.
        removed: int64 array of shape (n, 2): stretches that belong to no chunk, in order.
    """

    blocks: Blocks
    parts: list[Part]
    repeats: list[Repeat]
    removed: Int64

    @classmethod
    def of(cls, slab: Slab, structures: Sequence[Structure | None]) -> Outline:
        """Of the documents of a slab; None for a document of which nothing is known."""
        known = [(int(first), found) for first, found in zip(slab.first, structures, strict=True) if found is not None]
        blocks = [(first, found.blocks) for first, found in known if len(found.blocks.start)]
        removed = [(first + cut.start, first + cut.end) for first, found in known for cut in found.removed]
        return cls(
            blocks=_joined(blocks),
            parts=[part for first, found in known for part in _parts(first, found)],
            repeats=[
                Repeat(first + repeat.start, first + repeat.end, repeat.text)
                for first, found in known
                for repeat in found.repeats
            ],
            removed=np.array(removed, dtype=np.int64).reshape(-1, 2),
        )

    def paths_at(self, positions: Int64) -> list[tuple[str, ...]]:
        """The titles of the sections that hold each position, outermost first; positions never fall."""
        return [parts[-1].path if parts else () for parts in around(self.parts, positions.tolist())]


def around(stretches: Sequence[Stretch], positions: Iterable[int]) -> Iterator[list[Stretch]]:
    """The stretches that hold each position, outermost first: a list that changes with the next position.

    Args:
        stretches: nested or disjoint, in order of their starts, outer before inner.
        positions: never falling.
    """
    inside: list[Stretch] = []
    following = iter(stretches)
    stretch = next(following, None)
    for position in positions:
        while stretch is not None and stretch.start <= position:
            while inside and inside[-1].end <= stretch.start:
                inside.pop()
            inside.append(stretch)
            stretch = next(following, None)
        while inside and inside[-1].end <= position:
            inside.pop()
        yield inside


def _joined(blocks: Sequence[tuple[int, Blocks]]) -> Blocks:
    if not blocks:
        return Blocks.of(())
    return Blocks(
        start=np.concatenate([first + found.start for first, found in blocks]),
        end=np.concatenate([first + found.end for first, found in blocks]),
        kind=np.concatenate([found.kind for _, found in blocks]),
        cut=np.concatenate([found.cut for _, found in blocks]),
    )


def _parts(first: int, structure: Structure) -> Iterator[Part]:
    outer: list[Part] = []
    for section in structure.sections:
        while outer and outer[-1].end <= first + section.start:
            outer.pop()
        title = section.title if len(section.title) <= MAX_TITLE else section.title[: MAX_TITLE - 1] + "\u2026"
        path = (*outer[-1].path, title) if outer else (title,)
        outer.append(Part(first + section.start, first + section.body, first + section.end, path))
        yield outer[-1]
