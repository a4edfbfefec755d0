"""Documents laid end to end in one array, so that numpy sees many at once.

    documents   "One."   ""   "Three"
    points      ^One.^^Three^            (^ is a form feed: it parts documents)
    first        1    6 7                (where each document begins)
    stop             5 6     12          (where each document ends)

Within the engine every position counts code points from the slab's beginning;
`first` is taken off when chunks leave the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import (
    EXTEND,
    IDEOGRAPH,
    KANA,
    LAST_BLANK,
    LINE,
    PREPEND,
    SPACE,
    ascii_classes,
    class_table,
    code_points,
)
from udfs.chunking.errors import TextError

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
Bool = npt.NDArray[np.bool_]

# Code points a slab: enough that numpy's calls cost little beside the work, and a few MB of arrays.
SLAB_POINTS = 1 << 20
# Ends a paragraph and belongs to no grapheme, so no document sees its neighbours.
_PARTING = "\f"
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
        self.text = _PARTING.join(("", *texts, ""))
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self.stop: Int64 = np.cumsum(lengths + 1)
        self.first: Int64 = self.stop - lengths
        try:
            self.points = code_points(self.text)
        except UnicodeEncodeError as error:
            raise TextError(
                f"the text has a lone surrogate (U+{ord(self.text[error.start]):04X}) and is not valid Unicode; "
                "replace it first, for example with text.encode('utf-8', 'replace').decode()"
            ) from None
        self.classes = self._classify()

    def __len__(self) -> int:
        return len(self.points)

    def _classify(self) -> UInt8:
        if self.points.dtype == np.uint8:  # bytes are looked up faster than code points
            classes = np.frombuffer(bytearray(self.points).translate(ascii_classes()), dtype=np.uint8)
        else:
            classes = class_table().take(self.points)
        if "\r" in self.text:  # a lone carriage return ends a line, as it did on old Macs
            at = np.flatnonzero(self.points == _CARRIAGE_RETURN)
            classes[at[self.points[at + 1] != _LINE_FEED]] = LINE
        return classes

    @cached_property
    def class_bytes(self) -> bytes:
        """The classes once more, for looking at single ones: an index into bytes gives a plain int."""
        return self.classes.tobytes()

    @cached_property
    def blank(self) -> Bool:
        """Whether each code point is blank."""
        blank: Bool = (self.classes - np.uint8(1)) < np.uint8(LAST_BLANK)
        return blank

    @cached_property
    def blank_bytes(self) -> bytes:
        """`blank` once more, as bytes of 0 and 1, to be searched in."""
        return self.blank.tobytes()

    @cached_property
    def blank_runs(self) -> Gaps:
        """The runs of blanks, as they stand; the slab begins and ends with one."""
        edges = np.flatnonzero(self.blank[1:] != self.blank[:-1]) + 1
        edges = np.concatenate(([0], edges, [len(self)]))
        return Gaps(start=edges[0::2], end=edges[1::2])

    @cached_property
    def extents(self) -> tuple[list[int], list[int]]:
        """Where each document's text begins and ends without the blanks around it; begin == end means blank."""
        begin, end = self.stop.copy(), self.stop.copy()
        for document, (first, stop) in enumerate(zip(self.first.tolist(), self.stop.tolist(), strict=True)):
            behind_blanks = self.blank_bytes[first:stop].lstrip(b"\1")
            if behind_blanks:
                begin[document] = stop - len(behind_blanks)
                end[document] = begin[document] + len(behind_blanks.rstrip(b"\1"))
        if self.has_marks:
            begin, end = begin - self.continues_blank(begin), end + self.joins_blank(end)
        return begin.tolist(), end.tolist()

    @cached_property
    def has_unspaced(self) -> bool:
        """Whether any text may be cut beside a letter without a blank."""
        if self.points.dtype == np.uint8:
            return False
        return bool(((self.classes == IDEOGRAPH) | (self.classes == KANA)).any())

    @cached_property
    def has_marks(self) -> bool:
        """Whether any code point may join its neighbours to one grapheme."""
        return self.points.dtype != np.uint8 and bool((self.classes >= EXTEND).any())

    def continues_blank(self, positions: Int64) -> Bool:
        """Whether the code point at each position is a mark that makes one grapheme with the blank before it."""
        marks: Bool = (self.classes[positions] == EXTEND) & (self.classes[positions - 1] == SPACE)
        return marks

    def joins_blank(self, positions: Int64) -> Bool:
        """Whether the blank at each position makes one grapheme with the code point before it."""
        joined: Bool = (self.classes[positions - 1] == PREPEND) & (self.classes[positions] == SPACE)
        return joined


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
