"""Documents laid end to end in one array, so that numpy sees many at once.

    documents   "One. Two."   ""   "Three"
    points       O n e .   T w o . T h r e e      (code points)
    base         0                 9 9        14  (where each document begins)

Within the engine every position counts code points from the slab's beginning;
`base` is taken off when chunks leave the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import EXTEND, LAST_BLANK, LINE, SPACE, class_table
from udfs.chunking.errors import TextError

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]

# Code points a slab: its arrays then fit into a core's second-level cache.
SLAB_POINTS = 1 << 18
_CARRIAGE_RETURN, _LINE_FEED = 0x0D, 0x0A


@dataclass(frozen=True)
class Gaps:
    """Runs of blanks in a slab, in order: gap i is [start[i], end[i]) and stands between two words."""

    start: Int64
    end: Int64


class Slab:
    """Some documents, their code points and the class of each.

    Raises:
        TextError: a text holds a lone surrogate, so it is not valid Unicode.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.text = texts[0] if len(texts) == 1 else "".join(texts)
        self.base: Int64 = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in texts], out=self.base[1:])
        try:
            self._points = np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)
        except UnicodeEncodeError as error:
            raise TextError(
                f"the text has a lone surrogate (U+{ord(self.text[error.start]):04X}) and is not valid Unicode; "
                "replace it first, for example with text.encode('utf-8', 'replace').decode()"
            ) from None
        self.classes = self._classify()

    def __len__(self) -> int:
        return len(self._points)

    def _classify(self) -> UInt8:
        classes = class_table()[self._points]
        if "\r" in self.text:  # a lone carriage return ends a line as it did on old Macs
            at = np.flatnonzero(self._points == _CARRIAGE_RETURN)
            following = np.minimum(at + 1, len(self) - 1)
            classes[at[(self._points[following] != _LINE_FEED) | (following == at)]] = LINE
        return classes

    @cached_property
    def blank(self) -> npt.NDArray[np.bool_]:
        """Whether each code point is blank."""
        return (self.classes - np.uint8(1)) < np.uint8(LAST_BLANK)

    @cached_property
    def blank_runs(self) -> Gaps:
        """The runs of blanks, as they stand."""
        edges = np.flatnonzero(self.blank[1:] != self.blank[:-1]) + 1
        if len(self) and self.blank[0]:
            edges = np.concatenate(([0], edges))
        if len(edges) % 2:
            edges = np.concatenate((edges, [len(self)]))
        return Gaps(start=edges[0::2], end=edges[1::2])

    @cached_property
    def extents(self) -> tuple[Int64, Int64]:
        """Where each document's text begins and ends without the blanks around it.

        Returns:
            first, last: int64 arrays of shape (documents,), half-open; first >= last means blank.
        """
        base, runs = self.base, self.blank_runs
        if not len(runs.start):
            return base[:-1].copy(), base[1:].copy()
        after = np.searchsorted(runs.start, base[:-1], side="right") - 1
        inside = (after >= 0) & (runs.end[after] > base[:-1])
        first = np.where(inside, np.minimum(runs.end[after], base[1:]), base[:-1])
        first = self._whole_grapheme(base[:-1], first)
        before = np.searchsorted(runs.start, base[1:], side="left") - 1
        inside = (before >= 0) & (runs.end[before] >= base[1:])
        last = np.where(inside, np.maximum(runs.start[before], base[:-1]), base[1:])
        return first, last


    def _whole_grapheme(self, base: Int64, first: Int64) -> Int64:
        """Step back onto the blank that a combining mark at `first` belongs to."""
        inner = np.minimum(first, len(self) - 1)
        marked = (first > base) & (self.classes[inner] == EXTEND) & (self.classes[inner - 1] == SPACE)
        return first - marked


def slabs(texts: Sequence[str], points: int = SLAB_POINTS) -> Iterator[Slab]:
    """Group documents, in order, into slabs of about `points` code points; a larger document has its own."""
    group: list[str] = []
    total = 0
    for text in texts:
        if group and total + len(text) > points:
            yield Slab(group)
            group, total = [], 0
        group.append(text)
        total += len(text)
    if group:
        yield Slab(group)
