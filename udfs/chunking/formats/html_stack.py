"""The elements that are open while a document is read, and which of them a tag ends.

This follows HTML5's tree construction as far as text can tell: elements that end one
another, end tags without a start, cells that end tags do not reach out of. Inline
elements are not on the stack. No operation looks through it: each costs the same, however deep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from udfs.chunking.formats import html_elements as elements
from udfs.chunking.formats.html_boilerplate import Suspicion
from udfs.chunking.formats.html_writer import Mark


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


class OpenElements:
    """A stack of elements.

    Attributes:
        stack: the elements, the innermost last.
        places: where in the stack the elements of each alias stand.
        holders: where in the stack those stand that hold blocks together.
        paragraphs: where in the stack the paragraphs stand that are tracked.
        skipped: of an element that is passed over: where in the stack it stands, its alias, and why.
    """

    def __init__(self) -> None:
        self.stack: list[Element] = []
        self.places: defaultdict[str, list[int]] = defaultdict(list)
        self.holders: list[int] = []
        self.paragraphs = self.places["p"]
        self.skipped: tuple[int, str, str] | None = None

    def closed(self, suspect: Suspect) -> None:
        """Called for each suspect that ends, after its own `close`."""

    def open(self, element: Element) -> None:
        """Put an element on the stack."""
        name, stack = element.name, self.stack
        if name in elements.HOLDERS:
            self.holders.append(len(stack))
        self.places[name].append(len(stack))
        stack.append(element)

    def close_to(self, place: int) -> None:
        """End all elements from this place of the stack on, the innermost first."""
        stack, places, holders = self.stack, self.places, self.holders
        while len(stack) > place:
            element = stack.pop()
            places[element.name].pop()
            if holders and holders[-1] == len(stack):
                holders.pop()
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
