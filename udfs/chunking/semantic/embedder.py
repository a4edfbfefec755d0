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
            array of shape (sentences, dimensions). Each row has length 1, or is 0 where the model knows no word.
        """


def to_unit_length(vectors: npt.NDArray[np.floating]) -> Float32:
    """Each row divided by its length; rows of zeros, and of what is no number, become zeros."""
    wide = np.nan_to_num(vectors.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    lengths = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    unit: Float32 = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0).astype(np.float32)
    return unit
