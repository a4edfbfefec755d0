"""What stands before a table in Markdown: its caption, and header rows that the parser takes for a paragraph.

The parser knows only one header row, the one before the rule.
"""

from __future__ import annotations

from udfs.chunking.formats.markdown_edges import line_start
from udfs.chunking.formats.markdown_introductions import ends_with_colon, introduction_start, is_label
from udfs.chunking.formats.markdown_nodes import HEAD, TABLE, Nodes

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


def join_header_rows(text: str, nodes: Nodes, paragraph: int) -> None:
    """Makes a paragraph the beginning of the table that follows it, if it is nothing but header rows."""
    table = nodes.after[paragraph]
    start = nodes.start[paragraph]
    if header_start(text, start, nodes.start[table]) <= start:
        nodes.kind[paragraph], nodes.kind[table] = TABLE, HEAD
        nodes.end[paragraph], nodes.after[paragraph] = nodes.end[table], nodes.after[table]


def caption_start(text: str, start: int, end: int, table: int) -> int | None:
    """Where, in the paragraph `start` to `end` before a table, its header rows or its caption begin; None: nowhere."""
    header = header_start(text, start, table)
    if header < line_start(text, table):  # header rows, and before them the caption
        end = start + len(text[start:header].rstrip())
        begin = introduction_start(text, start, end) if end > start else None
        return header if begin is None else begin
    adjacent = text.count("\n", end, table) == 1
    if adjacent or ends_with_colon(text, start, end) or is_label(text, start, end):
        return introduction_start(text, start, end)
    return None
