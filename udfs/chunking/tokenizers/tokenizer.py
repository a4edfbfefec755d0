"""What the engine asks of a tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


class Tokenizer(Protocol):
    """Counts and locates tokens. Texts are valid Unicode; names of special tokens in them are ordinary text."""

    @property
    def special_tokens(self) -> int:
        """How many tokens a model puts around each text (such as [CLS] and [SEP]); not part of any count."""

    @property
    def has_seams(self) -> bool:
        """Whether text falls into independent pieces at every seam.

        A seam stands before a space behind anything but white space, before punctuation behind a CJK letter, and
        behind a line feed before anything but white space and a slash.
        Then tokens(a + b) == tokens(a) + tokens(b) for texts that meet at a seam.
        """

    def suited_to(self, points: npt.NDArray[Any]) -> Tokenizer:
        """The same tokenizer, set up for texts of these code points and any part of them."""

    def count(self, texts: Sequence[str]) -> Int32:
        """Tokens of each text, exactly: int32 array of shape (len(texts),)."""

    def token_ends(self, texts: Sequence[str]) -> tuple[Int64, Int64]:
        """Where every token of every text ends.

        Returns:
            ends: int64 array, text after text: how many code points of the texts laid end to end lie wholly before
                the token's end; never falling.
            offsets: int64 array of shape (len(texts) + 1,); text i has the rows offsets[i] to offsets[i + 1].
        """
