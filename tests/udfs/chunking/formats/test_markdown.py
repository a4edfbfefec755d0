"""Quotes, footnotes, HTML and formulas of Markdown by hand; a whole document against its golden outline."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.udfs.chunking.formats.markdown_outline import blocks, outline, read, titles
from udfs.chunking.formats.markdown_math import MAX_FORMULA

GOLDEN = Path(__file__).parent / "golden"


def test_a_quote_holds_its_paragraphs_and_blocks() -> None:
    text = "> One.\n> Two.\n>\n> Steps:\n>\n> - a\n> - b\n>\n> End.\n\nx\n"
    assert blocks(text) == [
        (0, "prose", "block", text[:-4].rstrip()),
        (1, "prose", "paragraph", "> One.\n> Two."),
        (1, "list", "paragraph", "> Steps:\n>\n> - a\n> - b"),
        (2, "list", "line", "> Steps:\n>\n> - a"),
        (2, "list", "line", "> - b"),
        (1, "prose", "paragraph", "> End."),
    ]


def test_a_sentence_in_a_quote_leaves_its_paragraph_for_the_code_it_introduces() -> None:
    text = "> " + "Water runs. " * 30 + "Run:\n> ```\n> x\n> ```\n"
    found = blocks(text)
    assert found[1][3] == "> " + ("Water runs. " * 30).rstrip()
    assert found[2] == (1, "code", "paragraph", "Run:\n> ```\n> x\n> ```")


def test_a_footnote_stays_whole_with_its_mark() -> None:
    note = "[^1]: Measured twice.\n    At 20 C.\n\n    # no heading"
    found = blocks(f"Rate[^1] below.\n\n{note}\n\nText\n")
    assert found[0] == (0, "prose", "block", note)
    assert found[1] == (1, "prose", "paragraph", "[^1]: Measured twice.\n    At 20 C.")


def test_html_of_several_lines_stays_whole() -> None:
    assert blocks("<div>\nfoo\n</div>\n\nx\n") == [(0, "prose", "paragraph", "<div>\nfoo\n</div>")]
    assert blocks("<table>\n<tr>\n</table>\n") == [(0, "table", "paragraph", "<table>\n<tr>\n</table>")]
    assert blocks("<br>\n\nx\n") == []


@pytest.mark.parametrize(
    "formula",
    ["$$\nr = \\frac{a}{b} \\tag{A.1}\n$$", "\\[\na\n+ b\n\nc\n=\nd\n\\]", "\\[\n# a\n```\n\\].", "$$ x\n- y $$"],
)
def test_a_formula_stays_whole(formula: str) -> None:
    text = f"# Rates\n\nIt is\n{formula}\n\ncloses.\n\n# More\n\n- a\n"
    assert blocks(text)[0] == (0, "prose", "paragraph", formula)
    assert titles(text) == [(1, "Rates"), (1, "More")]
    assert blocks(text)[1:] == [(0, "list", "block", "- a")]


@pytest.mark.parametrize(
    "text",
    [
        "$$\n\n# A\n\n- x\n",
        "```\n$$\n```\n\n# A\n\n```\n$$\n```\n",
        "$$\n" + "x\n" * MAX_FORMULA + "\n# A\n\n$$\n",
        "\\[\n\n# A\n\n$$ \\\\] x\n",
    ],
)
def test_marks_that_are_no_formula_hide_nothing(text: str) -> None:
    assert titles(text) == [(1, "A")]


def test_positions_are_code_points_whatever_stands_before() -> None:
    text = "\U0001f468\u200d\U0001f469 na\u00efve \u6f22\n\n# \u00dcber\n\n- \u00e4\n- \u00f6\n"
    assert blocks(text)[1:] == [(1, "list", "line", "- \u00e4"), (1, "list", "line", "- \u00f6")]
    assert text[read(text).sections[0].start :].startswith("# \u00dcber")


def test_an_empty_document_has_no_structure() -> None:
    structure = read("")
    assert (structure.sections, structure.repeats, len(structure.blocks.start)) == ([], [], 0)


def test_the_outline_of_a_whole_document_is_the_golden_one() -> None:
    found = outline((GOLDEN / "markdown_handbook.md").read_text(encoding="utf-8"))
    golden = GOLDEN / "markdown_handbook.outline.txt"
    if os.environ.get("LAKECHUNK_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_golden_files_are_not_rewritten_where_they_are_to_be_checked() -> None:
    assert not (os.environ.get("CI") and os.environ.get("LAKECHUNK_GOLDEN"))
