"""How context and text make the text that is embedded."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter
from typing import Literal, NamedTuple

ContextMode = Literal["none", "title", "headings", "auto"]

TEXT = "{text}"
FIELDS = ("title", "headings", "repeats")
DEFAULT_TEMPLATE = "{title}\n{headings}\n{repeats}\n" + TEXT
HEADING_SEPARATOR = " > "
_LINE_BREAK = "\n"


class Context(NamedTuple):
    """What there is to put in front of a text, outermost first."""

    title: str = ""
    headings: tuple[str, ...] = ()
    repeats: tuple[str, ...] = ()

    def without_outermost(self) -> Context:
        """The same with its outermost part gone: the title, then headings, then repeats."""
        if self.title:
            return self._replace(title="")
        if self.headings:
            return self._replace(headings=self.headings[1:])
        return self._replace(repeats=self.repeats[1:])

    @property
    def length(self) -> int:
        """The code points of all parts."""
        return len(self.title) + sum(map(len, self.headings)) + sum(map(len, self.repeats))

    def each(self, change: Callable[[str], str]) -> Context:
        """The context with each part changed."""
        return Context(change(self.title), tuple(map(change, self.headings)), tuple(map(change, self.repeats)))

    def __bool__(self) -> bool:
        return bool(self.title or self.headings or self.repeats)


class EmbedTemplate:
    r"""Puts a context in front of a text.

    Args:
        template: text with the fields {title}, {headings} and {repeats} and, at its end, {text}. A line whose fields
            are all empty is left out.
        mode: which parts of a context are wanted.

    Raises:
        ValueError: says what is wrong with the template.

    Example:
        >>> EmbedTemplate("{headings}:\\n{text}", "auto").prefix(Context(headings=("Pumps", "Limits")))
        'Pumps > Limits:\\n'
    """

    def __init__(self, template: str, mode: ContextMode) -> None:
        self._lines = _lines(template)
        self._mode = mode

    def wanted(self, context: Context) -> Context:
        """The parts of a context that the mode asks for."""
        if self._mode == "title":
            return Context(title=context.title)
        if self._mode == "headings":
            return Context(headings=context.headings)
        if self._mode == "auto":  # a title helps where no heading does
            return Context("", context.headings, context.repeats) if context.headings else context
        return Context()

    def prefix(self, context: Context) -> str:
        """What stands in front of the text."""
        values = {
            "title": context.title,
            "headings": HEADING_SEPARATOR.join(context.headings),
            "repeats": _LINE_BREAK.join(context.repeats),
        }
        wanted = [line for line, fields in self._lines if not fields or any(map(values.get, fields))]
        return "".join(wanted).format_map(values)


def _lines(template: str) -> list[tuple[str, tuple[str, ...]]]:
    """The lines before the text, each with the fields in it."""
    if not template.endswith(TEXT):
        raise ValueError(f"must end with {TEXT}")
    lines = []
    for line in template[: -len(TEXT)].splitlines(keepends=True):
        try:
            parsed = list(Formatter().parse(line))
        except ValueError as error:
            raise ValueError(f"is no template ({error}); write {{{{ and }}}} for braces") from None
        fields = tuple(name for _, name, _, _ in parsed if name is not None)
        if unknown := [name for name in fields if name not in FIELDS]:
            raise ValueError(f"has the unknown field {{{unknown[0]}}}; known are {', '.join(FIELDS)} and, last, text")
        if any(spec or conversion for _, _, spec, conversion in parsed):
            raise ValueError("must have plain fields such as {title}, without : and !")
        lines.append((line, fields))
    return lines
