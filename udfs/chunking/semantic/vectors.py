"""The vectors of a slab's sentences as whole numbers, so that all sums of products are exact.

Sums of floats depend on the order of their terms, and libraries choose that by the processor and by how many rows there
are. A cut could move for that. Here a coordinate is a whole number of 1/2048: products of two vectors stay below 2^24,
where float32 holds every whole number, so any order gives the same sum. The error, 0.0003 in a cosine, is far below
what tells two topics apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from udfs.chunking.semantic.embedder import Embedder, Float32
from udfs.chunking.semantic.sentences import Sentences
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]

SCALE = 2048


def embedded(slab: Slab, sentences: Sentences, embedder: Embedder) -> Float32:
    """The vectors of all sentences, in one call of the model; equal sentences are embedded once.

    Returns:
        array of shape (sentences, dimensions) of whole numbers: coordinates times SCALE. A sentence of which the model
        knows no word has the vector of the one before it, so that it parts nothing.
    """
    rows: dict[str, int] = {}
    places = [rows.setdefault(text, len(rows)) for text in sentences.texts(slab)]
    vectors = _encoded(list(rows), embedder)
    vectors *= np.float32(SCALE)
    np.rint(vectors, out=vectors)
    place = np.array(places, dtype=np.int64)
    known = vectors.any(axis=1).take(place)
    latest = np.maximum.accumulate(np.where(known, np.arange(len(place)), 0))
    place = place.take(np.maximum(latest, sentences.first))
    if np.array_equal(place, np.arange(len(vectors))):
        return vectors
    of_all: Float32 = vectors.take(place, axis=0)
    return of_all


def _encoded(texts: Sequence[str], embedder: Embedder) -> Float32:
    vectors = embedder.encode(texts)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise ValueError(f"the model gave an array of shape {vectors.shape} for {len(texts)} sentences")
    return vectors
