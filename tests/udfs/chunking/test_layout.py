"""Where structured documents may be cut and what stays whole, against plain reasoning about random structures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.random_structures import Example, edges_of_graphemes, examples
from udfs.chunking.boundaries import CUT
from udfs.chunking.characters import is_blank
from udfs.chunking.formats.structure import Blocks, Removed, Section, Structure
from udfs.chunking.layout import BEHIND_HEADING, OTHER, Layout, lay_out
from udfs.chunking.measuring import Measures
from udfs.chunking.outline import Outline
from udfs.chunking.packing import Budget
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import load_tokenizer


def laid_out(text: str, structure: Structure, size: int, *, keep_apart: int = 1) -> Layout:
    """The layout of one document in characters, without context; positions are those of the document."""
    slab = Slab([text])
    outline = Outline.of(slab, [structure])
    measures = Measures.of(slab, load_tokenizer("cl100k_base"), Budget(size, 0, in_tokens=False, max_tokens=None), None)
    return lay_out(measures.workpiece(slab, outline), size, None, False, keep_apart, CUT["heading"])


def solid_in(layout: Layout) -> list[tuple[int, int]]:
    return [(start - 1, end - 1) for start, end in zip(layout.solid_start, layout.solid_end, strict=True)]


@given(example=examples(), size=st.integers(1, 200))
@settings(max_examples=200, deadline=None)
def test_solid_are_the_outermost_blocks_that_fit(example: Example, size: int) -> None:
    text, blocks = example.text, example.structure.blocks
    edges = edges_of_graphemes(text)
    rows = list(zip(blocks.start.tolist(), blocks.end.tolist(), strict=True))
    fitting = [(start, end) for start, end in rows if end - start <= size]
    layout = laid_out(text, example.structure, size)
    found = solid_in(layout)
    assert found == sorted(found)
    outermost = {
        end
        for start, end in fitting
        if {start, end} <= edges and not any(s <= start and end <= e and (s, e) != (start, end) for s, e in fitting)
    }
    # Beside letters that may join their neighbours, blocks are left open rather than trusted.
    assert {end for _, end in found} - outermost <= {end for _, end in fitting}
    if text.isascii():
        assert {end for _, end in found} == outermost


@given(example=examples(), size=st.integers(1, 200))
@settings(max_examples=200, deadline=None)
def test_no_boundary_lies_in_a_solid_block_and_every_open_edge_is_one(example: Example, size: int) -> None:
    layout = laid_out(example.text, example.structure, size)
    solid = solid_in(layout)
    left = (layout.boundaries.left - 1).tolist()
    right = (layout.boundaries.right - 1).tolist()
    assert left == sorted(set(left))
    removed = [(cut.start, cut.end) for cut in example.structure.removed]
    kept = "".join(" " * (end - start) for start, end in removed)  # at the start only
    kept += example.text[len(kept) :]
    assert all(is_blank(kept[max(a, 0) : b]) for a, b in zip(left, right, strict=True))
    assert not any(start < at < end for start, end in solid for at in left)
    blocks = example.structure.blocks
    if not example.text.isascii():
        return
    for start, end in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True):
        first = next(at for at in range(start, end) if not is_blank(example.text[at]))
        if any(s <= first and end <= e for s, e in solid if (s, e) != (first, end)):
            continue
        assert any(a <= first and is_blank(kept[max(a, 0) : first]) for a in left)
        assert end in left


def test_tiers_rank_headings_by_depth_before_blocks_before_lines() -> None:
    text = "# A\n\nText.\n\n## B\n\n- a\n- b\n\nEnd. Last\nline."
    at = text.index
    structure = Structure(
        sections=[Section(0, 3, len(text), 1, "A"), Section(at("## B"), at("\n\n- a"), len(text), 2, "B")],
        blocks=Blocks.of(
            [
                (at("- a"), at("\n\nEnd"), 3, CUT["block"]),
                (at("- a"), at("\n- b"), 3, CUT["line"]),
                (at("- b"), at("\n\nEnd"), 3, CUT["line"]),
            ]
        ),
    )
    layout = laid_out(text, structure, 6, keep_apart=2)
    tier = dict(zip((layout.boundaries.left - 1).tolist(), layout.boundaries.tier.tolist(), strict=True))
    assert tier[at("\n\n## B")] == 2
    assert tier[3] == tier[at("\n\n- a")] == BEHIND_HEADING
    assert tier[at("\n- b")] == OTHER + CUT["line"]
    assert tier[at("\n\nEnd")] == OTHER + CUT["block"]
    assert tier[at(" Last")] == OTHER + CUT["sentence"]
    assert [stop - 1 for stop in layout.stops] == [at("\n\n## B")]
    assert [fence - 1 for fence in layout.fence_left] == [-1, at("\n\n## B")]


@pytest.mark.parametrize("keep_apart", [0, 1, 2])
def test_stops_are_the_headings_that_are_kept_apart(keep_apart: int) -> None:
    text = "# A\n\nText.\n\n## B\n\nText.\n\n# C\n\nText."
    at = text.index
    sections = [Section(0, 3, at("# C"), 1, "A"), Section(at("## B"), at("## B") + 4, at("# C"), 2, "B")]
    sections.append(Section(at("# C"), at("# C") + 3, len(text), 1, "C"))
    layout = laid_out(text, Structure(sections=sections), 100, keep_apart=keep_apart)
    deep = {0: [], 1: [at("\n\n# C")], 2: [at("\n\n## B"), at("\n\n# C")]}
    assert [stop - 1 for stop in layout.stops] == deep[keep_apart]


def test_text_begins_behind_what_is_removed() -> None:
    text = "---\na: b\n---\n\nText. More."
    layout = laid_out(text, Structure(removed=[Removed(0, 12, "front_matter")]), 100)
    assert (layout.begin[0] - 1, layout.last[0] - 1) == (text.index("Text"), len(text))


def test_a_document_that_is_removed_whole_has_no_extent() -> None:
    text = "---\na: b\n---\n"
    layout = laid_out(text, Structure(removed=[Removed(0, 12, "front_matter")]), 100)
    assert layout.begin == layout.last


@pytest.mark.parametrize("blocks", [1000, 10_000])
def test_a_layout_has_no_more_boundaries_than_edges(blocks: int) -> None:
    text = "- x\n" * blocks
    rows = [(4 * row, 4 * row + 3, 3, CUT["line"]) for row in range(blocks)]
    nested = [(0, 4 * blocks - 1, 3, CUT["block"]), *rows]
    for depth in (1, 100):
        chain = [(4 * row, 4 * blocks - 1, 3, CUT["line"]) for row in range(depth)]
        layout = laid_out(text, Structure(blocks=Blocks.of(chain if depth > 1 else nested)), 10)
        assert len(layout.boundaries.left) <= blocks + 1
        assert np.all(np.diff(layout.boundaries.left) > 0)
