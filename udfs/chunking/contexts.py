"""Which context each place of a slab has: headings, a table's header, a list's introduction.

A context depends on where a chunk begins, and on nothing else:

    # Pumps                 (none: the heading is in the text)
    Text.                   Pumps
    ## Limits               Pumps
    | Site | Q1 |           Pumps > Limits
    |------|----|
    | a    | 1  |
    | b    | 2  |           Pumps > Limits, and the table's header

So a document falls into regions of one context each, and every context is measured once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from udfs.chunking.embed_template import Context, EmbedTemplate
from udfs.chunking.outline import Outline, around
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]

Measure = Callable[[Sequence[str]], Sequence[int]]
"""How many units each text has."""

CUT_MARK = "\u2026"
# A unit has at most about so many code points: of a longer part only the end is looked at.
_POINTS_PER_UNIT = 16


class Contexts:
    """The contexts of a slab: that of region i holds for chunks that begin in [starts[i], starts[i + 1]).

    Attributes:
        prefixes: what stands in front of the text of such a chunk; empty for none.
    """

    def __init__(self, starts: list[int], prefixes: list[str]) -> None:
        self._starts = starts
        self._begin = np.array(starts, dtype=np.int64)
        self.prefixes = prefixes

    def region(self, position: int) -> int:
        """The region in which a position lies."""
        return bisect_right(self._starts, position) - 1

    def regions(self, positions: Int64) -> Int64:
        """The region in which each position lies."""
        return np.searchsorted(self._begin, positions, side="right") - 1


def contexts_of(
    slab: Slab, outline: Outline, titles: Sequence[str], template: EmbedTemplate, most: int, measure: Measure
) -> Contexts:
    """The contexts of every place of a slab.

    Args:
        slab: the documents.
        outline: what is known of them.
        titles: of each document; empty if it has none.
        template: what is put in front, and how.
        most: the most units that a context may take; a longer one loses its outermost parts, and says so.
        measure: counts units.
    """
    found = [(start, template.wanted(context)) for start, context in _regions(slab, outline, titles)]
    prefixes = dict.fromkeys(context for _, context in found)
    shorten = _Shortener(template, most, measure)
    rendered = {context: template.prefix(shorten.parts(context)) for context in prefixes}
    sizes = dict(zip(rendered, measure(list(rendered.values())), strict=True))
    for context, size in sizes.items():
        if size > most:
            rendered[context] = shorten.prefix(context)
    return Contexts([start for start, _ in found], [rendered[context] for _, context in found])


def _regions(slab: Slab, outline: Outline, titles: Sequence[str]) -> Iterator[tuple[int, Context]]:
    """Each place where the context may change, and the context from there on."""
    title_at = dict(zip(slab.first.tolist(), titles, strict=True))
    edges = [edge for part in outline.parts for edge in part[:3]]
    edges += [edge for repeat in outline.repeats for edge in repeat[:2]]
    places = sorted({0, *title_at, *edges})
    title = ""
    inside = zip(around(outline.parts, places), around(outline.repeats, places), strict=True)
    for place, (parts, repeats) in zip(places, inside, strict=True):
        title = title_at.get(place, title)
        headings: tuple[str, ...] = ()
        if parts:  # a chunk that begins with a heading has it in its text
            headings = parts[-1].path if place >= parts[-1].body else parts[-1].path[:-1]
        yield place, Context(title, headings, tuple(repeat.text for repeat in repeats))


class _Shortener:
    """Makes contexts fit: the outermost parts go first, then the beginning of the one that is left."""

    def __init__(self, template: EmbedTemplate, most: int, measure: Measure) -> None:
        self._template, self._most, self._measure = template, most, measure

    def parts(self, context: Context) -> Context:
        """The context without the beginnings of parts that are far too long anyway."""
        bound = self._most * _POINTS_PER_UNIT
        return Context(
            _end_of(context.title, bound),
            tuple(_end_of(heading, bound) for heading in context.headings),
            tuple(_end_of(repeat, bound) for repeat in context.repeats),
        )

    def prefix(self, context: Context) -> str:
        """As much of the context as fits, marked as cut; empty if nothing does."""
        rest = self.parts(context)
        while shorter := rest.without_outermost():
            rest = shorter
            if fitting := self._fitting(rest._replace(headings=(CUT_MARK, *rest.headings))):
                return fitting
        length = len("".join((rest.title, *rest.headings, *rest.repeats)))
        while length > 1:
            length = length * 2 // 3
            if fitting := self._fitting(
                Context(
                    _end_of(rest.title, length),
                    tuple(_end_of(heading, length) for heading in rest.headings),
                    tuple(_end_of(repeat, length) for repeat in rest.repeats),
                )
            ):
                return fitting
        return ""

    def _fitting(self, context: Context) -> str:
        prefix = self._template.prefix(context)
        return prefix if self._measure([prefix])[0] <= self._most else ""


def _end_of(text: str, length: int) -> str:
    return text if len(text) <= length else CUT_MARK + text[-length:]
