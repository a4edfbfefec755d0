"""Which context each place of a slab has: headings, a table's header, a list's introduction.

A context depends on where a chunk begins, and on nothing else:

    # Pumps                 (none: the heading is in the text)
    Text.                   Pumps
    ## Limits               Pumps
    | Site | Q1 |           Pumps > Limits
    |------|----|
    | a    | 1  |
    | b    | 2  |           Pumps > Limits, and the table's header

Contexts are made where a chunk may begin, and only there; each is made and measured once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from udfs.chunking.embed_template import Context, EmbedTemplate
from udfs.chunking.nesting import OUTSIDE
from udfs.chunking.outline import CUT_MARK, Outline
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]

Measure = Callable[[str], int]
"""How many units a text has."""

# A unit has at most about so many code points: of a longer part only the end is looked at.
_POINTS_PER_UNIT = 16


class Contexts:
    """The contexts of a slab.

    Args:
        slab: the documents.
        outline: what is known of them.
        titles: of each document; empty if it has none.
        template: what is put in front, and how.
        most: the most units that a context may take; a longer one loses its outermost parts, and says so.
        measure: counts units.

    Attributes:
        prefixes: what stands in front of the text of a chunk, by the number of its context.
        units: of each prefix, as `measure` counts them.
    """

    def __init__(
        self,
        slab: Slab,
        outline: Outline,
        titles: Sequence[str],
        template: EmbedTemplate,
        most: int,
        measure: Measure,
    ) -> None:
        self._first: list[int] = slab.first.tolist()
        self._outline, self._titles, self._template = outline, titles, template
        self._shortener = _Shortener(template, most, measure)
        self._at: dict[int, int] = {}
        self._places: dict[tuple[int, int, int], int] = {}
        self._contexts: dict[Context, int] = {}
        self.most = most
        self.prefixes: list[str] = []
        self.units: list[int] = []

    def number_at(self, position: int) -> int:
        """The number of the context of a chunk that begins here."""
        if position not in self._at:
            self._at[position] = self._number_at(position)
        return self._at[position]

    def _number_at(self, position: int) -> int:
        sections = self._outline.sections
        section = sections.innermost(position)
        if section != OUTSIDE and position < self._outline.bodies[section]:
            section = sections.parent[section]  # a chunk that begins with a heading has it in its text
        document = bisect_right(self._first, position) - 1
        place = (document, section, self._outline.repeats.innermost(position))
        if place not in self._places:
            self._places[place] = self._number_of(*place)
        return self._places[place]

    def numbers_at(self, positions: Int64) -> Int64:
        """The number of the context of each chunk that begins at one of the positions."""
        return np.fromiter(map(self.number_at, positions.tolist()), np.int64, len(positions))

    def _number_of(self, document: int, section: int, repeat: int) -> int:
        repeats = [self._outline.repeated[index] for index in self._outline.repeats.around(repeat)]
        found = Context(self._titles[document], self._outline.path(section), tuple(repeats[::-1]))
        context = self._template.wanted(found)
        if context not in self._contexts:
            self._contexts[context] = len(self.prefixes)
            prefix, units = self._shortener.shortened(context)
            self.prefixes.append(prefix)
            self.units.append(units)
        return self._contexts[context]


class _Shortener:
    """Makes contexts fit: the outermost parts go first, then the beginning of the one that is left."""

    def __init__(self, template: EmbedTemplate, most: int, measure: Measure) -> None:
        self._template, self._most, self._measure = template, most, measure

    def shortened(self, context: Context) -> tuple[str, int]:
        """As much of the context as fits, marked as cut, and its units; empty if nothing does."""
        bound = self._most * _POINTS_PER_UNIT
        if context.length <= bound and (whole := self._fitting(context)):
            return whole
        rest = context.each(partial(_end_of, length=bound))
        while shorter := rest.without_outermost():
            rest = shorter
            if fitting := self._fitting(rest._replace(headings=(CUT_MARK, *rest.headings))):
                return fitting
        length = rest.length
        while length > 1:
            length = length * 2 // 3
            if fitting := self._fitting(rest.each(partial(_end_of, length=length))):
                return fitting
        return "", 0

    def _fitting(self, context: Context) -> tuple[str, int] | None:
        """What stands in front, and its units; None if it takes too many."""
        prefix = self._template.prefix(context)
        units = self._measure(prefix)
        return (prefix, units) if units <= self._most else None


def _end_of(text: str, length: int) -> str:
    return text if len(text) <= length else CUT_MARK + text[-length:]
