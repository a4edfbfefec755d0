"""Header rows of a Markdown table that the parser takes for a paragraph: it knows only the one before the rule."""

from __future__ import annotations

from udfs.chunking.formats.markdown_edges import line_start
from udfs.chunking.formats.markdown_nodes import HEAD, PARAGRAPH, TABLE, Nodes

# Before a table, more rows than this are a paragraph that happens to hold pipes.
MAX_FURTHER_HEADER_ROWS = 4


def header_start(text: str, paragraph: int, table: int) -> int:
    r"""Where the header rows of a table begin: its first line, or lines with pipes directly before it.

    Args:
        text: the document.
        paragraph: where the paragraph before the table begins.
        table: where the table begins, by the parser: at its last header row.

    >>> header_start("Sites:\n| Item | Jan |\n| | kg |\n|---|---|\n", 0, 22)
    7
    """
    begin = line_start(text, table)
    for _ in range(MAX_FURTHER_HEADER_ROWS):
        line = max(text.rfind("\n", paragraph, max(begin - 1, paragraph)) + 1, paragraph)
        if line >= begin or not text[line : begin - 1].lstrip(" \t>").startswith("|"):
            break
        begin = line
    return line_start(text, begin)


def join_header_rows(text: str, nodes: Nodes) -> None:
    """Makes a paragraph of nothing but header rows the beginning of the table after it."""
    for table, kind in enumerate(nodes.kind):
        paragraph = table - 1
        if kind != TABLE or paragraph < 0 or nodes.kind[paragraph] != PARAGRAPH:
            continue
        start = nodes.start[paragraph]
        if header_start(text, start, nodes.start[table]) <= start:
            nodes.kind[paragraph], nodes.kind[table] = TABLE, HEAD
            nodes.end[paragraph], nodes.after[paragraph] = nodes.end[table], nodes.after[table]
