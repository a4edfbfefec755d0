"""Examples of the field, worked by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from udfs.chunking import Chunker


def test_fixed_windows_of_ten_digits() -> None:
    chunks = Chunker(strategy="fixed", size=4, overlap=2, unit="characters").chunk("0123456789")
    assert [chunk.text for chunk in chunks] == ["0123", "2345", "4567", "6789"]


def test_a_sliding_window_of_ten_digits() -> None:
    chunks = Chunker(strategy="sliding_window", size=4, stride=3, unit="characters").chunk("0123456789")
    assert [chunk.text for chunk in chunks] == ["0123", "3456", "6789"]


def test_windows_without_overlap_tile_the_text() -> None:
    chunks = Chunker(strategy="fixed", size=4, overlap=0, unit="characters").chunk("one two three")
    assert [chunk.text for chunk in chunks] == ["one ", "two ", "thre", "e"]


@pytest.mark.parametrize("strategy", ["fixed", "sliding_window"])
@pytest.mark.parametrize(
    ("tokens", "size", "overlap", "windows"),
    [(1000, 300, 50, 4), (130_000, 256, 32, 581), (130_000, 512, 64, 291), (130_000, 1024, 128, 145)],
)
def test_the_number_of_windows(strategy: str, tokens: int, size: int, overlap: int, windows: int) -> None:
    step = {"stride": size - overlap} if strategy == "sliding_window" else {"overlap": overlap}
    text = "hello" + " hello" * (tokens - 1)
    assert len(Chunker(strategy=strategy, size=size, **step).chunk(text)) == windows


def test_the_starts_of_windows_in_tokens() -> None:
    text = "hello" + " hello" * 999
    chunks = Chunker(strategy="fixed", size=300, overlap=50).chunk(text)
    assert [len(text[: chunk.char_start].split()) for chunk in chunks] == [0, 250, 500, 750]
    assert [chunk.token_count for chunk in chunks] == [300, 300, 300, 250]


def test_the_best_cut_in_reach_wins() -> None:
    text = "First sentence here. Second one,\nthird line. Fourth one.\n\nNew paragraph. And its end."
    cuts = [(chunk.text, chunk.cut) for chunk in Chunker(size=62, overlap=0, unit="characters").chunk(text)]
    assert cuts == [
        ("First sentence here. Second one,\nthird line. Fourth one.", "paragraph"),
        ("New paragraph. And its end.", "end"),
    ]


def test_a_line_before_a_sentence_before_a_clause_before_a_word() -> None:
    chunker = Chunker(size=20, overlap=0, unit="characters")
    assert chunker.chunk("A sentence. Then\nB goes on and on. Yes it does so.")[0].cut == "line"
    assert chunker.chunk("A sentence. Then it goes on and on for long")[0].cut == "sentence"
    assert chunker.chunk("A clause first, then it goes on and on long")[0].cut == "clause"
    assert chunker.chunk("Just words that go on and on for very long")[0].cut == "word"
    assert chunker.chunk("Donaudampfschifffahrtsgesellschaftskapitaen")[0].cut == "grapheme"


def test_two_chunks_share_what_is_left_fairly() -> None:
    text = " ".join(f"Sentence {number:02d}." for number in range(11))
    sizes = [len(chunk.text) for chunk in Chunker(size=110, overlap=0, unit="characters").chunk(text)]
    assert sizes == [77, 64]  # and not 103 and 38


def test_a_word_is_cut_only_if_it_alone_exceeds_the_limit() -> None:
    words = ["a", "an", "extraordinarily", "long", "counterrevolutionary", "word"] * 20
    for chunk in Chunker(size=21, overlap=0, unit="characters").chunk(" ".join(words)):
        assert set(chunk.text.split()) <= set(words)


def test_an_overlap_begins_at_a_sentence_where_one_fits() -> None:
    text = " ".join(f"This is sentence number {number:02d}." for number in range(40))
    chunks = Chunker(size=200, overlap=50, unit="characters").chunk(text)
    assert all(chunk.text.startswith("This is") and chunk.text.endswith(".") for chunk in chunks)
    assert all(after.char_start < before.char_end for before, after in pairwise(chunks))


def test_a_line_keeps_its_indentation() -> None:
    text = "def f(x):\n    if x:\n        return 1\n\n" * 10
    chunks = Chunker(size=64, overlap=0, unit="characters").chunk("x = 1\n" * 8 + "    indented = 2\n" * 8)
    assert any(chunk.text.startswith("    indented") for chunk in chunks)
    assert Chunker(size=1000, overlap=0).chunk(text)[0].text == text.strip()


def test_a_wrapped_line_is_no_boundary_of_its_own() -> None:
    wrapped = (
        "The quick brown fox jumps over the lazy dog and then\n"
        "runs on through the forest. It does not stop at all for\n"
        "anything that it may meet."
    )
    first = Chunker(size=90, overlap=0, unit="characters").chunk(wrapped)[0]
    assert first.text.endswith("forest.")
    assert first.cut == "sentence"


def test_a_line_that_is_indented_otherwise_is_not_wrapped() -> None:
    text = "if the_first_condition_holds and the_second_condition_holds:\n    do_something_about_it_at_once()"
    assert Chunker(size=70, overlap=0, unit="characters").chunk(text)[0].cut == "line"


def test_no_crumb_is_left_for_the_end() -> None:
    text = " ".join(["A sentence of some length here."] * 3) + "\n\nCrumb."
    sizes = [len(chunk.text) for chunk in Chunker(size=100, overlap=0, unit="characters").chunk(text)]
    assert min(sizes) > 10
