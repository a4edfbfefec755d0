"""Kind: content type before name before text, and prose is seldom taken for anything else."""

from __future__ import annotations

import sysconfig
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking.formats.kind import KINDS, kind_of
from udfs.chunking.formats.kind_code import _clear
from udfs.chunking.formats.kind_looks import HEAD, MIDDLE, sample_of

PROSE = """The keeper of the lighthouse had two lamps; one of them was new.
He said: "If the wind turns, light both of them," and went down to the sea (as he did each day).
For a while nothing happened. Then the wind turned, and return was impossible:
the boat, the nets, the oars, all gone.
"""

PYTHON = '''"""Counts pipes."""

import re
from pathlib import Path

# A pipe.
PIPE = re.compile("pipe")


def count(path: Path) -> int:
    """How many."""
    found = PIPE.findall(path.read_text())
    return len(found)


class Pipe:
    def __init__(self, size):
        self.size = size
'''
GO = """package main

import (
\t"fmt"
)

func main() {
\tfor i := 0; i < 3; i++ {
\t\tfmt.Println(i)
\t}
}

func f() {
}
"""
RUST = """use std::fmt;

pub struct Pipe {
    size: u32,
}

impl Pipe {
    pub fn new() -> Self {
        Pipe { size: 1 }
    }
}
"""
C = """#include <stdio.h>
#define SIZE 3

int main(void)
{
    int i = 0;
    if (i) {
        return 1;
    }
    printf("x");
    return 0;
}
"""
SQL = """CREATE TABLE pipe (
  id INTEGER,
  size INTEGER
);

INSERT INTO pipe VALUES (1, 2);
SELECT id FROM pipe;
"""


# ---- What is said of the document


@pytest.mark.parametrize(
    ("content_type", "kind", "language"),
    [
        ("text/markdown; charset=utf-8", "markdown", None),
        (" TEXT/HTML ", "html", None),
        ("application/xhtml+xml", "html", None),
        ("text/csv", "table", None),
        ("text/tab-separated-values", "table", None),
        ("text/x-python", "code", "python"),
        ("text/x-ruby", "code", None),
        ("text/x-rst", "prose", None),
    ],
)
def test_the_content_type_decides_whatever_the_text_is(content_type: str, kind: str, language: str | None) -> None:
    guess = kind_of(PROSE, content_type, "notes.md")
    assert guess == (kind, f"content type {content_type.partition(';')[0].strip().lower()}", language)


@pytest.mark.parametrize(
    ("name", "kind", "language"),
    [
        ("README.md", "markdown", None),
        ("s3a://lake/docs/README.MD", "markdown", None),
        ("https://example.org/guide/index.html?lang=en#top", "html", None),
        ("C:\\data\\sizes.tsv", "table", None),
        ("src/main.rs", "code", "rust"),
        ("a.tar.py", "code", "python"),
        ("app.rb", "code", None),
        ("guide.rst", "prose", None),
    ],
)
def test_the_ending_of_the_name_decides_where_the_content_type_says_nothing(
    name: str, kind: str, language: str | None
) -> None:
    for content_type in (None, "", "text/plain", "application/octet-stream"):
        guess = kind_of(PROSE, content_type, name)
        assert (guess.kind, guess.language) == (kind, language)
        assert guess.why.startswith("name ends in .")


@pytest.mark.parametrize(
    "name", ["https://obsidian.md", "https://docs.rs/", ".md", "md", "", "notes.txt", "v1.2", "a.md/b"]
)
def test_host_names_and_the_like_are_no_endings(name: str) -> None:
    assert kind_of(PROSE, None, name).why.startswith("no markup")


def test_a_pdf_is_pages_if_its_text_still_has_pages() -> None:
    assert kind_of(f"{PROSE}\f{PROSE}", "application/pdf").kind == "pages"
    assert kind_of(PROSE, "application/pdf") == ("prose", "content type application/pdf, without form feeds", None)
    assert kind_of("# Title\n\nText.\n\n## More\n\nText.\n", None, "report.pdf").kind == "markdown"
    assert kind_of(PYTHON, "application/pdf").kind == "prose"


# ---- What the text looks like


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# Appendix\n\nThe following sections contain\nreference material.\n", "1 heading"),
        ("# A\n\ntext\n\n## B\n\n```\ncode\n```\n", "2 headings and 2 fences"),
        ("\ufeff# First\r\n\r\nSome text.\r\n", "1 heading"),
        ("See [one](a.md) and\n[two](b.md).\n", "2 links"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", "1 table"),
        ("**Pros**\n\n- cheap\n- light\n\n**Cons**\n\n- small\n", "bold words and lists"),
        ("~~~\ncode\n~~~\n\n```python\nx = 1\n```\n", "2 fences"),
    ],
)
def test_markdown_is_known_by_its_marks(text: str, why: str) -> None:
    guess = kind_of(text)
    assert guess.kind == "markdown"
    assert guess.why == f"{why} in the first {len(text.lstrip(chr(0xFEFF)))} characters"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<!DOCTYPE html><html><body>x</body></html>", "begins with <!doctype html>"),
        ('<?xml version="1.0"?>\n<!-- made -->\n<html xmlns="x">', "begins with <html>"),
        ("<p>One <b>two</b></p>\n<ul><li>three</li></ul>", "8 HTML tags in the first 45 characters"),
    ],
)
def test_html_is_known_by_its_first_tag_or_many_tags(text: str, why: str) -> None:
    assert kind_of(text) == ("html", why, None)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (PYTHON, "python"),
        (GO, "go"),
        (RUST, "rust"),
        (C, "c"),
        ("#include <vector>\nnamespace pipes {\n" + C, "cpp"),
        (SQL, "sql"),
        ("#!/bin/sh -e\nmake\n", "bash"),
        ("#!/usr/bin/env -S python3.11\nx\n", "python"),
        ("#!/usr/bin/perl\nx\n", None),
    ],
)
def test_code_is_known_by_its_lines(text: str, language: str | None) -> None:
    guess = kind_of(text)
    assert (guess.kind, guess.language) == ("code", language)


@pytest.mark.parametrize(
    ("text", "cells", "name"),
    [
        ("name,age\nAda,36\nAlan,41\nGrace,85\n", 2, "commas"),
        ('name,note\nAda,"one, two\nthree"\nAlan,"x"\nGrace,y\n', 2, "commas"),
        ("name\tage\tyear\nAda\t36\t1815\n\t\t\nAlan\t41\t1912\n", 3, "tabs"),
        ("a;b;c\r\n1;2,5;3\r\n4;5,5;6\r\n", 3, "semicolons"),
        ("a|b|c\n1|2|3\n4|5|6\n", 3, "bars"),
        ("seed, value\n" + "1, 0x5f\n" * 12, 2, "commas"),
    ],
)
def test_a_table_is_known_by_its_columns(text: str, cells: int, name: str) -> None:
    guess = kind_of(text)
    assert guess.kind == "table"
    assert guess.why.endswith(f"lines with {cells} cells, parted by {name}")


def test_pages_are_known_by_form_feeds_between_them_wherever_they_are() -> None:
    far = "word " * 5000
    assert kind_of(f"{far}\f{far}") == ("pages", "form feeds between pages", None)
    assert kind_of(f"\f{far}\f\n").kind == "prose"
    assert kind_of(PYTHON.replace("class", "\f\nclass")).kind == "code"


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "",
        " \n",
        "Roses are red,\nviolets are blue,\nsugar is sweet,\nand so are you.\n",
        "To be, or not\nTo sleep, or dream\nTo die, no more\nTo wake, perhaps\n",
        "# only a comment\nkey: value\nother: value\nthird: 3\n",
        "# Settings of the pump\n\nsize = 3\nspeed = 7\nname = x\n",
        '{\n  "a": {\n    "b": [1, 2]\n  },\n  "c": {\n  }\n}\n',
        "Title\n=====\n\nSee `here <x>`_ and::\n\n    def f(x):\n        return x\n\n.. note:: **b**\n\n- **c**\n- d\n",
        "Title\n~~~~~\n\ntext\n\nOther\n~~~~~\n\ntext\n",
        "for those who know:\nimport duties rise;\nreturn tickets are cheap;\nif you go, go now\n" + PROSE * 2,
        "apples;\npears;\nplums;\nnuts;\n",
        "red,\nblue,\ngreen,\n" * 6,
        "one, two\nthree, four\nfive, six\n" + "and a line with no comma in it\n" * 5,
        "<b>Note</b> <i>one</i> <i>two</i>\n" + "Long text about pipes and how they leak. " * 50,
        PROSE * 8 + PYTHON,
        "Pipes\n\n.. code-block:: python\n\n" + PYTHON,
        "<unk> is a token; so is <s>.\n" * 9,
        "We use #hashtags, 2 * 3 * 4, a_b_c and [brackets] (and these) here.\n",
        "\u6f22\u5b57\u3002\u4eee\u540d\u3001\u6587\u3002\n" * 5,
    ],
)
def test_what_is_not_clear_is_prose(text: str) -> None:
    assert kind_of(text).kind == "prose"


def test_markdown_that_begins_with_tags_is_markdown() -> None:
    tags = '<p align="center">\n<a href="x"><img src="y"></a>\n<br>\n<b>Pipes</b>\n</p>\n'
    assert kind_of(f"{tags}\n# Pipes\n\nThey leak.\n\n## More\n\nThey do.\n").kind == "markdown"


def test_code_below_a_long_comment_is_code() -> None:
    assert kind_of(f"/* {PROSE * 6} */\n{C}").kind == "code"
    assert kind_of(f'"""{PROSE * 6}"""\n{PYTHON}').kind == "code"


def test_a_language_that_is_not_clear_is_left_open() -> None:
    assert _clear(Counter(python=3, rust=2), "") is None
    assert _clear(Counter(python=4, rust=2), "") == "python"
    assert _clear(Counter(python=1), "") is None


def test_markdown_about_code_is_markdown() -> None:
    assert kind_of(f"# Pipes\n\nHow to count:\n\n```python\n{PYTHON * 3}```\n").kind == "markdown"


def test_code_with_fences_in_its_comments_is_code() -> None:
    assert kind_of(PYTHON.replace("Counts pipes.", "Counts pipes.\n\n```\ncount(x)\n```\n")).kind == "code"


def test_the_standard_library_is_code_and_hardly_ever_python_is_taken_for_something_else() -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    texts = [path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.py"))]
    guesses = [kind_of(text) for text in texts if len(text) > 2000]
    kinds = [guess.kind for guess in guesses]
    assert len(kinds) > 100
    assert kinds.count("code") >= 0.9 * len(kinds)
    assert kinds.count("html") + kinds.count("pages") == 0
    assert {guess.language for guess in guesses} <= {"python", None}


@pytest.mark.parametrize(
    "text", [*NASTY, *(piece * 9000 for piece in ("\n", "[", "<a ", "\n#", '"', "```\n", "|-", "**a"))]
)
def test_odd_texts_are_survived(text: str) -> None:
    assert kind_of(text).kind in KINDS


@given(documents(), st.sampled_from([None, "text/plain", "x", ";"]), st.one_of(st.none(), st.text(max_size=20)))
def test_every_text_has_a_kind_and_a_reason(text: str, content_type: str | None, name: str | None) -> None:
    guess = kind_of(text, content_type, name)
    assert guess.kind in KINDS
    assert guess.why
    assert "\n" not in guess.why
    assert guess == kind_of(text, content_type, name)


@given(st.integers(0, 40_000), st.sampled_from(["x", "line of text\n", "a\r\n", "\ufeff"]))
def test_no_more_than_the_look_is_looked_at(length: int, piece: str) -> None:
    sample = sample_of((piece * length)[:length])
    assert len(sample.text) <= HEAD + MIDDLE + 2
    assert len(sample.head) <= HEAD
    assert "\r" not in sample.text


def test_the_middle_is_looked_at_too() -> None:
    text = "word " * 4000 + "\n" + "| a | b |\n|---|---|\n| 1 | 2 |\n" * 60 + "word " * 4000
    assert kind_of(text).kind == "markdown"
    assert kind_of(text).why.endswith(" tables in the first 4,096 characters and 2,048 in the middle")
