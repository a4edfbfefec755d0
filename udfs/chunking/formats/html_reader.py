"""From tags to canonical text: paragraphs, headings, code, quotes. Lists and tables come on top."""

from __future__ import annotations

import re

from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats import html_boilerplate as boilerplate
from udfs.chunking.formats import html_elements as elements
from udfs.chunking.formats.html_lists import introduction
from udfs.chunking.formats.html_source import BLANKS, Source, attributes, clean, decode
from udfs.chunking.formats.html_walker import Element, Handler, Suspect, Walker
from udfs.chunking.formats.html_writer import LINE_BREAK, PARAGRAPH_BREAK, Heading, Writer

# What text is read for: paragraphs, one heading, code as it stands, or the cells of a table.
FLOW, HEADING, VERBATIM, CELLS = range(4)

PROSE, CODE = KINDS.index("prose"), KINDS.index("code")
BLOCK, LINE = CUTS.index("block"), CUTS.index("line")

# A longer "heading" is a paragraph that somebody forgot to close.
MAX_HEADING = 300

_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)+")
_PERMALINKS = ("#", "\u00b6", "\u00a7", "\U0001f517", "&para;", "&#182;", "&sect;")
# A page's header stands in none of these; what does is the header of an article.
_OWN_HEADERS = (*elements.MAIN, *elements.QUOTES, "section", "td", "li")


class TextReader(Walker):
    """Reads paragraphs, headings, code and quotes, and drops what is no content.

    Attributes:
        writer: the canonical text.
        paragraph: start of its line, and text, of the paragraph that was written last, if nothing came between.
        mains: how many `main` and `article` elements began.
    """

    def __init__(self, source: Source, *, drop: bool) -> None:
        super().__init__(source)
        self.writer = Writer()
        self.drop = drop
        self.mode = FLOW
        self.paragraph: tuple[int, str] | None = None
        self.mains = 0
        self.suspects = 0
        self.harmless = {""}  # attributes that speak against no plain box
        self.language = ""
        self.meta: dict[str, str] = {}

    def handler_of(self, name: str) -> Handler | None:
        """The method that handles a tag."""
        method = HANDLERS.get(name)
        return None if method is None else getattr(self, method)

    def flush(self) -> bool:
        """Write the paragraph that was read; whether there was one."""
        buffer = self.buffer
        if not buffer:
            return False
        text = clean(buffer[0] if len(buffer) == 1 else "".join(buffer))
        buffer.clear()
        if not text:
            return False
        self.paragraph = (self.writer.line(text), text)
        return True

    def break_line(self, level: int) -> None:
        """The text before and after stand apart, as far as what is being read allows."""
        if self.mode == FLOW:
            if self.buffer:
                self.flush()
            writer = self.writer
            if writer.lead is None and level > writer.pending:
                writer.pending = level
        elif self.mode == VERBATIM:
            if self.buffer and not self.buffer[-1].endswith("\n"):
                self.buffer.append("\n")
        else:
            self.buffer.append(" ")

    def begin_block(self, name: str, level: int = PARAGRAPH_BREAK) -> bool:
        """A list, table or the like begins; whether it may be one here, and is not just text."""
        if self.mode == HEADING:
            self.close_to(self.places["h1"][-1])
        self.imply(name)
        self.break_line(level)
        return self.mode == FLOW

    # Boilerplate

    def suspect(self, name: str, token: int, element: Element) -> bool:
        """Note what speaks against an element; True if it is passed over at once."""
        if not self.drop or self.mode != FLOW:
            return False
        found = boilerplate.suspicion(name, self.tokens[token + 1])
        if found is None:
            if not self.is_xml and name in _PLAIN:
                self.harmless.add(self.tokens[token + 1])
            return False
        if found.reason in (boilerplate.HEADER, boilerplate.FOOTER) and self.last(*_OWN_HEADERS) >= 0:
            return False
        if found.certain:
            return self.skip(token, name, found.reason)
        if self.suspects < boilerplate.MAX_DEPTH:
            self.suspects += 1
            element.suspect = Suspect(found, token, self.writer.mark(), self.mains)
        return False

    def closed(self, suspect: Suspect) -> None:
        """Judge a suspect, now that all of it is known."""
        self.suspects -= 1
        if self.mode != FLOW:
            return
        self.flush()
        length = self.writer.size - suspect.mark.size
        if length <= 0 or self.mains > suspect.mains:
            return
        reason = suspect.suspicion.reason
        if reason == boilerplate.HEADER and len(self.writer.headings) > suspect.mark.headings:
            return
        if boilerplate.is_boilerplate(suspect.suspicion, length, self.tokens[suspect.token : self.at]):
            self.removed[reason] += length
            self.writer.take_back(suspect.mark)
            self.paragraph = None

    # Boxes and paragraphs

    def open_box(self, token: int) -> bool:
        """A `div` and its like."""
        name = self.tokens[token].lower()
        if self.paragraphs:
            self.imply(name)
        self.break_line(PARAGRAPH_BREAK)
        attribute_text = self.tokens[token + 1]
        if name in _PLAIN and attribute_text in self.harmless:
            self.open(_PLAIN[name])
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
        if stack and stack[-1] is _PLAIN.get(name):  # most often
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
            text = attributes(self.tokens[token + 1]).get("alt", "").replace("&", "&amp;")
            self.buffer.append(f" {text} ")

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


# Boxes that nothing but their attributes speaks against share one element each.
_PLAIN = {name: Element(name) for name in elements.BOXES if name not in (*elements.MAIN, *boilerplate.TAGS)}

HANDLERS: dict[str, str] = {
    **dict.fromkeys(elements.BOXES, "open_box"),
    **dict.fromkeys(elements.HEADINGS, "open_heading"),
    **dict.fromkeys(elements.CODE, "open_code"),
    **dict.fromkeys(elements.QUOTES, "open_quote"),
    **dict.fromkeys(elements.DROPPED, "dropped"),
    **{f"/{name}": "end_block" for name in (*elements.BOXES, *elements.HEADINGS, *elements.CODE, *elements.QUOTES)},
    "p": "open_paragraph",
    "/p": "end_paragraph",
    "br": "line_break",
    "/br": "line_break",
    "hr": "rule",
    "img": "image",
    "a": "link",
    "html": "root",
    "meta": "describe",
}
