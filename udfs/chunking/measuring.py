"""All that measures a slab: what estimates sizes while packing, and what counts exactly afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.contexts import Contexts
from udfs.chunking.counting import ContextCounter, SeamCounter, StretchCounter, WholeCounter
from udfs.chunking.packing import Budget
from udfs.chunking.sizes import CappedRuler, CharacterRuler, ContextRuler, Ruler, TokenRuler
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import Tokenizer

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Measures:
    """Of one slab.

    Attributes:
        ruler: estimates sizes of chunks, their contexts included.
        counter: counts the tokens of chunks, their contexts included.
        bare_counter: counts the tokens of text without context; the same object where no chunk bears one.
    """

    ruler: Ruler
    counter: StretchCounter
    bare_counter: StretchCounter
    _budget: Budget
    _contexts: Contexts | None

    @classmethod
    def of(cls, slab: Slab, tokenizer: Tokenizer, budget: Budget, contexts: Contexts | None) -> Measures:
        """What measures a slab whose chunks bear these contexts."""
        suited = tokenizer.suited_to(slab.points)
        tokens = None if budget.max_tokens is None else TokenRuler(slab, suited)
        bare: StretchCounter = WholeCounter(slab, suited)
        if tokens is not None and suited.has_seams:
            bare = SeamCounter(slab, suited, tokens.ends)
        sizes = [] if contexts is None else _tokens_of(contexts.prefixes, tokenizer)
        ruler = _ruler(CharacterRuler(slab), tokens, budget, contexts, sizes)
        if contexts is None:
            return cls(ruler, bare, bare, budget, None)
        # A context may hold letters that the slab does not, so any tokenizer that suits just the slab will not do.
        return cls(ruler, ContextCounter(slab, tokenizer, bare, contexts, sizes), bare, budget, contexts)

    def with_context(self, tokens: Int32, start: Int64, end: Int64) -> tuple[Int32, list[str] | None]:
        """What stands in front of each chunk, and the tokens of both.

        A context is left out where it does not fit beside a single grapheme that alone does.

        Args:
            tokens: of each chunk, its context included.
            start: where each chunk begins.
            end: where it ends.

        Returns:
            the tokens as they are then; the prefixes, None if no chunk bears any.
        """
        if self._contexts is None:
            return tokens, None
        found = self._contexts.prefixes
        prefixes = [found[region] for region in self._contexts.regions(start).tolist()]
        lengths = end - start + np.fromiter(map(len, prefixes), np.int64, len(prefixes))
        for row in np.flatnonzero(self._budget.exceeded(tokens, lengths)).tolist():
            prefixes[row] = ""
            tokens[row] = self.bare_counter.count(start[row : row + 1], end[row : row + 1])[0]
        return tokens, prefixes


def _tokens_of(prefixes: list[str], tokenizer: Tokenizer) -> list[int]:
    """The tokens of each; many regions have the same context."""
    distinct = list(dict.fromkeys(prefixes))
    tokens = dict(zip(distinct, tokenizer.count(distinct).tolist(), strict=True))
    return [tokens[prefix] for prefix in prefixes]


def _ruler(
    characters: Ruler, tokens: Ruler | None, budget: Budget, contexts: Contexts | None, context_tokens: list[int]
) -> Ruler:
    """The ruler of the budget's units, each with its share of the context."""
    if contexts is not None:
        characters = ContextRuler(characters, contexts, list(map(len, contexts.prefixes)))
        tokens = None if tokens is None else ContextRuler(tokens, contexts, context_tokens)
    if tokens is None or budget.max_tokens is None:
        return characters
    return tokens if budget.in_tokens else CappedRuler(characters, tokens, budget.max_tokens)
