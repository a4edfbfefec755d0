"""Any Hugging Face tokenizer, from the content of its `tokenizer.json`.

Truncation and padding that the file may ask for are switched off, for they would
falsify counts, and names of special tokens in a text are ordinary text.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from udfs.chunking.errors import SettingsError
from udfs.chunking.tokenizers.tokenizer import Tokenizer

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


class HuggingFaceTokenizer:
    """Counts and locates tokens. Implements `tokenizer.Tokenizer`.

    Args:
        name: where it comes from, for messages.
        content: the text of a `tokenizer.json`.

    Raises:
        SettingsError: the package `tokenizers` is missing, or the content is no tokenizer.
    """

    def __init__(self, name: str, content: str) -> None:
        self.name = name
        self._encoder = _parse(name, content)
        self._encoder.no_truncation()
        self._encoder.no_padding()
        self._encoder.encode_special_tokens = True

    has_seams = False  # not known of any tokenizer

    def suited_to(self, points: npt.NDArray[Any]) -> Tokenizer:  # noqa: ARG002 - suits all text
        """See `Tokenizer`."""
        return self

    @property
    def special_tokens(self) -> int:
        """See `Tokenizer`."""
        return int(self._encoder.num_special_tokens_to_add(is_pair=False))

    def count(self, texts: Sequence[str]) -> Int32:
        """See `Tokenizer`."""
        encodings = self._encoder.encode_batch_fast(list(texts), add_special_tokens=False)
        return np.fromiter(map(len, encodings), np.int32, len(texts))

    def token_ends(self, texts: Sequence[str]) -> tuple[Int64, Int64]:
        """See `Tokenizer`."""
        encodings = self._encoder.encode_batch(list(texts), add_special_tokens=False)
        counts = np.fromiter(map(len, encodings), np.int64, len(texts))
        ends = np.fromiter((end for found in encodings for _, end in found.offsets), np.int64, counts.sum())
        before = np.cumsum([0, *map(len, texts)])[:-1]
        ends += np.repeat(before, counts)
        return np.maximum.accumulate(ends), np.concatenate(([0], np.cumsum(counts)))


def content_hash(content: str) -> str:
    """SHA-256 (hex) of a `tokenizer.json`."""
    return hashlib.sha256(content.encode()).hexdigest()


def _parse(name: str, content: str) -> Any:
    # Spark runs a worker for each core already; threads of our own would only be in their way.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import tokenizers
    except ImportError:
        raise SettingsError(
            f"tokenizer = {name!r}: reading a tokenizer.json needs the package tokenizers; "
            "install it with: pip install 'lakechunk[huggingface]'"
        ) from None
    try:
        return tokenizers.Tokenizer.from_str(content)
    except Exception as error:  # noqa: BLE001 - the library raises bare exceptions
        raise SettingsError(f"tokenizer = {name!r}: is no tokenizer.json ({error}); give the path of one") from None


__all__ = ["HuggingFaceTokenizer", "content_hash"]
