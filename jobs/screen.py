"""What is shown to a person: values that are not ours can neither style, link, nor steer the terminal."""

from __future__ import annotations

import re

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

# A log or pipe has no width of its own.
_UNKNOWN_WIDTH = 120

# Control characters, those that turn the direction of writing, line and paragraph separators, lone surrogates; and
# what is never seen, so that text can hide in it (tags, annotations, invisible operators). Joiners stay: emoji and
# whole scripts need them.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
    "\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(value: object) -> str:
    r"""The value with everything that a terminal would obey, or not show, written as an escape.

    >>> print(visible("a\x1b[31mb\n"))
    a\x1b[31mb\n
    """
    return _UNSEEN.sub(_escape, str(value))


def visible_lines(value: object) -> str:
    r"""The same for a message of several lines, which stay lines.

    >>> print(visible_lines("one\ntwo\x1b"))
    one
    two\x1b
    """
    return "\n".join(visible(line) for line in str(value).split("\n"))


def plain(value: object, style: str = "") -> Text:
    """The value as text for rich: no markup is read, and `style` is the only style."""
    return Text(visible(value), style=style)


def result_console(*, highlight: bool = True) -> Console:
    """The console for results: as wide as the terminal, or wide enough where there is none.

    Args:
        highlight: numbers and paths in what is printed get colours.
    """
    console = Console(highlight=highlight)
    return console if console.is_terminal else Console(highlight=highlight, width=_UNKNOWN_WIDTH)


def titled_table(title: Text | str | None) -> Table:
    """An empty table in the style of all of them; a title that is not our own comes as `plain` text."""
    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))


def _escape(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape", "surrogatepass").decode("ascii")
