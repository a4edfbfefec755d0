"""Source code without a grammar: groups of lines, each begun by a line without indentation behind a blank line."""

from __future__ import annotations

import re
from itertools import pairwise

from udfs.chunking.formats.code_outline import BLOCK, Outline, Part

_GROUP = re.compile(rb"(?:\A|\n[^\S\n]*\n)(?=[^\s})\]])")


def groups_of_lines(source: bytes) -> Outline:
    r"""The groups of a source, whatever its language, as parts; no units, because nothing has a name.

    >>> [(part.start, part.end) for part in groups_of_lines(b"if x:\n  a\n\n  b\n\nc\n").parts]
    [(0, 16), (16, 18)]
    """
    starts = [match.end() for match in _GROUP.finditer(source)]
    edges = [*starts, len(source)]
    return Outline(parts=[Part(start, end, BLOCK) for start, end in pairwise(edges)])
