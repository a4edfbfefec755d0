"""Which chunks of a document have the same text as an earlier one: what keeps their ids apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


def occurrences(text: list[str], offsets: Int64) -> Int32:
    """For each chunk: how many earlier chunks of its document have the same text.

    Args:
        text: of each chunk.
        offsets: the chunks of document i are the rows offsets[i] to offsets[i + 1].
    """
    occurrence = np.zeros(len(text), dtype=np.int32)
    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    length = np.fromiter(map(len, text), np.int64, len(text))
    seen: dict[tuple[int, str], int] = {}
    for row in _recurring(document * (length.max(initial=0) + 1) + length).tolist():  # equal texts are equally long
        key = (int(document[row]), text[row])
        occurrence[row] = seen.get(key, 0)
        seen[key] = int(occurrence[row]) + 1
    return occurrence


def _recurring(keys: Int64) -> Int64:
    """The rows whose key occurs more than once, in order."""
    _, which, count = np.unique(keys, return_inverse=True, return_counts=True)
    return np.flatnonzero(count[which] > 1)
