"""Code, tables and lists of Markdown, worked out by hand."""

from __future__ import annotations

import pytest

from tests.udfs.chunking.formats.markdown_outline import blocks, repeats
from udfs.chunking.formats import markdown_nodes
from udfs.chunking.formats.markdown_rows import BLOCK, LINE, LIST, Rows

# Code


def test_code_goes_with_the_paragraph_that_introduces_it() -> None:
    fence = "```sh\nmake\n```"
    text = f"One. Two.\n\nTo build, run:\n\n{fence}\n\nDone.\n"
    assert blocks(text) == [(0, "code", "block", f"To build, run:\n\n{fence}"), (1, "code", "line", fence)]


def test_a_short_single_sentence_introduces_code_and_two_sentences_do_not() -> None:
    assert blocks("This builds it.\n\n    make\n")[0][3] == "This builds it.\n\n    make"
    assert blocks("Read this. This builds it.\n\n    make\n") == [(0, "code", "block", "    make")]


def test_of_a_long_paragraph_only_the_last_sentence_goes_with_code() -> None:
    text = "Water runs. " * 40 + "Now (see above)\nrun:\n\n```\nx\n```\n"
    assert blocks(text)[0][3] == "Now (see above)\nrun:\n\n```\nx\n```"


def test_a_long_last_sentence_stays_with_its_paragraph() -> None:
    assert blocks("very " * 100 + "long:\n\n```\nx\n```\n") == [(0, "code", "block", "```\nx\n```")]


def test_large_code_has_a_part_for_each_piece_that_is_not_indented() -> None:
    first = "```py\ndef f():\n    a\n\n    b"
    second = "def g():" + "\n    pass  # nothing to do" * 20 + "\n\n```"
    assert blocks(f"{first}\n\n\n{second}\n") == [
        (0, "code", "block", f"{first}\n\n\n{second}"),
        (1, "code", "paragraph", first),
        (1, "code", "paragraph", second),
    ]


def test_parts_of_code_are_found_in_crlf_too() -> None:
    code = "```\r\nf()\r\n\r\n" + "g()  # again and again\r\n" * 20 + "```"
    parts = [words for *_, words in blocks(code)[1:]]
    assert parts == ["```\r\nf()", code[12:]]


def test_code_that_is_never_closed_reaches_to_the_end() -> None:
    assert blocks("```\na\n\n# b\n\n- c\n\n") == [(0, "code", "block", "```\na\n\n# b\n\n- c")]


def test_indentation_and_tabs_belong_to_the_block() -> None:
    assert blocks("x. y.\n\n\tall:\n\t\techo\n\nz\n") == [(0, "code", "block", "\tall:\n\t\techo")]


# Tables


TABLE = "| Site | Q1 |\n|---|---|\n| a | 1 |\n| b | 2 |\n| c | 3 |"


def test_a_table_has_a_part_a_row_and_repeats_its_header() -> None:
    head, second, third = TABLE[:33], TABLE[34:43], TABLE[44:]
    assert blocks(f"x. y.\n\n{TABLE}\n\nz\n") == [
        (0, "table", "block", TABLE),
        (1, "table", "line", head),
        (1, "table", "line", second),
        (1, "table", "line", third),
    ]
    assert repeats(f"{TABLE}\n\nz\n") == [("| Site | Q1 |\n|---|---|", f"{second}\n{third}")]


@pytest.mark.parametrize(
    "caption",
    ["Table 7: output by site\n\n", "**Table 2.** Output. By site.\n\n", "Output by site:\n\n", "Output. Of sites.\n"],
)
def test_a_caption_goes_with_the_first_row_and_is_not_repeated(caption: str) -> None:
    text = f"Before.\n\n{caption}{TABLE}\n"
    assert blocks(text)[0][3] == caption + TABLE
    assert blocks(text)[1][3] == caption + TABLE[:33]
    assert repeats(text)[0][0] == "| Site | Q1 |\n|---|---|"


def test_of_a_long_paragraph_only_the_last_sentence_is_the_caption() -> None:
    text = "\u6c34\u304c\u6d41\u308c\u308b\u3002" * 60 + "\u8868\u3002\n" + TABLE
    assert blocks(text)[0][3] == "\u8868\u3002\n" + TABLE


def test_a_paragraph_that_is_no_caption_stays_outside() -> None:
    assert blocks(f"Table manners matter. Always.\n\n{TABLE}\n")[0][3] == TABLE


@pytest.mark.parametrize("caption", ["", "Parts by month\n", "Table 2: parts\n\n"])
def test_a_table_may_have_two_header_rows(caption: str) -> None:
    header = "| Item | Jan |\n| | kg |\n|---|---|"
    text = f"{caption}{header}\n| a | 1 |\n| b | 2 |\n"
    assert blocks(text)[:2] == [
        (0, "table", "block", text.rstrip()),
        (1, "table", "line", f"{caption}{header}\n| a | 1 |"),
    ]
    assert repeats(text) == [(header, "| b | 2 |")]


def test_a_table_without_second_row_repeats_nothing() -> None:
    assert repeats("| a |\n|---|\n| 1 |\n") == []
    assert repeats("| a |\n|---|\n") == []


def test_a_table_in_crlf_repeats_its_lines_as_they_are() -> None:
    assert repeats("|a|\r\n|-|\r\n|1|\r\n|2|\r\n") == [("|a|\r\n|-|", "|2|")]


# Lists


def test_a_list_has_a_part_an_item_and_repeats_its_introduction() -> None:
    text = "We need:\n\n- salt\n- pepper\n  and more\n- oil\n"
    assert blocks(text) == [
        (0, "list", "block", text.rstrip()),
        (1, "list", "line", "We need:\n\n- salt"),
        (1, "list", "line", "- pepper\n  and more"),
        (1, "list", "line", "- oil"),
    ]
    assert repeats(text) == [("We need:", "- pepper\n  and more\n- oil")]


@pytest.mark.parametrize("introduction", ["**Steps:**", "\u6b65\u9aa4\uff1a", "One. Two:", "Steps\n*here*:"])
def test_a_paragraph_that_ends_with_a_colon_introduces_a_list(introduction: str) -> None:
    text = f"{introduction}\n1. a\n2. b\n"
    assert blocks(text)[0][3] == text.rstrip()
    assert repeats(text) == [(introduction, "2. b")]


def test_a_paragraph_without_colon_introduces_no_list() -> None:
    assert blocks("Some things.\n\n- a\n- b\n")[0][3] == "- a\n- b"
    assert repeats("Some things.\n\n- a\n- b\n") == []


def test_of_a_long_introduction_the_last_sentence_is_repeated() -> None:
    text = "Water runs down. " * 14 + "We need:\n\n- a\n- b\n"
    assert blocks(text)[0][3].startswith("Water")
    assert repeats(text) == [("We need:", "- b")]


def test_items_of_a_loose_list_are_paragraphs() -> None:
    assert [cut for _, _, cut, _ in blocks("- a\n\n- b\n")] == ["block", "paragraph", "paragraph"]


def test_items_hold_their_lists_and_code() -> None:
    text = "- [ ] a\n    - b\n        - c\n    - d\n- e\n  ```\n  x\n  ```\n"
    assert blocks(text) == [
        (0, "list", "block", text.rstrip()),
        (1, "list", "line", "- [ ] a\n    - b\n        - c\n    - d"),
        (2, "list", "line", "    - b\n        - c\n    - d"),
        (3, "list", "line", "    - b\n        - c"),
        (4, "list", "line", "        - c"),
        (3, "list", "line", "    - d"),
        (1, "list", "line", "- e\n  ```\n  x\n  ```"),
        (2, "code", "line", "  ```\n  x\n  ```"),
    ]


def test_lists_in_lists_repeat_their_own_introductions() -> None:
    text = "All:\n\n1. a\n\n   In a:\n\n   - x\n   - y\n\n2. b\n"
    assert repeats(text) == [("In a:", "   - y"), ("All:", "2. b")]


def test_an_item_that_ends_with_a_colon_introduces_the_list_in_it() -> None:
    text = "- on Linux:\n  - x\n  - y\n- elsewhere\n  - z\n  - w\n- - v\n  - u\n"
    assert repeats(text) == [("- on Linux:", "  - y")]
    assert repeats("- not in it:\n* a\n* b\n") == []


# Whatever the parser says, blocks nest or are disjoint


def test_blocks_that_overlap_are_cut_to_fit() -> None:
    rows = Rows()
    rows.open(5, 30, LIST, BLOCK)
    rows.open(2, 12, LIST, LINE)
    rows.close(12)
    rows.add(10, 20, LIST, LINE)
    rows.add(15, 20, LIST, LINE)
    rows.close(30)
    rows.open(25, 40, LIST, BLOCK)
    assert [row[:2] for row in rows.rows] == [(5, 30), (5, 12), (12, 20), (30, 40)]


def test_an_element_ends_with_the_one_that_holds_it() -> None:
    events = [({"Start": {"List": None}}, {"start": 0, "end": 5}), ({"Start": "Item"}, {"start": 0, "end": 9})]
    nodes = markdown_nodes._collect(iter(events))
    assert (nodes.start, nodes.end, nodes.after) == ([0, 0], [5, 5], [2, 2])
