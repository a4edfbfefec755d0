"""Static models of model2vec: the vector of a sentence is the mean of the vectors of its tokens."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from udfs.chunking.errors import SettingsError
from udfs.chunking.semantic.embedder import Float32, to_unit_length

# Code points in a batch: the library holds the vectors of all tokens of sentences that have equally many, so memory is
# bounded by it. Sentences of like length share a batch, and few calls do all of it.
_BATCH = 1 << 16


class StaticEmbedder:
    """Implements `embedder.Embedder`. Each sentence is computed by itself, so no batch can change it.

    Args:
        folder: where the model lies.
        name: what the user called it.

    Raises:
        SettingsError: the library cannot read it.
    """

    def __init__(self, folder: Path, name: str) -> None:
        # Spark runs a worker for each core already; threads of our own would only be in their way.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from model2vec import StaticModel

        try:
            self._model = StaticModel.from_pretrained(folder)
        except Exception as error:  # noqa: BLE001 - the libraries raise bare exceptions
            raise SettingsError(f"model = {name!r}: cannot be loaded by model2vec ({error})") from None

    def encode(self, sentences: Sequence[str]) -> Float32:
        """See `Embedder`."""
        lengths = np.array([len(sentence) for sentence in sentences])
        order = np.argsort(lengths, kind="stable")
        batches = np.cumsum(lengths.take(order)) // _BATCH
        parts = np.split(order, np.flatnonzero(np.diff(batches)) + 1)
        vectors = np.concatenate([self._encode([sentences[row] for row in part.tolist()]) for part in parts])
        return to_unit_length(vectors.take(np.argsort(order, kind="stable"), axis=0))

    def _encode(self, sentences: list[str]) -> npt.NDArray[np.floating]:
        vectors: npt.NDArray[np.floating] = self._model.encode(
            sentences, batch_size=len(sentences), use_multiprocessing=False
        )
        return vectors
