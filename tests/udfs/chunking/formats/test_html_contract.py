"""The contract of readers on HTML that is random, nasty or hostile; and that what it costs grows with the source."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.formats.html_outline import convert
from tests.udfs.chunking.nasty import NASTY, PIECES
from udfs.chunking.formats.html import REASONS
from udfs.chunking.formats.html_page import PageReader
from udfs.chunking.formats.html_walker import MAX_NAME, MAX_NAMES

BLOCK_TAGS = (
    "div p section article main header footer nav aside blockquote figure figcaption details summary address center "
    "h1 h2 h3 h6 ul ol li dl dt dd pre form fieldset body html"
).split()
TABLE_TAGS = "table caption thead tbody tr td th".split()
INLINE_TAGS = "a b i em strong code span sup q label time unknown-tag font".split()
DROPPED_TAGS = "script style noscript template select button svg textarea iframe title".split()
ATTRIBUTES = (
    "", "", "", ' class="menu"', " id=footer", ' class="cookie-banner"', " role=presentation", " href='#x'",
    ' title="a > b"',
    " x='", ' y="', " rowspan=3", " colspan=2", " start=7", " hidden", " style='display:none'",
    " aria-hidden=true", "/", " =", " a==b",
)  # fmt: skip
ODD = (
    "<",
    ">",
    "&",
    "&amp;",
    "&#x41;",
    "&#9;",
    "<!--",
    "-->",
    "<!",
    "<?",
    "</",
    "<b",
    "<![CDATA[",
    "'",
    '"',
    "&nbsp;",
    "\n\n",
    " ",
    "\t",
)


def tag_of(names: list[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda slash, name, rest: f"<{slash}{name}{rest}>",
        st.sampled_from(("", "", "/")),
        st.sampled_from(names),
        st.sampled_from(ATTRIBUTES),
    )


def broken_pages() -> st.SearchStrategy[str]:
    """Tags, words and odd pieces put together in any way."""
    tags = tag_of([*BLOCK_TAGS, *TABLE_TAGS, *INLINE_TAGS, *DROPPED_TAGS, "br", "hr", "img alt=x"])
    words = st.sampled_from(("a:", "One. Two.", "word ", "Title", "long words " * 12))
    piece = st.one_of(tags, tags, tags, words, st.sampled_from(ODD), st.sampled_from(PIECES))
    return st.lists(piece, max_size=40).map("".join)


@given(broken_pages())
@settings(max_examples=250, deadline=None)
def test_the_contract_holds_for_broken_pages(source: str) -> None:
    for drop in (True, False):
        text, _, converted = convert(source, drop=drop)
        assert text == text.rstrip()
        assert "\n" not in text[: len(text) - len(text.lstrip())]  # code may begin with an indentation
        assert set(converted.removed) <= set(REASONS)
        assert min(converted.removed.values(), default=1) > 0
        if "pre" not in source.lower() and "<xmp" not in source.lower():
            assert "\n\n\n" not in text


@given(st.text("<>/!-='\"& abphdtr#;x\n\t\0\r", max_size=60))
@settings(max_examples=250, deadline=None)
def test_the_contract_holds_for_random_marks(source: str) -> None:
    convert(source)


@pytest.mark.parametrize("source", NASTY, ids=range(len(NASTY)))
def test_the_contract_holds_for_nasty_text(source: str) -> None:
    convert(source)


def plain_tag(names: list[str]) -> st.SearchStrategy[str]:
    return st.builds("<{}{}>".format, st.sampled_from(("", "", "/")), st.sampled_from(names))


def numbered(pieces: list[str]) -> str:
    """The pieces with a word of its own after each."""
    return "".join(f"{piece} w{number} " for number, piece in enumerate(pieces))


@given(st.lists(plain_tag([*BLOCK_TAGS, *INLINE_TAGS, "br"]), max_size=40).map(numbered))
@settings(max_examples=250, deadline=None)
def test_every_word_is_kept_in_order(source: str) -> None:
    text, _, _ = convert(source, drop=False)
    assert re.findall(r"\bw\d+\b", text) == re.findall(r"\bw\d+\b", source)


@given(st.lists(plain_tag([*BLOCK_TAGS, *TABLE_TAGS, *TABLE_TAGS]), max_size=40).map(numbered))
@settings(max_examples=250, deadline=None)
def test_tables_lose_and_repeat_no_word(source: str) -> None:
    text, _, _ = convert(source, drop=False)
    assert sorted(re.findall(r"\bw\d+\b", text)) == sorted(re.findall(r"\bw\d+\b", source))


@given(st.lists(st.one_of(plain_tag(BLOCK_TAGS), st.sampled_from(("hidden", "raw"))), max_size=30))
@settings(max_examples=300, deadline=None)
def test_nothing_of_scripts_and_hidden_elements_appears(pieces: list[str]) -> None:
    secret = {
        "raw": "<script>var s = '<p>SECRET';</script><style>SECRET{}</style><!-- <p>SECRET -->",
        "hidden": "<span hidden>SECRET<b>SECRET</b></span><svg><text>SECRET</text></svg>",
    }
    text, _, _ = convert("".join(secret.get(piece, piece) for piece in pieces), drop=False)
    assert "SECRET" not in text


HOSTILE: dict[str, Callable[[int], str]] = {
    "boxes": lambda n: "<div>x" * n,
    "closed boxes": lambda n: "<div>" * n + "x" + "</div>" * n,
    "end tags of what is far up": lambda n: "<div>" * n + "</p></span></ul></td>" * n,
    "formatting that is reopened": lambda n: "".join(f"<b id={i}>" for i in range(n)) + "<p>x" * n,
    "tables in tables": lambda n: "<table><tr><th>a<th>b<tr><td>" * n,
    "lists in lists": lambda n: "<ul><li>x:" * n,
    "numbered lists in lists": lambda n: "<ol start=999999999><li>" * n + "x",
    "definitions in definitions": lambda n: "<dl><dt>a<dd>b" * n,
    "quotes": lambda n: "<blockquote>x" * n,
    "menus in menus": lambda n: "<div class=nav>x <a href=y>z</a>" * n,
    "hidden elements": lambda n: "<span hidden>x" * n,
    "a mix": lambda n: "<table><tr><td><ul><li><dl><dd><blockquote>x" * (n // 4),
    "angles": lambda n: "<" * n + ">" * n,
    "tags without end": lambda n: "<a " * n,
    "quotes without end": lambda n: "<a b='" * n + "<p>x",
    "quoted angles": lambda n: "<a b='>\"c='>" * n,
    "attributes": lambda n: "<p" + " =a=b" * n + "><p x='>'>y",
    "comments": lambda n: "<!--" * n,
    "comments in a tag": lambda n: "<a '<!--" * n,
    "scripts in scripts": lambda n: "<script><!--<script>" * n,
    "references": lambda n: "&#1" * n + "&" * n + "&a" * n,
    "cells over many rows": lambda n: "<table><tr>" + "<td rowspan=9999>x" * n + "<tr><td>y" * n,
    "cells over many columns": lambda n: "<table>" + "<tr><td colspan=999>x<td>" * n,
    "cells in one row": lambda n: "<table><tr><th>a<tr>" + "<td>x" * n + "<tr><td>y" * n,
    "one line": lambda n: "word. " * n,
    "one paragraph before a list": lambda n: "<p>" + "word. " * n + ":<ul><li>a<li>b</ul>",
    "classes": lambda n: "<div class='" + "a-b " * n + "'>x",
    "names": lambda n: "".join(f"<x{i:040}>" for i in range(n)),
    "titles": lambda n: "<title>x</title>" * n,
    "NUL and carriage returns": lambda n: "\0\r" * n + "x",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read(name: str) -> None:
    source = HOSTILE[name](20_000)
    text, _, _ = convert(source)
    assert len(text) <= 20 * len(source)


def test_odd_names_of_tags_are_not_remembered_for_ever() -> None:
    convert("<" + "x" * 1000 + ">" + "".join(f"<x{number}>" for number in range(2 * MAX_NAMES)))
    assert len(PageReader.handlers) <= MAX_NAMES
    assert max(map(len, PageReader.handlers)) <= MAX_NAME


def calls(source: str) -> int:
    """How many calls a reading takes, those of built-in functions included."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        convert(source)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_source_takes_at_most_twice_the_calls(name: str) -> None:
    convert(HOSTILE[name](10))  # what is remembered from page to page
    once, twice = calls(HOSTILE[name](500)), calls(HOSTILE[name](1000))
    assert twice <= 2.2 * once + 100
