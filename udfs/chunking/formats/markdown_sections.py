"""Headings of a Markdown document."""

from __future__ import annotations

import html
import re

from udfs.chunking.characters import is_blank
from udfs.chunking.formats.headings import Heading
from udfs.chunking.formats.markdown_edges import line_start
from udfs.chunking.formats.markdown_nodes import Nodes

_HTML_HEADING = re.compile(r"<h([1-6])(?:\s[^<>]*)?>(.*?)</h\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


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
