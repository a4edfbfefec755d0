"""Lists while they are read: bullets and numbers, what introduces them, where their items stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats import markdown_introductions as introductions
from udfs.chunking.formats.html_writer import LINE_BREAK, MAX_INDENT, PARAGRAPH_BREAK, Writer
from udfs.chunking.formats.structure import Repeat

LIST = KINDS.index("list")
BLOCK, PARAGRAPH, LINE = (CUTS.index(cut) for cut in ("block", "paragraph", "line"))


class Introduction(NamedTuple):
    """A sentence that introduces a block: where its line begins, and what of it is worth repeating."""

    start: int
    repeated: str


@dataclass
class Item:
    """An item of a list while it is read."""

    order: int
    lines: int  # of the writer, where it begins
    lead: str | None  # of the writer, around it
    indent: str
    blank_lines: int
    first_break: int


@dataclass
class List:
    """A list while it is read.

    Attributes:
        number: of the next item; None in lists without numbers.
        order, lines: of the writer, where the list begins.
        loose: the last item holds several paragraphs, so a blank line follows it.
        items: start, end, order, and cut at the start of each.
    """

    number: int | None
    order: int
    lines: int
    introduction: Introduction | None
    is_nested: bool
    loose: bool = False
    items: list[tuple[int, int, int, int]] = field(default_factory=list)
    group: Item | None = None  # of a definition list: a term and its definitions
    had_definition: bool = False

    def bullet(self) -> str:
        """What stands in front of the next item."""
        if self.number is None:
            return "- "
        self.number += 1
        return f"{self.number - 1}. "


def introduction(writer: Writer, paragraph: tuple[int, str] | None, *, code: bool = False) -> Introduction | None:
    """What introduces a block that begins now: the paragraph before, if it ends with a colon.

    Args:
        writer: the text so far.
        paragraph: start of its line, and text, of the paragraph that ends the text so far.
        code: the block is code, which any short sentence introduces.
    """
    if paragraph is None:
        return None
    start, text = paragraph
    introduces = introductions.ends_with_colon(text, 0, len(text))
    if not introduces and not (code and introductions.is_lone_sentence(text, 0, len(text))):
        return None
    begin = introductions.sentence_start(text, 0, len(text))
    if begin is None:
        return None
    repeated = introductions.repeated(text, 0, len(text))
    return Introduction(start if begin == 0 else writer.size - len(text) + begin, repeated)


def start_item(writer: Writer, around: List | None, bullet: str, *, indent: int | None = None) -> Item:
    """An item begins."""
    if writer.lead is None and around is not None and (around.items or around.group):
        writer.pending = PARAGRAPH_BREAK if around.loose else LINE_BREAK
    first_break = writer.pending if writer.parts else LINE_BREAK
    item = Item(writer.order(), len(writer.line_starts), writer.lead, writer.indent, writer.blank_lines, first_break)
    lead = writer.indent if writer.lead is None else writer.lead
    if len(lead) < 2 * MAX_INDENT:
        writer.lead = lead + bullet
    width = len(bullet) if indent is None else indent
    if len(writer.indent) + width <= MAX_INDENT:
        writer.indent += " " * width
    return item


def end_item(writer: Writer, around: List | None, item: Item) -> None:
    """An item ends; one without text leaves nothing behind."""
    writer.indent = item.indent
    if len(writer.line_starts) == item.lines:
        writer.lead = item.lead
        return
    if around is not None:
        blank_lines = writer.blank_lines - item.blank_lines - (item.first_break == PARAGRAPH_BREAK)
        around.loose = blank_lines > 0
        cut = PARAGRAPH if item.first_break == PARAGRAPH_BREAK and around.items else LINE
        around.items.append((writer.line_starts[item.lines], writer.size, item.order, cut))


def end_list(writer: Writer, ended: List) -> None:
    """A list ends: its blocks, and its introduction for all items but the first."""
    if len(writer.line_starts) == ended.lines or not ended.items:
        return
    intro, items = ended.introduction, ended.items
    start = intro.start if intro else writer.line_starts[ended.lines]
    writer.block(start, writer.size, ended.order, LIST, LINE if ended.is_nested else BLOCK)
    for index, (begin, end, order, cut) in enumerate(items):
        writer.block(start if index == 0 else begin, end, order, LIST, cut)
    if intro and intro.repeated and len(items) > 1:
        writer.repeats.append(Repeat(items[1][0], writer.size, intro.repeated))
