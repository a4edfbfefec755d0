"""The block elements of a Markdown document, flat and in reading order, from the parser's stream of events.

The parser is pulldown-cmark, through pyromark: CommonMark and the tables and
footnotes of GitHub, in time that grows linearly with the text. It speaks of bytes
of UTF-8; from here on there are only code points.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from udfs.chunking.characters import is_blank
from udfs.chunking.errors import SettingsError
from udfs.chunking.formats.markdown_edges import end_without_quote_marks, trim_ends

PARAGRAPH, HEADING, CODE, HTML, HEAD, ROW, TABLE, LIST, ITEM, QUOTE, FOOTNOTE = range(11)
_FIRST_CONTAINER = TABLE  # from here on, elements hold others
_KIND_OF_TAG = {
    "Paragraph": PARAGRAPH,
    "Heading": HEADING,
    "BlockQuote": QUOTE,
    "CodeBlock": CODE,
    "HtmlBlock": HTML,
    "List": LIST,
    "Item": ITEM,
    "FootnoteDefinition": FOOTNOTE,
    "Table": TABLE,
    "TableHead": HEAD,
    "TableRow": ROW,
}

# Elements nested deeper are part of the one that holds them: nobody reads so deep, and a text of
# nothing but quote marks must not cost more than its length.
MAX_DEPTH = 16

# An end behind one of the visible characters of ASCII needs no second look.
_LINE_FEED, _FIRST_VISIBLE, _LAST_VISIBLE = b"\n!~"


@dataclass(slots=True)
class Nodes:
    """Block elements in order of their starts, a parent before its children.

    Attributes:
        kind: PARAGRAPH, HEADING ...
        start, end: half-open, code points (bytes of UTF-8 until `parse` is done); the end is behind the last code point
            that is not blank.
        after: index of the next element that is not inside this one.
        headings: of each heading at the top level, by its index: level and title (empty if it has none).
        html: indexes of the HTML blocks at the top level.
    """

    kind: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    headings: dict[int, tuple[int, str]] = field(default_factory=dict)
    html: list[int] = field(default_factory=list)

    def moved(self, by: int) -> Nodes:
        """The same elements in a text that begins so many code points earlier."""
        if not by:
            return self
        starts, ends = ([position + by for position in column] for column in (self.start, self.end))
        return replace(self, start=starts, end=ends)


def parse(text: str) -> Nodes:
    r"""The block elements of a text.

    Raises:
        SettingsError: if the parser is not installed.

    >>> nodes = parse("# A\n\n- b\n")
    >>> nodes.kind == [HEADING, LIST, ITEM], nodes.start, nodes.end, nodes.after, nodes.headings
    (True, [0, 5, 5], [3, 8, 8], [1, 3, 3], {0: (1, 'A')})
    """
    nodes = _collect(iter(_parser()(text)))
    if nodes.kind:
        _place(text, nodes)
    if QUOTE in nodes.kind:
        _end_lists_before_quote_marks(text, nodes)
    return nodes


@lru_cache(maxsize=1)
def _parser() -> Callable[[str], Iterable[tuple[Any, Any]]]:
    try:
        import pyromark  # noqa: PLC0415 - not needed to cut anything else
    except ImportError:
        raise SettingsError("Markdown needs the package pyromark, which is missing: pip install pyromark") from None
    flags = pyromark.Options
    options = flags.ENABLE_TABLES | flags.ENABLE_FOOTNOTES | flags.ENABLE_STRIKETHROUGH
    return pyromark.Markdown(options=options).events_with_range


def _collect(events: Iterator[tuple[Any, Any]]) -> Nodes:
    """Block elements with positions in bytes. Most events are words within a line: they are passed over first."""
    nodes = Nodes()
    kinds, starts, ends, after = nodes.kind, nodes.start, nodes.end, nodes.after
    kind_of = _KIND_OF_TAG.get
    containers: list[int] = []  # that hold what comes next, outermost first
    container_end = sys.maxsize  # of the innermost
    for event, span in events:
        if "Start" not in event:
            continue
        tag = event["Start"]
        kind = kind_of(tag if tag.__class__ is str else next(iter(tag)))
        if kind is None:
            continue
        start, end = span["start"], span["end"]
        if start >= container_end:
            container_end = _leave(containers, start, nodes)
        if containers:
            if len(containers) >= MAX_DEPTH:
                continue
            end = min(end, container_end)
        elif kind == HEADING:
            nodes.headings[len(kinds)] = int(tag["Heading"]["level"][1]), _title(events)
        elif kind == HTML:
            nodes.html.append(len(kinds))
        if kind >= _FIRST_CONTAINER:
            containers.append(len(kinds))
            container_end = end
        kinds.append(kind)
        starts.append(start)
        ends.append(end)
        after.append(len(kinds))
    _leave(containers, sys.maxsize, nodes)
    return nodes


def _leave(containers: list[int], position: int, nodes: Nodes) -> int:
    """Closes the containers that end at a position or before, and gives the end of the innermost that is left."""
    while containers and position >= nodes.end[containers[-1]]:
        nodes.after[containers.pop()] = len(nodes.kind)
    return nodes.end[containers[-1]] if containers else sys.maxsize


def _title(events: Iterator[tuple[Any, Any]]) -> str:
    """The words of the heading that has just begun, on one line, without markup."""
    parts = []
    for event, _ in events:
        if event.__class__ is str:  # a line break
            parts.append(" ")
            continue
        name, value = next(iter(event.items()))
        if name in ("Text", "Code"):
            parts.append(value)
        elif name == "End" and "Heading" in value:
            break
    title = " ".join("".join(parts).split())
    return title if title.isascii() or not is_blank(title) else ""


def _place(text: str, nodes: Nodes) -> None:
    """Makes positions in bytes of UTF-8 positions in code points, and moves the ends before blanks."""
    octets = text.encode()
    nodes.end = [end - 1 if octets[end - 1] == _LINE_FEED else end for end in nodes.end]
    uncertain = [index for index, end in enumerate(nodes.end) if not _FIRST_VISIBLE <= octets[end - 1] <= _LAST_VISIBLE]
    if len(octets) > len(text):
        continuing = (np.frombuffer(octets, dtype=np.int8) < -64).nonzero()[0]  # the bytes that begin no code point
        positions = np.array((nodes.start, nodes.end), dtype=np.int64)
        positions -= continuing.searchsorted(positions)
        nodes.start, nodes.end = positions.tolist()
    if uncertain:
        trim_ends(text, nodes.end, uncertain)


def _end_lists_before_quote_marks(text: str, nodes: Nodes) -> None:
    """In a quote, the parser gives a list the marks of the empty lines behind it, too."""
    node = 0
    while node < len(nodes.kind):
        if nodes.kind[node] != QUOTE:
            node += 1
            continue
        for inner in range(node + 1, nodes.after[node]):
            if nodes.kind[inner] in (LIST, ITEM):
                nodes.end[inner] = end_without_quote_marks(text, nodes.start[inner], nodes.end[inner])
        node = nodes.after[node]
