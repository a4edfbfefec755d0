"""Which sentences are embedded."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.semantic.sentences import LONGEST, SHORT, Sentences, sentences_of
from udfs.chunking.slab import Slab


def sentences(*texts: str) -> tuple[Slab, Sentences]:
    slab = Slab(texts)
    return slab, sentences_of(slab, prose_boundaries(slab, 512))


def texts(*documents: str) -> list[str]:
    slab, found = sentences(*documents)
    return found.texts(slab)


def test_sentences_lines_and_paragraphs_are_parted() -> None:
    assert texts("The first sentence. The second one!\n\nAnother paragraph") == [
        "The first sentence.",
        "The second one!",
        "Another paragraph",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Why? Because the pump has stopped.", ["Why? Because the pump has stopped."]),
        ("The pump has stopped. Why?", ["The pump has stopped. Why?"]),
        (
            "It has stopped again. Why?\n\nNobody was there to ask.",
            ["It has stopped again. Why?", "Nobody was there to ask."],
        ),
        ("Limits\n\nThe pump lifts ten metres.", ["Limits\n\nThe pump lifts ten metres."]),
        ("Yes. No.", ["Yes. No."]),
    ],
)
def test_a_very_short_sentence_joins_its_neighbour(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_many_short_lines_do_not_become_one_sentence() -> None:
    found = texts("\n".join(["four", "five", "sixes"] * 40))
    assert len(found) > 30
    assert all(SHORT <= len(text) < 4 * SHORT for text in found)


def test_of_a_very_long_sentence_the_beginning_is_embedded() -> None:
    assert texts("word " * 1000) == [("word " * 1000)[:LONGEST]]


def test_no_sentence_spans_two_documents() -> None:
    _, found = sentences("One document here. It still goes on.", "", " \n ", "a", "Another document.")
    assert found.document.tolist() == [0, 0, 1, 2]
    assert found.is_last.tolist() == [False, True, True, True]
    assert found.first.tolist() == [0, 0, 2, 3]


@given(given_texts=st.lists(documents() | st.sampled_from(NASTY), max_size=4))
@settings(deadline=None, max_examples=200)
def test_sentences_hold_all_text_in_order(given_texts: list[str]) -> None:
    slab, found = sentences(*given_texts)
    begin, last = slab.extents
    full = [index for index in range(len(given_texts)) if begin[index] < last[index]]
    assert int(found.is_last.sum()) == len(full)
    assert (found.start < found.end).all()
    assert (found.end[:-1] <= found.start[1:]).all()
    covered = {position for start, end in zip(found.start, found.end, strict=True) for position in range(start, end)}
    wanted = {position for index in full for position in range(begin[index], last[index])}
    assert all(slab.blank[position] for position in wanted - covered)
