"""Paragraphs, headings, code and quotes, images and links, and the head of a page. Lists and tables come on top."""

from __future__ import annotations

import re

from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats import html_boilerplate as boilerplate
from udfs.chunking.formats import html_elements as elements
from udfs.chunking.formats.headings import Heading
from udfs.chunking.formats.html_lists import introduction
from udfs.chunking.formats.html_source import BLANKS, Source, attributes, clean, decode
from udfs.chunking.formats.html_stack import Element
from udfs.chunking.formats.html_text import FLOW, HEADING, PLAIN, VERBATIM, TextReader
from udfs.chunking.formats.html_walker import Handler
from udfs.chunking.formats.html_writer import LINE_BREAK, PARAGRAPH_BREAK

PROSE, CODE = KINDS.index("prose"), KINDS.index("code")
BLOCK, LINE = CUTS.index("block"), CUTS.index("line")

# A longer "heading" is a paragraph that somebody forgot to close.
MAX_HEADING = 300

_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)+")
_PERMALINKS = ("#", "\u00b6", "\u00a7", "\U0001f517", "&para;", "&#182;", "&sect;")


class FlowReader(TextReader):
    """Reads all but lists and tables.

    Attributes:
        language: what the `html` element says.
        meta: what the `meta` elements say, by name in small letters.
    """

    def __init__(self, source: Source, *, drop: bool) -> None:
        super().__init__(source, drop=drop)
        self.language = ""
        self.meta: dict[str, str] = {}

    # Boxes and paragraphs

    def open_box(self, token: int) -> bool:
        """A `div` and its like."""
        name = self.tokens[token].lower()
        if self.paragraphs:
            self.imply(name)
        self.break_line(PARAGRAPH_BREAK)
        attribute_text = self.tokens[token + 1]
        plain = PLAIN.get(name)
        if plain is not None and attribute_text in self.harmless:  # most often; such a box is no holder
            self.places[name].append(len(self.stack))
            self.stack.append(plain)
            return False
        if self.is_xml and attribute_text.endswith("/"):
            return False
        if name in elements.MAIN:
            self.mains += 1
        element = Element(name)
        if self.suspect(name, token, element):
            return True
        self.open(element)
        return False

    def end_block(self, token: int) -> None:
        """The end of anything that stands on lines of its own."""
        name = self.tokens[token][1:]
        stack = self.stack
        if stack and stack[-1] is PLAIN.get(name):  # most often
            stack.pop()
            self.places[name].pop()
        else:
            self.end(name.lower())
        self.break_line(PARAGRAPH_BREAK)

    def open_paragraph(self, token: int) -> bool:
        """A `p`: tracked only if there is something against it."""
        if self.mode == HEADING and "".join(self.buffer).strip(BLANKS):
            self.close_to(self.places["h1"][-1])
        if self.paragraphs:
            self.imply("p")
        self.break_line(PARAGRAPH_BREAK)
        if self.tokens[token + 1]:
            element = Element("p")
            if self.suspect("p", token, element):
                return True
            if element.suspect:
                self.open(element)
        return False

    def end_paragraph(self, _token: int) -> None:
        """The end of a `p`."""
        if self.paragraphs:
            self.end("p")
        self.break_line(PARAGRAPH_BREAK)

    def line_break(self, _token: int) -> None:
        """A `br`; two of them part paragraphs."""
        if self.mode == FLOW:
            self.writer.part(LINE_BREAK if self.flush() else PARAGRAPH_BREAK)
        else:
            self.buffer.append("\n")

    def rule(self, _token: int) -> None:
        """An `hr`."""
        self.begin_block("hr")
        self.paragraph = None

    def open_quote(self, token: int) -> None:
        """A `blockquote` or `figure`."""
        name = self.tokens[token].lower()
        if self.begin_block(name):
            self.paragraph = None
            self.open(Element(name, self._end_quote, (self.writer.order(), len(self.writer.line_starts))))
        else:
            self.open(Element(name))

    def _end_quote(self, element: Element) -> None:
        self.flush()
        order, lines = element.state
        starts = self.writer.line_starts
        if len(starts) > lines:
            self.writer.block(starts[lines], self.writer.size, order, PROSE, BLOCK)
        self.paragraph = None

    # Headings and code

    def open_heading(self, token: int) -> None:
        """An `h1` to `h6`."""
        name = self.tokens[token].lower()
        if self.begin_block(name):
            self.mode = HEADING
            self.open(Element("h1", self._end_heading, elements.HEADINGS[name]))
        else:
            self.open(Element("h1"))

    def _end_heading(self, element: Element) -> None:
        text = clean("".join(self.buffer))
        self.buffer.clear()
        self.mode = FLOW
        title = " ".join(text.split())
        if not title:
            return
        start = self.writer.line(text)
        if len(title) <= MAX_HEADING:
            self.writer.headings.append(Heading(start, self.writer.size, element.state, title))
        self.writer.part(PARAGRAPH_BREAK)
        self.paragraph = None

    def open_code(self, token: int) -> None:
        """A `pre`."""
        name = self.tokens[token].lower()
        if self.begin_block(name):
            self.mode = VERBATIM
            self.buffer.append("")  # blanks that follow are an indentation
            self.open(Element(name, self._end_code))
        else:
            self.open(Element(name))

    def _end_code(self, _element: Element) -> None:
        text = decode("".join(self.buffer)).rstrip(BLANKS)
        self.buffer.clear()
        self.mode = FLOW
        blank = _BLANK_LINES.match(text)
        text = text[blank.end() :] if blank else text
        if not text:
            return
        intro = introduction(self.writer, self.paragraph, code=True)
        order = self.writer.order()
        start = self.writer.line(text, verbatim=True)
        if intro:
            self.writer.block(intro.start, self.writer.size, order, CODE, BLOCK)
        self.writer.block(start, self.writer.size, self.writer.order(), CODE, LINE if intro else BLOCK)
        self.writer.part(PARAGRAPH_BREAK)
        self.paragraph = None

    # Inline elements and the head

    def image(self, token: int) -> None:
        """An `img`: what it says instead of the picture."""
        if "alt" in self.tokens[token + 1].lower():
            text = attributes(self.tokens[token + 1]).get("alt", "")
            if text:
                self.buffer.append(f" {text.replace('&', '&amp;')} ")

    def link(self, token: int) -> bool:
        """An `a`: dropped if it leads past the menus or to itself."""
        attribute_text = self.tokens[token + 1]
        if not self.drop or "#" not in attribute_text:
            return False
        text = self.tokens[token + 2]
        if text.strip() in _PERMALINKS or boilerplate.is_skip_link(attribute_text, text):
            self.imply("a")
            return self.skip(token, "a", boilerplate.NAVIGATION)
        return False

    def dropped(self, token: int) -> bool:
        """An element that is no part of the text."""
        name = self.tokens[token].lower()
        if name == "svg" and self.tokens[token + 1].endswith("/"):
            return False
        self.imply(name)
        return self.skip(token, name, elements.DROPPED[name])

    def root(self, token: int) -> None:
        """The `html` element: the document's language."""
        found = attributes(self.tokens[token + 1])
        self.language = self.language or clean(found.get("lang") or found.get("xml:lang") or "")

    def describe(self, token: int) -> None:
        """A `meta` element; the first of each name counts."""
        found = attributes(self.tokens[token + 1])
        name = found.get("name") or found.get("property") or found.get("http-equiv") or found.get("itemprop")
        if name and found.get("content"):
            self.meta.setdefault(name.lower(), " ".join(found["content"].split()))


_R = FlowReader
FLOW_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(elements.BOXES, _R.open_box),
    **dict.fromkeys(elements.HEADINGS, _R.open_heading),
    **dict.fromkeys(elements.CODE, _R.open_code),
    **dict.fromkeys(elements.QUOTES, _R.open_quote),
    **dict.fromkeys(elements.DROPPED, _R.dropped),
    **{f"/{name}": _R.end_block for name in (*elements.BOXES, *elements.HEADINGS, *elements.CODE, *elements.QUOTES)},
    "p": _R.open_paragraph,
    "/p": _R.end_paragraph,
    "br": _R.line_break,
    "/br": _R.line_break,
    "hr": _R.rule,
    "img": _R.image,
    "a": _R.link,
    "html": _R.root,
    "meta": _R.describe,
}
