"""How alike the text on both sides of each boundary is.

    sentences      a  b  c | d  e  f          window = 3
    before the boundary behind c: a + b + c   behind it: d + e + f

Similarities are cosines in whole steps of 1/10,000: equal text gives equal similarities, whatever rounding does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from udfs.chunking.semantic.embedder import Float32
from udfs.chunking.semantic.sentences import Sentences

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]

STEPS = 10_000
_BLOCK = 2048  # sentences that are looked at at once, so that memory stays small


def similarities(vectors: Float32, sentences: Sentences, before: int, behind: int) -> Int64:
    """For each sentence, how alike the last `before` sentences up to it and the next `behind` ones are.

    Fewer are taken at the edges of a document.

    Args:
        vectors: of the sentences, as `vectors.embedded` gives them.
        sentences: of the slab.
        before: how many sentences up to the boundary are taken together.
        behind: how many behind it.

    Returns:
        cosines in steps of 1 / STEPS; STEPS for the last sentence of a document, and where a side means nothing.
    """
    found = np.full(len(sentences), STEPS, dtype=np.int64)
    for low in range(0, len(sentences), _BLOCK):
        high = min(low + _BLOCK, len(sentences))
        found[low:high] = _block(vectors, sentences, low, high, before, behind)
    found[sentences.is_last] = STEPS
    return found


def _block(vectors: Float32, sentences: Sentences, low: int, high: int, before: int, behind: int) -> Int64:
    rows = np.arange(low, high)
    one = np.zeros((high - low, vectors.shape[1]))
    other = np.zeros_like(one)
    for step in range(before):
        there = np.flatnonzero(rows - step >= sentences.first[low:high])
        one[there] += vectors.take(rows[there] - step, axis=0)
    for step in range(1, behind + 1):
        there = np.flatnonzero(
            np.append(sentences.document, -1).take(rows + step, mode="clip") == sentences.document[low:high]
        )
        other[there] += vectors.take(rows[there] + step, axis=0)
    return _cosines(one, other)


def _cosines(one: Float64, other: Float64) -> Int64:
    """Products of whole numbers are exact, and a root and a quotient are rounded alike everywhere."""
    lengths = np.sqrt(_products(one, one) * _products(other, other))
    cosines = np.divide(_products(one, other), lengths, out=np.ones_like(lengths), where=lengths > 0)
    steps: Int64 = np.rint(cosines * STEPS).astype(np.int64)
    return steps


def _products(one: Float64, other: Float64) -> Float64:
    products: Float64 = np.einsum("ij,ij->i", one, other)
    return products
