"""From an `Outline` in bytes to a `Structure` in code points, with all that the engine is promised.

Blocks begin at the start of their line where nothing else stands before them, end
behind their last code point that is not blank, and are nested or disjoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from udfs.chunking.chunk import KINDS
from udfs.chunking.formats.code_outline import BLOCK, Outline, Unit
from udfs.chunking.formats.solid import behind_the_last, solid_points
from udfs.chunking.formats.structure import Blocks, Int64, Repeat, Section, Structure

_SIGNATURE = 200  # code points of a signature that are repeated
_ANNOTATIONS = 20  # lines of them that are left out of a signature
_CODE = KINDS.index("code")


class Positions:
    """A text's bytes, code points and lines.

    Args:
        text: any text.
        source: the same text in UTF-8, its line ends made line feeds without a change of length.
    """

    def __init__(self, text: str, source: bytes) -> None:
        self._firsts = None if len(source) == len(text) else _first_bytes(source)
        self.solid = solid_points(text)
        self._line_ends = self.of_bytes(np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == 10))

    def of_bytes(self, offsets: Sequence[int] | Int64) -> Int64:
        """The code points at byte offsets; the end of the text for its length."""
        found = np.asarray(offsets, dtype=np.int64)
        return found if self._firsts is None else np.searchsorted(self._firsts, found)

    def line(self, points: Int64) -> Int64:
        """The number of the line that holds each code point, from 0."""
        return np.searchsorted(self._line_ends, points)

    def line_start(self, points: Int64) -> Int64:
        """Each code point, or the start of its line if only blanks come before it."""
        starts = behind_the_last(self._line_ends, points)
        return np.where(self.strip_end(points) <= starts, starts, points)

    def strip_end(self, points: Int64) -> Int64:
        """Behind the last code point before each that is not blank; 0 if there is none."""
        return behind_the_last(self.solid, points)


def structure_of(text: str, source: bytes, outline: Outline) -> Structure:
    """What the engine needs to know of a text of which an outline was made.

    The whole text is a block: a file that fits is never cut.
    """
    positions = Positions(text, source)
    if not len(positions.solid):
        return Structure()
    sections, repeats = _sections(text, positions, outline.units)
    return Structure(sections=sections, blocks=_blocks(positions, outline), repeats=repeats)


def _first_bytes(source: bytes) -> Int64:
    """Where each code point begins in UTF-8."""
    return np.flatnonzero(np.frombuffer(source, dtype=np.int8) >= -64)


def _blocks(positions: Positions, outline: Outline) -> Blocks:
    parts = np.fromiter(chain.from_iterable(outline.parts), dtype=np.int64).reshape(-1, 4)
    start = positions.line_start(positions.of_bytes(parts[:, 0]))
    end = positions.strip_end(positions.of_bytes(parts[:, 1]))
    worth = (start < end) & ((parts[:, 3] > 0) | (positions.line(start) < positions.line(end)))
    rows = np.stack([start, end, parts[:, 2]], axis=1)[worth]
    whole = (int(positions.line_start(positions.solid[:1])[0]), int(positions.solid[-1]) + 1, BLOCK)
    rows = np.concatenate([np.array([whole], dtype=np.int64), rows])
    rows = rows[np.lexsort((rows[:, 2], -rows[:, 1], rows[:, 0]))]
    rows = rows[_nested(rows)]
    kinds = np.full(len(rows), _CODE, dtype=np.uint8)
    return Blocks(rows[:, 0].copy(), rows[:, 1].copy(), kinds, rows[:, 2].astype(np.uint8))


def _nested(rows: Int64) -> list[int]:
    """Which of the sorted rows of (start, end, ...) neither repeat nor cross an earlier one."""
    kept: list[int] = []
    open_ends: list[int] = []
    last = (-1, -1)
    for index, (start, end) in enumerate(zip(rows[:, 0].tolist(), rows[:, 1].tolist(), strict=True)):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if (start, end) != last and (not open_ends or end <= open_ends[-1]):
            kept.append(index)
            open_ends.append(end)
            last = (start, end)
    return kept


def _sections(text: str, positions: Positions, units: list[Unit]) -> tuple[list[Section], list[Repeat]]:
    """A section for each unit, and its signature for what stands behind it."""
    offsets = np.array([unit[:4] for unit in units], dtype=np.int64).reshape(-1, 4)
    points = positions.of_bytes(offsets.ravel()).reshape(-1, 4)
    start = positions.line_start(points[:, 0])
    signature = positions.line_start(points[:, 1])
    body, end = positions.strip_end(points[:, 2]), positions.strip_end(points[:, 3])
    rows = np.stack([start, end, signature, body, np.arange(len(start))], axis=1)
    rows = rows[(start < body) & (body <= end)]
    rows = rows[np.lexsort((-rows[:, 1], rows[:, 0]))]
    sections: list[Section] = []
    repeats: list[Repeat] = []
    open_ends: list[int] = []
    for first, last, head, behind, index in rows[_nested(rows)].tolist():
        while open_ends and open_ends[-1] <= first:
            open_ends.pop()
        open_ends.append(last)
        sections.append(Section(first, behind, last, len(open_ends), units[index].title))
        shown = _signature(text[head:behind])
        if behind < last and shown:
            repeats.append(Repeat(behind, last, shown))
    return sections, repeats


def _signature(text: str) -> str:
    """A signature as it is written, if it is short; else on one line, and cut."""
    text = text.rstrip()
    for _ in range(_ANNOTATIONS):  # which some grammars count to the signature
        line, line_break, rest = text.partition("\n")
        if not line_break or not line.lstrip().startswith("@") or line.count("(") != line.count(")"):
            break
        text = rest
    if len(text) <= _SIGNATURE:
        return text
    indent = text[: len(text) - len(text.lstrip())][:_SIGNATURE]
    line = indent + " ".join(text[: 8 * _SIGNATURE].split())
    return line if len(line) <= _SIGNATURE else line[: _SIGNATURE - 4].rpartition(" ")[0].rstrip() + " ..."
