"""Pages: where they begin, what lies on which, and what becomes of a paragraph that continues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking.characters import is_blank
from udfs.chunking.formats.cleaning import Cleaning
from udfs.chunking.formats.page_joints import join_pages
from udfs.chunking.formats.pages import page_of, page_ranges, pages_from_offsets, read_pages, split_pages
from udfs.chunking.formats.structure import Int64

LONG = "Water runs down the whole of the long"


def listed(starts: Int64 | None) -> list[int] | None:
    return None if starts is None else starts.tolist()


# ---- Where pages begin


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", None),
        ("one", None),
        ("one\ftwo", [0, 4]),
        ("one\ftwo\f", [0, 4]),
        ("\fone", [0, 1]),
        ("\f", [0]),
        ("\f\f\f", [0, 1, 2]),
        ("a\r\f\n\U0001f680\fb", [0, 3, 6]),
    ],
)
def test_a_page_begins_behind_its_form_feed(text: str, starts: list[int] | None) -> None:
    assert listed(split_pages(text)) == starts


@given(documents())
def test_the_page_of_a_position_is_one_more_than_the_form_feeds_before_it(text: str) -> None:
    starts = split_pages(text)
    if starts is not None:
        positions = range(len(text))
        assert page_of(starts, positions).tolist() == [1 + text[:at].count("\f") for at in positions]
        assert page_of(starts, positions).dtype == np.int32


def test_offsets_are_taken_as_they_are_if_they_fit() -> None:
    assert listed(pages_from_offsets("one two", [0, 4, 4, 7])) == [0, 4, 4, 7]
    assert listed(pages_from_offsets("", np.array([0], dtype=np.int32))) == [0]
    assert pages_from_offsets("one", []) is None


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([1, 3], "page 1 begins at 1: the first page must begin at 0"),
        ([-1, 3], "page 1 begins at -1: the first page must begin at 0"),
        ([0, 5, 3], r"page 3 begins at 3, before page 2 \(at 5\)"),
        ([0, 8], r"page 2 begins at 8, behind the text's end \(7 code points\)"),
        ([0, None], "page 2 begins at None: must be a whole number"),
        ([0, 1.5], "page 2 begins at 1.5: must be a whole number"),
        ([False, 2], "page 1 begins at False: must be a whole number"),
    ],
)
def test_offsets_that_cannot_be_are_refused_by_name(offsets: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pages_from_offsets("one two", offsets)


# ---- Pages of chunks


def test_form_feeds_in_overlaps_are_counted_once() -> None:
    text = "\f".join(f"page {k} " + "water runs down the pipe " * 8 for k in range(1, 5))
    starts = split_pages(text)
    assert starts is not None
    for size, step in ((30, 18), (150, 75), (260, 30), (1, 1)):
        begin = [at for at in range(0, len(text), step) if not is_blank(text[at : at + size])]
        first, last = page_ranges(starts, begin, [text[at : at + size] for at in begin])
        for at, page_start, page_end in zip(begin, first.tolist(), last.tolist(), strict=True):
            solid = [at + i for i, character in enumerate(text[at : at + size]) if not is_blank(character)]
            assert page_start == 1 + text[: solid[0]].count("\f")
            assert page_end == 1 + text[: solid[-1]].count("\f") <= 4


def test_a_chunk_over_a_form_feed_is_on_both_pages_and_one_up_to_it_on_one() -> None:
    starts = split_pages("one\ftwo")
    assert starts is not None
    pages = page_ranges(starts, [0, 0, 3, 3], ["one\f", "one\ft", "\ftwo", "\f\ufeff"])
    assert [column.tolist() for column in pages] == [[1, 1, 2, 1], [1, 2, 2, 1]]


def test_a_chunk_that_ends_where_a_page_begins_is_on_the_page_before() -> None:
    pages = page_ranges(np.array([0, 3]), [0, 3], ["one", "two"])
    assert [column.tolist() for column in pages] == [[1, 2], [1, 2]]


# ---- Joints


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        (LONG, "pipe.", f"{LONG}\npipe."),
        (f"{LONG} ", "pipe.", f"{LONG} \npipe."),
        (f"{LONG}\n\n", "\n  \n  pipe.", f"{LONG}\n  pipe."),
        (f"{LONG},\r\n", "pipe.", f"{LONG},\npipe."),
        ("They need good infor-", "mation.", "They need good infor-\nmation."),
        ("He said \u201cwell, it is enough\u201d", "and left.", "He said \u201cwell, it is enough\u201d\nand left."),
    ],
)
def test_a_paragraph_that_continues_is_joined_by_one_line_feed(before: str, after: str, joined: str) -> None:
    text, starts = join_pages([before, after])
    assert text == joined
    assert text[starts[1] :].lstrip() == after.lstrip()
    assert text[starts[1] - 1] == "\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{LONG} pipe.", "the end"),
        (f"{LONG} pipe!\u201d", "the end"),
        (f"{LONG} pipe:", "the end"),
        (LONG, "Pipe."),
        (LONG, "b) the pipe"),
        (LONG, "12 pipes"),
        (LONG, "\u6f22\u5b57"),
        ("Water", "runs down"),
        ("See the table on page 17 of this book, 17", "runs down"),
        ("", "runs down"),
        (LONG, ""),
        (LONG, " \n"),
    ],
)
def test_other_pages_stay_apart_as_they_are(before: str, after: str) -> None:
    text, starts = join_pages([before, after])
    assert text == f"{before}\f{after}"
    assert starts.tolist() == [0, len(before) + 1]


def test_pages_that_are_slices_of_one_text_are_left_alone_unless_blank_lines_part_a_paragraph() -> None:
    assert join_pages([LONG, " pipe. The", "end"], "")[0] == f"{LONG} pipe. Theend"
    assert join_pages([f"{LONG}\r\n", "pipe."], "")[0] == f"{LONG}\r\npipe."
    text, starts = join_pages([f"{LONG}\n\n", "\npipe."], "")
    assert (text, starts.tolist()) == (f"{LONG}\npipe.", [0, len(LONG) + 1])


def pages() -> st.SearchStrategy[list[str]]:
    page = st.one_of(
        documents(), st.sampled_from(["", LONG, "runs down\n", "\n\nand the", "Header\nmore text here\n1\n"])
    )
    return st.lists(page, max_size=7)


@given(pages(), st.sampled_from(["\f", ""]))
def test_each_page_is_found_at_its_start(texts: list[str], separator: str) -> None:
    text, starts = join_pages(texts, separator)
    assert len(starts) == len(texts)
    assert "".join(text.split()) == "".join("".join(texts).split())
    for page, start, end in zip(texts, starts, [*starts, len(text)][1:], strict=False):
        assert text[start:end].split() == page.split()
    assert sorted(starts) == starts.tolist()
    assert not len(starts) or starts[0] == 0


# ---- Whole documents


def report() -> list[str]:
    """Four pages with a header and a number; a paragraph goes on from the third to the last."""
    bodies = ("Pipes leak.", "Joints fail.", "Water runs down the whole of the long pipe that is", "full of holes.")
    return [f"ACME report\n\n{body}\n\n- {n} -\n" for n, body in enumerate(bodies, start=1)]


def test_boilerplate_goes_and_the_paragraph_around_it_is_joined() -> None:
    found = read_pages(report())
    assert found.text == (
        "\nPipes leak.\n\n\f\nJoints fail.\n\n\f"
        "\nWater runs down the whole of the long pipe that is\nfull of holes.\n\n"
    )
    assert found.pages is not None
    assert found.text[found.pages[3] :].startswith("full of holes.")
    assert found.removed == {"running_header": 48, "page_number": 24, "page_break": 3}


def test_boilerplate_that_is_kept_stands_between_paragraphs() -> None:
    source = "\f".join(page.removeprefix("ACME report\n") for page in report())
    found = read_pages(source, boilerplate="keep")
    assert found.text is source
    assert listed(found.pages) == listed(split_pages(source))
    assert found.removed == {}


@pytest.mark.parametrize(
    ("line", "last"),
    [("{text}\nFor internal use of the company only", "\fand a last one"), ("for internal use only\n{text}", "")],
)
def test_no_paragraph_continues_over_a_footer_or_header_that_is_kept(line: str, last: str) -> None:
    texts = ["one pipe that is of lead", "two pipes that are of zinc", "red pipes that are of copper"]
    source = "\f".join(line.format(text=text) for text in texts) + last
    assert read_pages(source, boilerplate="keep").text is source
    assert "\f" not in read_pages(source).text


def test_a_text_in_which_nothing_changes_is_the_same_object() -> None:
    for source, starts in (("one\ftwo", [0, 4]), ("one", None), ("", None), ("\f\f", [0, 1])):
        found = read_pages(source)
        assert found.text is source
        assert listed(found.pages) == starts


def test_no_page_break_is_touched_where_joining_is_off() -> None:
    source = f"{LONG}\fpipe."
    assert read_pages(source).text == f"{LONG}\npipe."
    assert read_pages(source, join=False).text is source


def test_the_line_feed_of_a_joint_moves_no_position() -> None:
    source = "\f".join(f"page {k} " + "water runs down the pipe " * 8 for k in range(1, 5))
    found = read_pages(source)
    assert found.text == source.replace("\f", "\n")
    assert listed(found.pages) == listed(split_pages(source))


def test_null_pages_are_empty_pages() -> None:
    found = read_pages(["one", None, "two"])
    assert (found.text, listed(found.pages)) == ("one\f\ftwo", [0, 4, 5])


def test_no_pages_are_an_empty_text() -> None:
    found = read_pages([])
    assert (found.text, found.pages) == ("", None)


def test_offsets_cut_a_text_into_pages_and_follow_its_cleaning() -> None:
    source = "\ufeffone\x00 two. Three\x00 four."
    found = read_pages(source, [0, 10], cleaning=Cleaning())
    assert found.text == "one two. Three four."
    assert listed(found.pages) == [0, 8]
    assert found.removed == {"byte_order_mark": 1, "control": 2}


def test_offsets_and_a_list_of_pages_are_one_too_many() -> None:
    with pytest.raises(ValueError, match="give one of them"):
        read_pages(["one"], [0])


def sources() -> st.SearchStrategy[tuple[str | Sequence[str], list[int] | None]]:
    lists = pages().map(lambda texts: (texts, None))
    feeds = pages().map(lambda texts: ("\f".join(texts), None))
    slices = pages().map(lambda texts: ("".join(texts), np.cumsum([0, *map(len, texts)]).tolist()))
    return st.one_of(lists, feeds, slices)


@given(sources(), st.sampled_from(["drop", "keep"]), st.booleans())
def test_counts_add_up_and_pages_lie_in_the_text(source: Any, boilerplate: Any, join: bool) -> None:
    given_text, offsets = source
    found = read_pages(given_text, offsets, boilerplate=boilerplate, join=join)
    whole = given_text if isinstance(given_text, str) else "\f".join(given_text)
    assert len(whole) - len(found.text) == sum(found.removed.values())
    assert all(count > 0 for count in found.removed.values())
    if found.pages is not None:
        assert found.pages[0] == 0
        assert (np.diff(found.pages) >= 0).all()
        assert found.pages[-1] < max(len(found.text), 1)
    if boilerplate == "keep":
        assert "".join(found.text.split()) == "".join(whole.split())


@pytest.mark.parametrize("text", NASTY)
def test_nasty_pages_are_read(text: str) -> None:
    read_pages([text] * 4)
    read_pages("\f".join([text] * 4))


def test_very_many_pages_and_a_page_of_10_mb_are_read() -> None:
    many = read_pages([f"Header of all\ntext {number * number}\n" for number in range(20_000)])
    assert many.pages is not None
    assert len(many.pages) == 20_000
    assert many.removed == {"running_header": 280_000}
    assert read_pages("\f" * 100_000).pages is not None
    large = "x" * 10_000_000
    assert read_pages(large).text is large
