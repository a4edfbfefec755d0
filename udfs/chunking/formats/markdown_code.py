"""Code that is too large for one chunk: the parts that should stay whole."""

from __future__ import annotations

from collections.abc import Iterator

from udfs.chunking.formats.markdown_edges import line_start

# Code shorter than this (code points) fits into any chunk: its parts do not matter.
MIN_CODE_WITH_PARTS = 400


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
    line_end = "\r\n" if text.endswith("\r", start, max(start, text.find("\n", start, end))) else "\n"
    blank_line = "\n" + line_end
    part = start
    blank = text.find(blank_line, start, last_line)
    while blank >= 0:
        begin = blank + len(blank_line)
        following = begin + indentation
        if following < last_line and not text[following].isspace():
            yield line_start(text, part), part + len(text[part:blank].rstrip())
            part = begin
        blank = text.find(blank_line, blank + 1, last_line)
    if part > start:
        yield part, end
