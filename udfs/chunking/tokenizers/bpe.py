"""Exact token counts: tiktoken is the reference, a faster counter does the work where it is installed.

The fast counter (toktok) gives tiktoken's ids for all text but for letters that
only Unicode 17 knows; text with one of those goes to tiktoken, so counts never
depend on what is installed. Special-token text such as `<|endoftext|>` is
ordinary text to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import tiktoken

from udfs.chunking.tokenizers.newer_letters import has_newer_letters
from udfs.chunking.tokenizers.vocabulary import Vocabulary

try:
    import toktok
except ImportError:  # no wheel for this Python: the reference counts alone
    toktok = None

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

# Setting up a batch costs the fast counter as much as about so many single calls.
_BATCH = 32


class BpeTokenizer:
    """A byte-pair encoding that counts and locates tokens. Implements `tokenizer.Tokenizer`.

    Args:
        vocabulary: which encoding.
        fast: use the fast counter where it is installed (False: the reference alone).
    """

    def __init__(self, vocabulary: Vocabulary, fast: bool = True) -> None:
        self.name = vocabulary.name
        self._vocabulary = vocabulary
        self._fast = _fast_encoding(vocabulary.name) if fast else None

    special_tokens = 0  # these models put nothing around a text

    @cached_property
    def reference(self) -> tiktoken.Encoding:
        """tiktoken's encoding, from the vocabulary that ships with the package."""
        return tiktoken.Encoding(
            name=self.name,
            pat_str=self._vocabulary.pattern,
            mergeable_ranks=self._vocabulary.ranks(),
            special_tokens=self._vocabulary.special_tokens,
        )

    def count(self, texts: Sequence[str]) -> Int32:
        """See `Tokenizer`: `len(encode_ordinary(text))` of each text."""
        if self._fast is None or has_newer_letters(texts):
            counts = [len(self.reference.encode_ordinary(text)) for text in texts]
        elif len(texts) < _BATCH:
            counts = list(map(self._fast.count, texts))
        else:
            counts = self._fast.count_batch(texts, 1, False)
        return np.array(counts, dtype=np.int32)

    def token_ends(self, texts: Sequence[str]) -> tuple[Int64, Int64]:
        """See `Tokenizer`."""
        if self._fast is not None and not has_newer_letters(texts):
            ids, offsets = self._fast.encode_batch_to_numpy(texts, 1)
        else:
            encoded = [self.reference.encode_to_numpy(text, disallowed_special=()) for text in texts]
            offsets = np.cumsum([0, *map(len, encoded)])
            ids = np.concatenate(encoded) if encoded else np.zeros(0, np.uint32)
        byte_ends = np.cumsum(self._bytes_by_id[ids], dtype=np.int64)
        return _code_points("".join(texts), byte_ends), offsets.astype(np.int64, copy=False)

    @cached_property
    def _bytes_by_id(self) -> Int32:
        if self._fast is not None:
            tokens = self._fast.token_byte_values()
            return np.fromiter(map(len, tokens), np.int32, len(tokens))
        sizes = np.zeros(self.reference.n_vocab, dtype=np.int32)
        for token, rank in self._vocabulary.ranks().items():
            sizes[rank] = len(token)
        return sizes


def _fast_encoding(name: str) -> Any:
    """toktok's tokenizer of that name, or None where it is not installed."""
    encoding = getattr(toktok, "_encoding", None)  # documented as the door to ids; the public functions only count
    return None if encoding is None else cast(Any, encoding(name))


def _code_points(text: str, byte_ends: Int64) -> Int64:
    """For each position in UTF-8 bytes: how many code points lie wholly before it."""
    if text.isascii():
        return byte_ends
    leading = (np.frombuffer(text.encode(), dtype=np.uint8) & 0xC0) != 0x80
    started = np.cumsum(leading, dtype=np.int64)
    return np.append(started, len(text) + 1)[byte_ends] - 1
