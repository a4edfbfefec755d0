"""Two ways to chunk one document, side by side: where each cuts, and what that makes of the sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jobs.drawing import shown_text
from jobs.previewing.subject import Subject
from udfs.chunking import Chunk

# Code points of the text on each side of a cut that are shown.
_AROUND = 24


@dataclass(frozen=True, slots=True)
class CutLine:
    """A place where at least one of the two ends a chunk.

    Attributes:
        place: in code points of the canonical text.
        left, right: the chunk that ends there; None: that side does not cut here.
        before, after: the text around the cut, for a person.
    """

    place: int
    left: Chunk | None
    right: Chunk | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """One document, chunked in two ways.

    Attributes:
        left, right: the two.
        cuts: the places where only one of them cuts, in order.
        shared: how many places both cut at.
        comparable: whether both are of one canonical text; else places mean nothing, and `cuts` is empty.
    """

    left: Subject
    right: Subject
    cuts: list[CutLine]
    shared: int
    comparable: bool


def compare(left: Subject, right: Subject) -> Comparison:
    """Sets two ways to chunk a document side by side."""
    text = left.text
    if text is None or text != right.text:
        return Comparison(left, right, [], 0, comparable=False)
    ends = (_ends(left), _ends(right))
    only = sorted(ends[0].keys() ^ ends[1].keys())
    cuts = [
        CutLine(
            place,
            ends[0].get(place),
            ends[1].get(place),
            _one_line(text[max(0, place - _AROUND) : place]),
            _one_line(text[place : place + _AROUND]),
        )
        for place in only
    ]
    return Comparison(left, right, cuts, len(ends[0].keys() & ends[1].keys()), comparable=True)


def figure_lines(comparison: Comparison) -> list[tuple[str, str, str]]:
    """The figures of both: name, left, right."""
    return [
        (name, of_left, of_right)
        for (name, of_left), (_, of_right) in zip(_figures(comparison.left), _figures(comparison.right), strict=True)
    ]


def cut_told(chunk: Chunk | None) -> str:
    """What one side does at a place.

    >>> cut_told(None)
    '-'
    """
    return "-" if chunk is None else f"{chunk.chunk_index}: {chunk.cut}, {chunk.token_count:,} tokens"


def _ends(subject: Subject) -> Mapping[int, Chunk]:
    return {chunk.char_end: chunk for chunk in subject.document.chunks}


def _figures(subject: Subject) -> list[tuple[str, str]]:
    figures, document = subject.figures, subject.document
    return [
        ("strategy", document.strategy),
        ("limit", f"{document.limit:,} {document.unit}"),
        ("chunks", f"{figures.chunks:,}"),
        ("tokens in all", f"{figures.tokens:,}"),
        ("mean", f"{figures.mean:,.0f}"),
        ("p50", f"{figures.p50:,.0f}"),
        ("p95", f"{figures.p95:,.0f}"),
        ("max", f"{figures.most:,}"),
        ("forced cuts", f"{figures.forced_cuts:,}"),
        ("characters in no chunk", f"{sum(subject.removed.values()):,}"),
    ]


def _one_line(text: str) -> str:
    return shown_text(text).replace("\n", " ").replace("\t", " ")
