"""Edges of graphemes, found from near by and in order."""

from __future__ import annotations

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking import Chunker
from udfs.chunking.graphemes import EdgeScan, GraphemeEdges
from udfs.chunking.slab import Slab


def all_edges(text: str) -> list[int]:
    """Every edge of the document in its slab, by segmenting it whole."""
    return [1, *(1 + match.end() for match in regex.finditer(r"\X", text))]


@given(text=st.one_of(documents(), st.sampled_from([text for text in NASTY if len(text) < 500])), data=st.data())
@settings(max_examples=300, deadline=None)
def test_edges_near_a_position_are_those_of_the_whole_text(text: str, data: st.DataObject) -> None:
    edges, known = GraphemeEdges(Slab([text])), all_edges(text)
    floor = data.draw(st.sampled_from(known))
    position = data.draw(st.integers(floor, len(text) + 1))
    before = [edge for edge in known if floor < edge <= position]
    assert edges.last(floor, position) == (before[-1] if before else None)
    assert edges.first(floor, position, known[-1]) == min(edge for edge in known if edge >= position)


@given(text=documents())
@settings(max_examples=200, deadline=None)
def test_a_scan_knows_every_edge(text: str) -> None:
    scan, known = EdgeScan(GraphemeEdges(Slab([text])), 1), set(all_edges(text))
    for position in range(1, len(text) + 1):
        assert scan.is_edge(position) == (position in known)


class Counting(str):
    """A text that counts how much of it is cut out."""

    __slots__ = ()
    cut_out = 0

    def __getitem__(self, key: object) -> str:
        piece = super().__getitem__(key)  # type: ignore[index]
        Counting.cut_out += len(piece)
        return piece


def work(text: str) -> int:
    slab = Slab([text])
    slab.text = Counting(slab.text)
    Counting.cut_out = 0
    scan = EdgeScan(GraphemeEdges(slab), 1)
    for position in range(1, len(text) + 1):
        scan.is_edge(position)
    return Counting.cut_out


def test_a_scan_looks_at_each_grapheme_a_few_times_only() -> None:
    for unit in ("\u0301", "\U0001f1e9", "\U0001f468\u200d", "\u1112\u1161", "a"):
        small, large = work("e" + unit * 500), work("e" + unit * 5000)
        assert large <= 20 * small  # windows double, so up to twice as much


def test_separators_within_long_graphemes_take_no_longer_than_elsewhere() -> None:
    for unit, pattern in (("\u0301", r"\W"), ("\U0001f1e9", "\U0001f1e9"), ("\u0301e", r"\W")):
        text = "e" + unit * 40_000
        assert Chunker(separators=[{"pattern": pattern}], size=64).chunk(text)[-1].char_end == len(text)


def test_a_stop_that_is_a_pictograph_too_may_end_a_family() -> None:
    text = "\U0001f469\u200d\u203c x"
    assert all_edges(text)[1] == 4
    assert GraphemeEdges(Slab([text])).last(1, 3) is None
