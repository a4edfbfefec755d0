"""Header rows of a Markdown table that the parser takes for a paragraph: it knows only the one before the rule."""

from __future__ import annotations

from udfs.chunking.formats.markdown_edges import line_start

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
