"""Exact token counts of stretches of a slab.

`WholeCounter` counts each stretch as the text that it is. `SeamCounter` knows the
tokens of the whole documents already and counts only the edges anew:

    The quick brown fox jumps over the lazy dog.
       [uick brown fox jumps over the la]              the stretch
       [uick]                        [ la]             its first and last word: counted anew
            [ brown fox jumps over the]                tokens of the document: known

This is exact, not an estimate, for encodings that cut text at every such place, a seam,
before they merge bytes (`Tokenizer.has_seams`): what stands on one side of a seam
does not change the tokens on the other side.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import FULL_CLAUSE, FULL_STOP
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import Tokenizer

Int64 = npt.NDArray[np.int64]
_SPACE = 0x20
_CJK_LETTERS = ((0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FFF))


class StretchCounter(Protocol):
    """Counts the tokens of stretches [start[i], end[i]) of a slab, each as a text of its own."""

    def count(self, start: list[int], end: list[int]) -> list[int]:
        """The tokens of each stretch."""


class WholeCounter:
    """Counts every stretch as a text. Implements `StretchCounter`."""

    def __init__(self, slab: Slab, tokenizer: Tokenizer) -> None:
        self._text = slab.text
        self._tokenizer = tokenizer

    def count(self, start: list[int], end: list[int]) -> list[int]:
        """See `StretchCounter`."""
        counts: list[int] = self._tokenizer.count(
            [self._text[begin:stop] for begin, stop in zip(start, end, strict=True)]
        ).tolist()
        return counts


class SeamCounter:
    """Counts the edges of every stretch. Implements `StretchCounter`.

    Args:
        slab: the documents.
        tokenizer: one that splits at spaces.
        ends: where each token of the slab ends, as `TokenRuler.ends`.
    """

    # Below this many stretches, looking up seams costs more than counting.
    FEW = 8

    def __init__(self, slab: Slab, tokenizer: Tokenizer, ends: Int64) -> None:
        self._text = slab.text
        self._whole = WholeCounter(slab, tokenizer)
        self._ends = ends
        self._seams = _seams(slab)

    def count(self, start: list[int], end: list[int]) -> list[int]:
        """See `StretchCounter`."""
        if len(start) < self.FEW or not len(self._seams):
            return self._whole.count(start, end)
        begin, stop = np.array(start, dtype=np.int64), np.array(end, dtype=np.int64)
        first = np.searchsorted(self._seams, begin, side="right")
        last = np.searchsorted(self._seams, stop, side="left") - 1
        seamed = first <= last
        head_end, tail_start = stop.copy(), stop.copy()
        head_end[seamed], tail_start[seamed] = self._seams[first[seamed]], self._seams[last[seamed]]
        # A token ends at every seam. Tokens that end
        # within the code point behind the seam have the same position, but come later.
        between = np.searchsorted(self._ends, tail_start) - np.searchsorted(self._ends, head_end)
        edges = self._whole.count(start + tail_start.tolist(), head_end.tolist() + end)
        counts: list[int] = (between + np.array(edges).reshape(2, -1).sum(axis=0)).tolist()
        return counts


def _seams(slab: Slab) -> Int64:
    """Where a space follows a word; in CJK text, which has few, also where punctuation follows a letter."""
    runs = slab.blank_runs.start
    spaces: Int64 = runs[slab.points[runs] == _SPACE]
    if slab.points.dtype == np.uint8:
        return spaces
    marks = np.flatnonzero((slab.classes == FULL_STOP) | (slab.classes == FULL_CLAUSE))
    before = slab.points[marks - 1]
    behind_letter = np.zeros(len(marks), dtype=np.bool_)
    for low, high in _CJK_LETTERS:
        behind_letter |= (before >= low) & (before <= high)
    if not behind_letter.any():
        return spaces
    return np.sort(np.concatenate((spaces, marks[behind_letter])), kind="stable")  # two sorted runs


__all__ = ["SeamCounter", "StretchCounter", "WholeCounter"]
