r"""Page joints: does a paragraph continue over a page break? Then a line feed stands there, else a form feed.

"... runs down" | "the pipe."      joined: no sentence ends, and the next page goes on in lower case
"... infor-"    | "mation is"      joined, and the hyphen stays: it may belong to the word
"... the end."  | "the next"       apart: a sentence ended
"... see"       | "b) the pipe"    apart: the next page begins with an item of a list
"Water"         | "runs"           apart: "Water" may be a title
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

from udfs.chunking.formats.structure import Int64

# A line shorter than this may be a title or a label, so nothing continues it.
_SHORTEST_LINE = 20
# As much of a page is looked at on either side of a joint, in code points.
_LOOK = 400

_ITEM = re.compile(r"(?:[^\W\d_]{1,4}[.)]|o)\s")
_JOINING = ",;-\u00ad\u2010\u2011\u2013\u2014"
_CLOSING = "\"'\u2019\u201d\u00bb\u203a)]"
_SENTENCE_END = ".!?\u2026:\u3002\uff01\uff1f"
_LEADING_BLANK_LINES = re.compile(r"\s*[\n\r]")
_BREAK = re.compile(r"\r\n|\r|\n")


def join_pages(pages: Sequence[str], separator: str = "\f", apart: Collection[int] = ()) -> tuple[str, Int64]:
    r"""Pages as one text, and where each begins in it.

    Where a paragraph continues, what parts its halves (blank lines, form feeds) becomes one line feed; a page then
    begins with its first line that is not blank. All other pages stand in the text as they are.

    Args:
        pages: the text of each page, empty ones included.
        separator: what stands between two pages elsewhere; empty if `pages` are slices of one text.
        apart: the pages (from 0) before which no paragraph continues.

    Returns:
        The text, and the int64 array of where each page begins, the first at 0 (empty if there are no pages).

    Example:
        >>> text, starts = join_pages(["It runs down the whole long\n", "\npipe."])
        >>> text, starts.tolist()
        ('It runs down the whole long\npipe.', [0, 28])
    """
    parts: list[str] = []  # separator, page, separator, page ...
    for number, page in enumerate(pages):
        between, here = separator if parts else "", page
        if parts and number not in apart and _continues(parts[-1], page):
            parts[-1], between, here = _joint(parts[-1], page, separator)
        parts += (between, here)
    lengths = np.fromiter(map(len, parts), np.int64, len(parts))
    starts = np.cumsum(lengths)[0::2]  # a page begins where its separator ends
    return "".join(parts), starts


def _continues(before: str, after: str) -> bool:
    """Whether the paragraph that ends a page goes on with the next page."""
    head = after[:_LOOK].lstrip()
    if not head[:1].islower() or _ITEM.match(head):
        return False
    lines = before[-_LOOK:].rstrip().splitlines()
    if not lines or len(lines[-1].strip()) < _SHORTEST_LINE:
        return False
    end = lines[-1].rstrip(_CLOSING)[-1:]
    return (end.isalpha() or end in _JOINING) and end not in _SENTENCE_END and end != ""


def _joint(before: str, after: str, separator: str) -> tuple[str, str, str]:
    """The page before, what parts it from the next, and the next, when a paragraph runs through."""
    solid = before.rstrip()
    leading = _LEADING_BLANK_LINES.match(after)
    breaks = len(_BREAK.findall(before, len(solid)))
    if not leading and not separator and breaks <= 1:
        return before, "", after  # slices of one text, in which no blank line parts the halves
    if not leading and not breaks:
        return before, "\n", after  # in place of the form feed, so that no position moves
    return solid, "\n", after[leading.end() :] if leading else after
