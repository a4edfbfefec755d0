"""Running lines: headers, footers and page numbers, recognised because they recur from page to page.

A line at the edge of a page is one if the same line, but for numbers, stands at that edge of most
pages, or of most left or most right ones. Then these must hold, so that no text is taken for one:

- Its numbers stay, or grow as the pages do: rows of a table differ in other ways.
- Rows of a table right below (or above) it, as wide as it is, make it the table's header (or last row).
- It stands at the very edge, other running lines aside; only page numbers may stand further in.
- A page that holds nothing but such lines keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from udfs.chunking.formats.page_edges import EdgeLine, bottom_lines, cell_count, top_lines

FEWEST_PAGES = 3

_PAGE_WORDS = frozenset(
    "page pages p pp pg of / | seite seiten von s \u0441\u0442\u0440 \u0441\u0442\u0440\u0430\u043d\u0438\u0446\u0430"
    " \u0438\u0437 p\u00e1gina p\u00e1g pagina pag de di van sida side av strona z sayfa \u7b2c \u9875 \u9801"
    " \u5171 \u30da\u30fc\u30b8".split()
)
_WORD = re.compile(r"[^\W\d_]+|[/|]")
# The page's number at the beginning or, behind a mark or a wide gap, at the end. "Question 7" may be no page number.
_SET_APART = re.compile(r"[\d\W]+\s|.*(?:\s{2,}|\t|[|\u00b7\u2022\u2013\u2014-]\s*)\S+$")


class RunningLine(NamedTuple):
    """A line of a page that belongs to the page and not to the text; half-open, its line break included."""

    start: int
    end: int
    reason: str  # running_header, running_footer, page_number
    at_top: bool


def running_lines(pages: Sequence[str]) -> list[list[RunningLine]]:
    r"""The running lines of each page, in order.

    Args:
        pages: the texts of all pages of one document.

    Returns:
        One list a page; all are empty for fewer than three pages with text.

    Example:
        >>> pages = [f"ACME report\n\nText of page {name}.\n\n{n}\n" for n, name in ((7, "A"), (8, "B"), (9, "C"))]
        >>> [line.reason for line in running_lines(pages)[0]]
        ['running_header', 'page_number']
    """
    top, bottom = [top_lines(page) for page in pages], [bottom_lines(page) for page in pages]
    with_text = [number for number, lines in enumerate(top) if lines]
    header, footer = _reasons(top, with_text, "running_header"), _reasons(bottom, with_text, "running_footer")
    running = []
    for number, page in enumerate(pages):
        found = {line.start: line for line in _outermost(bottom[number], footer, at_top=False)}
        found |= {line.start: line for line in _outermost(top[number], header, at_top=True)}
        lines = [found[start] for start in sorted(found)]
        running.append([] if _is_all(page, lines) else lines)
    return running


def _reasons(edges: Sequence[Sequence[EdgeLine]], with_text: Sequence[int], reason: str) -> dict[str, str]:
    """The keys of the lines that run along one edge, and what each is: `reason` or a page number."""
    groups: dict[str, list[tuple[int, EdgeLine]]] = {}
    for number, lines in enumerate(edges):
        for line in {line.key: line for line in reversed(lines)}.values():  # the outermost of equals
            if line.key:
                groups.setdefault(line.key, []).append((number, line))
    per_side = [sum(number % 2 == side for number in with_text) for side in (0, 1)]
    return {
        key: "page_number" if _only_page_words(key) else reason
        for key, group in groups.items()
        if _recurs([number for number, _ in group], per_side) and _runs(group)
    }


def _recurs(numbers: Sequence[int], per_side: Sequence[int]) -> bool:
    """Whether a line stands on at least half of the pages, or on three quarters of the left or the right ones."""
    if len(numbers) < FEWEST_PAGES:
        return False
    if 2 * len(numbers) >= sum(per_side):
        return True
    on_side = [sum(number % 2 == side for number in numbers) for side in (0, 1)]
    return any(on >= FEWEST_PAGES and 4 * on >= 3 * of for on, of in zip(on_side, per_side, strict=True))


def _runs(group: Sequence[tuple[int, EdgeLine]]) -> bool:
    """Whether lines that recur are running lines."""
    if not _numbers_fit(group):
        return False
    first = group[0][1]
    if not _counts_pages(group):
        letters = sum(character.isalpha() for character in first.key)
        return letters >= (4 if first.key.isascii() else 2) and not _is_table_row(group)
    words = _WORD.findall(first.key)
    return _only_page_words(first.key) or len(words) >= 3 or _SET_APART.match(first.text) is not None


def _numbers_fit(group: Sequence[tuple[int, EdgeLine]]) -> bool:
    """Whether each number of the line stays or grows as the pages do, on three quarters of the pages."""
    slots = len(group[0][1].numbers)
    fitting = [0] * slots
    for (page, line), (later, next_line) in pairwise(group):
        for slot in range(slots):
            fitting[slot] += next_line.numbers[slot] - line.numbers[slot] in (0, later - page)
    return all(4 * count >= 3 * (len(group) - 1) for count in fitting)


def _counts_pages(group: Sequence[tuple[int, EdgeLine]]) -> bool:
    """Whether some number of the line grows as the pages do."""
    slots = len(group[0][1].numbers)
    growing = [0] * slots
    for (page, line), (later, next_line) in pairwise(group):
        for slot in range(slots):
            growing[slot] += next_line.numbers[slot] - line.numbers[slot] == later - page
    return any(2 * count > len(group) - 1 for count in growing)


def _is_table_row(group: Sequence[tuple[int, EdgeLine]]) -> bool:
    """Whether the line has cells, and on half of the pages so many as the line next to it."""
    cells = cell_count(group[0][1].text)
    return cells > 1 and 2 * sum(cell_count(line.inner) == cells for _, line in group) >= len(group)


def _only_page_words(key: str) -> bool:
    return "0" in key and all(word in _PAGE_WORDS for word in _WORD.findall(key))


def _outermost(lines: Sequence[EdgeLine], reasons: dict[str, str], *, at_top: bool) -> list[RunningLine]:
    """The running lines of one edge: from the edge inwards until a line is none; page numbers also further in."""
    found, unbroken = [], True
    for line in lines:
        reason = reasons.get(line.key)
        unbroken = unbroken and reason is not None
        if reason is not None and (unbroken or reason == "page_number"):
            found.append(RunningLine(line.start, line.end, reason, at_top))
    return found


def _is_all(page: str, lines: Sequence[RunningLine]) -> bool:
    """Whether nothing but blanks is left of a page without these lines."""
    position = 0
    for line in lines:
        if page[position : line.start].strip():
            return False
        position = line.end
    return not page[position:].strip()
