"""One walk over the tags of a document: what is open, what is skipped, and what each tag does.

The stack of open elements follows HTML5's tree construction as far as text can tell:
elements that end one another, end tags without a start, cells that end tags do not
reach out of. Inline elements are not tracked; each tag costs the same, however deep.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from udfs.chunking.formats import html_elements as elements
from udfs.chunking.formats.html_boilerplate import Suspicion
from udfs.chunking.formats.html_source import BLANKS, Source, attributes, decode
from udfs.chunking.formats.html_writer import Mark

_NOT_SHOWN = re.compile(r"(?i)(?:^|;)\s*display\s*:\s*none")

# So many names of tags are remembered, those without a handler among them.
MAX_NAMES = 5000

Handler = Callable[[Any, int], Any]


class Element:
    """An open element that is tracked.

    Attributes:
        name: its alias.
        close: what to do at its end.
        state: what `close` needs.
        suspect: what speaks against it.
    """

    __slots__ = ("close", "name", "state", "suspect")

    def __init__(self, name: str, close: Callable[[Element], None] | None = None, state: Any = None) -> None:
        self.name = name
        self.close = close
        self.state = state
        self.suspect: Suspect | None = None


class Suspect(NamedTuple):
    """An element that may have to go."""

    suspicion: Suspicion
    token: int  # its tag
    mark: Mark  # of the writer, where it begins
    mains: int  # how many elements with the main content began before it


class Handlers(dict[str, "Handler | None"]):
    """The handlers of tags by name, a slash before an end tag's; names that are not in small letters are added."""

    def __missing__(self, name: str) -> Handler | None:
        handler = self.get(name.lower())
        if len(self) < MAX_NAMES:
            self[name] = handler
        return handler


class Walker:
    """Walks over tags and calls a handler for each that matters.

    A handler gets the index of the tag's name in `tokens`; it returns True if the text
    after the tag is not to be read.
    """

    handlers: ClassVar[Handlers]

    def __init__(self, source: Source) -> None:
        self.tokens = source.tokens
        self.is_xml = source.is_xml
        self.hidden = _hidden(source.attribute_texts)
        self.removed: Counter[str] = Counter()
        self.buffer: list[str] = []
        self.stack: list[Element] = []
        self.places: defaultdict[str, list[int]] = defaultdict(list)  # alias -> where in the stack
        self.holders: list[int] = []  # where in the stack the elements stand that hold blocks
        self.paragraphs = self.places["p"]  # those that are tracked
        self.skipped: tuple[int, str, str] | None = None  # where in the stack, name, reason
        self.at = 0  # the tag that is being handled

    def break_line(self, level: int) -> None:
        """The text before and after stand on different lines."""
        raise NotImplementedError

    def closed(self, suspect: Suspect) -> None:
        """Called for each suspect that ends, after its own `close`."""

    def walk(self) -> None:
        """Walk over all tags."""
        tokens, handlers, buffer, hidden = self.tokens, self.handlers, self.buffer, self.hidden
        buffer.append(tokens[0])
        for token in range(1, len(tokens), 3):
            if self.skipped is not None:
                if self._pass_over(token):
                    continue
            else:
                if hidden and tokens[token + 1] in hidden and self._hide(token):
                    continue
                handler = handlers[tokens[token]]
                if handler is not None:
                    self.at = token
                    if handler(self, token):
                        continue
            text = tokens[token + 2]
            if text and (buffer or not text.isspace()):
                buffer.append(text)
        self.at = len(tokens)
        self.close_to(0)
        self.break_line(2)

    def open(self, element: Element) -> Element:
        """Put an element on the stack."""
        name, stack = element.name, self.stack
        if name in elements.HOLDERS:
            self.holders.append(len(stack))
        self.places[name].append(len(stack))
        stack.append(element)
        return element

    def close_to(self, place: int) -> None:
        """End all elements from this place of the stack on, the innermost first."""
        stack = self.stack
        while len(stack) > place:
            element = stack.pop()
            self.places[element.name].pop()
            if self.holders and self.holders[-1] == len(stack):
                self.holders.pop()
            if self.skipped is not None and len(stack) <= self.skipped[0]:
                self.skipped = None
            if element.close is not None:
                element.close(element)
            if element.suspect is not None:
                self.closed(element.suspect)

    def holder(self) -> Element | None:
        """The innermost open element that holds blocks."""
        return self.stack[self.holders[-1]] if self.holders else None

    def last(self, *names: str) -> int:
        """Where in the stack the innermost open element of these names is; -1 if none is open."""
        last = -1
        for name in names:
            places = self.places.get(name)
            if places and places[-1] > last:
                last = places[-1]
        return last

    def end(self, name: str) -> bool:
        """Carry out an end tag; whether there was anything to end."""
        alias = elements.ALIASES.get(name, name)
        if self.stack and self.stack[-1].name == alias:
            self.close_to(len(self.stack) - 1)
            return True
        places = self.places.get(alias)
        if not places:
            return False
        barrier = self.last("table") if alias in ("td", "caption", "tbody", "tr") else self.last("td", "caption")
        if alias == "table":
            barrier = -1
        elif alias in elements.ENDS_ITSELF:
            barrier = max(barrier, self.last(*elements.ENDS_ITSELF[alias]))
        if places[-1] < barrier:
            return False
        self.close_to(places[-1])
        return True

    def imply(self, name: str) -> None:
        """End what ends by itself when an element of this name begins."""
        places = self.places
        if self.paragraphs and name in elements.BLOCKS and self.paragraphs[-1] > self.last("td", "caption"):
            self.close_to(self.paragraphs[-1])
        alias = elements.ALIASES.get(name, name)
        if alias in elements.ENDS_ITSELF:
            holder = self.holder()
            if holder is not None and holder.name == alias:
                self.close_to(self.holders[-1])
            elif places.get(alias) and places[alias][-1] > self.last(*elements.ENDS_ITSELF[alias], "td"):
                self.close_to(places[alias][-1])
        elif alias in elements.TABLE_PARTS:
            table = self.last("table")
            for part in elements.TABLE_PARTS[alias]:
                if places.get(part) and places[part][-1] > table:
                    self.close_to(places[part][-1])

    def skip(self, token: int, name: str, reason: str) -> bool:
        """Pass over an element that begins at this tag; always True."""
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
    everything = "\n".join(attribute_texts).lower()
    if "hidden" not in everything and "none" not in everything:
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
