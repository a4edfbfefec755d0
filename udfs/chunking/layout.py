"""Cuts where the structure of a document suggests them, laid over those of prose.

heading > block > paragraph > line > sentence > clause      the outermost heading is best
[ block that fits ]                                         never cut inside: it is solid
[ block that does not fit [child] [child] ]                 cut at the edges of its children
heading | text                                              a heading stays with what follows
# heading of a section that is kept apart                   every chunk ends here: a stop
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from udfs.chunking.blanks import gaps_around
from udfs.chunking.boundaries import CUT, Boundaries, prose_boundaries
from udfs.chunking.characters import EXTEND, PREPEND
from udfs.chunking.formats.structure import Blocks
from udfs.chunking.outline import Outline
from udfs.chunking.removal import around_removed, extents_without_removed
from udfs.chunking.slab import Slab
from udfs.chunking.workpiece import Workpiece

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
Bool = npt.NDArray[np.bool_]

# Tiers: 0 is a stop without a heading, then come headings by their depth, then the other qualities, and last the
# place between a heading and its text.
DEEPEST = 8
OTHER = DEEPEST
BEHIND_HEADING = OTHER + len(CUT)
GOOD = OTHER + CUT["sentence"]

# An estimate is off by no more tokens than this.
NEAR = 4


@dataclass(frozen=True)
class Layout:
    """What a structured slab is packed by.

    Attributes:
        boundaries: where it may be cut.
        solid_left: where the text before a block ends that is not cut, in order.
        solid_start: where such a block begins, its indentation left out.
        solid_end: where it ends.
        stops: where every chunk ends, in order.
        fence_left: where text ends before a heading or what is removed, in order: nothing is shared over these.
        fence_right: where it goes on.
        begin, last: where each document's text begins and ends, as `Slab.extents`.
    """

    boundaries: Boundaries
    solid_left: list[int]
    solid_start: list[int]
    solid_end: list[int]
    stops: list[int]
    fence_left: list[int]
    fence_right: list[int]
    begin: list[int]
    last: list[int]


def lay_out(
    work: Workpiece, size: int, max_tokens: int | None, in_tokens: bool, keep_apart: int, section_cut: int
) -> Layout:
    """Find the cuts of a slab and what stays whole.

    Args:
        work: the documents, and what is known of them.
        size: the most units of a chunk.
        max_tokens: the most tokens of a chunk, if they are bounded.
        in_tokens: whether the unit is the token; else the code point.
        keep_apart: sections down to this depth (1: the outermost) begin a chunk of their own; 0: none does.
        section_cut: what a cut before a section is called: an index into CUTS.
    """
    slab, outline, blocks = work.slab, work.outline, work.outline.blocks
    fitting = _fit(work, size, max_tokens, in_tokens)
    covered = np.maximum.accumulate(np.append(0, np.where(fitting, blocks.end, 0)))[:-1]
    open_blocks = np.flatnonzero(covered <= blocks.start)  # those that no solid block holds
    solid = open_blocks[fitting[open_blocks]]
    removed_left, removed_right = around_removed(slab, outline)

    def allowed(rows: Boundaries) -> Boundaries:
        inside = _inside(rows.left, blocks.start[solid], blocks.end[solid])
        inside |= _inside(rows.left, removed_left, removed_right)
        return _rows(rows, ~inside & _between_graphemes(slab, rows.left, rows.right))

    headings = allowed(_headings(slab, outline, section_cut))
    removed = _removed(removed_left, removed_right)
    rows = allowed(_merged(headings, removed, *_edges(slab, blocks, open_blocks), _prose(slab, size)))
    behind_headings = _behind_headings(slab, outline)
    rows.tier[np.isin(rows.left, behind_headings)] = BEHIND_HEADING
    fences = _merged(headings, removed)
    stops = (fences.tier <= keep_apart) & ~_leads(slab, outline, fences.right) & ~np.isin(fences.left, behind_headings)
    solid_left, solid_start = gaps_around(slab, blocks.start[solid])
    begin, last = extents_without_removed(slab, outline)
    return Layout(
        boundaries=rows,
        solid_left=solid_left.tolist(),
        solid_start=solid_start.tolist(),
        solid_end=blocks.end[solid].tolist(),
        stops=fences.left[stops].tolist(),
        fence_left=fences.left.tolist(),
        fence_right=fences.right.tolist(),
        begin=begin,
        last=last,
    )


def _fit(work: Workpiece, size: int, max_tokens: int | None, in_tokens: bool) -> Bool:
    """Whether each block fits into a chunk with its context: by estimate, or counted where it is near the size."""
    start, end = work.outline.blocks.start, work.outline.blocks.end
    span = work.bare_ruler.span(start, end)
    undecided = (span <= size + NEAR) & (span + work.most_context >= size - NEAR)
    if max_tokens is not None and not in_tokens:
        undecided = span <= size  # a context may take too many tokens wherever there is one
    open_rows = np.flatnonzero(undecided)
    span[open_rows] = work.ruler.span(start[open_rows], end[open_rows])  # contexts are made for these alone
    fits: Bool = span <= size
    near = np.flatnonzero(np.abs(span - size) <= NEAR)
    if max_tokens is not None and len(near):
        counted = work.counter.count(start[near], end[near]) <= max_tokens
        fits[near] = counted if in_tokens else fits[near] & counted
    if work.slab.has_marks:
        for edge in (start, end):
            fits &= _between_graphemes(work.slab, *gaps_around(work.slab, edge))
    return fits


def _headings(slab: Slab, outline: Outline, cut: int) -> Boundaries:
    starts = np.array(outline.sections.start, dtype=np.int64)
    depth = np.minimum(np.array(outline.sections.depth, dtype=np.int64), DEEPEST).astype(np.uint8)
    left, _ = gaps_around(slab, starts)
    return Boundaries(left, starts, np.full(len(starts), cut, np.uint8), depth)


def _leads(slab: Slab, outline: Outline, starts: Int64) -> Bool:
    """Whether the first section of a document begins here: what stands before it may share a chunk with it."""
    sections = np.array(outline.sections.start, dtype=np.int64)
    document = np.searchsorted(slab.first, sections, side="right")
    return np.isin(starts, sections[np.flatnonzero(np.diff(document, prepend=-1))])


def _behind_headings(slab: Slab, outline: Outline) -> Int64:
    """Where headings end that have something under them."""
    body = np.array(outline.bodies, dtype=np.int64)
    end = np.array(outline.sections.end, dtype=np.int64)
    left, right = gaps_around(slab, body)
    return left[right < end]


def _edges(slab: Slab, blocks: Blocks, rows: Int64) -> tuple[Boundaries, Boundaries]:
    """The edges of blocks: a chunk that begins with one has the indentation of its first line."""
    cut = blocks.cut[rows]
    tier = cut + np.uint8(OTHER)
    before, _ = gaps_around(slab, blocks.start[rows])
    left, right = gaps_around(slab, blocks.end[rows])
    return Boundaries(before, blocks.start[rows], cut, tier), Boundaries(left, right, cut, tier)


def _prose(slab: Slab, size: int) -> Boundaries:
    found = prose_boundaries(slab, size)
    return Boundaries(found.left, found.right, found.cut, found.cut + np.uint8(OTHER))


def _removed(left: Int64, right: Int64) -> Boundaries:
    cut = np.full(len(left), CUT["block"], np.uint8)
    return Boundaries(left, right, cut, np.zeros(len(left), np.uint8))


def _merged(*found: Boundaries) -> Boundaries:
    """All of them in order. Of those at one place the best quality counts; the first says where the chunk begins."""
    left, right, cut, tier = (
        np.concatenate([getattr(rows, name) for rows in found]) for name in ("left", "right", "cut", "tier")
    )
    order = np.argsort(left, kind="stable")
    left, right, cut, tier = left[order], right[order], cut[order], tier[order]
    first = np.flatnonzero(np.append(True, left[1:] != left[:-1])[: len(left)])
    return Boundaries(left[first], right[first], np.minimum.reduceat(cut, first), np.minimum.reduceat(tier, first))


def _rows(boundaries: Boundaries, kept: Bool) -> Boundaries:
    return Boundaries(boundaries.left[kept], boundaries.right[kept], boundaries.cut[kept], boundaries.tier[kept])


def _inside(positions: Int64, start: Int64, end: Int64) -> Bool:
    """Whether each position lies inside one of some disjoint stretches, edges excluded."""
    if not len(start):
        return np.zeros(len(positions), dtype=np.bool_)
    row = np.searchsorted(start, positions) - 1  # the last that begins before the position
    inside: Bool = (row >= 0) & (positions < end[np.maximum(row, 0)])
    return inside


def _between_graphemes(slab: Slab, left: Int64, right: Int64) -> Bool:
    """Whether gaps hold blanks, or stand where no letter joins its neighbour."""
    spaced: Bool = left < right
    if slab.has_marks:
        apart: Bool = (slab.classes[left] < EXTEND) & (slab.classes[left - 1] != PREPEND)
        return spaced | apart
    return np.ones(len(left), dtype=np.bool_)
