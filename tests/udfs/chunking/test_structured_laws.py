"""The laws as property tests, for random text under random structures that no reader made."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.random_structures import Example, chunks_of, examples, structured_settings
from tests.udfs.chunking.structured_laws import check_structured, path_at
from udfs.chunking import ChunkSettings
from udfs.chunking.chunk import KINDS
from udfs.chunking.formats.structure import Removed, Structure
from udfs.chunking.kinds import kinds_of
from udfs.chunking.outline import Outline
from udfs.chunking.slab import Slab


@given(example=examples(), chosen=structured_settings())
@settings(max_examples=400, deadline=None)
@example(
    example=Example("\u0600 \n0", Structure(removed=[Removed(0, 1, "front_matter")]), ""),
    chosen=ChunkSettings(strategy="markdown", size=2, overlap=0),
)
def test_laws_hold_for_any_structure(example: Example, chosen: ChunkSettings) -> None:
    check_structured(example, chunks_of(example, chosen), chosen)


@given(example=examples(), chosen=structured_settings())
@settings(max_examples=50, deadline=None)
def test_equal_documents_have_equal_chunks_wherever_they_stand(example: Example, chosen: ChunkSettings) -> None:
    from udfs.chunking.cutting import DocumentCutter
    from udfs.chunking.document import Document

    document = Document(example.text, example.structure, title=example.title)
    plain = Document("Nothing is known of this one.\n\nBut it is here.", None)
    batch = DocumentCutter(chosen).cut([plain, document, plain, document])
    assert batch.document(1) == batch.document(3) == chunks_of(example, chosen)


@given(example=examples())
@settings(max_examples=100, deadline=None)
def test_paths_are_those_of_the_sections_around_each_position(example: Example) -> None:
    slab = Slab(["before", example.text, example.text])
    outline = Outline.of(slab, [None, example.structure, example.structure])
    for document in (1, 2):
        first = int(slab.first[document])
        positions = np.arange(len(example.text))
        assert outline.paths_at(first + positions) == [path_at(example, at) for at in positions.tolist()]


@given(example=examples(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_kind_is_that_of_most_code_points(example: Example, data: st.DataObject) -> None:
    length = len(example.text)
    pairs = data.draw(st.lists(st.tuples(st.integers(0, length - 1), st.integers(1, length)), min_size=1, max_size=8))
    spans = [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]] or [(0, length)]
    start, end = (np.array(column, dtype=np.int64) for column in zip(*spans, strict=True))
    found = kinds_of(example.structure.blocks, start, end, KINDS.index("prose"))
    outermost = [KINDS.index("prose")] * length
    blocks = example.structure.blocks
    for begin, stop, kind in list(zip(blocks.start, blocks.end, blocks.kind, strict=True))[::-1]:
        outermost[begin:stop] = [int(kind)] * int(stop - begin)
    for (begin, stop), kind in zip(spans, found.tolist(), strict=True):
        counts = [outermost[begin:stop].count(index) for index in range(len(KINDS))]
        most = max(counts)
        assert kind == (counts.index(most) if 5 * most >= 4 * (stop - begin) else KINDS.index("mixed"))


def test_a_document_without_structure_has_neither_kinds_nor_paths() -> None:
    slab = Slab(["text"])
    outline = Outline.of(slab, [Structure()])
    assert outline.paths_at(slab.first) == [()]
    assert kinds_of(outline.blocks, slab.first, slab.stop, KINDS.index("table")).tolist() == [KINDS.index("table")]
