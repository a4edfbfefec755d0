"""A document laid out for showing: read once, in order, each chunk where it begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jobs.drawing import (
    FORCED,
    DrawnDocument,
    bounded,
    chunk_of_row,
    context_of,
    pages_of,
    shown_text,
    stretches_of,
)
from schemas import FORCED_CUTS
from udfs.chunking import Chunk, Chunker
from udfs.chunking.chunk import CHUNK_FIELDS
from udfs.chunking.document import About

TEXT = (
    "---\ntitle: Pumps\n---\n\n# Pumps\n\nA pump moves water. It needs oil.\n\n## Oil\n\n"
    + "Change it twice a year, and look for leaks. " * 6
    + "\n"
)


def drawn(text: str = TEXT, about: About | None = None, **settings: Any) -> DrawnDocument:
    settings = {"strategy": "markdown", "size": 24, "overlap": 8, **settings}
    chunker = Chunker(**settings)
    chunks = chunker.chunk(text, about or About())
    canonical = chunker.canonical(text, about or About())
    return DrawnDocument("a", chunks, stretches_of(chunks, canonical), 24, "tokens", "default", settings["strategy"])


def chunk(index: int, start: int, text: str, **more: Any) -> Chunk:
    values: dict[str, Any] = dict.fromkeys(CHUNK_FIELDS) | {
        "chunk_index": index,
        "text": text,
        "embed_text": text,
        "section": (),
    }
    values |= {"char_start": start, "char_end": start + len(text), "token_count": 1, "kind": "prose", "cut": "word"}
    return Chunk(**(values | {"oversize": False, "occurrence": 0} | more))


def test_the_stretches_are_the_whole_text_in_order() -> None:
    document = drawn()
    assert "".join(stretch.text or "" for stretch in document.stretches) == TEXT
    for stretch in document.stretches:
        for index in stretch.chunks:
            one = document.chunks[index]
            assert one.char_start <= stretch.char_start < one.char_end


def test_what_two_chunks_share_is_in_both_and_nothing_else_is() -> None:
    document = drawn()
    shared = [stretch for stretch in document.stretches if len(stretch.chunks) > 1]
    assert shared
    for stretch in shared:
        first, last = (document.chunks[index] for index in (stretch.chunks[0], stretch.chunks[-1]))
        assert (stretch.char_start, stretch.text) == (last.char_start, TEXT[last.char_start : first.char_end])


def test_each_chunk_has_a_block_that_begins_where_it_does() -> None:
    document = drawn()
    before, *blocks = document.blocks
    assert before.chunk is None
    assert "title: Pumps" in before.stretches[0].shown
    assert [block.chunk for block in blocks] == list(document.chunks)
    for block in blocks:
        assert block.chunk is not None
        assert block.stretches[0].char_start == block.chunk.char_start
        assert block.context == context_of(block.chunk).rstrip("\n")


def test_the_blocks_hold_all_text_but_blanks_between_chunks() -> None:
    document = drawn()
    text = "".join(stretch.text or "" for block in document.blocks for stretch in block.stretches)
    assert "".join(text.split()) == "".join(TEXT.split())


def test_a_block_goes_on_where_the_next_one_begins_inside_the_chunk() -> None:
    document = drawn()
    for block, after in zip(document.blocks[1:], document.blocks[2:], strict=False):
        assert block.chunk is not None
        assert after.chunk is not None
        assert block.goes_on == (after.chunk.char_start < block.chunk.char_end)
    assert not document.blocks[-1].goes_on


def test_a_section_stands_only_where_it_changes() -> None:
    told = [block.section for block in drawn().blocks if block.section]
    assert told == [("Pumps",), ("Pumps", "Oil")]


def test_a_page_stands_only_where_it_changes() -> None:
    document = drawn("one two three " * 8 + "\f" + "four five six " * 30, strategy="recursive", overlap=0)
    pages = [block.page for block in document.blocks]
    assert pages[0] == "1"
    assert pages[-1] == ""
    assert [page for page in pages if page][-1] == "2"
    assert document.has_sides


@pytest.mark.parametrize(("start", "end", "told"), [(None, None, ""), (3, 3, "3"), (3, 5, "3-5"), (3, None, "3")])
def test_pages_are_told_as_a_person_does(start: int | None, end: int | None, told: str) -> None:
    assert pages_of(chunk(0, 0, "x", page_start=start, page_end=end)) == told


def test_a_bounded_document_shows_its_first_chunks_whole_and_counts_the_rest() -> None:
    document = drawn()
    few = bounded(document, 2, 10_000)
    assert (len(few.shown_chunks), few.left_out) == (2, len(document.chunks) - 2)
    last = few.blocks[-1]
    assert last.chunk == document.chunks[1]
    end = last.stretches[-1]
    assert end.char_start + len(end.text or "") == document.chunks[1].char_end
    assert all(index < 2 for block in few.blocks for stretch in block.stretches for index in stretch.chunks)


def test_characters_bound_what_is_shown_but_one_chunk_always_is() -> None:
    document = drawn()
    assert len(bounded(document, 99, document.chunks[2].char_end).shown_chunks) == 3
    assert len(bounded(document, 99, 1).shown_chunks) == 1


def test_of_a_huge_chunk_the_first_part_is_shown_and_the_rest_is_counted() -> None:
    text = "word " * 10_000
    block = drawn(text, strategy="whole", size=100_000, overlap=0).blocks[0]
    assert sum(len(stretch.text or "") for stretch in block.stretches) == 20_000
    assert block.left_out == len(text.rstrip()) - 20_000


def test_without_the_text_what_lies_between_chunks_is_unknown() -> None:
    chunks = [chunk(0, 0, "abc"), chunk(1, 5, "fgh")]
    assert [(one.text, one.chunks) for one in stretches_of(chunks)] == [("abc", (0,)), (None, ()), ("fgh", (1,))]


def test_a_document_without_chunks_has_no_blocks_but_its_text() -> None:
    empty = DrawnDocument("a", [], stretches_of([], " \n "), 9, "tokens", "default", "whole")
    assert empty.blocks == []
    matter = replace(empty, stretches=stretches_of([], "---\na: b\n---\n"))
    assert [block.chunk for block in matter.blocks] == [None]


def test_nothing_shown_obeys_a_terminal_or_turns_the_direction_of_writing() -> None:
    hostile = "a\x1b[31m\x00\u202eb\u2066\x07\x9bm\ud800"
    assert shown_text(hostile) == "a\\x1b[31m\\x00\\u202eb\\u2066\\x07\\x9bm\\ud800"
    assert shown_text("a\tb\x1b\r\nc\n") == "a\tb\\x1b\nc\n"
    assert shown_text("a\rb") == "a\\rb"


def test_a_row_of_the_table_is_the_chunk_of_the_engine() -> None:
    one = drawn().chunks[2]
    row = {name: getattr(one, name) for name in CHUNK_FIELDS} | {"section": list(one.section)}
    assert chunk_of_row(row) == replace(one, occurrence=0)
    assert chunk_of_row(row | {"section": None}).section == ()


def test_forced_cuts_are_those_of_the_tables() -> None:
    assert FORCED == FORCED_CUTS


def test_a_chunk_that_ends_where_the_next_begins_does_not_go_on() -> None:
    chunks = Chunker(strategy="fixed", size=4, overlap=0, unit="characters").chunk("01234567")
    document = DrawnDocument("a", chunks, stretches_of(chunks, "01234567"), 4, "characters", "p", "fixed")
    assert [block.goes_on for block in document.blocks] == [False, False]
