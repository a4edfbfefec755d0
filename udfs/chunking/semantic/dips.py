"""Cuts at the dips of similarity, as TextTiling has them (Hearst 1997), with vectors in place of words.

    similarity  .8 .7 .8 .3 .7 .8 .6 .8        of the boundaries of one document
    dips            ^     ^        ^           less alike than at both neighbours
    cuts                  ^                    those that are deep enough

The window smears a change of topic over its neighbours; only the least of them is a dip. One sentence that is like
neither side would be smeared over too, so both its boundaries are dips if it is less than half as alike as would do.
"""

from __future__ import annotations

from bisect import bisect_left, insort

import numpy as np
import numpy.typing as npt

from udfs.chunking.boundaries import CUT, Boundaries
from udfs.chunking.semantic.embedder import Float32
from udfs.chunking.semantic.sentences import Sentences
from udfs.chunking.semantic.settings import SemanticSettings, Threshold
from udfs.chunking.semantic.similarity import STEPS, similarities
from udfs.chunking.sizes import Ruler

Bool = npt.NDArray[np.bool_]
Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]

# A paragraph break counts as if both sides were so much less alike.
PARAGRAPH_BONUS = STEPS // 20
_LONE = 0.5  # of the threshold


def dip_cuts(
    vectors: Float32, sentences: Sentences, boundaries: Boundaries, ruler: Ruler, settings: SemanticSettings
) -> Int64:
    """The sentences behind which it is cut, in order."""
    window = settings.side
    both, behind, before = similarities(vectors, sentences, [(window, window), (1, window), (window, 1)])
    curve = curve_of(both, sentences, boundaries)
    dips = _least(curve)
    depth = _thresholds(curve, dips, sentences, settings.depth)
    deep = (dips & (curve <= depth)) | _beside_lone(before, behind, sentences, depth)
    found = np.flatnonzero(deep & ~sentences.is_last)
    if settings.min_size <= 1:
        return found
    return _apart(found, curve, sentences, ruler, settings.min_size)


def curve_of(alike: Int64, sentences: Sentences, boundaries: Boundaries) -> Int64:
    """The curve whose dips are cut at: how alike both sides of each boundary are, paragraph breaks favoured."""
    ends_paragraph = np.append(boundaries.cut, CUT["grapheme"]).take(sentences.boundary) <= CUT["paragraph"]
    return alike - PARAGRAPH_BONUS * (ends_paragraph & ~sentences.is_last)


def _least(curve: Int64) -> Bool:
    """Which are less than their neighbours; of equals the first. No document sees another: their edges are highest."""
    before, behind = np.append(STEPS + 1, curve[:-1]), np.append(curve[1:], STEPS + 1)
    least: Bool = (curve < before) & (curve <= behind)
    return least


def _thresholds(curve: Int64, dips: Bool, sentences: Sentences, threshold: Threshold) -> Float64:
    """For each sentence, the most similarity at which it is cut behind it."""
    if threshold.cosine is not None:
        return np.full(len(curve), threshold.cosine * STEPS)
    inner = ~sentences.is_last
    document, count = sentences.document[inner], int(sentences.is_last.sum())
    if threshold.percentile is not None:
        chosen = np.flatnonzero(dips & inner)
        return _percentiles(curve[chosen], sentences.document[chosen], count, threshold.percentile)[sentences.document]
    number = np.maximum(np.bincount(document, minlength=count), 1)
    total = np.bincount(document, curve[inner], minlength=count)  # whole numbers, so the sums are exact
    squares = np.bincount(document, curve[inner] ** 2, minlength=count)
    spread = np.sqrt(np.maximum(number * squares - total * total, 0)) / number
    depth: Float64 = total / number - (threshold.deviations or 0) * spread
    return depth[sentences.document]


def _percentiles(dips: Int64, document: Int64, documents: int, percentile: float) -> Float64:
    """The similarity of each document's last dip that is deep enough; below all of them where none is."""
    order = np.lexsort((dips, document))
    ordered = dips[order]
    number = np.bincount(document, minlength=documents)
    first = np.cumsum(number) - number
    taken = np.floor(number * percentile / 100).astype(np.int64)
    depth = np.full(documents, -np.inf)
    some = taken > 0
    depth[some] = ordered[(first + taken - 1)[some]]
    return depth


def _beside_lone(before: Int64, behind: Int64, sentences: Sentences, depth: Float64) -> Bool:
    """Which sentences have a boundary behind them that a lone sentence makes.

    Args:
        before: how alike the window that ends with each sentence and the one sentence behind it are.
        behind: how alike each sentence and the window behind it are.
        sentences: of the slab.
        depth: at most so alike is deep enough.
    """
    unlike_before = np.append(False, before[:-1] < _LONE * depth[1:]) & (sentences.first != np.arange(len(depth)))
    lone = unlike_before & (behind < _LONE * depth) & ~sentences.is_last
    beside: Bool = lone | np.append(lone[1:], False)
    return beside


def _apart(found: Int64, curve: Int64, sentences: Sentences, ruler: Ruler, min_size: int) -> Int64:
    """Of cuts that stand too near to each other or to an edge of the document, those at the deepest dips."""
    edges = np.append(-1, np.flatnonzero(sentences.is_last)).tolist()  # sentences behind which a chunk ends anyhow
    starts, ends = sentences.start, sentences.end
    kept: list[int] = []
    for cut in found[np.lexsort((found, curve[found]))].tolist():
        row = bisect_left(edges, cut)
        before, behind = edges[row - 1] + 1, edges[row]
        spans = ruler.span(starts[[before, cut + 1]], ends[[cut, behind]])
        if spans.min() >= min_size:
            insort(edges, cut)
            kept.append(cut)
    return np.array(sorted(kept), dtype=np.int64)
