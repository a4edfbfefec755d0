"""Static models of model2vec: the vector of a sentence is the mean of the vectors of its tokens."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from udfs.chunking.errors import SettingsError
from udfs.chunking.semantic.embedder import Float32, to_unit_length


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
        return to_unit_length(self._model.encode(list(sentences), use_multiprocessing=False))
