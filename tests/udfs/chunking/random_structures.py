"""Random documents with random structures, made without a reader, and how to chunk them as if one had read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import regex
from hypothesis import strategies as st

from tests.udfs.chunking.nasty import documents
from udfs.chunking import Chunk, ChunkSettings
from udfs.chunking.characters import is_blank
from udfs.chunking.chunk import CUTS
from udfs.chunking.cutting import DocumentCutter
from udfs.chunking.document import Document
from udfs.chunking.formats.structure import Blocks, Removed, Repeat, Section, Structure

LINES = (
    "One sentence stands here. Another one follows it, and ends.",
    "short",
    "",
    "",
    "    indented line with some words",
    "\tx = 1",
    "- an item",
    "# Heading",
    "| a | b |",
    "words without any mark at all go on and on and on until the line ends",
    "\u6c34\u306f\u6d41\u308c\u308b\u3002\u6f22\u5b57\u3002",
    "na\u00efve e\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467",
)


class Example(NamedTuple):
    """A document with a structure, and the title that its context may bear."""

    text: str
    structure: Structure
    title: str


def chunks_of(example: Example, settings: ChunkSettings) -> list[Chunk]:
    """The chunks of a document whose structure is given."""
    document = Document(example.text, example.structure, title=example.title)
    return DocumentCutter(settings).cut([document]).document(0)


def nested(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of some stretches that cross none before them, in order, the outer before the inner."""
    found: list[tuple[int, int]] = []
    open_ends: list[int] = []
    for start, end in sorted(set(stretches), key=lambda stretch: (stretch[0], -stretch[1])):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if not open_ends or end <= open_ends[-1]:
            open_ends.append(end)
            found.append((start, end))
    return found


def edges_of_graphemes(text: str) -> set[int]:
    return {0} | {match.end() for match in regex.finditer(r"\X", text)}


def texts() -> st.SearchStrategy[str]:
    lines = st.lists(st.sampled_from(LINES), min_size=1, max_size=24).map("\n".join)
    return (lines | lines | documents()).filter(lambda text: not is_blank(text))


def _stretches(draw: st.DrawFn, text: str, most: int) -> list[tuple[int, int]]:
    """Stretches of a text; most begin and end where lines do."""
    starts = [0] + [at + 1 for at, character in enumerate(text) if character == "\n"]
    ends = [at for at, character in enumerate(text) if character == "\n"] + [len(text)]
    begin = st.sampled_from(starts) | st.sampled_from(starts) | st.integers(0, len(text))
    stop = st.sampled_from(ends) | st.sampled_from(ends) | st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(begin, stop), max_size=most))
    return [(start, end) for start, end in pairs if start < end]


def _of_words(text: str, stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same without the blanks at their ends, but with the indentation of the first line."""
    found = []
    for start, end in stretches:
        solid = [at for at in range(start, end) if not is_blank(text[at])]
        if solid:
            line = text.rfind("\n", 0, solid[0]) + 1
            found.append((line if is_blank(text[line : solid[0]]) else solid[0], solid[-1] + 1))
    return found


@st.composite
def examples(draw: st.DrawFn) -> Example:
    text = draw(texts())
    removed = []
    if draw(st.integers(0, 4)) == 0:
        stop = text.find("\n", draw(st.integers(0, len(text) // 3)))
        removed = [(0, end) for _, end in _of_words(text, [(0, stop)])]
    free = removed[0][1] if removed else 0

    def stretches(most: int) -> list[tuple[int, int]]:
        return [stretch for stretch in _stretches(draw, text, most) if stretch[0] >= free]

    blocks = nested(stretch for stretch in _of_words(text, stretches(10)) if stretch[0] >= free)
    cuts = st.sampled_from([CUTS.index(name) for name in ("block", "paragraph", "line")])
    rows = [(start, end, draw(st.integers(0, 3)), draw(cuts)) for start, end in blocks]
    words = st.sampled_from(["Pumps", "A much longer title, of many words", "\u6c34\u6bba", "e\u0301"])
    repeats = [
        Repeat(start, end, draw(st.sampled_from(["| a | b |\n|---|---|", "Steps:", "class Pump:"])))
        for start, end in nested(stretches(4))
    ]
    structure = Structure(
        sections=_sections(draw, text, stretches(6), words),
        blocks=Blocks.of(rows),
        repeats=repeats,
        removed=[Removed(start, end, "front_matter") for start, end in removed],
    )
    return Example(text, structure, draw(st.sampled_from(["", "A title that is not short"])))


def _sections(
    draw: st.DrawFn, text: str, stretches: list[tuple[int, int]], titles: st.SearchStrategy[str]
) -> list[Section]:
    lines = {0} | {at + 1 for at, character in enumerate(text) if character == "\n"}
    sections: list[Section] = []
    outer: list[Section] = []
    for start, end in nested(stretches):
        while outer and outer[-1].end <= start:
            outer.pop()
        if outer and start < outer[-1].body:
            continue
        line_end = text.find("\n", start)
        most = min(end, line_end if line_end > start else end)
        body = draw(st.sampled_from([most, most, end]))
        if is_blank(text[start:body]) or start not in lines:
            continue
        outer.append(Section(start, body, end, len(outer) + 1, draw(titles)))
        sections.append(outer[-1])
    return sections


@st.composite
def structured_settings(draw: st.DrawFn) -> ChunkSettings:
    size = draw(st.one_of(st.integers(1, 12), st.integers(10, 60), st.sampled_from([64, 65, 128, 200, 512])))
    unit = draw(st.sampled_from(["tokens", "characters"]))
    most = draw(st.none() | st.none() | st.integers(1, size + 20))
    room = size if most is None or unit == "characters" else min(size, most)
    return ChunkSettings(
        strategy=draw(st.sampled_from(["markdown", "code", "table"])),
        size=size,
        overlap=draw(st.just(0) | st.integers(0, room - 1)),
        unit=unit,
        tokenizer=draw(st.sampled_from(["cl100k_base", "o200k_base"])),
        model_max_tokens=most,
        keep_apart=draw(st.none() | st.integers(0, 4)),
        context=draw(st.sampled_from([None, "none", "title", "headings", "auto"])),
        context_share=draw(st.sampled_from([0.5, 0.1, 0.9])),
    )
