r"""Display formulas: `$$` or `\[` at the start of a line, up to `$$` or `\]` at the end of one.

A Markdown parser knows nothing of them and sees lists, headings and paragraphs in
their lines. So they are hidden from it: each becomes a comment of the same length.
"""

from __future__ import annotations

import re

# Fences are looked at only to leave alone what stands in them.
_OPENING = re.compile(r"^(?:(\$\$|\\\[)| {0,3}(`{3,}|~{3,}))", re.MULTILINE)
_CLOSING = {
    "$$": re.compile(r"\$\$[.,;]?[ \t]*\r?$", re.MULTILINE),
    "\\[": re.compile(r"\\\][.,;]?[ \t]*\r?$", re.MULTILINE),
}
_COMMENT, _COMMENT_END = "<!--", "-->"

# A formula longer than this (code points) is a mark that nobody closed.
MAX_FORMULA = 4000


def hide_formulas(text: str) -> tuple[str, dict[int, int]]:
    r"""The text with formulas of several lines made into comments, and where they stand: start to end.

    >>> hide_formulas("so:\n$$\na\n+ b\n$$\n")
    ('so:\n<!--xxxx-->\n', {4: 15})
    """
    if not _may_hold_formulas(text):
        return text, {}
    formulas = _formulas(text)
    if not formulas:
        return text, {}
    pieces, position = [], 0
    for start, end in formulas.items():
        filling = "x" * (end - start - len(_COMMENT) - len(_COMMENT_END))
        pieces += [text[position:start], _COMMENT, filling, _COMMENT_END]
        position = end
    return "".join([*pieces, text[position:]]), formulas


def _may_hold_formulas(text: str) -> bool:
    """Whether a line begins with an opening mark. One letter is found faster than two, so that is asked first."""
    dollars = "$" in text and ("\n$$" in text or text.startswith("$$"))
    return dollars or ("\\" in text and ("\n\\[" in text or text.startswith("\\[")))


def _formulas(text: str) -> dict[int, int]:
    found: dict[int, int] = {}
    closings = {mark: _Closings(pattern, text) for mark, pattern in _CLOSING.items()}
    position = 0
    while opening := _OPENING.search(text, position):
        position = opening.end()
        mark, fence = opening.groups()
        if fence:
            position = _fence_end(text, position, fence)
            continue
        start, end = opening.start(), closings[mark].first_from(position)
        if end is None or end - start > MAX_FORMULA:
            continue
        formula = text[start:end].rstrip()
        if "\n" in formula and len(formula) >= len(_COMMENT + _COMMENT_END):
            found[start] = start + len(formula)
            position = end
    return found


class _Closings:
    """The closing marks of a text, asked for at rising positions. What was found is kept: to look anew would add up."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._matches = pattern.finditer(text)
        self._next = next(self._matches, None)

    def first_from(self, position: int) -> int | None:
        """The end of the first mark that begins at the position or later."""
        while self._next and self._next.start() < position:
            self._next = next(self._matches, None)
        return self._next.end() if self._next else None


def _fence_end(text: str, position: int, fence: str) -> int:
    closing = re.compile(rf"^ {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*\r?$", re.MULTILINE).search(text, position)
    return closing.end() if closing else len(text)
