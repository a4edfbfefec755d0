"""How alike the text on both sides of each boundary is.

    sentences      a  b  c | d  e  f          window = 3
    before the boundary behind c: a + b + c   behind it: d + e + f

Similarities are cosines in whole steps of 1/10,000: equal text gives equal similarities, whatever rounding does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from udfs.chunking.semantic.embedder import Float32
from udfs.chunking.semantic.sentences import Sentences

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]

STEPS = 10_000
_BLOCK = 1024  # rows that are looked at at once: small enough for the processor's cache


def similarities(vectors: Float32, sentences: Sentences, sides: Sequence[tuple[int, int]]) -> list[Int64]:
    """For each sentence, how alike the last sentences up to it and the next ones are.

    Fewer are taken at the edges of a document.

    Args:
        vectors: of the sentences, as `vectors.embedded` gives them.
        sentences: of the slab.
        sides: how many sentences are taken together: up to the boundary, and behind it. One array is made for each.

    Returns:
        cosines in steps of 1 / STEPS; STEPS for the last sentence of a document, and where a side means nothing.
    """
    # Rows of zeros between documents, as many as a window has: no window sees another document.
    widest = max(max(pair) for pair in sides)
    place = np.arange(len(sentences)) + widest * (sentences.document + 1)
    rows = np.full(int(place[-1]) + widest + 1, -1)
    rows[place] = np.arange(len(sentences))
    blocks = list(_blocks(vectors, rows, widest, sides))
    found = [np.concatenate([block[number] for block in blocks]).take(place - widest) for number in range(len(sides))]
    for curve in found:
        curve[sentences.is_last] = STEPS
    return found


def _blocks(vectors: Float32, rows: Int64, widest: int, sides: Sequence[tuple[int, int]]) -> Iterator[list[Int64]]:
    """The similarities at the rows from `widest` to the last but `widest`, block by block."""
    for low in range(widest, len(rows) - widest, _BLOCK):
        high = min(low + _BLOCK, len(rows) - widest)
        wanted = rows[low - widest : high + widest]
        near = vectors.take(wanted, axis=0, mode="clip")
        near[wanted < 0] = 0
        sums = {width: _sums(near, width) for width in {width for pair in sides for width in pair}}
        inner = slice(widest, widest + high - low)
        yield [
            _cosines(*(side[inner] for side in sums[before]), *(side[behind:][inner] for side in sums[behind]))
            for before, behind in sides
        ]


def _sums(near: Float32, width: int) -> tuple[Float64, Float64]:
    """At each row, the sum of the last `width` rows up to it; and the squared length of that."""
    sums = near.astype(np.float64)
    for step in range(1, width):
        sums[step:] += near[:-step]
    return sums, _products(sums, sums)


def _cosines(one: Float64, squared: Float64, other: Float64, other_squared: Float64) -> Int64:
    """Products of whole numbers are exact, and a root and a quotient are rounded alike everywhere."""
    lengths = np.sqrt(squared * other_squared)
    cosines = np.divide(_products(one, other), lengths, out=np.ones_like(lengths), where=lengths > 0)
    steps: Int64 = np.rint(cosines * STEPS).astype(np.int64)
    return steps


def _products(one: Float64, other: Float64) -> Float64:
    products: Float64 = np.einsum("ij,ij->i", one, other)
    return products
