"""Parents and the chunks inside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking import laws
from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking import Chunker, ChunkSettings, SettingsError
from udfs.chunking.chunk import ChunkBatch
from udfs.chunking.formats.slicing import Slicer
from udfs.chunking.formats.structure import Blocks, Repeat, Section, Structure

MARKDOWN = "# Pumps\n\n" + "Water runs down the pipe. " * 30 + "\n\n## Limits\n\n" + "Nothing runs up. " * 30
COMPOSITIONS: list[dict[str, Any]] = [
    {"parent": {"size": 40}, "child": {"size": 12, "overlap": 3}},
    {"parent": {"strategy": "markdown", "size": 64}, "child": {"strategy": "sentence", "size": 16, "overlap": 4}},
    {"parent": {"strategy": "recursive", "size": 30}, "child": {"strategy": "markdown", "size": 10, "overlap": 0}},
    {"parent": {"strategy": "html", "size": 50}, "child": {"strategy": "html", "size": 50, "overlap": 5}},
    {"parent": {"strategy": "whole", "size": 9}, "child": {"strategy": "fixed", "size": 2, "overlap": 1}},
]


def check_family(chunker: Chunker, text: str, batch: ChunkBatch, index: int) -> None:
    """The laws for the chunks of a document, and each chunk inside its parent."""
    chunks, document = batch.document(index), chunker.read(text)
    removed = document.structure.removed if document.structure else ()
    laws.check_laws(document.text, chunks, chunker.settings, [(cut.start, cut.end) for cut in removed])
    parents, parent = batch.parents, batch.parent
    assert parents is not None
    assert parent is not None
    low, high = int(parents.offsets[index]), int(parents.offsets[index + 1])
    rows = (parent[batch.offsets[index] : batch.offsets[index + 1]] + low).tolist()
    assert sorted(set(rows)) == list(range(low, high)), "a parent without a chunk"
    for row, chunk in zip(rows, chunks, strict=True):
        assert parents.char_start[row] <= chunk.char_start
        assert chunk.char_end <= parents.char_end[row]
    for row in range(low, high):
        start, end = int(parents.char_start[row]), int(parents.char_end[row])
        assert parents.text[row] == document.text[start:end]
        assert parents.token_count[row] == laws.tokens(parents.text[row], "cl100k_base")
        inside = [chunk for chunk, of in zip(chunks, rows, strict=True) if of == row]
        moved = [(chunk.char_start - start, chunk.char_end - start) for chunk in inside]
        covered = {point for begin, stop in moved for point in range(begin, stop)}
        assert all(laws.blank(letter) for at, letter in enumerate(parents.text[row]) if at not in covered)


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_every_chunk_lies_in_its_parent_and_every_parent_is_covered(composition: dict[str, Any]) -> None:
    chunker = Chunker(strategy="parent_child", **composition)
    texts = [*NASTY, MARKDOWN]
    batch = chunker.chunk_batch(texts)
    for index, text in enumerate(texts):
        check_family(chunker, text, batch, index)


@given(texts=st.lists(documents(), min_size=1, max_size=4), composition=st.sampled_from(COMPOSITIONS))
@settings(max_examples=60, deadline=None)
def test_families_of_any_text_hold_the_laws(texts: list[str], composition: dict[str, Any]) -> None:
    chunker = Chunker(strategy="parent_child", **composition)
    batch = chunker.chunk_batch(texts)
    for index, text in enumerate(texts):
        check_family(chunker, text, batch, index)
    assert [chunker.chunk(text) for text in texts] == [batch.document(index) for index in range(len(texts))]


def test_children_know_the_headings_above_their_parent() -> None:
    chunker = Chunker(
        strategy="parent_child",
        parent={"strategy": "markdown", "size": 60},
        child={"strategy": "markdown", "size": 24, "overlap": 0},
    )
    chunks = chunker.chunk(MARKDOWN)
    last = chunks[-1]
    assert last.section == ("Pumps", "Limits")
    assert last.embed_text.startswith("Pumps > Limits\n")
    assert not last.text.startswith("Pumps")


def test_the_last_chunk_of_a_parent_ends_as_the_parent_does() -> None:
    chunks = Chunker(strategy="parent_child", parent={"size": 60}, child={"size": 20, "overlap": 0}).chunk(MARKDOWN)
    assert [chunk.cut for chunk in chunks].count("end") == 1
    assert chunks[-1].cut == "end"


def test_equal_parents_of_a_document_are_told_apart() -> None:
    text = "\n\n".join(["The same words again, and again the same."] * 4)
    batch = Chunker(strategy="parent_child", parent={"size": 10}, child={"size": 5, "overlap": 0}).chunk_batch([text])
    assert batch.parents is not None
    assert batch.parents.occurrence.tolist() == [0, 1, 2, 3]


def test_pages_of_chunks_and_parents_are_those_of_the_document() -> None:
    text = "\f".join(f"Page {page}. " + "water runs down " * 10 for page in range(1, 4))
    batch = Chunker(strategy="parent_child", parent={"size": 30}, child={"size": 10, "overlap": 0}).chunk_batch([text])
    for chunk in batch.document(0):
        assert chunk.page_start == 1 + text[: chunk.char_start].count("\f")
    assert batch.parents is not None
    assert batch.parents.page_start is not None
    assert batch.parents.page_start.max() == 3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"parent": {"overlap": 5}}, "parent: overlap = 5: parents share nothing"),
        ({"child": {"strategy": "auto"}}, "child: strategy = 'auto': name one that cuts by itself"),
        ({"parent": {"strategy": "parent_child"}}, "parent: strategy = 'parent_child'"),
        ({"parent": {"siz": 5}}, "parent: siz: unknown key; did you mean 'size'"),
        ({"parent": {"strategy": "markdown", "context": "headings"}}, "parent: context = 'headings': parents are not"),
        ({"parent": {"strategy": "markdown"}, "child": {"strategy": "html"}}, "a document has one format"),
        ({"child": {"clean": {"nfc": True}}}, "child: clean belongs to the profile itself"),
        ({"child": {"size": 5, "overlap": 5}}, "child: overlap = 5: must be less than size"),
    ],
)
def test_settings_that_cannot_be_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Chunker(strategy="parent_child", **values)
    with pytest.raises(SettingsError, match="parent belongs to the strategy 'parent_child'"):
        ChunkSettings.of({"parent": {"size": 9}})


def test_the_sizes_of_the_profile_are_those_of_its_chunks() -> None:
    chosen = ChunkSettings(strategy="parent_child", size=100, parent={"size": 900})
    assert (chosen.limit, chosen.shared) == (100, 12)
    assert chosen.child_settings is not None
    assert chosen.child_settings.size == 100
    said = ChunkSettings(strategy="parent_child", parent={"size": 900}, child={"size": 100, "overlap": 12})
    assert said.config_hash() == chosen.config_hash()
    other = ChunkSettings(strategy="parent_child", size=100, parent={"size": 901})
    assert other.config_hash() != chosen.config_hash()


def test_a_part_of_a_structure_counts_from_its_own_beginning() -> None:
    whole = Structure(
        sections=[Section(0, 7, 40, 1, "A"), Section(10, 14, 20, 2, "B"), Section(20, 24, 40, 2, "C")],
        blocks=Blocks.of([(12, 30, 3, 2), (12, 18, 3, 4), (30, 36, 1, 2)]),
        repeats=[Repeat(18, 30, "head")],
    )
    part = Slicer(whole).part(15, 33)
    assert [(one.title, one.start, one.body, one.end) for one in part.sections] == [
        ("A", 0, 0, 18),
        ("B", 0, 0, 5),
        ("C", 5, 9, 18),
    ]
    assert part.blocks.start.tolist() == [0, 0, 15]
    assert part.blocks.end.tolist() == [15, 3, 18]
    assert part.repeats == [Repeat(3, 15, "head")]


def test_front_matter_is_in_no_chunk_whichever_part_reads_it() -> None:
    text = "---\ntitle: X\nsecret: y\n---\n\n# H\n\ntext here"
    for parent, child in (("recursive", "markdown"), ("markdown", "fixed")):
        chunker = Chunker(strategy="parent_child", parent={"strategy": parent}, child={"strategy": child})
        assert [chunk.text for chunk in chunker.chunk(text)] == ["# H\n\ntext here"]


def test_parts_of_a_structure_cost_what_stands_in_them() -> None:
    sections = [Section(start, start + 1, start + 10, 1, "A") for start in range(0, 100_000, 10)]
    slicer = Slicer(Structure(sections=sections))
    asked: list[int] = []
    slicer._sections.end = Recorded(slicer._sections.end, asked)
    for start in range(0, 100_000, 50):
        assert len(slicer.part(start, start + 50).sections) == 5
    assert len(asked) <= 4 * len(sections)


class Recorded(list[int]):
    """A list that notes what is asked of it."""

    def __init__(self, values: Sequence[int], asked: list[int]) -> None:
        super().__init__(values)
        self._asked = asked

    def __getitem__(self, index: Any) -> Any:
        self._asked.append(index)
        return super().__getitem__(index)
