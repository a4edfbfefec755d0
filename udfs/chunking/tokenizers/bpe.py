"""Exact token counts: tiktoken is the reference, a faster counter does the work where it is installed.

The fast counter (toktok) gives tiktoken's ids for all text but for letters that
only Unicode 17 knows; text with one of those goes to tiktoken, so counts never
depend on what is installed. Special-token text such as `<|endoftext|>` is
ordinary text to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import tiktoken

from udfs.chunking.characters import code_points
from udfs.chunking.tokenizers.newer_letters import holds_newer_letters
from udfs.chunking.tokenizers.tokenizer import Tokenizer
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

    special_tokens = 0  # these models put nothing around a text
    # In the pattern of each encoding, a space can only begin a piece, and a run of letters ends before punctuation.
    has_seams = True

    def __init__(self, vocabulary: Vocabulary, fast: bool = True) -> None:
        self.name = vocabulary.name
        self._slow = ReferenceCounter(vocabulary)
        self._fast = FastCounter(vocabulary.name) if fast and hasattr(toktok, "_encoding") else None

    @property
    def reference(self) -> tiktoken.Encoding:
        """tiktoken's encoding, from the vocabulary that ships with the package."""
        return self._slow.encoding

    def suited_to(self, points: npt.NDArray[Any]) -> Tokenizer:
        """See `Tokenizer`."""
        return self._slow if self._fast is None or holds_newer_letters(points) else self._fast

    def count(self, texts: Sequence[str]) -> Int32:
        """See `Tokenizer`: `len(encode_ordinary(text))` of each text."""
        return self.suited_to(code_points("".join(texts))).count(texts)

    def token_ends(self, texts: Sequence[str]) -> tuple[Int64, Int64]:
        """See `Tokenizer`."""
        return self.suited_to(code_points("".join(texts))).token_ends(texts)


class ReferenceCounter:
    """tiktoken. Implements `tokenizer.Tokenizer`."""

    special_tokens = 0
    has_seams = True

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @cached_property
    def encoding(self) -> tiktoken.Encoding:
        """Built when first needed: it takes a tenth of a second."""
        return tiktoken.Encoding(
            name=self._vocabulary.name,
            pat_str=self._vocabulary.pattern,
            mergeable_ranks=self._vocabulary.ranks(),
            special_tokens=self._vocabulary.special_tokens,
        )

    def suited_to(self, points: npt.NDArray[Any]) -> Tokenizer:  # noqa: ARG002 - suits all text
        """See `Tokenizer`."""
        return self

    def count(self, texts: Sequence[str]) -> Int32:
        """See `Tokenizer`."""
        return np.fromiter((len(self.encoding.encode_ordinary(text)) for text in texts), np.int32, len(texts))

    def token_ends(self, texts: Sequence[str]) -> tuple[Int64, Int64]:
        """See `Tokenizer`."""
        encoded = [self.encoding.encode_to_numpy(text, disallowed_special=()) for text in texts]
        ids = np.concatenate([np.zeros(0, np.uint32), *encoded])
        return self._points.ends(ids), np.cumsum([0, *map(len, encoded)], dtype=np.int64)

    @cached_property
    def _points(self) -> PointsOfTokens:
        tokens = [b""] * self.encoding.n_vocab
        for token, rank in self._vocabulary.ranks().items():
            tokens[rank] = token
        return PointsOfTokens(tokens)


class FastCounter:
    """toktok. Implements `tokenizer.Tokenizer` for texts without newer letters."""

    special_tokens = 0
    has_seams = True

    def __init__(self, name: str) -> None:
        self._encoding = toktok._encoding(name)  # noqa: SLF001 - documented as the door to ids
        self._points = PointsOfTokens(self._encoding.token_byte_values())

    def suited_to(self, points: npt.NDArray[Any]) -> Tokenizer:  # noqa: ARG002 - the caller has looked
        """See `Tokenizer`."""
        return self

    def count(self, texts: Sequence[str]) -> Int32:
        """See `Tokenizer`."""
        few = len(texts) < _BATCH
        counts = list(map(self._encoding.count, texts)) if few else self._encoding.count_batch(texts, 1, False)
        return np.array(counts, dtype=np.int32)

    def token_ends(self, texts: Sequence[str]) -> tuple[Int64, Int64]:
        """See `Tokenizer`."""
        ids, offsets = self._encoding.encode_batch_to_numpy(texts, 1)
        return self._points.ends(ids), offsets.astype(np.int64, copy=False)


class PointsOfTokens:
    """Where tokens end in code points, from their bytes: no text needs to be looked at.

        bytes of the text    a  c3 a9  b          (U+00E9 has two)
        bytes of the tokens  [a c3] [a9 b]
        points begun            2      1          summed up: 2, 3
        goes on in the next     1      0          wholly before the end: 1, 3

    Args:
        tokens: the bytes of each token, by id.
    """

    def __init__(self, tokens: Sequence[bytes]) -> None:
        content = np.frombuffer(b"".join(tokens), dtype=np.uint8)
        ends = np.cumsum([0, *map(len, tokens)])
        begins_point = np.append((content & 0xC0) != 0x80, True)
        begun_before = np.cumsum(np.append(0, begins_point))
        begun = np.diff(begun_before[ends])
        goes_on = ~begins_point[ends[:-1]]
        # Both in one number, since looking up is what costs.
        self._of_token = (begun << 1 | goes_on).astype(np.uint16)

    def ends(self, ids: npt.NDArray[np.uint32]) -> Int64:
        """How many code points lie wholly before the end of each token of texts laid end to end."""
        of_token = self._of_token.take(ids)
        ends = np.cumsum(of_token >> 1, dtype=np.int64)
        ends[:-1] -= of_token[1:] & 1
        return ends
