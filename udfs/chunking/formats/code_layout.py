"""From an `Outline` in bytes to a `Structure` in code points, with all that the engine is promised.

Blocks begin at the start of their line where nothing else stands before them, end
behind their last code point that is not blank, and are nested or disjoint.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import LAST_BLANK, SPACE, class_table, code_points
from udfs.chunking.chunk import KINDS
from udfs.chunking.formats.code_outline import BLOCK, Outline, Unit
from udfs.chunking.formats.structure import Blocks, Int64, Repeat, Section, Structure

_SIGNATURE = 200  # code points of a signature that are repeated
_CODE = KINDS.index("code")


class Positions:
    """A text's bytes, code points and lines.

    Args:
        text: any text.
        source: the same text in UTF-8 (lone surrogates passed on), or of the same length byte for byte.
    """

    def __init__(self, text: str, source: bytes) -> None:
        points = code_points(text) if text.isascii() else _points_with_surrogates(text)
        classes = class_table()[points]
        self._firsts = None if len(source) == len(text) else _first_bytes(source)
        self.solid = np.flatnonzero((classes < SPACE) | (classes > LAST_BLANK))  # code points that are not blank
        self._lines = np.flatnonzero(points == 10)

    def of_bytes(self, offsets: Sequence[int] | Int64) -> Int64:
        """The code points at byte offsets; the end of the text for its length."""
        found = np.asarray(offsets, dtype=np.int64)
        return found if self._firsts is None else np.searchsorted(self._firsts, found)

    def line(self, points: Int64) -> Int64:
        """The number of the line that holds each code point, from 0."""
        return np.searchsorted(self._lines, points)

    def line_start(self, points: Int64) -> Int64:
        """Each code point, or the start of its line if only blanks come before it."""
        starts = np.concatenate(([0], self._lines + 1))[self.line(points)]
        return np.where(self.strip_end(points) <= starts, starts, points)

    def strip_end(self, points: Int64) -> Int64:
        """Behind the last code point before each that is not blank; 0 if there is none."""
        behind = np.concatenate(([0], self.solid + 1))
        return behind[np.searchsorted(self.solid, points)]


def structure_of(text: str, source: bytes, outline: Outline) -> Structure:
    """What the engine needs to know of a text of which an outline was made.

    The whole text is a block: a file that fits is never cut.
    """
    positions = Positions(text, source)
    if not len(positions.solid):
        return Structure()
    sections, repeats = _sections(text, positions, outline.units)
    return Structure(sections=sections, blocks=_blocks(positions, outline), repeats=repeats)


def _points_with_surrogates(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _first_bytes(source: bytes) -> Int64:
    """Where each code point begins in UTF-8."""
    return np.flatnonzero(np.frombuffer(source, dtype=np.int8) >= -64)


def _blocks(positions: Positions, outline: Outline) -> Blocks:
    parts = np.array(outline.parts, dtype=np.int64).reshape(-1, 4)
    start = positions.line_start(positions.of_bytes(parts[:, 0]))
    end = positions.strip_end(positions.of_bytes(parts[:, 1]))
    worth = (start < end) & ((parts[:, 3] > 0) | (positions.line(start) < positions.line(end)))
    rows = np.stack([start, end, parts[:, 2]], axis=1)[worth]
    whole = (int(positions.line_start(positions.solid[:1])[0]), int(positions.solid[-1]) + 1, BLOCK)
    rows = np.concatenate([np.array([whole], dtype=np.int64), rows])
    rows = rows[np.lexsort((rows[:, 2], -rows[:, 1], rows[:, 0]))]
    return Blocks.of([(start, end, _CODE, cut) for start, end, cut in _nested(rows.tolist())])


def _nested(rows: list[list[int]]) -> list[list[int]]:
    """Sorted rows of (start, end, ...) without those that repeat or cross an earlier one."""
    kept: list[list[int]] = []
    open_ends: list[int] = []
    for row in rows:
        while open_ends and open_ends[-1] <= row[0]:
            open_ends.pop()
        repeats = bool(kept) and kept[-1][:2] == row[:2]
        crosses = bool(open_ends) and row[1] > open_ends[-1]
        if not (repeats or crosses):
            kept.append(row)
            open_ends.append(row[1])
    return kept


def _sections(text: str, positions: Positions, units: list[Unit]) -> tuple[list[Section], list[Repeat]]:
    """A section for each unit, and its signature for what stands behind it."""
    offsets = np.array([unit[:4] for unit in units], dtype=np.int64).reshape(-1, 4)
    points = positions.of_bytes(offsets.ravel()).reshape(-1, 4)
    start = positions.line_start(points[:, 0])
    signature = positions.line_start(points[:, 1])
    body, end = positions.strip_end(points[:, 2]), positions.strip_end(points[:, 3])
    order = np.lexsort((-end, start))
    rows = np.stack([start, end, signature, body, np.arange(len(start))], axis=1)[order]
    sections: list[Section] = []
    repeats: list[Repeat] = []
    for start_, end_, signature_, body_, index in _nested([row for row in rows.tolist() if row[0] < row[1]]):
        sections.append(Section(start_, body_, end_, units[index].level, units[index].title))
        shown = _signature(text[signature_:body_])
        if body_ < end_ and shown:
            repeats.append(Repeat(body_, end_, shown))
    return sections, repeats


def _signature(text: str) -> str:
    """A signature as it is written, if it is short; else on one line, and cut."""
    text = text.rstrip()
    if len(text) <= _SIGNATURE:
        return text
    indent = text[: len(text) - len(text.lstrip())][:_SIGNATURE]
    line = indent + " ".join(text[: 8 * _SIGNATURE].split())
    return line if len(line) <= _SIGNATURE else line[: _SIGNATURE - 4].rpartition(" ")[0].rstrip() + " ..."
