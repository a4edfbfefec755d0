"""Tables: which hold data and which only lay out a page, and data tables as rows of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from udfs.chunking.formats.html_source import attributes

# A cell over several columns is followed by at most so many empty ones.
MAX_SPAN = 64
# Text of a cell over several rows is repeated in each row if it is no longer than this.
MAX_REPEATED_CELL = 80
# For each cell of its own, a table may hold so much text of cells over several rows: it must not outgrow its source.
ROOM_FOR_SPANS = 200
# A table without a header whose cells hold more than this on average only lays out a page.
MAX_PLAIN_CELL = 200

_TABLE, _ROW, _CELL, _HEADER_CELL, _HEAD, _LAYOUT = range(6)
_NAMES = {
    "table": _TABLE,
    "tr": _ROW,
    "td": _CELL,
    "th": _HEADER_CELL,
    "thead": _HEAD,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "pre", "blockquote", "p"), _LAYOUT),
}
_MARKS = {
    **_NAMES,
    **{name.upper(): kind for name, kind in _NAMES.items()},
    **{f"/{name}": kind for name, kind in (("table", _TABLE), ("TABLE", _TABLE))},
}


@dataclass
class _Survey:
    """What was seen of a table so far."""

    token: int
    has_header: bool = False
    has_blocks: bool = False
    has_table: bool = False
    is_layout: bool = False
    cells: int = 0
    cells_of_row: int = 0
    columns: int = 0

    def holds_data(self, length: int) -> bool:
        if self.has_table or self.is_layout or self.columns < 2:
            return False
        return self.has_header or not (self.has_blocks or length > MAX_PLAIN_CELL * self.cells)


def data_tables(tokens: Sequence[str]) -> set[int]:
    """The tags (as indexes of their names in `tokens`) of the tables that hold data.

    Layout tables are those with other tables in them, those of one column, those that
    say so (`role=presentation`), and those without a header whose cells hold blocks or long text.
    """
    found: set[int] = set()
    names = tokens[1::3]
    open_tables: list[_Survey] = []
    for index, name in enumerate(names):
        mark = _MARKS.get(name)
        if mark is None:
            continue
        token = 3 * index + 1
        if mark != _TABLE:
            if open_tables:
                _note(open_tables[-1], mark)
        elif name.startswith("/"):
            if open_tables:
                _close(open_tables.pop(), tokens, token, found)
        else:
            if open_tables:
                open_tables[-1].has_table = True
            open_tables.append(_Survey(token, is_layout=_is_presentation(tokens[token + 1])))
    if open_tables:
        _close(open_tables.pop(), tokens, len(tokens), found)
    return found


def _is_presentation(attribute_text: str) -> bool:
    return "role" in attribute_text and attributes(attribute_text).get("role") in ("presentation", "none")


def _note(table: _Survey, mark: int) -> None:
    if mark == _ROW:
        table.cells_of_row = 0
    elif mark in (_CELL, _HEADER_CELL):
        table.cells += 1
        table.cells_of_row += 1
        table.columns = max(table.columns, table.cells_of_row)
        table.has_header |= mark == _HEADER_CELL
    elif mark == _HEAD:
        table.has_header = True
    else:
        table.has_blocks = True


def _close(table: _Survey, tokens: Sequence[str], end: int, found: set[int]) -> None:
    length = 0
    if not table.has_header and not table.has_table:  # so no text is added up twice
        length = sum(map(len, tokens[table.token + 2 : end : 3]))
    if table.holds_data(length):
        found.add(table.token)


@dataclass
class Table:
    """A data table that is being read, row by row."""

    caption: str = ""
    stray: list[str] = field(default_factory=list)  # text outside cells: browsers show it before the table
    rows: list[list[str]] = field(default_factory=list)
    header_rows: int = 0
    row: list[str] | None = None
    in_head: bool = False
    spans: dict[int, tuple[int, str]] = field(default_factory=dict)  # column -> rows to go, text
    only_headers: bool = True
    span_of_columns: int = 1
    span_of_rows: int = 1
    room: int = 0  # how much text cells over several rows may still add

    def start_cell(self, attribute_text: str, *, is_header: bool) -> None:
        """A cell begins."""
        if self.row is None:
            self.start_row()
        self.only_headers &= is_header
        self.span_of_columns = self.span_of_rows = 1
        if "span" in attribute_text.lower():
            found = attributes(attribute_text)
            self.span_of_columns = min(_number(found.get("colspan")), MAX_SPAN)
            self.span_of_rows = _number(found.get("rowspan"))

    def end_cell(self, text: str) -> None:
        """A cell ends."""
        if self.row is None:
            return
        self._fill_spanned()
        if self.span_of_rows > 1:
            repeated = text if len(text) <= MAX_REPEATED_CELL else ""
            self.spans[len(self.row)] = (self.span_of_rows - 1, repeated)
        self.row.append(text)
        self.row.extend([""] * (self.span_of_columns - 1))
        self.room += ROOM_FOR_SPANS

    def start_row(self) -> None:
        """A row begins."""
        self.end_row()
        self.row = []
        self.only_headers = True

    def end_row(self) -> None:
        """A row ends; a row without text is left out."""
        if self.row is None:
            return
        self._fill_spanned()
        if any(self.row):
            if self.header_rows == len(self.rows) and (self.in_head or self.only_headers):
                self.header_rows += 1
            self.rows.append(self.row)
        self.row = None

    def _fill_spanned(self) -> None:
        """Cells of the rows above that reach into this one."""
        while self.row is not None and len(self.row) in self.spans:
            column = len(self.row)
            rows, text = self.spans.pop(column)
            self.room -= len(text) + 3
            if rows > 1 and self.room > 0:
                self.spans[column] = (rows - 1, text)
            self.row.append(text)

    def lines(self) -> list[str]:
        """The rows as text, without the rule between header and body."""
        return [f"| {' | '.join(row)} |" for row in self.rows]

    def rule(self) -> str:
        """The line between header and body."""
        return f"| {' | '.join(['---'] * len(self.rows[self.header_rows - 1]))} |"


def _number(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and 0 < len(value) < 6 and int(value) else 1
