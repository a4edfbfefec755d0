"""Blocks of a Markdown document that should stay whole, and what their later parts repeat, from its block elements."""

from __future__ import annotations

import re

from udfs.chunking.formats import markdown_introductions as introductions
from udfs.chunking.formats import markdown_rows as rows
from udfs.chunking.formats.markdown_code import code_parts
from udfs.chunking.formats.markdown_edges import line_start
from udfs.chunking.formats.markdown_nodes import (
    CODE,
    FOOTNOTE,
    HEADING,
    HTML,
    ITEM,
    LIST,
    PARAGRAPH,
    QUOTE,
    ROW,
    TABLE,
    Nodes,
)
from udfs.chunking.formats.markdown_tables import caption_start, header_start, join_header_rows
from udfs.chunking.formats.structure import Repeat

_HTML_KIND = re.compile(r"<(?:(table)|(pre))\b", re.IGNORECASE)


def read_blocks(text: str, nodes: Nodes, formulas: dict[int, int]) -> tuple[list[rows.Row], list[Repeat]]:
    """Rows of `structure.Blocks`, in order, and the repeats of lists and tables.

    Args:
        text: the document.
        nodes: its block elements; changed where a paragraph turns out to belong to a table.
        formulas: start and end of each display formula that the parser saw as a comment.
    """
    reader = _Reader(text, nodes, formulas)
    reader.siblings(0, len(nodes.kind), inside_quote=False, cut=rows.BLOCK)
    return reader.out.rows, sorted(reader.out.repeats, key=lambda repeat: (repeat.start, -repeat.end))


class _Reader:
    """One walk over the elements. It descends by calls: elements are no deeper than `markdown_nodes.MAX_DEPTH`."""

    def __init__(self, text: str, nodes: Nodes, formulas: dict[int, int]) -> None:
        self.text = text
        self.nodes = nodes
        self.formulas = formulas
        self.out = rows.Rows()
        self.untitled = {node for node, (_, title) in nodes.headings.items() if not title}
        # What a paragraph may introduce; another paragraph only if it may turn out to be header rows.
        self.introduced = (CODE, LIST, TABLE, PARAGRAPH) if TABLE in nodes.kind else (CODE, LIST)

    def siblings(self, first: int, last: int, *, inside_quote: bool, cut: int) -> None:
        """Blocks of the elements `first` to `last`; a paragraph may go with what follows it."""
        kinds, after, starts = self.nodes.kind, self.nodes.after, self.nodes.start
        node = first
        while node < last:
            following, kind = after[node], kinds[node]
            if kind == HEADING and node not in self.untitled:
                pass
            elif kind != PARAGRAPH:
                self.element(node, line_start(self.text, starts[node]), -1, cut)
            else:
                introduces = following < last and kinds[following] in self.introduced
                begin = self.introduction(node, following, last) if introduces else None
                if inside_quote:
                    self.paragraph(node, begin)
                if begin is not None:
                    self.element(following, begin, node, cut)
                    following = after[following]
            node = following

    def element(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """The block of one element, with its introduction from `begin` in `paragraph` (-1: none)."""
        kind = self.nodes.kind[node]
        if kind == CODE:
            self.code(node, begin, paragraph, cut)
        elif kind == HTML:
            self.html(node, begin)
        elif kind == LIST:
            self.whole_list(node, begin, paragraph, cut)
        elif kind == TABLE:
            self.table(node, begin, paragraph, cut)
        elif kind in (QUOTE, FOOTNOTE):
            self.quote(node, begin, cut)
        elif kind == HEADING:
            self.out.add(begin, self.nodes.end[node], rows.PROSE, cut)

    def introduction(self, paragraph: int, node: int, last: int) -> int | None:
        """Where in a paragraph the introduction of the element after it begins; None if it introduces nothing."""
        kinds, after = self.nodes.kind, self.nodes.after
        if kinds[node] == PARAGRAPH and after[node] < last and kinds[after[node]] == TABLE:
            join_header_rows(self.text, self.nodes, node)
        kind = kinds[node]
        start, end = self.nodes.start[paragraph], self.nodes.end[paragraph]
        if kind == PARAGRAPH or start >= end:
            return None
        if kind == TABLE:
            return caption_start(self.text, start, end, self.nodes.start[node])
        introduces = introductions.ends_with_colon(self.text, start, end)
        if introduces or (kind == CODE and introductions.is_lone_sentence(self.text, start, end)):
            return introductions.introduction_start(self.text, start, end)
        return None

    def paragraph(self, node: int, introduction: int | None) -> None:
        """A paragraph as a block, without the introduction that goes with the next one."""
        start, end = line_start(self.text, self.nodes.start[node]), self.nodes.end[node]
        if introduction is not None:
            end = start + len(self.text[start:introduction].rstrip())
        self.out.open(start, end, rows.PROSE, rows.PARAGRAPH)
        self.out.close(end)

    def whole_list(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """A list: an item each; the introduction goes with the first and is repeated from the second on."""
        nodes, out, text = self.nodes, self.out, self.text
        end = nodes.end[node]
        begin = out.open(begin, end, rows.LIST, cut)
        items = self.items(node)
        cut = rows.PARAGRAPH if self.is_loose(items) else rows.LINE
        for item in items:
            following, item_end = nodes.after[item], nodes.end[item]
            if item != items[0]:
                begin = line_start(text, nodes.start[item])
                if item == items[1]:
                    out.repeat(max(begin, out.floor), end, self.words_before(node, paragraph))
                if following == item + 1:
                    out.add(begin, item_end, rows.LIST, cut)
                    continue
            out.open(begin, item_end, rows.LIST, cut)
            self.siblings(item + 1, following, inside_quote=False, cut=cut)
            out.close(item_end)
        out.close(end)

    def words_before(self, node: int, paragraph: int) -> str:
        """What introduces a list: a paragraph, or the words of the item that it stands in, if they end with a colon."""
        text, nodes = self.text, self.nodes
        if paragraph >= 0:
            return introductions.repeated(text, nodes.start[paragraph], nodes.end[paragraph])
        if node == 0 or nodes.kind[node - 1] != ITEM or nodes.after[node - 1] <= node:
            return ""
        start = nodes.start[node - 1]
        end = start + len(text[start : nodes.start[node]].rstrip())
        return introductions.repeated(text, start, end) if introductions.ends_with_colon(text, start, end) else ""

    def items(self, node: int) -> list[int]:
        """The items of a list."""
        found = []
        item, last = node + 1, self.nodes.after[node]
        while item < last:
            found.append(item)
            item = self.nodes.after[item]
        return found

    def is_loose(self, items: list[int]) -> bool:
        """Whether blank lines part the items of a list: only then the parser sees paragraphs in them."""
        kinds, after = self.nodes.kind, self.nodes.after
        return any(after[item] > item + 1 and kinds[item + 1] == PARAGRAPH for item in items)

    def code(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """Code; with an introduction, the code itself is a child, for where both do not fit together."""
        start, end = self.nodes.start[node], self.nodes.end[node]
        self.out.open(begin, end, rows.CODE, cut)
        if paragraph >= 0:
            self.out.open(line_start(self.text, start), end, rows.CODE, rows.LINE)
        for part_start, part_end in code_parts(self.text, start, end):
            self.out.add(part_start, part_end, rows.CODE, rows.PARAGRAPH)
        self.out.close(end)

    def table(self, node: int, begin: int, paragraph: int, cut: int) -> None:
        """A table, a row each; caption and header go with the first row, the header is repeated from the second on."""
        text, nodes, out = self.text, self.nodes, self.out
        start, end = nodes.start[node], nodes.end[node]
        header = header_start(text, start if paragraph < 0 else nodes.start[paragraph], start)
        begin = out.open(min(begin, header), end, rows.TABLE, cut)
        body = [row for row in range(node + 1, nodes.after[node]) if nodes.kind[row] == ROW]
        starts = [line_start(text, nodes.start[row]) for row in body]
        if body:
            out.open(begin, nodes.end[body[0]], rows.TABLE, rows.LINE)
            out.close(nodes.end[body[0]])
        if len(body) > 1:
            out.repeat(max(starts[1], out.floor), end, text[header : starts[0]].rstrip("\r\n"))
        for row, start in zip(body[1:], starts[1:], strict=True):
            out.add(start, nodes.end[row], rows.TABLE, rows.LINE)
        out.close(end)

    def quote(self, node: int, begin: int, cut: int) -> None:
        """A quote or a footnote: its paragraphs and blocks are children."""
        nodes = self.nodes
        self.out.open(begin, nodes.end[node], rows.PROSE, cut)
        if nodes.kind[node] == FOOTNOTE and nodes.after[node] > node + 1:
            nodes.start[node + 1] = nodes.start[node]  # its mark goes with its first paragraph
        self.siblings(node + 1, nodes.after[node], inside_quote=True, cut=rows.PARAGRAPH)
        self.out.close(nodes.end[node])

    def html(self, node: int, begin: int) -> None:
        """A formula, or an HTML block of several lines; one of one line is a line like others."""
        start = self.nodes.start[node]
        end = self.formulas.get(start, self.nodes.end[node])
        if self.text.find("\n", start, end) >= 0:
            match = _HTML_KIND.match(self.text, start, end)
            kind = rows.PROSE if match is None else rows.TABLE if match.group(1) else rows.CODE
            self.out.add(begin, end, kind, rows.PARAGRAPH)
