"""The contract of readers on Markdown that is random, nasty or real; and that what it costs grows with the text."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, SupportsIndex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.corpora import from_folder, of_every_machine
from tests.udfs.chunking.formats.contract import check_structure
from tests.udfs.chunking.nasty import NASTY, PIECES
from udfs.chunking.characters import _BLANKS as BLANKS
from udfs.chunking.formats import markdown_nodes
from udfs.chunking.formats.markdown import read_markdown

FOLDERS = [Path(folder) for folder in os.environ.get("LAKECHUNK_CORPORA", "").split(os.pathsep) if folder]

FRAGMENTS = (
    "# Title", "## `a` *b* [c](d) &amp;", "### ", "#", "Title\n===", "Two\nlines\n---", "---", "***", "+++", "\ufeff",
    "---\nkey: value\nlist: [1]\n---", "+++\nkey = 'value'\n+++", "```", "```py\n# no heading\n```", "~~~~",
    "    indented\n\n    code", "\tcode", "- item", "- [ ] task", "* other", "1. one\n2. two", "10) ten", "- a\n\n  b",
    "- a\n  - b\n    - c", "-", "  continued", "Steps:", "Three steps\uff1a", "**Note:**", "One. Two.", "|",
    "x" * 320 + ": y:", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "| a |\n| b |\n|---|\n| 1 |\n| 2 |", "|---|",
    "a | b", "Table 1: x", "> quote", "> - a\n>\n> - b\n>", "> ```\n> x", ">", "> > > deep", "> # inner", "text[^1]",
    "[^1]: note\n    more", "[ref]: /url 'title'", "<h2 id='x'>HTML</h2>", "<h1></h1>", "<div>\nfoo\n</div>", "<!--",
    "-->", "<pre>\n\n#\n</pre>", "$$\na\n+ b\n$$", "\\[\na\n\nb\n\\]", "$$", "\\[", "\u6f22\u5b57\u3002",
    "\U0001f680", "\u200b", "\u00a0", "\u2028", "\0", "long code\n\n" * 45, "    long code\n\n" * 35,
)  # fmt: skip
JOINTS = ("\n", "\n\n", "\r\n", "\r\n\r\n", "\r", " ", "", "\n  ", "\n    ", "\n> ", "\n\n\n", "  \n")


def documents() -> st.SearchStrategy[str]:
    """Fragments of Markdown, with odd pieces among them, put together in any way."""
    fragment = st.one_of(st.sampled_from(FRAGMENTS), st.sampled_from(FRAGMENTS), st.sampled_from(PIECES))
    pairs = st.lists(st.tuples(fragment, st.sampled_from(JOINTS)), max_size=25)
    return pairs.map(lambda parts: "".join(map("".join, parts)))


@given(documents())
@settings(max_examples=400, deadline=None)
def test_the_contract_holds_for_random_markdown(text: str) -> None:
    check_structure(text, read_markdown(text))


@given(st.text("#>-*+`~|=:$\\[]()<>!/ab1. \n\r\t\ufeff\u00e9\U0001f680", max_size=60))
@settings(max_examples=300, deadline=None)
def test_the_contract_holds_for_random_marks(text: str) -> None:
    check_structure(text, read_markdown(text))


@given(documents())
@settings(max_examples=100, deadline=None)
def test_letters_of_several_bytes_change_nothing(text: str) -> None:
    wide, narrow = read_markdown(text.replace("a", "\u00e9")), read_markdown(text.replace("a", "e"))
    assert wide.blocks.start.tolist() == narrow.blocks.start.tolist()
    assert wide.blocks.end.tolist() == narrow.blocks.end.tolist()
    assert [section[:4] for section in wide.sections] == [section[:4] for section in narrow.sections]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_the_contract_holds_for_nasty_text(text: str) -> None:
    check_structure(text, read_markdown(text))


def test_the_contract_holds_on_what_every_machine_has() -> None:
    for corpus in of_every_machine():
        for document in corpus.documents[:100]:
            check_structure(document[:100_000], read_markdown(document[:100_000]))


@pytest.mark.skipif(not FOLDERS, reason="LAKECHUNK_CORPORA names no folders of text")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_contract_holds_on_the_given_corpora(folder: Path) -> None:
    for document in from_folder(folder).documents[:200]:
        check_structure(document, read_markdown(document))


HOSTILE: dict[str, Callable[[int], str]] = {
    "quotes": lambda n: "> " * n + "a\n",
    "quotes with lists": lambda n: "> - " * n + "a\n",
    "lists": lambda n: "- " * n + "a",
    "deeper and deeper lists": lambda n: "".join(" " * (2 * (i % 50)) + "- a\n" for i in range(n // 50)),
    "brackets": lambda n: "[" * n,
    "stars": lambda n: "*a **b" * n,
    "unclosed fences": lambda n: "```\n" * (n | 1),
    "fences of all lengths": lambda n: "".join("`" * (3 + i) + "\n$$\n" for i in range(int(n**0.5))),
    "one line": lambda n: "word. " * n,
    "one paragraph before a list": lambda n: "word. " * n + ":\n\n- a\n- b\n",
    "a table of many rows": lambda n: "|a|b|\n|-|-|\n" + "|1|2|\n" * n,
    "a table in a quote": lambda n: "> |a|b|\n> |-|-|\n" + "> |1|2|\n" * n,
    "a table of many columns": lambda n: "|" + "a|" * n + "\n|" + "-|" * n + "\n|1|\n|2|\n",
    "pipes before a table": lambda n: "|a\n" * n + "|-|\n|1|\n|2|\n",
    "many small tables": lambda n: "x\n|a|\n|-|\n|1|\n|2|\n\n" * (n // 8),
    "unclosed formulas": lambda n: "\\[\n" * n,
    "closed formulas": lambda n: "$$\na\n$$\n" * (n // 4),
    "headings": lambda n: "#" * 6 + "\n# a\n" * n,
    "headings that jump": lambda n: "".join("#" * (1 + i % 6) + " a\n" for i in range(n)),
    "HTML headings": lambda n: "<h1>" * n,
    "tags in an HTML heading": lambda n: "<h1>" + "<" * n + "</h1>",
    "comments": lambda n: "<!--" * n,
    "front matter": lambda n: "---\n" + "a: b\n" * n + "---\n",
    "front matter in front matter": lambda n: "---\na: b\n" * n,
    "blank lines in a list": lambda n: "- - - - a\n" + "\n" * n + "- b",
    "empty lines of a quote": lambda n: "> - - a\n" + ">\n" * n + "> - b",
    "indentation": lambda n: " " * n + "a\n\n" + "- b",
    "code of many parts": lambda n: "```\n" + "a\n\n" * n + "```",
    "footnotes": lambda n: "[^a]: " * n,
    "NUL": lambda n: "\0" * n,
    "carriage returns": lambda n: "# a\r" * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_are_read(name: str) -> None:
    text = HOSTILE[name](20_000)
    check_structure(text, read_markdown(text))


class Counted(str):
    """A text that counts the letters that are cut out of it."""

    __slots__ = ()
    letters: ClassVar[int] = 0

    def __getitem__(self, index: SupportsIndex | slice) -> str:
        part = super().__getitem__(index)
        Counted.letters += len(part)
        return Counted(part) if isinstance(index, slice) else part


def work(text: str) -> tuple[int, int]:
    """How many calls a reading takes, and how many letters it copies."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    Counted.letters = 0
    counted = Counted(text)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read_markdown(counted)
    finally:
        sys.setprofile(before)
    return calls, Counted.letters


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_is_at_most_twice_the_work(name: str) -> None:
    read_markdown("# Warm-up\n")
    (calls, letters), (more_calls, more_letters) = work(HOSTILE[name](2_000)), work(HOSTILE[name](4_000))
    assert more_calls <= 2.1 * calls + 200
    assert more_letters <= 2.1 * letters + 2000


def test_elements_nested_deeper_than_the_bound_belong_to_the_one_that_holds_them() -> None:
    nodes = markdown_nodes.parse("> " * 1000 + "a")
    assert len(nodes.kind) == markdown_nodes.MAX_DEPTH
    assert set(nodes.kind) == {markdown_nodes.QUOTE}


@given(documents())
@settings(max_examples=200, deadline=None)
def test_elements_are_those_of_the_events_that_end(text: str) -> None:
    """The tree is told from positions; the parser says the same by the order in which elements end."""
    open_elements: list[int] = []
    parents = []
    for event, span in markdown_nodes._parser()(text):
        name, tag = ("", "") if isinstance(event, str) else next(iter(event.items()))
        if (tag if isinstance(tag, str) else next(iter(tag))) not in markdown_nodes._KIND_OF_TAG:
            continue
        if name == "Start":
            parents.append((open_elements[-1] if open_elements else -1, span["start"]))
            open_elements.append(len(parents) - 1)
        elif name == "End":
            open_elements.pop()
    nodes = markdown_nodes._collect(iter(markdown_nodes._parser()(text)))
    seen = [(parent_of(nodes, index), start) for index, start in enumerate(nodes.start)]
    assert seen == parents


@given(documents())
@settings(max_examples=200, deadline=None)
def test_positions_are_code_points_and_ends_come_before_blanks(text: str) -> None:
    octets = text.encode()
    found = markdown_nodes._collect(iter(markdown_nodes._parser()(text)))
    nodes = markdown_nodes.parse(text)
    assert nodes.start == [len(octets[:start].decode()) for start in found.start]
    if markdown_nodes.QUOTE not in nodes.kind:  # in a quote, lists also end before quote marks
        assert nodes.end == [len(octets[:end].decode().rstrip(BLANKS)) for end in found.end]


def parent_of(nodes: markdown_nodes.Nodes, index: int) -> int:
    return max((other for other in range(index) if nodes.after[other] > index), default=-1)
