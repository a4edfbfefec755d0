"""The text between blocks: written line by line, and taken back where it turns out to be boilerplate."""

from __future__ import annotations

from udfs.chunking.formats import html_boilerplate as boilerplate
from udfs.chunking.formats import html_elements as elements
from udfs.chunking.formats.html_source import Source, clean
from udfs.chunking.formats.html_stack import Element, Suspect
from udfs.chunking.formats.html_walker import Walker
from udfs.chunking.formats.html_writer import PARAGRAPH_BREAK, Writer

# What text is read for: paragraphs, one heading, code as it stands, or the cells of a table.
FLOW, HEADING, VERBATIM, CELLS = range(4)

# A page's header stands in none of these; what does is the header of an article.
_OWN_HEADERS = (*elements.MAIN, *elements.QUOTES, "section", "td", "li")
# Boxes that nothing but their attributes speaks against share one element each.
PLAIN = {name: Element(name) for name in elements.BOXES if name not in (*elements.MAIN, *boilerplate.TAGS)}


class TextReader(Walker):
    """Writes the text between blocks line by line, and takes back what turns out to be no content.

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
            if level > writer.pending and writer.lead is None:
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
            attribute_text = self.tokens[token + 1]
            if name in PLAIN and not attribute_text.endswith("/"):
                self.harmless.add(attribute_text)
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
