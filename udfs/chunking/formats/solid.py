"""Where a text is not blank: what readers need to strip many stretches at once."""

from __future__ import annotations

import numpy as np

from udfs.chunking.characters import LAST_BLANK, SPACE, ascii_classes, class_table
from udfs.chunking.formats.structure import Int64


def solid_points(text: str) -> Int64:
    r"""The code points of a text that are not blank, in order.

    >>> solid_points("a \u200bb\n").tolist()
    [0, 3]
    """
    if text.isascii():
        classes = np.frombuffer(text.encode("ascii").translate(ascii_classes()), dtype=np.uint8)
    else:
        classes = class_table()[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)]
    return np.flatnonzero((classes < SPACE) | (classes > LAST_BLANK))


def behind_the_last(marks: Int64, points: Int64) -> Int64:
    """Behind the last mark that comes before each point; 0 if there is none.

    With the solid points as marks, this strips the blanks at the end of a stretch;
    with the line ends, it gives the start of the line.

    >>> behind_the_last(np.array([0, 3]), np.array([0, 1, 3, 9])).tolist()
    [0, 1, 1, 4]
    """
    if not len(marks):
        return np.zeros_like(points)
    before = np.searchsorted(marks, points)
    return np.where(before > 0, marks[before - 1] + 1, 0)
