"""Previews as HTML pages, bounded: a page of a huge document says how much it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jobs.drawing import DrawnDocument, bounded
from jobs.previewing.bars import MOST_BARS, size_chart
from jobs.previewing.comparison import Comparison, cut_told, figure_lines
from jobs.previewing.directory import Directory, left_out_line
from jobs.previewing.subject import Figures, Subject
from jobs.previewing.terminal import forced_line
from jobs.showing import render

if TYPE_CHECKING:
    from markupsafe import Markup

_TEMPLATE = "preview.html.j2"

# What a browser on a phone still shows without a wait.
_MOST_CHUNKS, _MOST_CHARACTERS = 1000, 400_000
_MOST_CUTS = 500
_MOST_FILES = 1000

_WIDE, _HALF = 12.0, 6.4


@dataclass(frozen=True, slots=True)
class Part:
    """A document in a page: what is drawn of it, its figures, and its chart.

    Attributes:
        prefix: of its ids in the page.
        document: bounded to what is shown.
        figures: of all chunks.
        forced: how many cuts are forced, in words; empty if none are.
        removed: what is in no chunk, in words; empty if there is nothing.
        chart: of the sizes.
        each: how many chunks a bar of it stands for.
    """

    prefix: str
    document: DrawnDocument
    figures: Figures
    forced: str
    removed: str
    chart: Markup
    each: int


def document_page(subject: Subject) -> str:
    """The page of one document."""
    return _page(subject.document.name, [_part(subject, "a")])


def directory_page(directory: Directory) -> str:
    """The page of a directory: its files in a table, and the first ones drawn."""
    chunks, characters = _MOST_CHUNKS, _MOST_CHARACTERS
    parts: list[Part] = []
    for place, subject in enumerate(directory.first):
        if chunks > 0 and characters > 0:
            part = _part(subject, f"d{place}", chunks, characters)
            parts.append(part)
            chunks -= len(part.document.shown_chunks)
            characters -= part.document.shown_chunks[-1].char_end
    lines = directory.lines[:_MOST_FILES]
    drawn = {part.document.name: part.prefix for part in parts}
    left_out = left_out_line(directory.hidden, directory.binary, directory.beyond)
    return _page(directory.name, parts, directory=replace(directory, lines=lines), drawn_files=drawn, left_out=left_out)


def comparison_page(comparison: Comparison) -> str:
    """The page of two ways to chunk one document, side by side."""
    half = (_MOST_CHUNKS // 2, _MOST_CHARACTERS // 2, _HALF)
    parts = [_part(comparison.left, "a", *half), _part(comparison.right, "b", *half)]
    cuts = [(line, cut_told(line.left), cut_told(line.right)) for line in comparison.cuts[:_MOST_CUTS]]
    return _page(
        comparison.left.document.name, parts, comparison=comparison, cuts=cuts, figure_lines=figure_lines(comparison)
    )


def _page(name: str, parts: Sequence[Part], **more: object) -> str:
    values: dict[str, object] = {"directory": None, "comparison": None, "drawn_files": {}, "left_out": "", "cuts": []}
    return render(_TEMPLATE, name=name, parts=parts, **(values | more))


def _part(
    subject: Subject,
    prefix: str,
    chunks: int = _MOST_CHUNKS,
    characters: int = _MOST_CHARACTERS,
    width: float = _WIDE,
) -> Part:
    document = bounded(subject.document, chunks, characters)
    figures = subject.figures
    return Part(
        prefix=prefix,
        document=document,
        figures=figures,
        forced=forced_line(figures) if figures.forced_cuts else "",
        removed=", ".join(f"{reason} {count:,}" for reason, count in subject.removed.items()),
        chart=size_chart(document, prefix, width),
        each=-(-len(document.chunks) // MOST_BARS),
    )
