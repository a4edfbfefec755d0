"""The code points on which the fast counter and the reference may disagree.

They are the letters and marks that Unicode 17 added: the fast counter knows
them as letters, the reference still takes them for symbols. The ranges come
from comparing both over every code point in several contexts; a test does so again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_RANGES = (
    (0x088F, 0x088F), (0x0C5C, 0x0C5C), (0x0CDC, 0x0CDC), (0x1ACF, 0x1ADD), (0x1AE0, 0x1AEB), (0xA7CE, 0xA7CF),
    (0xA7D2, 0xA7D2), (0xA7D4, 0xA7D4), (0xA7F1, 0xA7F1), (0x10940, 0x10959), (0x10EC5, 0x10EC7),
    (0x10EFA, 0x10EFB), (0x11B60, 0x11B67), (0x11DB0, 0x11DDB), (0x11DE0, 0x11DE9), (0x16EA0, 0x16EB8),
    (0x16EBB, 0x16ED3), (0x16FF2, 0x16FF6), (0x187F8, 0x187FF), (0x18D09, 0x18D1E), (0x18D80, 0x18DF2),
    (0x1E6C0, 0x1E6DE), (0x1E6E0, 0x1E6F5), (0x1E6FE, 0x1E6FF), (0x2B73A, 0x2B73F), (0x2CEA2, 0x2CEAD),
    (0x323B0, 0x33479),
)  # fmt: skip
_FIRST = _RANGES[0][0]
_NEWER = np.zeros(0x110000, dtype=np.bool_)
for _low, _high in _RANGES:
    _NEWER[_low : _high + 1] = True


def holds_newer_letters(points: npt.NDArray[Any]) -> bool:
    r"""Whether any code point is one on which the counters may disagree.

    >>> from udfs.chunking.characters import code_points
    >>> holds_newer_letters(code_points("gr\u00fc\u00df")), holds_newer_letters(code_points("\u088f"))
    (False, True)
    """
    if points.dtype == np.uint8 or points.max(initial=0) < _FIRST:
        return False
    return bool(_NEWER[points[points >= _FIRST]].any())  # most text has few code points that high
