"""The best division of a document into chunks, found at once for the whole document.

A chunk of n sentences with vectors v is worth |sum v|^2 / n: what each sentence is alike to all of its chunk on
average, itself included, summed over the sentences. From that a cost for each chunk is taken, and the division with
the greatest total is found by dynamic programming over the sentences: the best division up to a sentence is the best
one up to where its last chunk begins, and that chunk.

It is least-squares segmentation of a sequence (Jackson et al., "An algorithm for optimal partitioning of data on an
interval", 2005), which Alemi and Ginsparg ("Text segmentation based on semantic word embeddings", 2015) brought to text
in a similar form. To cut a text whose sentences are all alike to the same degree r gains 1 - r, wherever it is cut. So
the cost is a multiple of that: r is the mean similarity of neighbours in the document, and the setting `cost` the
multiple. At 1 any noise makes a chunk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.boundaries import CUT, Boundaries
from udfs.chunking.semantic.embedder import Float32
from udfs.chunking.semantic.sentences import Sentences
from udfs.chunking.semantic.settings import SemanticSettings
from udfs.chunking.semantic.similarity import STEPS, similarities
from udfs.chunking.semantic.vectors import SCALE
from udfs.chunking.sizes import Ruler

Bool = npt.NDArray[np.bool_]
Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]

# A chunk has at most so many sentences, so that the work is linear whatever the size is.
MAX_SENTENCES = 256
# The part of the cost of a chunk that begins behind a paragraph break.
PARAGRAPH_SHARE = 0.8
_TOO_SMALL = 1e6  # the cost of a chunk below the minimum: more than anything is worth
_BLOCK = 256


def optimal_cuts(
    vectors: Float32,
    sentences: Sentences,
    boundaries: Boundaries,
    ruler: Ruler,
    most: int,
    settings: SemanticSettings,
) -> Int64:
    """The sentences behind which it is cut, in order.

    Args:
        vectors: of the sentences, as `vectors.embedded` gives them.
        sentences: of the slab.
        boundaries: those that the sentences refer to.
        ruler: measures chunks without their contexts.
        most: the most units of a chunk. A sentence above that is a chunk by itself.
        settings: cost and minimum size.
    """
    own = np.arange(len(sentences))
    earliest = _earliest(sentences, ruler, most, np.maximum(sentences.first, own - MAX_SENTENCES + 1))
    latest = own if settings.min_size <= 1 else _latest(sentences, ruler, settings.min_size)
    problem = _Problem(vectors, sentences.first, earliest, latest, _costs(vectors, sentences, boundaries, settings))
    begin = problem.solve()
    cuts = []
    for last in np.flatnonzero(sentences.is_last)[::-1].tolist():
        first = begin[last]
        while first > sentences.first[last]:
            cuts.append(first - 1)
            first = begin[first - 1]
    return np.array(cuts[::-1], dtype=np.int64)


def _costs(vectors: Float32, sentences: Sentences, boundaries: Boundaries, settings: SemanticSettings) -> Float64:
    """What a chunk that begins with each sentence costs."""
    inner, count = ~sentences.is_last, int(sentences.is_last.sum())
    alike, document = similarities(vectors, sentences, [(1, 1)])[0][inner], sentences.document[inner]
    number = np.maximum(np.bincount(document, minlength=count), 1)
    noise = 1 - np.bincount(document, alike, minlength=count) / number / STEPS
    cost = (settings.chunk_cost * noise).take(sentences.document)
    behind = np.append(boundaries.cut, CUT["grapheme"]).take(sentences.boundary)
    begins_paragraph = np.append(CUT["grapheme"], behind[:-1]) <= CUT["paragraph"]
    return np.where(begins_paragraph, cost * PARAGRAPH_SHARE, cost)


def _earliest(sentences: Sentences, ruler: Ruler, most: int, low: Int64) -> Int64:
    """For each sentence, the first sentence from `low` on with which a chunk that ends with it may begin."""
    high = np.arange(len(sentences))
    while (low < high).any():
        middle = (low + high) // 2
        fits = ruler.span(sentences.start.take(middle), sentences.end) <= most
        low, high = np.where(fits, low, np.minimum(middle + 1, high)), np.where(fits, middle, high)
    return high


def _latest(sentences: Sentences, ruler: Ruler, least: int) -> Int64:
    """For each sentence, the last one with which a chunk that ends with it holds `least` units; -1 if there is none."""
    low, high = sentences.first - 1, np.arange(len(sentences))
    while (low < high).any():
        middle = (low + high + 1) // 2
        holds = ruler.span(sentences.start.take(middle), sentences.end) >= least
        low, high = np.where(holds, middle, low), np.where(holds, high, np.maximum(middle - 1, low))
    return np.where(low < sentences.first, -1, low)


@dataclass(frozen=True)
class _Problem:
    """Divides all documents of a slab.

    Attributes:
        vectors: of the sentences.
        first: for each sentence, the first one of its document.
        earliest, latest: with which ones a chunk that ends with it may begin; one that begins later is too small.
        cost: of a chunk that begins with each.
    """

    vectors: Float32
    first: Int64
    earliest: Int64
    latest: Int64
    cost: Float64

    def solve(self) -> list[int]:
        """For each sentence, where the last chunk begins in the best division of all up to it."""
        opening = -self.cost  # and the worth of the best division of all before: what a chunk that begins there adds to
        begin: list[int] = []
        goes_on = np.append(self.first[1:] == self.first[:-1], False).tolist()
        for low in range(0, len(self.first), _BLOCK):
            high = min(low + _BLOCK, len(self.first))
            worth = self._worth(low, high)
            limits = (limit[low:high].tolist() for limit in (self.earliest, self.latest))
            for last, earliest, latest, row in zip(range(low, high), *limits, worth, strict=True):
                total = opening[earliest : last + 1] + row[earliest - last - 1 :]
                if latest < last:
                    total[max(latest + 1 - earliest, 0) :] -= _TOO_SMALL
                choice = int(total.argmax())
                begin.append(earliest + choice)
                if goes_on[last]:
                    opening[last + 1] += total[choice]
        return begin

    def _worth(self, low: int, high: int) -> Float64:
        """The worth of chunks that end with the sentences [low, high).

        The squared length of a sum grows with each vector that is put in front of it, by that vector's products with
        itself and, twice, with all behind it. Whole numbers, so all of it is exact.

        Returns:
            array of shape (high - low, longest); in the last column chunks of one sentence, before it those of two ...
        """
        longest = int((np.arange(low, high) - self.earliest[low:high]).max()) + 1
        worth = np.zeros((high - low, longest))
        near = np.zeros((longest - 1 + high - low, self.vectors.shape[1]), dtype=np.float32)
        near[max(longest - 1 - low, 0) :] = self.vectors[max(low - longest + 1, 0) : high]
        squared, behind = np.zeros(high - low), np.zeros(len(near))  # `behind`: of each vector with all behind it
        own = _products(near, near)
        for number in range(1, longest + 1):
            first = slice(longest - number, longest - number + high - low)  # the first sentences of such chunks
            squared += own[first] + 2 * behind[first]
            worth[:, longest - number] = squared / (number * float(SCALE) ** 2)
            behind[:-number] += _products(near[:-number], near[number:])
        return worth


def _products(one: Float32, other: Float32) -> Float32:
    products: Float32 = np.einsum("ij,ij->i", one, other)
    return products
