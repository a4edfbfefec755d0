"""Headings, and the sections that they open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from udfs.chunking.formats.structure import Section


class Heading(NamedTuple):
    """A heading of the document, not of a quotation in it. An empty title makes no section."""

    start: int
    body: int  # where it ends
    level: int
    title: str


def sections(found: Sequence[Heading], length: int) -> list[Section]:
    """Each heading with all that stands under it, up to the next heading of its level or a higher one.

    Levels may jump: an h3 under an h1 is its child, and so is the next h3.

    >>> [(s.title, s.end) for s in sections([Heading(0, 1, 1, "a"), Heading(2, 3, 3, "b"), Heading(4, 5, 2, "c")], 9)]
    [('a', 9), ('b', 4), ('c', 9)]
    """
    titled = [heading for heading in found if heading.title]
    ends = [length] * len(titled)
    open_sections: list[int] = []
    for index, heading in enumerate(titled):
        while open_sections and titled[open_sections[-1]].level >= heading.level:
            ends[open_sections.pop()] = heading.start
        open_sections.append(index)
    return [Section(h.start, h.body, end, h.level, h.title) for h, end in zip(titled, ends, strict=True)]
