"""Sections and front matter of Markdown, worked out by hand."""

from __future__ import annotations

import pytest

from tests.udfs.chunking.formats.markdown_outline import blocks, paths, read, titles


def test_a_section_reaches_to_the_next_heading_of_its_level() -> None:
    text = "# A\n\nx\n\n## B\n\ny\n\n# C\n"
    found = [(text[s.start : s.body], text[s.start : s.end]) for s in read(text).sections]
    assert found == [("# A", "# A\n\nx\n\n## B\n\ny\n\n"), ("## B", "## B\n\ny\n\n"), ("# C", "# C\n")]


def test_headings_of_a_level_are_siblings_when_levels_jump() -> None:
    text = "# soup\n\nroot\n\n### hot\n\nborscht\n\n### cold\n\ngazpacho\n\n## with/without\n\nbread\n"
    assert paths(text) == {
        "root": ["soup"],
        "borscht": ["soup", "hot"],
        "gazpacho": ["soup", "cold"],
        "bread": ["soup", "with/without"],
    }


def test_underlined_headings_are_sections_and_lines_before_a_rule_are_not() -> None:
    text = "Plan\n====\n\none\n\nSteps\n-----\n\ntwo\n\nlast words\n\n---\n\n# End\n\nthree\n"
    assert titles(text) == [(1, "Plan"), (2, "Steps"), (1, "End")]
    assert paths(text)["two"] == ["Plan", "Steps"]
    assert paths(text)["three"] == ["End"]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# Use *the* `f(x)` **now** #", "Use the f(x) now"),
        ("## See [the docs](https://example.org 'title')", "See the docs"),
        ("# Known as [r]\n\n[r]: /url", "Known as r"),
        ("# ![A *round* logo](logo.png) Tool", "A round logo Tool"),
        ("# Salt &amp; pepper &copy; \\*", "Salt & pepper \u00a9 *"),
        ("# <b>Bold</b> move", "Bold move"),
        ("Two\n  lines  \n===", "Two lines"),
        ("  # \u6f22\u5b57 \U0001f680 e\u0301", "\u6f22\u5b57 \U0001f680 e\u0301"),
        ("# ~~old~~ new", "old new"),
        ("# a\tb\u00a0c", "a b c"),
    ],
)
def test_titles_are_plain_text(heading: str, title: str) -> None:
    assert [found for _, found in titles(heading + "\n\ntext\n")] == [title]


@pytest.mark.parametrize("text", ["#\n\nx\n", "## \n\nx\n", "# \u200b\n\nx\n", "# <br>\n\nx\n"])
def test_a_heading_without_words_is_an_edge_and_no_section(text: str) -> None:
    assert titles(text) == []
    assert [(kind, cut) for _, kind, cut, _ in blocks(text)] in ([("prose", "block")], [])


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```\n",
        "~~~ sh\n# no\n```\n# no\n~~~\n",
        "```\n# no, and never closed\n",
        "    # no\n",
        "<!--\n# no\n-->\n",
        "<div>\n# no\n</div>\n",
        "> # in a quote\n",
        "- # in a list\n",
        "\\# no\n",
        "#no\n",
        "$$\na\n=\nb\n$$\n",
    ],
)
def test_what_looks_like_a_heading_elsewhere_is_none(text: str) -> None:
    assert titles(text) == []


def test_an_html_heading_that_begins_a_block_is_a_section() -> None:
    text = '<h2 align="center">Soups &amp;\n <i>salads</i></h2>\n\nx\n\n<h1></h1>\n\n<p><h1>no</h1></p>\n'
    assert titles(text) == [(2, "Soups & salads")]


def test_a_byte_order_mark_hides_no_heading() -> None:
    section = read("\ufeff# First\n\ntext\n").sections[0]
    assert section == (1, 8, 15, 1, "First")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_kinds_are_understood(line_end: str) -> None:
    text = line_end.join(["# A", "", "x", "", "B", "---", "", "- c", "- d", "", "end"])
    assert titles(text) == [(1, "A"), (2, "B")]
    assert [words for *_, words in blocks(text)] == [f"- c{line_end}- d", "- c", "- d"]


# Front matter


def test_front_matter_is_removed_and_its_plain_pairs_are_metadata() -> None:
    text = (
        "---\ntitle: 'It''s'\n# comment\ndate: 2024-05-01  # Wednesday\nurl: http://x.y/#a\nquoted: \"a \\\"b\\\"\"\n"
        "tags: [a, b]\nmore:\n  - c\nfolded: >\n  text\nlong: one\n  two\nempty:\nalias: *x\nnull: ~\n"
        "title: again\n---\n\n# T\n"
    )
    structure = read(text)
    assert structure.metadata == {"title": "It's", "date": "2024-05-01", "url": "http://x.y/#a", "quoted": 'a "b"'}
    ((start, end, reason),) = structure.removed
    assert (start, text[end - 4 : end], reason) == (0, "\n---", "front_matter")
    assert titles(text) == [(1, "T")]


def test_front_matter_may_be_toml() -> None:
    text = "+++\ntitle = \"A plan\"\nweight = 3\ntags = ['a']\n[extra]\nkey = 'no'\n+++\n# T\n"
    structure = read(text)
    assert structure.metadata == {"title": "A plan", "weight": "3"}
    assert titles(text) == [(1, "T")]


def test_front_matter_may_follow_a_byte_order_mark_and_end_in_dots() -> None:
    text = "\ufeff---\r\ntitle: Plan\r\nauthor: N. N.\r\n...\r\n\r\nOverview\r\n===\r\n"
    assert read(text).metadata == {"title": "Plan", "author": "N. N."}
    assert titles(text) == [(1, "Overview")]
    assert read(text).sections[0].start == text.index("Overview")


@pytest.mark.parametrize(
    "text",
    [
        "words\n\n---\n\nkey: value\n\n---\n",
        "---\n\nkey: value\n\n---\n",
        "---\nJust a line between rules\n---\n",
        "---\nkey: value\n\nnever closed\n",
        " ---\nkey: value\n---\n",
        "---\n" + "key: value\n" * 7000 + "---\n",
    ],
)
def test_rules_are_no_front_matter(text: str) -> None:
    structure = read(text)
    assert (structure.removed, structure.metadata) == ([], {})
