r"""Pages: where they begin, which page a position lies on, and how a document in pages becomes one text.

Pages come as form feeds in the text, as a list of texts, or as the offsets where they begin. A
page is a number from 1; where pages begin is an int64 array of code points, the first 0.

    pages    "Water runs down\n3\n" | "4\n\nthe pipe.\n" ...
    text     "Water runs down\nthe pipe.\n" ...            page numbers dropped, the paragraph joined
    starts    0                16
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import is_blank
from udfs.chunking.formats.cleaning import Cleaning, clean
from udfs.chunking.formats.page_joints import join_pages
from udfs.chunking.formats.running_lines import RunningLine, running_lines
from udfs.chunking.formats.structure import Converted, Int64

Int32 = npt.NDArray[np.int32]

FORM_FEED = "\f"
_BLANKS = "".join(filter(is_blank, (*map(chr, range(0x3001)), "\ufeff")))


def split_pages(text: str) -> Int64 | None:
    r"""Where the pages of a text with form feeds begin: each behind its form feed.

    A form feed that ends the text begins no page.

    Returns:
        int64 array of code points, the first 0; None if the text has no form feed.

    Example:
        >>> split_pages("one\ftwo\f").tolist()
        [0, 4]
    """
    if FORM_FEED not in text:
        return None
    lengths = [len(page) + 1 for page in text.split(FORM_FEED)]
    return _inside(np.concatenate(([0], np.cumsum(lengths[:-1], dtype=np.int64))), text)


def pages_from_offsets(text: str, offsets: Sequence[int] | npt.NDArray[np.integer]) -> Int64 | None:
    """Where pages begin, from a column that says so; checked.

    Args:
        text: the text that the offsets refer to.
        offsets: code points, not falling, the first 0; equal ones are empty pages.

    Returns:
        int64 array; None if there are no offsets.

    Raises:
        ValueError: an offset is null or no whole number, the first is not 0, one is less than the one before, or lies
            behind the text's end.

    Example:
        >>> pages_from_offsets("one two", [0, 4]).tolist()
        [0, 4]
    """
    before = 0
    for number, offset in enumerate(offsets, start=1):
        if isinstance(offset, (bool, np.bool_)) or not isinstance(offset, (int, np.integer)):
            raise ValueError(f"page {number} begins at {offset!r}: must be a whole number (code points)")  # noqa: TRY004
        if number == 1 and offset != 0:
            raise ValueError(f"page 1 begins at {offset}: the first page must begin at 0")
        if offset < before:
            raise ValueError(f"page {number} begins at {offset}, before page {number - 1} (at {before}): must not fall")
        if offset > len(text):
            raise ValueError(f"page {number} begins at {offset}, behind the text's end ({len(text)} code points)")
        before = int(offset)
    return np.array(offsets, dtype=np.int64) if len(offsets) else None


def page_of(starts: Int64, positions: Int64 | Sequence[int]) -> Int32:
    """The page, from 1, on which each position lies.

    Example:
        >>> page_of(np.array([0, 4]), [0, 3, 4, 99]).tolist()
        [1, 1, 2, 2]
    """
    return np.searchsorted(starts, np.asarray(positions, dtype=np.int64), side="right").astype(np.int32)


def page_ranges(starts: Int64, char_start: Int64 | Sequence[int], texts: Sequence[str]) -> tuple[Int32, Int32]:
    r"""First and last page of each chunk: of its first and its last code point that is not blank.

    A form feed is blank, so a chunk that ends with one does not reach the next page.

    Args:
        starts: where the pages begin in the canonical text.
        char_start: where each chunk begins there.
        texts: the text of each chunk.

    Example:
        >>> [pages.tolist() for pages in page_ranges(np.array([0, 4]), [0, 3], ["one\f", "\ftwo"])]
        [[1, 2], [1, 2]]
    """
    begin = np.asarray(char_start, dtype=np.int64)
    head = np.fromiter((len(text) - len(text.lstrip(_BLANKS)) for text in texts), np.int64, len(texts))
    solid = np.fromiter((len(text.rstrip(_BLANKS)) for text in texts), np.int64, len(texts))
    first = page_of(starts, begin + np.where(solid > 0, head, 0))
    return first, np.maximum(first, page_of(starts, begin + solid - 1))


def read_pages(
    source: str | Sequence[str | None],
    offsets: Sequence[int] | None = None,
    *,
    boilerplate: Literal["drop", "keep"] = "drop",
    join: bool = True,
    cleaning: Cleaning | None = None,
) -> Converted:
    r"""A document in pages as one text.

    Args:
        source: a text with form feeds, or a text a page (null is an empty page).
        offsets: where the pages of a text begin, instead of form feeds.
        boilerplate: drop: running headers, footers and page numbers go.
        join: a paragraph that continues over a page break is joined by a line feed; else all page breaks stay.
        cleaning: what to clean in each page beforehand; None: nothing.

    Returns:
        The text, with a form feed at the other page breaks (none if there were offsets); where its pages begin; and
        how many code points were dropped for each reason: `running_header`, `running_footer`, `page_number`,
        `page_break` (blanks and form feeds where a paragraph was joined), and those of `clean`.

    Raises:
        ValueError: the offsets do not fit the text, or come with a list of pages.

    Example:
        >>> read_pages(["It runs down the whole long", "pipe."]).text
        'It runs down the whole long\npipe.'
    """
    cut = _cut(source, offsets)
    removed: dict[str, int] = {}
    pages = _cleaned(cut.pages, cleaning, removed)
    running = running_lines(pages)
    if boilerplate == "drop":
        pages = [_without(page, lines, removed) for page, lines in zip(pages, running, strict=True)]
        running = [[] for _ in pages]
    text, starts = join_pages(pages, cut.separator, apart=_kept_apart(running) if join else range(len(pages)))
    removed["page_break"] = sum(map(len, pages)) + len(cut.separator) * (len(pages) - 1) - len(text) if pages else 0
    known = {reason: count for reason, count in removed.items() if count}
    unchanged = source if isinstance(source, str) and source == text else text
    return Converted(unchanged, pages=_inside(starts, text) if cut.known else None, removed=known)


class _Cut(NamedTuple):
    pages: list[str]
    separator: str  # what stands between them
    known: bool  # False: nothing said that there are pages


def _cut(source: str | Sequence[str | None], offsets: Sequence[int] | None) -> _Cut:
    if not isinstance(source, str):
        if offsets is not None:
            raise ValueError("page offsets belong to one text, not to a list of pages; give one of them")
        return _Cut([page or "" for page in source], FORM_FEED, known=len(source) > 0)
    starts = None if offsets is None else pages_from_offsets(source, offsets)
    if starts is None:
        return _Cut(source.split(FORM_FEED), FORM_FEED, known=FORM_FEED in source)
    edges = [*starts.tolist(), len(source)]
    return _Cut([source[begin:end] for begin, end in pairwise(edges)], "", known=True)


def _cleaned(pages: list[str], cleaning: Cleaning | None, removed: dict[str, int]) -> list[str]:
    if cleaning is None:
        return pages
    cleaned = []
    for page in pages:
        text, counts = clean(page, cleaning)
        cleaned.append(text)
        _add(removed, counts)
    return cleaned


def _without(page: str, lines: Sequence[RunningLine], removed: dict[str, int]) -> str:
    if not lines:
        return page
    kept, position = [], 0
    for line in lines:
        kept.append(page[position : line.start])
        position = line.end
        _add(removed, {line.reason: line.end - line.start})
    return "".join([*kept, page[position:]])


def _inside(starts: Int64, text: str) -> Int64:
    """The pages that begin inside the text: one that begins at its end holds nothing."""
    inside = starts < len(text)
    inside[0] = True
    return starts[inside]


def _kept_apart(running: Sequence[Sequence[RunningLine]]) -> set[int]:
    """The pages before which a running line stands that was kept: no paragraph continues over it."""
    apart = set()
    for number, lines in enumerate(running):
        for line in lines:
            apart.add(number if line.at_top else number + 1)
    return apart


def _add(removed: dict[str, int], counts: Mapping[str, int]) -> None:
    for reason, count in counts.items():
        removed[reason] = removed.get(reason, 0) + count
