"""The structure of a document, whatever its format: what a reader of a format gives to the engine.

A reader (`markdown.py`, `code.py`, ...) tells where things stand; how much fits
into a chunk, and so what is cut where, is the engine's business. All positions are
code points of the canonical text, half-open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]


class Section(NamedTuple):
    """A heading and all that stands under it; in code, a class or function.

    Sections are nested or disjoint, in order of their starts, outer before inner.
    """

    start: int  # where the heading (the signature) begins: at the start of its line
    body: int  # where the heading ends
    end: int  # where the section ends: the start of the next section that is not inside it, or the end of the text
    level: int  # 1 is the outermost
    title: str  # as a person reads it: without markup, one line, stripped


class Repeat(NamedTuple):
    """Text that a chunk needs in front to be understood, if it begins inside a stretch: a table's header, say.

    Stretches are nested or disjoint; where they nest, the outer text comes first.
    """

    start: int
    end: int
    text: str  # without a final line break


class Removed(NamedTuple):
    """A stretch of the canonical text that belongs to no chunk, such as front matter."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True)
class Blocks:
    """What should stay whole: a tree, in order of starts, a parent before its children.

    A block that fits is never cut. One that does not fit is cut at the edges of its
    children; one without children as prose is: at lines, sentences, words.
    Blocks are nested or disjoint. Text of a parent between its children is allowed.

    Attributes:
        start, end: int64 arrays; a block begins at the start of a line wherever it can, and ends behind its last
            code point that is not blank.
        kind: uint8 array of indexes into KINDS.
        cut: uint8 array of indexes into CUTS: how good it is to cut at this block's edges.
    """

    start: Int64
    end: Int64
    kind: UInt8
    cut: UInt8

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int, int]]) -> Blocks:
        """Blocks from rows of (start, end, kind, cut)."""
        if not rows:
            return NO_BLOCKS
        columns = np.fromiter(chain.from_iterable(rows), np.int64, 4 * len(rows)).reshape(-1, 4).T
        return cls(columns[0], columns[1], columns[2].astype(np.uint8), columns[3].astype(np.uint8))


# Most small documents have none: they share these.
_NO_PLACES, _NO_QUALITIES = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint8)
NO_BLOCKS = Blocks(_NO_PLACES, _NO_PLACES, _NO_QUALITIES, _NO_QUALITIES)


@dataclass(frozen=True)
class Structure:
    """All that a reader found in one document."""

    sections: Sequence[Section] = ()
    blocks: Blocks = NO_BLOCKS
    repeats: Sequence[Repeat] = ()
    removed: Sequence[Removed] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)  # front matter and the like, as plain text


@dataclass(frozen=True)
class Converted:
    """A document whose canonical text is not its source.

    Attributes:
        text: the canonical text.
        structure: of `text`; None if nothing is known.
        pages: where each page begins in `text`, the first at 0; None if the document has no pages.
        removed: how many code points of the source were dropped, by reason.
    """

    text: str
    structure: Structure | None = None
    pages: Int64 | None = None
    removed: Mapping[str, int] = field(default_factory=dict)
