"""Headings of a Markdown document as sections."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from udfs.chunking.characters import is_blank
from udfs.chunking.formats.markdown_edges import line_start
from udfs.chunking.formats.markdown_nodes import Nodes
from udfs.chunking.formats.structure import Section

_HTML_HEADING = re.compile(r"<h([1-6])(?:\s[^<>]*)?>(.*?)</h\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


class Heading(NamedTuple):
    """A heading at the top level of the document. An empty title makes no section."""

    start: int
    body: int
    level: int
    title: str


def headings(text: str, nodes: Nodes) -> list[Heading]:
    """The headings of the top level, also those that are HTML, in order."""
    found = []
    for node in nodes.headings:
        level, title = nodes.headings[node]
        start = line_start(text, nodes.start[node])
        found.append(Heading(start, nodes.end[node], level, title))
    if nodes.html:
        html_headings = [_html_heading(text, nodes.start[node], nodes.end[node]) for node in nodes.html]
        found += [heading for heading in html_headings if heading]
        found.sort()
    return found


def _html_heading(text: str, start: int, end: int) -> Heading | None:
    """The heading that an HTML block begins with, if it does and the heading has words."""
    if text[start + 1 : start + 2] not in ("h", "H"):
        return None
    match = _HTML_HEADING.match(text, start, end)
    if not match:
        return None
    title = " ".join(html.unescape(_TAG.sub("", match.group(2))).split())
    return None if is_blank(title) else Heading(line_start(text, start), match.end(), int(match.group(1)), title)


def sections(found: list[Heading], length: int) -> list[Section]:
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
