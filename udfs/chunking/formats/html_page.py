"""Lists and tables of a page, on top of its paragraphs and headings."""

from __future__ import annotations

from typing import Any

from udfs.chunking.chunk import KINDS
from udfs.chunking.formats import html_elements as elements
from udfs.chunking.formats import html_lists as lists
from udfs.chunking.formats.html_reader import FLOW_HANDLERS, FlowReader
from udfs.chunking.formats.html_source import Source, attributes, clean
from udfs.chunking.formats.html_stack import Element
from udfs.chunking.formats.html_tables import Table, data_tables
from udfs.chunking.formats.html_text import CELLS, FLOW
from udfs.chunking.formats.html_walker import Handlers
from udfs.chunking.formats.html_writer import LINE_BREAK, PARAGRAPH_BREAK
from udfs.chunking.formats.structure import Repeat

TABLE = KINDS.index("table")


class PageReader(FlowReader):
    """Reads a whole page."""

    def __init__(self, source: Source, *, drop: bool) -> None:
        super().__init__(source, drop=drop)
        self.data_tables: set[int] | None = None  # not yet looked for

    # Lists

    def open_list(self, token: int) -> bool:
        """A `ul`, `ol` or `dl`."""
        name = self.tokens[token].lower()
        nested = self.last(*elements.LISTS, "dl") > self.last("td")
        if not self.begin_block(name, LINE_BREAK if nested else PARAGRAPH_BREAK):
            self.open(Element(name))
            return False
        element = Element(name)
        if self.suspect(name, token, element):
            return True
        writer = self.writer
        intro = lists.introduction(writer, self.paragraph)
        number = _first_number(self.tokens[token + 1]) if name == "ol" else None
        element.state = lists.List(number, writer.order(), len(writer.line_starts), intro, nested)
        element.close = self._end_list
        self.open(element)
        self.paragraph = None
        return False

    def _end_list(self, element: Element) -> None:
        self.flush()
        ended: lists.List = element.state
        if ended.group is not None:
            lists.end_item(self.writer, ended, ended.group)
        lists.end_list(self.writer, ended)
        self.writer.part(PARAGRAPH_BREAK)
        self.paragraph = None

    def _around(self, *names: str) -> lists.List | None:
        """The list that an item belongs to."""
        holder = self.holder()
        if holder is None or holder.name not in names:
            return None  # something between a list and its item keeps the item from being one of the list's blocks
        return holder.state if isinstance(holder.state, lists.List) else None

    def open_item(self, _token: int) -> None:
        """An `li`."""
        if not self.begin_block("li", LINE_BREAK):
            self.open(Element("li"))
            return
        around = self._around(*elements.LISTS)
        bullet = around.bullet() if around else "- "
        self.paragraph = None
        self.open(Element("li", self._end_item, (around, lists.start_item(self.writer, around, bullet))))

    def end_item(self, token: int) -> None:
        """The end of an `li`, `dt` or `dd`."""
        self.end(self.tokens[token][1:].lower())
        self.break_line(LINE_BREAK)

    def _end_item(self, element: Element) -> None:
        self.flush()
        lists.end_item(self.writer, *element.state)
        self.writer.part(LINE_BREAK)
        self.paragraph = None

    def open_term(self, token: int) -> None:
        """A `dt` or `dd`."""
        name = self.tokens[token].lower()
        around = self._around("dl") if self.begin_block(name, LINE_BREAK) else None
        if around is None:
            self.break_line(PARAGRAPH_BREAK)
            self.open(Element("dd"))
            return
        if around.group is None or (name == "dt" and around.had_definition):
            if around.group is not None:
                lists.end_item(self.writer, around, around.group)
            around.group, around.had_definition = lists.start_item(self.writer, around, "", indent=0), False
        part = None
        if name == "dd":
            around.had_definition = True
            if self.writer.lead is None:
                self.writer.pending = LINE_BREAK
            part = lists.start_item(self.writer, None, ": ")
        self.paragraph = None
        self.open(Element("dd", self._end_term, part))

    def _end_term(self, element: Element) -> None:
        self.flush()
        if element.state is not None:
            lists.end_item(self.writer, None, element.state)
        self.writer.part(LINE_BREAK)
        self.paragraph = None

    # Tables

    def open_table(self, token: int) -> None:
        """A `table`."""
        if self.begin_block("table"):
            if self.data_tables is None:
                self.data_tables = data_tables(self.tokens)
            if token in self.data_tables:
                intro = lists.introduction(self.writer, self.paragraph)
                self.mode = CELLS
                self.open(Element("table", self._end_table, (Table(), intro)))
                return
            self.paragraph = None
        self.open(Element("table"))

    def _table(self) -> Table | None:
        """The data table that is being read."""
        place = self.last("table")
        state = self.stack[place].state if place >= 0 else None
        return state[0] if state else None

    def _take_stray(self, table: Table) -> None:
        """Text of a table that stands in no cell."""
        text = clean("".join(self.buffer))
        self.buffer.clear()
        if text:
            table.stray.append(text)

    def open_part(self, token: int) -> None:
        """A row, cell, caption or group of rows."""
        name = self.tokens[token].lower()
        self.imply(name)
        table = self._table()
        if table is None:
            self.break_line(PARAGRAPH_BREAK)
            self.paragraph = None if self.mode == FLOW else self.paragraph
            if (name in elements.CELLS or name == "caption") and self.last("table") >= 0:
                self.open(Element("caption" if name == "caption" else "td"))
            return
        self._take_stray(table)
        if name == "tr":
            table.start_row()
        elif name in elements.CELLS:
            table.start_cell(self.tokens[token + 1], is_header=name == "th")
            self.open(Element("td", self._end_cell, table))
        elif name == "caption":
            self.open(Element("caption", self._end_caption, table))
        else:
            table.end_row()
            table.in_head = name == "thead"

    def end_part(self, token: int) -> None:
        """The end of a row, cell, caption or group of rows."""
        name = self.tokens[token][1:].lower()
        self.end(name)
        table = self._table()
        if table is None:
            self.break_line(PARAGRAPH_BREAK)
        elif name not in (*elements.CELLS, "caption"):
            self.imply(name)
            self._take_stray(table)
            table.end_row()
            table.in_head &= name == "tr"

    def _end_cell(self, element: Element) -> None:
        element.state.end_cell(clean("".join(self.buffer)))
        self.buffer.clear()

    def _end_caption(self, element: Element) -> None:
        element.state.caption = clean("".join(self.buffer))
        self.buffer.clear()

    def _end_table(self, element: Element) -> None:
        table: Table
        table, intro = element.state
        self._take_stray(table)
        table.end_row()
        self.mode = FLOW
        for text in table.stray:
            self.writer.line(text)
            self.writer.part(PARAGRAPH_BREAK)
        if table.rows:
            self._write_table(table, None if table.stray else intro)
        elif table.caption:
            self.writer.line(table.caption)
        self.writer.part(PARAGRAPH_BREAK)
        self.paragraph = None

    def _write_table(self, table: Table, intro: lists.Introduction | None) -> None:
        """Caption, header, rule and rows; the first row goes with all that is before it."""
        writer, rows = self.writer, table.lines()
        header = table.header_rows if table.header_rows < len(rows) else 1
        top = rows[:header] + ([table.rule()] if table.header_rows else [])
        order, first = writer.order(), len(writer.line_starts)
        for line in ([table.caption] if table.caption else []) + (top if table.header_rows else []):
            writer.line(line)
        body = rows[header:] if table.header_rows else rows
        placed = [(writer.line(row), writer.size) for row in body]
        start = intro.start if intro else writer.line_starts[first]
        writer.block(start, writer.size, order, TABLE, lists.BLOCK)
        for index, (begin, end) in enumerate(placed):
            writer.block(begin if index else start, end, writer.order(), TABLE, lists.LINE)
        if table.header_rows and len(placed) > 1:
            writer.repeats.append(Repeat(placed[1][0], writer.size, "\n".join(top)))


def _first_number(attribute_text: str) -> int:
    if "start" not in attribute_text.lower():
        return 1
    value: Any = attributes(attribute_text).get("start", "").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 1


_PARTS = ("tr", "caption", *elements.CELLS, *elements.ROW_GROUPS)
PageReader.handlers = Handlers(
    {
        **FLOW_HANDLERS,
        **dict.fromkeys((*elements.LISTS, "dl"), PageReader.open_list),
        **dict.fromkeys(_PARTS, PageReader.open_part),
        **{f"/{name}": PageReader.end_part for name in _PARTS},
        **{f"/{name}": PageReader.end_block for name in (*elements.LISTS, "dl", "table")},
        **{f"/{name}": PageReader.end_item for name in elements.ITEMS},
        "li": PageReader.open_item,
        "dt": PageReader.open_term,
        "dd": PageReader.open_term,
        "table": PageReader.open_table,
    }
)
