"""Models of sentence-transformers, run so that no batch can change a vector.

How a matrix product is computed depends on its shape, and padding on which sentences share a batch: the last digits of
a vector vary with both. So all sentences of so many tokens go through the model in batches of one shape, a number of
rows fixed for that number of tokens; nothing is padded, and what is missing in the last batch is filled with repeats.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from udfs.chunking.errors import SettingsError
from udfs.chunking.semantic.embedder import Float32, to_unit_length

# Tokens in a batch: with fewer, a processor core is not busy; with more, small documents fill batches with repeats.
_BATCH = 256


class TransformerEmbedder:
    """Implements `embedder.Embedder`.

    Args:
        folder: where the model lies.
        name: what the user called it.
        threads: CPU threads that it may use.

    Raises:
        SettingsError: the library cannot read it.
    """

    def __init__(self, folder: Path, name: str, threads: int) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            self._model = _load(folder)
        except Exception as error:  # noqa: BLE001 - the libraries raise bare exceptions
            raise SettingsError(f"model = {name!r}: cannot be loaded by sentence-transformers ({error})") from None
        self._threads = threads
        self._prompt = self._model.prompts.get(self._model.default_prompt_name or "", "")

    def encode(self, sentences: Sequence[str]) -> Float32:
        """See `Embedder`."""
        tokens = self._tokens(sentences)
        by_length: dict[int, list[int]] = {}
        for place, found in enumerate(tokens):
            by_length.setdefault(len(found), []).append(place)
        vectors: list[Any] = [None] * len(sentences)
        with _computing(self._threads):
            for length, places in by_length.items():
                rows = max(1, _BATCH // max(1, length))
                for first in range(0, len(places), rows):
                    batch = places[first : first + rows]
                    for place, vector in zip(batch, self._run([tokens[place] for place in batch], rows), strict=False):
                        vectors[place] = vector
        return to_unit_length(np.array(vectors, dtype=np.float32))

    def _tokens(self, sentences: Sequence[str]) -> list[list[int]]:
        """The tokens of each sentence, special ones included; no more than the model reads."""
        found: list[list[int]] = self._model.tokenizer(
            [self._prompt + sentence for sentence in sentences],
            truncation=True,
            max_length=self._model.max_seq_length,
            padding=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )["input_ids"]
        return found

    def _run(self, tokens: list[list[int]], rows: int) -> Float32:
        """The vectors of sentences of equal length, computed as a batch of `rows`."""
        import torch

        ids = torch.tensor(tokens + tokens[:1] * (rows - len(tokens)))
        features = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if "token_type_ids" in self._model.tokenizer.model_input_names:
            features["token_type_ids"] = torch.zeros_like(ids)
        vectors: Float32 = self._model(features)["sentence_embedding"].float().numpy()
        return vectors


def _load(folder: Path) -> Any:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    bars: Any = logging
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        model = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
    finally:
        if shown:
            bars.enable_progress_bar()
    model.eval()
    return model


@contextmanager
def _computing(threads: int) -> Iterator[None]:
    """Torch without gradients, on so many threads; afterwards as it was, for others in this process may use it."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_num_threads(before)
