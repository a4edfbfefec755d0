"""What turns sentences into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]


class Embedder(Protocol):
    """A model of sentences. The vector of a sentence depends on nothing but the sentence, to the last bit."""

    def encode(self, sentences: Sequence[str]) -> Float32:
        """The vectors of sentences.

        Args:
            sentences: not empty, and no two of them equal.

        Returns:
            array of shape (sentences, dimensions), which the caller may overwrite. Each row has length 1, or is 0 where
            the model knows no word.
        """


def to_unit_length(vectors: npt.NDArray[np.floating]) -> Float32:
    """Each row divided by its length, in place where it can be; rows without a length become zeros."""
    single: Float32 = vectors.astype(np.float32, copy=False)
    lengths = np.sqrt(np.einsum("ij,ij->i", single, single))
    usable = (lengths > 0) & np.isfinite(lengths)
    factors = np.divide(np.float32(1), lengths, out=np.zeros_like(lengths), where=usable)
    single *= factors[:, None]
    single[~usable] = 0
    return single
