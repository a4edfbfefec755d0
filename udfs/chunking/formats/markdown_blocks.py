"""Blocks of a Markdown document that should stay whole, and what their later parts repeat, from its block elements."""

from __future__ import annotations

import re

from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats import markdown_introductions as introductions
from udfs.chunking.formats.markdown_edges import line_start
from udfs.chunking.formats.markdown_nodes import (
    CODE,
    FOOTNOTE,
    HEADING,
    HTML,
    LIST,
    PARAGRAPH,
    QUOTE,
    ROW,
    TABLE,
    Nodes,
)
from udfs.chunking.formats.markdown_tables import header_start, join_header_rows
from udfs.chunking.formats.structure import Repeat

Row = tuple[int, int, int, int]

_PROSE, _CODE, _TABLE, _LIST = (KINDS.index(kind) for kind in ("prose", "code", "table", "list"))
_BLOCK, _PARAGRAPH, _LINE = (CUTS.index(cut) for cut in ("block", "paragraph", "line"))

# Code shorter than this (code points) fits into any chunk: its parts need no blocks.
MIN_CODE_WITH_PARTS = 400

_INTRODUCED = (CODE, LIST, TABLE)

_BLANK_LINE = re.compile(r"\n(?:[ \t]*\r?\n)+")
_HTML_KIND = re.compile(r"<(?:(table)|(pre))\b", re.IGNORECASE)


def read_blocks(text: str, nodes: Nodes, formulas: dict[int, int]) -> tuple[list[Row], list[Repeat]]:
    """Rows of `structure.Blocks`, in order, and the repeats of lists and tables.

    Args:
        text: the document.
        nodes: its block elements.
        formulas: start and end of each display formula that the parser saw as a comment.
    """
    if TABLE in nodes.kind:
        join_header_rows(text, nodes)
    reader = _Reader(text, nodes, formulas)
    reader.siblings(0, len(nodes.kind), inside_quote=False, cut=_BLOCK)
    return reader.rows, sorted(reader.repeats, key=lambda repeat: (repeat.start, -repeat.end))


class _Reader:
    """One walk over the elements. `floor` is where the next block may begin: blocks never overlap, whatever the text.

    The walk descends by calls; elements are no deeper than `markdown_nodes.MAX_DEPTH`.
    """

    def __init__(self, text: str, nodes: Nodes, formulas: dict[int, int]) -> None:
        self.text = text
        self.nodes = nodes
        self.formulas = formulas
        self.rows: list[Row] = []
        self.repeats: list[Repeat] = []
        self.floor = 0

    def siblings(self, first: int, last: int, *, inside_quote: bool, cut: int) -> None:
        """Blocks of the elements `first` to `last`; a paragraph may go with what follows it."""
        kinds, after = self.nodes.kind, self.nodes.after
        node = first
        while node < last:
            following = after[node]
            kind = kinds[node]
            if kind != PARAGRAPH:
                self.element(node, line_start(self.text, self.nodes.start[node]), -1, cut)
                node = following
                continue
            introduces = following < last and kinds[following] in _INTRODUCED
            begin = self.introduction(node, following) if introduces else None
            if inside_quote:
                self.paragraph(node, begin)
            if begin is not None:
                self.element(following, begin, node, cut)
                following = after[following]
            node = following

    def paragraph(self, node: int, introduction: int | None) -> None:
        """A paragraph as a block, without the introduction that goes with the next one."""
        start, end = line_start(self.text, self.nodes.start[node]), self.nodes.end[node]
        if introduction is not None:
            end = start + len(self.text[start:introduction].rstrip())
        self.block(start, end, _PROSE, _PARAGRAPH)
        self.close(end)

    def introduction(self, paragraph: int, node: int) -> int | None:
        """Where in a paragraph the introduction of the element after it begins; None if it introduces nothing."""
        text, start, end = self.text, self.nodes.start[paragraph], self.nodes.end[paragraph]
        kind = self.nodes.kind[node]
        if start >= end:
            return None
        introduces = introductions.ends_with_colon(text, start, end)
        if kind == CODE:
            introduces = introduces or introductions.is_lone_sentence(text, start, end)
        elif kind == TABLE:
            table = self.nodes.start[node]
            header = header_start(text, start, table)
            if header < line_start(text, table):
                return self.caption_start(start, header)
            adjacent = text.count("\n", end, table) == 1
            introduces = introduces or adjacent or introductions.is_label(text, start, end)
        begin = introductions.sentence_start(text, start, end) if introduces else None
        return None if begin is None else line_start(text, begin)

    def caption_start(self, start: int, header: int) -> int:
        """Where the caption begins that stands directly before header rows; the header if there is none."""
        end = start + len(self.text[start:header].rstrip())
        begin = introductions.sentence_start(self.text, start, end) if end > start else None
        return header if begin is None else line_start(self.text, begin)

    def element(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """The block of one element, with its introduction from `begin` in `paragraph` (-1: none)."""
        kind = self.nodes.kind[node]
        if kind == LIST:
            self.list(node, begin, paragraph, cut)
        elif kind == CODE:
            self.code(node, begin, paragraph, cut)
        elif kind == TABLE:
            self.table(node, begin, paragraph, cut)
        elif kind in (QUOTE, FOOTNOTE):
            self.quote(node, begin, cut)
        elif kind == HTML:
            self.html(node, begin)
        elif kind == HEADING and self.nodes.headings.get(node, (1, "title"))[1] == "":
            self.block(begin, self.nodes.end[node], _PROSE, cut)
            self.close(self.nodes.end[node])

    def block(self, start: int, end: int, kind: int, cut: int) -> int:
        """Adds a block and gives its start: not before `floor`, which moves there. Adds nothing that is empty."""
        start = max(start, self.floor)
        if start >= end:
            return start
        self.floor = start
        if self.rows and self.rows[-1][:2] == (start, end):  # all that its parent holds
            parent = self.rows.pop()
            kind, cut = parent[2] or kind, min(parent[3], cut)
        self.rows.append((start, end, kind, cut))
        return start

    def close(self, end: int) -> None:
        self.floor = max(self.floor, end)

    def list(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """A list: an item each; the introduction goes with the first and is repeated from the second on."""
        nodes, text = self.nodes, self.text
        end, last = nodes.end[node], nodes.after[node]
        begin = self.block(begin, end, _LIST, cut)
        items = []
        item = node + 1
        while item < last:
            items.append(item)
            item = nodes.after[item]
        loose = any(nodes.after[item] > item + 1 and nodes.kind[item + 1] == PARAGRAPH for item in items)
        item_cut = _PARAGRAPH if loose else _LINE
        for item in items:
            start = begin if item == node + 1 else line_start(text, nodes.start[item])
            start = self.block(start, nodes.end[item], _LIST, item_cut)
            if item != node + 1 and item == items[1] and paragraph >= 0:
                self.repeat(start, end, introductions.repeated(text, nodes.start[paragraph], nodes.end[paragraph]))
            self.siblings(item + 1, nodes.after[item], inside_quote=False, cut=item_cut)
            self.close(nodes.end[item])
        self.close(end)

    def repeat(self, start: int, end: int, words: str) -> None:
        if words and start < end:
            self.repeats.append(Repeat(start, end, words))

    def code(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """Code; with an introduction, the code itself is a child, for where both do not fit together."""
        start, end = self.nodes.start[node], self.nodes.end[node]
        self.block(begin, end, _CODE, cut)
        if paragraph >= 0:
            self.block(line_start(self.text, start), end, _CODE, _LINE)
        if end - start >= MIN_CODE_WITH_PARTS:
            self.code_parts(start, end)
        self.close(end)

    def code_parts(self, start: int, end: int) -> None:
        """A child for each part of code that begins behind a blank line and is not indented: functions, mostly."""
        text = self.text
        last_line = text.rfind("\n", start, end) + 1
        indentation = start - line_start(text, start)
        part = start
        for blank in _BLANK_LINE.finditer(text, start, last_line):
            following = blank.end() + indentation
            if following < last_line and not text[following].isspace():
                self.block(line_start(text, part), part + len(text[part : blank.start()].rstrip()), _CODE, _PARAGRAPH)
                self.close(blank.start())
                part = blank.end()
        if part > start:
            self.block(part, end, _CODE, _PARAGRAPH)

    def table(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """A table, a row each; caption and header go with the first row, the header is repeated from the second on."""
        text, nodes = self.text, self.nodes
        start, end = nodes.start[node], nodes.end[node]
        header = line_start(text, start)
        if paragraph >= 0:
            header = min(header, header_start(text, nodes.start[paragraph], start))
        begin = self.block(min(begin, header), end, _TABLE, cut)
        rows = [row for row in range(node + 1, nodes.after[node]) if nodes.kind[row] == ROW]
        for row in rows:
            at = line_start(text, nodes.start[row])
            at = self.block(begin if row == rows[0] else at, nodes.end[row], _TABLE, _LINE)
            if len(rows) > 1 and row == rows[1]:
                self.repeat(at, end, text[header : line_start(text, nodes.start[rows[0]])].rstrip("\r\n"))
            self.close(nodes.end[row])
        self.close(end)

    def quote(self, node: int, begin: int, cut: int) -> None:
        """A quote or a footnote: its paragraphs and blocks are children."""
        end = self.nodes.end[node]
        self.block(begin, end, _PROSE, cut)
        if self.nodes.kind[node] == FOOTNOTE and self.nodes.after[node] > node + 1:
            self.nodes.start[node + 1] = self.nodes.start[node]  # its mark goes with its first paragraph
        self.siblings(node + 1, self.nodes.after[node], inside_quote=True, cut=_PARAGRAPH)
        self.close(end)

    def html(self, node: int, begin: int) -> None:
        """A formula, or an HTML block of several lines; one of one line is a line like others."""
        start = self.nodes.start[node]
        end = self.formulas.get(start, self.nodes.end[node])
        if "\n" in self.text[start:end]:
            match = _HTML_KIND.match(self.text, start, end)
            kind = _PROSE if match is None else _TABLE if match.group(1) else _CODE
            self.block(begin, end, kind, _PARAGRAPH)
            self.close(end)
