"""How much lies between two positions: in tokens or in characters.

A ruler estimates without counting anything anew: each document is encoded once,
and the ends of its tokens are the marks of the ruler. The estimate is off by a
token or two where a cut falls inside a token; `packing` counts final texts exactly.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Protocol

import numpy as np
import numpy.typing as npt

from udfs.chunking.contexts import Contexts, Measure
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import Tokenizer

Int64 = npt.NDArray[np.int64]


class Ruler(Protocol):
    """Positions and distances within one document of a slab."""

    def reach(self, document: int, start: int, units: int) -> int:
        """The furthest position such that `units` hold all from `start` to it."""

    def back(self, document: int, end: int, units: int) -> int:
        """The earliest position such that `units` hold all from it to `end`."""

    def span(self, start: Int64, end: Int64) -> Int64:
        """The units of each stretch [start, end), each within one document."""


class CharacterRuler:
    """A ruler whose unit is the code point."""

    def __init__(self, slab: Slab) -> None:
        self._first, self._stop = slab.first.tolist(), slab.stop.tolist()

    def reach(self, document: int, start: int, units: int) -> int:
        """See `Ruler`."""
        return int(min(start + units, self._stop[document]))

    def back(self, document: int, end: int, units: int) -> int:
        """See `Ruler`."""
        return int(max(end - units, self._first[document]))

    def span(self, start: Int64, end: Int64) -> Int64:
        """See `Ruler`."""
        return end - start


class CappedRuler:
    """A ruler in one unit that never reaches further than a number of another unit allows."""

    def __init__(self, ruler: Ruler, other: Ruler, cap: int) -> None:
        self._ruler, self._other, self._cap = ruler, other, cap

    def reach(self, document: int, start: int, units: int) -> int:
        """See `Ruler`."""
        return min(self._ruler.reach(document, start, units), self._other.reach(document, start, self._cap))

    def back(self, document: int, end: int, units: int) -> int:
        """See `Ruler`; at most half of what the other unit allows, so that every chunk brings something new."""
        return max(self._ruler.back(document, end, units), self._other.back(document, end, self._cap // 2))

    def span(self, start: Int64, end: Int64) -> Int64:
        """See `Ruler`; more than any limit where the other unit does not allow the stretch."""
        over = self._other.span(start, end) > self._cap
        return np.where(over, np.iinfo(np.int64).max, self._ruler.span(start, end))


class ContextRuler:
    """A ruler for chunks that bear a context in front: it takes its part of the units.

    Args:
        ruler: measures the text.
        contexts: of the slab.
        sizes: the units of each context.
    """

    def __init__(self, ruler: Ruler, contexts: Contexts, sizes: ContextSizes) -> None:
        self._ruler, self._contexts, self._sizes = ruler, contexts, sizes

    def reach(self, document: int, start: int, units: int) -> int:
        """See `Ruler`."""
        return self._ruler.reach(document, start, max(0, units - self._sizes.of(self._contexts.number_at(start))))

    def back(self, document: int, end: int, units: int) -> int:
        """See `Ruler`; what chunks share bears no context."""
        return self._ruler.back(document, end, units)

    def span(self, start: Int64, end: Int64) -> Int64:
        """See `Ruler`."""
        numbers = self._contexts.numbers_at(start).tolist()
        context = np.fromiter(map(self._sizes.of, numbers), np.int64, len(numbers))
        return self._ruler.span(start, end) + context


class ContextSizes:
    """The units of the contexts of a slab, each measured once.

    Args:
        contexts: of the slab.
        measure: counts units; None: those that the contexts were measured in.
    """

    def __init__(self, contexts: Contexts, measure: Measure | None = None) -> None:
        self._contexts, self._measure = contexts, measure
        self._known = contexts.units if measure is None else []

    def of(self, number: int) -> int:
        """The units of a context, by its number."""
        while self._measure is not None and len(self._known) <= number:
            self._known.append(self._measure(self._contexts.prefixes[len(self._known)]))
        return self._known[number]


class TokenRuler:
    """A ruler whose unit is the token of the encoded document.

    Attributes:
        ends: for each token of the slab, how many code points lie wholly before its end.
    """

    def __init__(self, slab: Slab, tokenizer: Tokenizer) -> None:
        ends, offsets = tokenizer.token_ends(slab.texts)
        ends += np.repeat(np.arange(1, len(slab.texts) + 1), np.diff(offsets))  # the partings
        self.ends = ends
        self._ends = self.ends.data
        self._tokens = offsets.tolist()
        self._first, self._stop = slab.first.tolist(), slab.stop.tolist()

    def reach(self, document: int, start: int, units: int) -> int:
        """See `Ruler`."""
        if units == 0:
            return start
        low, high = self._tokens[document], self._tokens[document + 1]
        last = bisect_right(self._ends, start, low, high) + units - 1
        return int(self._stop[document] if last >= high - 1 else self._ends[last])

    def back(self, document: int, end: int, units: int) -> int:
        """See `Ruler`."""
        if units == 0:
            return end
        low, high = self._tokens[document], self._tokens[document + 1]
        before = bisect_left(self._ends, end, low, high) - units
        return int(self._first[document] if before < low else self._ends[before])

    def span(self, start: Int64, end: Int64) -> Int64:
        """See `Ruler`."""
        return 1 + np.searchsorted(self.ends, end) - np.searchsorted(self.ends, start, side="right")
