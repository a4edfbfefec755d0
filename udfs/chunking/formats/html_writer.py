"""The canonical text as it grows: lines, their positions, indentation, and what can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from udfs.chunking.formats.headings import Heading
from udfs.chunking.formats.structure import Repeat

LINE_BREAK, PARAGRAPH_BREAK = 1, 2
# Deeper lists are not indented further: indentation must not outgrow the text.
MAX_INDENT = 24


class BlockRow(NamedTuple):
    """A block that was written; `order` is lower for a parent than for its children."""

    start: int
    end: int
    order: int
    kind: int
    cut: int


class Mark(NamedTuple):
    """A state of the writer to go back to."""

    parts: int
    size: int
    pending: int
    lead: str | None
    lines: int
    blank_lines: int
    headings: int
    blocks: int
    repeats: int


@dataclass
class Writer:
    """Collects lines. All positions are code points of the text so far.

    Attributes:
        size: the length of the text so far.
        pending: what parts the next line from the last one: LINE_BREAK or PARAGRAPH_BREAK.
        indent: stands before every line.
        lead: stands before the next line instead of `indent`: a list's bullet.
        line_starts: where each line (of a code block: the first) begins.
    """

    parts: list[str] = field(default_factory=list)
    size: int = 0
    pending: int = PARAGRAPH_BREAK
    indent: str = ""
    lead: str | None = None
    line_starts: list[int] = field(default_factory=list)
    blank_lines: int = 0
    headings: list[Heading] = field(default_factory=list)
    blocks: list[BlockRow] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)
    orders: int = 0

    def part(self, level: int) -> None:
        """The next line stands apart from the last; nothing comes between a bullet and its text."""
        if self.lead is None and level > self.pending:
            self.pending = level

    def line(self, text: str, *, verbatim: bool = False) -> int:
        """Write a line (with `verbatim`, lines that are not to be indented); where it starts."""
        if self.parts:
            separator = "\n\n" if self.pending == PARAGRAPH_BREAK else "\n"
            self.blank_lines += self.pending == PARAGRAPH_BREAK
            self.parts.append(separator)
            self.size += len(separator)
        start = self.size
        lead = self.lead if self.lead is not None else ("" if verbatim else self.indent)
        self.lead = None
        self.pending = LINE_BREAK
        self.line_starts.append(start)
        self.parts.append(lead + text if lead else text)
        self.size = start + len(lead) + len(text)
        return start

    def order(self) -> int:
        """A number for a block that begins now."""
        self.orders += 1
        return self.orders

    def block(self, start: int, end: int, order: int, kind: int, cut: int) -> None:
        """Note a block."""
        self.blocks.append(BlockRow(start, end, order, kind, cut))

    def mark(self) -> Mark:
        """The state now."""
        return Mark(
            len(self.parts),
            self.size,
            self.pending,
            self.lead,
            len(self.line_starts),
            self.blank_lines,
            len(self.headings),
            len(self.blocks),
            len(self.repeats),
        )

    def take_back(self, mark: Mark) -> None:
        """Forget everything that was written since."""
        del self.parts[mark.parts :]
        del self.line_starts[mark.lines :]
        del self.headings[mark.headings :]
        del self.blocks[mark.blocks :]
        del self.repeats[mark.repeats :]
        self.size, self.lead, self.blank_lines = mark.size, mark.lead, mark.blank_lines
        self.pending = max(self.pending, mark.pending)
