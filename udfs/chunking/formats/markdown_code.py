"""Code that is too large for one chunk: the parts that should stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from udfs.chunking.formats.markdown_edges import line_start

# Code shorter than this (code points) fits into any chunk: its parts do not matter.
MIN_CODE_WITH_PARTS = 400

_BLANK_LINES = re.compile(r"\n(?:[ \t]*\r?\n)+")


def code_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    r"""The parts of a code block that begin behind a blank line and are not indented: functions, mostly.

    >>> code = "```\nf():\n  a\n\n  b\n\n" + "g():\n  c\n" * 50 + "```"
    >>> [code[start:end][:8] for start, end in code_parts(code, 0, len(code))]
    ['```\nf():', 'g():\n  c']
    """
    if end - start < MIN_CODE_WITH_PARTS:
        return
    last_line = text.rfind("\n", start, end) + 1
    indentation = start - line_start(text, start)
    part = start
    for blank in _BLANK_LINES.finditer(text, start, last_line):
        following = blank.end() + indentation
        if following < last_line and not text[following].isspace():
            yield line_start(text, part), part + len(text[part : blank.start()].rstrip())
            part = blank.end()
    if part > start:
        yield part, end
