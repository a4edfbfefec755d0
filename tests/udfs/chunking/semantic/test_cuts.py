"""Where the topic changes, by exact examples."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.semantic.chunkers import semantic_chunker
from udfs.chunking.semantic.dips import _apart, _least, _percentiles
from udfs.chunking.semantic.optimal import _Problem
from udfs.chunking.semantic.sentences import Sentences
from udfs.chunking.semantic.similarity import STEPS, similarities
from udfs.chunking.sizes import CharacterRuler
from udfs.chunking.slab import Slab

PUMPS = "The pump lifts water. A valve holds the pressure. The pipe feeds the tank. The flow lifts the pump."
CATS = "A cat has a soft paw. The kitten will purr. The mouse has a tail, the cat fur. Whisker and tail of a cat."
TAX = "All income is subject to tax."
DIPS: list[dict[str, Any]] = [
    {"method": "dips", "threshold": {"cosine": 0.5}},
    {"method": "dips", "threshold": {"cosine": 0.5}, "window": 1},
    {"method": "dips", "threshold": {"deviations": 0.5}},
    {"method": "dips", "threshold": {"percentile": 100}, "window": 4},
]


def cut(model: Path, text: str, own: dict[str, Any] | None = None, **given: Any) -> list[str]:
    chunker = semantic_chunker(model, own=own, **{"size": 200, "overlap": 0, **given})
    return [chunk.text for chunk in chunker.chunk(text)]


@pytest.mark.parametrize("own", [{}, *DIPS])
@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
def test_topics_are_parted(words: Path, own: dict[str, Any], gap: str) -> None:
    assert cut(words, gap.join([PUMPS, CATS]), own) == [PUMPS, CATS]


@pytest.mark.parametrize("own", [{}, {"method": "dips", "threshold": {"cosine": 0.5}}])
def test_an_unrelated_sentence_stands_alone_wherever_it_is(words: Path, own: dict[str, Any]) -> None:
    assert cut(words, f"{PUMPS} {CATS} {TAX}", own) == [PUMPS, CATS, TAX]
    assert cut(words, f"{TAX} {PUMPS} {CATS}", own) == [TAX, PUMPS, CATS]
    assert cut(words, f"{PUMPS} {TAX} {CATS}", own) == [PUMPS, TAX, CATS]


@pytest.mark.parametrize("own", [{}, {"method": "dips", "threshold": {"cosine": 0.5}}])
def test_a_text_on_one_topic_stays_whole(words: Path, own: dict[str, Any]) -> None:
    assert cut(words, PUMPS, own) == [PUMPS]


def test_a_topic_above_the_size_is_divided_as_prose(words: Path) -> None:
    found = cut(words, f"{PUMPS} {CATS}", {"cost": 20}, size=30)
    assert "".join(found).replace(" ", "") == (PUMPS + CATS).replace(" ", "")
    assert all(chunk.endswith(".") for chunk in found)
    assert len(found) in (2, 3)


def test_nothing_is_shared_over_a_change_of_topic(words: Path) -> None:
    chunks = semantic_chunker(words, size=14, overlap=6, own={"method": "dips"}).chunk(f"{PUMPS} {CATS}")
    change = len(PUMPS) + 1
    assert all(chunk.char_end < change or chunk.char_start >= change for chunk in chunks)
    assert any(after.char_start < before.char_end for before, after in pairwise(chunks))


def test_a_chunk_below_the_minimum_is_not_made_for_its_topic(words: Path) -> None:
    whole = f"{PUMPS} {CATS} {TAX}"
    dips = {"method": "dips", "threshold": {"cosine": 0.5}}
    assert cut(words, whole, {**dips, "min_size": 12}) == [PUMPS, f"{CATS} {TAX}"]
    for own in ({}, dips):
        chunks = semantic_chunker(words, own={**own, "min_size": 12}, size=200, overlap=0).chunk(whole)
        assert chunks[0].text == PUMPS
        assert all(chunk.token_count >= 12 for chunk in chunks)
        assert cut(words, whole, {**own, "min_size": 190}) == [whole]


def test_a_sentence_without_known_words_parts_nothing(words: Path) -> None:
    text = f"{PUMPS} Quux zyzzy frobnicate. {CATS}"
    for own in ({}, {"method": "dips", "threshold": {"cosine": 0.5}}):
        assert cut(words, text, own) == [f"{PUMPS} Quux zyzzy frobnicate.", CATS]
    assert cut(words, "Quux zyzzy frobnicate. Nothing of this is known.") == [
        "Quux zyzzy frobnicate. Nothing of this is known."
    ]


def test_a_higher_cost_never_makes_more_chunks(words: Path) -> None:
    text = " ".join([PUMPS, CATS, TAX] * 4)
    numbers = [len(cut(words, text, {"cost": cost})) for cost in (0.01, 0.5, 1, 1.5, 2, 4, 8)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 12 > numbers[-1]


def test_a_paragraph_break_counts_where_the_similarity_does_not_decide(words: Path) -> None:
    # Water and cat in one sentence: the change may be seen on either side of it.
    text = (
        "The pump lifts water. A valve holds the pressure.{}A cat drinks the water.{}A kitten will purr. A cat has fur."
    )
    for own in ({"cost": 2.5}, {"method": "dips", "threshold": {"cosine": 0.9}}):
        for gaps, number in (((" ", "\n\n"), 3), (("\n\n", " "), 2)):
            first = cut(words, text.format(*gaps), own)[0]
            assert first == ". ".join(text.replace("{}", " ").split(". ")[:number]) + "."


# The parts, on numbers.


def sentences_of_lengths(*documents: int) -> Sentences:
    number = sum(documents)
    boundary = np.arange(number)
    boundary[np.cumsum(documents) - 1] = -1
    return Sentences(np.arange(number) * 10 + 1, np.arange(number) * 10 + 9, boundary)


def test_similarities_are_those_of_both_sides_and_end_at_documents() -> None:
    vectors = np.array([[2, 0], [2, 0], [0, 2], [0, 2], [2, 0], [2, 2]], dtype=np.float32)
    found = similarities(vectors, sentences_of_lengths(4, 2), [(2, 2)])[0]
    root = round(STEPS * 2**-0.5)
    assert found.tolist() == [root, 0, root, STEPS, root, STEPS]


def test_dips_are_less_than_their_neighbours_and_of_equals_the_first() -> None:
    curve = np.array([5, 3, 4, 4, 2, 2, 9, 1, STEPS])
    assert np.flatnonzero(_least(curve)).tolist() == [1, 4, 7]


def test_a_percentile_counts_the_dips_of_each_document() -> None:
    dips, document = np.array([5, 1, 3, 7, 9, 2]), np.array([0, 0, 0, 0, 1, 1])
    assert _percentiles(dips, document, 3, 50).tolist() == [3, 2, -np.inf]
    assert _percentiles(dips, document, 3, 24).tolist() == [-np.inf] * 3


def test_of_cuts_too_near_to_each_other_the_deepest_stays() -> None:
    sentences = sentences_of_lengths(8)
    curve = np.array([1, 5, 4, 3, 2, 9, 9, STEPS])
    ruler = CharacterRuler(Slab(["x" * 79]))
    assert _apart(np.arange(5), curve, sentences, ruler, 28).tolist() == [4]
    assert _apart(np.arange(5), curve, sentences, ruler, 18).tolist() == [2, 4]
    assert _apart(np.arange(5), curve, sentences, ruler, 8).tolist() == [0, 1, 2, 3, 4]


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_division_is_the_best_of_all(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 9))
    vectors = np.array(
        data.draw(st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=number, max_size=number)), dtype=np.float32
    )
    cost = np.array(data.draw(st.lists(st.sampled_from([0.0, 1e-6, 2e-6]), min_size=number, max_size=number)))
    most = data.draw(st.integers(1, number))
    own = np.arange(number)
    problem = _Problem(vectors, np.zeros(number, np.int64), np.maximum(0, own - most + 1), own, cost)
    begin, last, edges = problem.solve(), number - 1, [number]
    while last >= 0:
        edges.append(begin[last])
        last = begin[last] - 1
    assert worth(vectors, cost, edges[::-1]) == pytest.approx(
        max(
            worth(vectors, cost, [0, *inner, number])
            for parts in range(number)
            for inner in combinations(range(1, number), parts)
            if np.diff([0, *inner, number]).max() <= most
        )
    )


def worth(vectors: Any, cost: Any, edges: list[int]) -> float:
    """What a division is worth: similarity inside, summed, less the cost of its chunks."""
    total = 0.0
    for first, stop in pairwise(edges):
        inside = vectors[first:stop] / 2048
        total += float((inside @ inside.T).sum()) / (stop - first) - cost[first]
    return total


def test_documents_of_many_sentences_take_work_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    worth_of = _Problem._worth

    def recorded(self: _Problem, low: int, high: int) -> Any:
        found = worth_of(self, low, high)
        seen.append(found.size)
        return found

    monkeypatch.setattr(_Problem, "_worth", recorded)
    work = []
    for number in (2_000, 4_000, 8_000):
        seen.clear()
        vectors = np.random.default_rng(1).integers(-9, 9, (number, 4)).astype(np.float32)
        own = np.arange(number)
        _Problem(vectors, np.zeros(number, np.int64), np.maximum(0, own - 40), own, np.ones(number)).solve()
        work.append(sum(seen))
    assert work[2] < 2.1 * work[1] < 4.5 * work[0]


def test_a_cut_is_named_by_the_boundary_that_it_falls_on(words: Path) -> None:
    chunks = semantic_chunker(words, size=200, overlap=0).chunk(f"{PUMPS} {CATS}\n\n{TAX}")
    assert [chunk.cut for chunk in chunks] == ["sentence", "paragraph", "end"]
