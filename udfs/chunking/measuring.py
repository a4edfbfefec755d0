"""All that measures a slab: what estimates sizes while packing, and what counts exactly afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.contexts import Contexts
from udfs.chunking.counting import ContextCounter, SeamCounter, StretchCounter, WholeCounter
from udfs.chunking.outline import Outline
from udfs.chunking.packing import Budget
from udfs.chunking.sizes import CappedRuler, CharacterRuler, ContextRuler, ContextSizes, Ruler, TokenRuler
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import Tokenizer
from udfs.chunking.workpiece import Workpiece

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Measures:
    """Of one slab.

    Attributes:
        ruler: estimates sizes of chunks, their contexts included.
        bare_ruler: estimates sizes of text without context.
        counter: counts the tokens of chunks, their contexts included.
        bare_counter: counts the tokens of text without context; the same object where no chunk bears one.
    """

    ruler: Ruler
    bare_ruler: Ruler
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
        bare_ruler = _ruler(CharacterRuler(slab), tokens, budget)
        if contexts is None:
            return cls(bare_ruler, bare_ruler, bare, bare, budget, None)
        # A context may hold letters that the slab does not, so any tokenizer that suits just the slab will not do.
        sizes = ContextSizes(contexts, None if budget.in_tokens else lambda prefix: int(tokenizer.count([prefix])[0]))
        characters = ContextRuler(CharacterRuler(slab), contexts, ContextSizes(contexts, len))
        ruler = _ruler(characters, None if tokens is None else ContextRuler(tokens, contexts, sizes), budget)
        counter = ContextCounter(slab, tokenizer, bare, contexts, sizes)
        return cls(ruler, bare_ruler, counter, bare, budget, contexts)

    def context_length(self, start: int) -> int:
        """The code points of the context of a chunk that begins at `start`."""
        return 0 if self._contexts is None else len(self._contexts.prefixes[self._contexts.number_at(start)])

    def workpiece(self, slab: Slab, outline: Outline) -> Workpiece:
        """The slab with all that measures it."""
        most = 0 if self._contexts is None else self._contexts.most
        return Workpiece(slab, outline, self.ruler, self.bare_ruler, most, self.counter)

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
        prefixes = [found[number] for number in self._contexts.numbers_at(start).tolist()]
        lengths = end - start + np.fromiter(map(len, prefixes), np.int64, len(prefixes))
        for row in np.flatnonzero(self._budget.exceeded(tokens, lengths)).tolist():
            prefixes[row] = ""
            tokens[row] = self.bare_counter.count(start[row : row + 1], end[row : row + 1])[0]
        return tokens, prefixes


def _ruler(characters: Ruler, tokens: Ruler | None, budget: Budget) -> Ruler:
    """The ruler of the budget's units."""
    if tokens is None or budget.max_tokens is None:
        return characters
    return tokens if budget.in_tokens else CappedRuler(characters, tokens, budget.max_tokens)
