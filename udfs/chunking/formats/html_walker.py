"""One walk over the tags of a document: what is passed over, and what each other tag does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from udfs.chunking.formats import html_elements as elements
from udfs.chunking.formats.html_source import BLANKS, Source, attributes, decode
from udfs.chunking.formats.html_stack import Element, OpenElements

_NOT_SHOWN = re.compile(r"(?i)(?:^|;)\s*display\s*:\s*none")

# So many names of tags are remembered, those without a handler among them, if they have no more letters than this.
MAX_NAMES, MAX_NAME = 1000, 32

Handler = Callable[[Any, int], Any]


class Handlers(dict[str, "Handler | None"]):
    """The handlers of tags by name, a slash before an end tag's; names that are not in small letters are added."""

    def __missing__(self, name: str) -> Handler | None:
        handler = self.get(name.lower())
        if len(self) < MAX_NAMES and len(name) <= MAX_NAME:
            self[name] = handler
        return handler


class Walker(OpenElements):
    """Walks over tags and calls a handler for each that matters.

    A handler gets the index of the tag's name in `tokens`; it returns True if the text
    after the tag is not to be read.
    """

    handlers: ClassVar[Handlers]

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.tokens = source.tokens
        self.is_xml = source.is_xml
        self.hidden = _hidden(source.attribute_texts)
        self.removed: Counter[str] = Counter()
        self.buffer: list[str] = []
        self.at = 0  # the tag that is being handled

    def break_line(self, level: int) -> None:
        """The text before and after stand on different lines."""
        raise NotImplementedError

    def walk(self) -> None:
        """Walk over all tags."""
        tokens, buffer, hidden = self.tokens, self.buffer, self.hidden
        buffer.append(tokens[0])
        handlers = map(self.handlers.__getitem__, tokens[1::3])
        for token, handler, text in zip(range(1, len(tokens), 3), handlers, tokens[3::3], strict=True):
            if self.skipped is not None:
                if self._pass_over(token):
                    continue
            else:
                if hidden and tokens[token + 1] in hidden and self._hide(token):
                    continue
                if handler is not None:
                    self.at = token
                    if handler(self, token):
                        continue
            if text and (buffer or not text.isspace()):
                buffer.append(text)
        self.at = len(tokens)
        self.close_to(0)
        self.break_line(2)

    def skip(self, token: int, name: str, reason: str) -> bool:
        """Pass over an element that begins at this tag; False if it ends there, too."""
        if name in elements.BLOCKS:
            self.break_line(2)
        if self.is_xml and self.tokens[token + 1].endswith("/"):
            return False
        alias = elements.ALIASES.get(name, name)
        self.skipped = (len(self.stack), alias, reason)
        self.open(Element(alias))
        self._count(token)
        return True

    def _hide(self, token: int) -> bool:
        """Begin to skip an element that a browser would not show; whether this tag begins one."""
        name = self.tokens[token].lower()
        if name.startswith("/") or name in elements.VOID or name in ("html", "body"):
            return False
        self.at = token
        self.imply(name)
        return self.skip(token, name, "hidden")

    def _pass_over(self, token: int) -> bool:
        """Keep track of a tag in a skipped element; whether it is still skipped after it."""
        assert self.skipped is not None
        name = self.tokens[token].lower()
        self.at = token
        if name.startswith("/"):
            if self.end(name[1:]) and self.skipped is None:
                self.break_after(name[1:])
        elif name not in elements.VOID:
            alias = elements.ALIASES.get(name, name)
            if name in elements.BLOCKS or alias == self.skipped[1]:
                self.imply(name)
            if self.skipped is None:
                return bool(self.handle(token))
            if name in elements.TRACKED or alias == self.skipped[1]:
                self.open(Element(alias))
        if self.skipped is None:
            return False
        self._count(token)
        return True

    def handle(self, token: int) -> Any:
        """Do what a tag asks for."""
        if self.tokens[token + 1] in self.hidden and self._hide(token):
            return True
        handler = self.handlers[self.tokens[token]]
        return handler is not None and handler(self, token)

    def break_after(self, name: str) -> None:
        """What stands after a block stands on a line of its own."""
        if name in elements.BLOCKS:
            self.break_line(2)

    def _count(self, token: int) -> None:
        """Count the text behind a tag as removed."""
        text = self.tokens[token + 2].strip(BLANKS)
        if text and self.skipped is not None:
            self.removed[self.skipped[2]] += len(decode(text))


def _hidden(attribute_texts: set[str]) -> frozenset[str]:
    """Those attributes that keep an element from being shown."""
    # Bytes, because one letter beyond ASCII makes it slow to lower and to search a text; what they lower is ASCII.
    everything = "\n".join(attribute_texts).encode("utf-8", "surrogatepass").lower()
    if b"hidden" not in everything and b"none" not in everything:
        return frozenset()
    return frozenset(filter(_is_hidden, attribute_texts))


def _is_hidden(attribute_text: str) -> bool:
    """Whether attributes keep an element from being shown or read out."""
    folded = attribute_text.lower()
    if "hidden" not in folded and "none" not in folded:
        return False
    found = attributes(attribute_text)
    hidden = "hidden" in found or found.get("aria-hidden", "").lower() == "true"
    return hidden or bool(_NOT_SHOWN.search(found.get("style", "")))
