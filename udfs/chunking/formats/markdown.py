"""Markdown: headings as sections; code, tables, lists, quotes and formulas as blocks that stay whole.

CommonMark with the tables and footnotes of GitHub; task lists and strikethrough need nothing
of their own. Also: front matter, display formulas, tables with several header rows, and HTML headings
that begin an HTML block. Headings inside quotes and list items belong to these and make no section.
"""

from __future__ import annotations

from udfs.chunking.formats.headings import sections
from udfs.chunking.formats.markdown_blocks import read_blocks
from udfs.chunking.formats.markdown_front_matter import read_front_matter
from udfs.chunking.formats.markdown_math import hide_formulas
from udfs.chunking.formats.markdown_nodes import parse
from udfs.chunking.formats.markdown_sections import headings
from udfs.chunking.formats.structure import Blocks, Removed, Structure

FRONT_MATTER = "front_matter"


def read_markdown(text: str) -> Structure:
    r"""The structure of a Markdown document.

    Args:
        text: any text without lone surrogates. Positions in the result are its code points.

    Raises:
        SettingsError: if the parser (the extra `markdown`) is not installed.

    >>> structure = read_markdown("---\nlang: en\n---\n# Soups\n\nThere are:\n\n- hot\n- cold\n")
    >>> structure.sections
    [Section(start=17, body=24, end=51, level=1, title='Soups')]
    >>> structure.repeats, structure.metadata
    ([Repeat(start=44, end=50, text='There are:')], {'lang': 'en'})
    """
    front = read_front_matter(text)
    begin = front.end or int(text.startswith("\ufeff"))
    body = text[begin:]
    hidden, formulas = hide_formulas(body)
    nodes = parse(hidden).moved(begin)
    found = headings(text, nodes)
    rows, repeats = read_blocks(text, nodes, {start + begin: end + begin for start, end in formulas.items()})
    return Structure(
        sections=sections(found, len(text)),
        blocks=Blocks.of(rows),
        repeats=repeats,
        removed=[Removed(0, front.end, FRONT_MATTER)] if front.end else [],
        metadata=front.metadata,
    )
