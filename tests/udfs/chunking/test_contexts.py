"""What stands in front of chunks, by hand; and how little work it is to know it."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest

from tests.udfs.chunking.laws import check_document, tokens
from tests.udfs.chunking.random_structures import Example, chunks_of
from udfs.chunking import Chunk, Chunker, ChunkSettings
from udfs.chunking.contexts import Contexts
from udfs.chunking.document import About
from udfs.chunking.embed_template import Context, EmbedTemplate
from udfs.chunking.formats.structure import Repeat, Section, Structure
from udfs.chunking.outline import MAX_TITLE, Outline
from udfs.chunking.slab import Slab

TEXT = "# Pumps\n\n## Limits\n\nOne. Two. Three. Four. Five. Six.\n"
TABLE = "# Sites\n\n| Site | Value |\n|---|---|\n" + "".join(f"| site {number} | {number} |\n" for number in range(20))


def cut(text: str, title: str | None = None, **values: object) -> list[Chunk]:
    chunker = Chunker(ChunkSettings.of({"strategy": "markdown", "overlap": 0} | values))
    about = About(title=title)
    chunks = chunker.chunk(text, about)
    check_document(chunker, text, chunks, about)
    return chunks


def fronts(chunks: list[Chunk]) -> list[str]:
    return [chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)] for chunk in chunks]


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("none", ["", ""]),
        ("title", ["Manual\n", "Manual\n"]),
        ("headings", ["", "Pumps > Limits\n"]),
        ("auto", ["Manual\n", "Pumps > Limits\n"]),
    ],
)
def test_what_a_context_is(context: str, expected: list[str]) -> None:
    assert fronts(cut(TEXT, "Manual", context=context, size=50, unit="characters")) == expected


def test_prose_bears_no_context_unless_it_is_asked_for() -> None:
    text = "Plain words."
    about = About(title="Manual")
    assert Chunker().chunk(text, about)[0].embed_text == text
    assert Chunker(context="title").chunk(text, about)[0].embed_text == "Manual\nPlain words."
    assert Chunker(strategy="markdown").chunk(text, about)[0].embed_text == "Manual\nPlain words."


def test_a_chunk_that_begins_with_its_heading_bears_those_above_it() -> None:
    chunks = cut("# A\n\n## B\n\nText one.\n\n## C\n\nText two.\n", keep_apart=2)
    assert fronts(chunks) == ["", "A\n"]


def test_a_table_has_headings_and_header_in_front() -> None:
    chunks = cut(TABLE, size=40)
    assert fronts(chunks)[0] == ""
    assert set(fronts(chunks)[1:]) == {"Sites\n| Site | Value |\n|---|---|\n"}


def test_a_template_says_how() -> None:
    template = "In {headings}:\n<{title}> {repeats}\n{text}"
    assert fronts(cut(TABLE, "T", size=48, embed_template=template))[1] == "In Sites:\n<> | Site | Value |\n|---|---|\n"
    assert fronts(cut(TEXT, "T", context="title", size=48, embed_template=template)) == ["<T> \n"]
    assert fronts(cut("Words.", size=48, embed_template="Text: {text}")) == ["Text: "]


def test_a_context_that_is_too_large_is_cut_from_the_left_and_marked() -> None:
    text = (
        "# Pumps of a kind\n\n## Limits of pumps\n\nOne more. Two more. Three more. Four more. Five more. Six more.\n"
    )
    chunks = cut(text, size=60, unit="characters")
    assert fronts(chunks)[1:] == ["\u2026 > Limits of pumps\n"] * 2
    assert len("\u2026 > Limits of pumps\n") <= 30 < len("Pumps of a kind > Limits of pumps\n")
    chunks = cut(text, size=40, unit="characters", context_share=0.3)
    assert set(fronts(chunks)[1:]) == {"\u2026s of pumps\n"}
    assert all(len(front) <= 12 for front in fronts(chunks))


def test_a_title_goes_before_headings_and_headings_before_a_header() -> None:
    template = EmbedTemplate("{title}|{headings}|{repeats}\n{text}", "auto")
    context = Context("title", ("one", "two"), ("head",))
    steps = list(accumulate(range(4), lambda before, _: before.without_outermost(), initial=context))
    assert [template.prefix(step) for step in steps] == [
        "title|one > two|head\n",
        "|one > two|head\n",
        "|two|head\n",
        "||head\n",
        "",
    ]


def test_a_context_takes_its_share_at_most_and_exactly() -> None:
    text = "# " + "h" * 9 + "\n\n" + "Some words. " * 30
    front = "h" * 9 + "\n"
    assert set(fronts(cut(text, size=20, unit="characters"))[1:]) == {front}
    assert set(fronts(cut(text, size=19, unit="characters"))[1:]) == {"\u2026" + "h" * 6 + "\n"}


def test_tokens_are_those_of_context_and_text_together() -> None:
    for template in ("{headings}\n{text}", "{headings}: {text}", "{headings}{text}"):
        chunks = cut(TEXT, size=14, embed_template=template)
        assert len(chunks) > 1
        for chunk in chunks:
            assert chunk.token_count == tokens(chunk.embed_text, "cl100k_base") <= 14


def test_a_title_of_a_section_is_bounded() -> None:
    text = "# " + "t" * 400 + "\n\nText.\n"
    (chunk,) = cut(text, size=1000)
    assert chunk.section == ("t" * (MAX_TITLE - 1) + "\u2026",)


def test_a_context_changes_where_sections_and_stretches_begin_and_end() -> None:
    text = "0123456789" * 3
    sections = [Section(2, 4, 20, 1, "A"), Section(10, 12, 15, 2, "B"), Section(20, 22, 30, 1, "C")]
    repeats = [Repeat(5, 25, "outer"), Repeat(7, 9, "inner")]
    slab = Slab([text, text])
    outline = Outline.of(slab, [Structure(sections=sections, repeats=repeats), None])
    template = EmbedTemplate("{title};{headings};{repeats}\n{text}", "auto")
    contexts = Contexts(slab, outline, ["T", "U"], template, 100, len)
    found = [contexts.prefixes[contexts.number_at(at)][:-1] for at in range(int(slab.first[0]), int(slab.stop[1]))]
    expected = (
        ["T;;"] * 4 + [";A;"] + [";A;outer"] * 2 + [";A;outer\ninner"] * 2 + [";A;outer"] * 3 + [";A > B;outer"] * 3
        + [";A;outer"] * 5 + ["T;;outer"] * 2 + [";C;outer"] * 3 + [";C;"] * 5
    )  # fmt: skip
    assert found[:30] == expected
    assert set(found[31:]) == {"U;;"}


def test_a_grapheme_that_fits_only_alone_bears_no_context() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    example = Example(f"ab {family} cd", Structure(), "Title")
    chosen = ChunkSettings(strategy="markdown", size=8, overlap=0, unit="characters", context_share=0.9)
    chunks = chunks_of(example, chosen)
    (chunk,) = [chunk for chunk in chunks if family in chunk.text]
    assert chunk.embed_text == chunk.text
    assert not chunk.oversize


@pytest.mark.parametrize("headings", [100, 1000])
def test_contexts_are_made_only_where_chunks_begin(headings: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    prefix = EmbedTemplate.prefix

    def counted(self: EmbedTemplate, context: Context) -> str:
        found = prefix(self, context)
        made.append(len(found))
        return found

    monkeypatch.setattr(EmbedTemplate, "prefix", counted)
    text = "".join(f"{'#' * (1 + number % 6)} {'A long title ' * 30}{number}\n\n" for number in range(headings))
    chunks = Chunker(strategy="markdown", size=128, keep_apart=0).chunk(text)
    assert sum(made) <= 8 * len(text)
    assert sum(len(chunk.embed_text) for chunk in chunks) <= 3 * len(text)


def test_words_of_a_template_stand_before_every_chunk_whatever_is_beside_it() -> None:
    chunker = Chunker(context="title", embed_template="search_document: {text}")
    alone = chunker.chunk("alpha beta")
    beside = chunker.chunk_batch(["alpha beta", "gamma"], [About(), About(title="T")]).document(0)
    assert alone == beside
    assert alone[0].embed_text == "search_document: alpha beta"


def test_a_context_takes_its_share_of_tokens_where_characters_are_counted() -> None:
    text = "# " + "\u6c34\u6d41" * 60 + "\n\n" + "Water runs down the pipe. " * 100
    chunks = Chunker(strategy="markdown", unit="characters", size=1000, model_max_tokens=64).chunk(text)
    assert len(chunks) < 100
    assert max(chunk.token_count for chunk in chunks) <= 64


def test_what_is_shared_leaves_room_for_something_new_where_tokens_are_bounded_too() -> None:
    chunks = Chunker(unit="characters", size=2000, model_max_tokens=32).chunk("Water runs down the pipe. " * 100)
    assert len(chunks) < 60


def test_a_path_of_headings_is_bounded() -> None:
    signature = "function " + "f" * 290
    text = "".join(f"{signature}{depth}() {{\n" for depth in range(60)) + "x();\n" * 200 + "}\n" * 60
    chunks = Chunker(strategy="code", language="javascript", size=16, overlap=0).chunk(text)
    assert max(sum(map(len, chunk.section)) for chunk in chunks) < 1400
    assert any(chunk.section[:1] == ("\u2026",) for chunk in chunks)


def test_a_text_that_begins_with_a_slash_may_share_a_token_with_its_context() -> None:
    text = "# What;\n\n" + "/usr/bin/pump starts it all.\n\n" * 6
    chunks = cut(text, size=20, tokenizer="o200k_base")
    assert tokens(";\n/", "o200k_base") == 1
    assert [chunk.embed_text[:9] for chunk in chunks[1:]] == ["What;\n/us"] * (len(chunks) - 1)
    assert all(chunk.token_count == tokens(chunk.embed_text, "o200k_base") for chunk in chunks)


def test_tokens_of_context_and_text_are_counted_together_by_any_tokenizer(tmp_path: Path) -> None:
    hub = pytest.importorskip("tests.udfs.chunking.hub_tokenizers")
    for kind in hub.KINDS:
        text = "# Brown fox\n\n" + "the quick brown fox jumps.\n\n" * 20
        chunks = Chunker(strategy="markdown", size=24, tokenizer=hub.save(kind, tmp_path)).chunk(text)
        assert set(fronts(chunks)[1:]) == {"Brown fox\n"}
        for chunk in chunks:
            counted = len(hub.trained(kind).encode(chunk.embed_text, add_special_tokens=False).ids)
            assert chunk.token_count == counted <= 24
