"""Faults of structure that users reported of other chunkers, as tests of the whole kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tests.udfs.chunking.laws import check_document
from udfs.chunking import Chunk, Chunker, ChunkSettings
from udfs.chunking.document import NOTHING, About

FENCE = "`" * 3


def chunks_of(text: str, /, about: About = NOTHING, **values: object) -> list[Chunk]:
    """Chunks of a text, the laws checked."""
    chunker = Chunker(ChunkSettings.of({"strategy": "markdown", "overlap": 0} | values))
    chunks = chunker.chunk(text, about)
    check_document(chunker, text, chunks, about)
    return chunks


def front(chunk: Chunk) -> str:
    """What stands in front of the text."""
    return chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]


def path_of(chunks: Sequence[Chunk], words: str) -> list[str]:
    """The section of the only chunk that holds some words."""
    (chunk,) = [chunk for chunk in chunks if words in chunk.text]
    return list(chunk.section)


@pytest.mark.parametrize("size", [24, 200])
def test_blanks_inside_of_blocks_stay_as_they_are(size: int) -> None:
    nested = "- pump\n    - valve\n        - seal\n- tank"
    code = f"{FENCE}make\nrun:\n\tpump --on\n\tsleep 1\n{FENCE}"
    text = f"# Site\n\nOne paragraph.\n\nAnother paragraph.\n\n{nested}\n\n{code}\n\nIt costs 20\u00a0EUR.\n"
    chunks = chunks_of(text, size=size)
    for whole in ("One paragraph.\n\nAnother paragraph.", nested, code, "20\u00a0EUR"):
        assert sum(whole in chunk.text for chunk in chunks) == 1
    assert sum(chunk.text.count("\t") for chunk in chunks) == 2


@pytest.mark.parametrize("size", [18, 400])
def test_words_in_html_stay_in_their_order_under_all_their_headings(size: int) -> None:
    lines = "".join(f"<p>Step{number}</p>" for number in range(1, 13))
    source = (
        "<h1>Manual</h1><p>Oil <b>must</b> be <i>warm</i> when <a href='/start'>you start</a>.</p>"
        f"<h2>Steps</h2>{lines}"
    )
    chunks = chunks_of(source, strategy="html", size=size)
    assert any("Oil must be warm when you start." in " ".join(chunk.text.split()) for chunk in chunks)
    found = [int(number) for chunk in chunks for number in re.findall(r"\bStep(\d+)\b", chunk.text)]
    assert found == list(range(1, 13))
    assert not any(mark in chunk.text for chunk in chunks for mark in "<>")
    if size == 18:
        assert path_of(chunks, "Step12") == ["Manual", "Steps"]


def test_levels_that_jump_and_titles_with_a_slash_make_no_wrong_path() -> None:
    text = "# plan\n\nAll of it.\n\n### north\n\nGo up.\n\n### south\n\nGo down.\n\n## and/or\n\nStay here.\n"
    chunks = chunks_of(text, size=11)
    assert path_of(chunks, "All of it.") == ["plan"]
    assert path_of(chunks, "Go up.") == ["plan", "north"]
    assert path_of(chunks, "Go down.") == ["plan", "south"]
    assert path_of(chunks, "Stay here.") == ["plan", "and/or"]


@pytest.mark.parametrize("context", ["headings", "auto"])
def test_a_heading_that_is_longer_than_a_chunk_loses_no_text(context: str) -> None:
    text = "# " + "a heading of far too many words " * 40 + "\n\n" + "The body says little. " * 12
    chunks = chunks_of(text, size=48, overlap=6, context=context)
    assert "The body says little." in chunks[-1].text
    below = [chunk for chunk in chunks if chunk.text.startswith("The body")]
    assert below
    assert all(front(chunk).startswith("\u2026") for chunk in below)


def test_a_long_title_shortens_no_chunk_that_does_not_show_it() -> None:
    text = "The pump starts at noon. " * 40
    about = About(title="t" * 3000, source="a/" * 400)
    plain = chunks_of(text, size=64, context="none")
    assert chunks_of(text, about, size=64, context="none") == plain
    shown = chunks_of(text, about, size=64, context="title")
    assert "".join(chunk.text for chunk in shown).replace(" ", "") == text.replace(" ", "")
    assert all(front(chunk).startswith("\u2026t") for chunk in shown)


@pytest.mark.parametrize(
    ("caption", "head"),
    [
        ("Table 3: yield by field\n\n", "| Field | Wet | Dry |\n|---|---|---|"),
        ("", "| Part | May | June |\n| | kg | kg |\n|---|---|---|"),
    ],
)
def test_a_divided_table_keeps_its_header_with_every_row(caption: str, head: str) -> None:
    rows = [f"| row-{number:02d} | {number * 3 + 50} | {number * 7} |" for number in range(1, 41)]
    chunks = chunks_of(caption + head + "\n" + "\n".join(rows) + "\n", size=64)
    assert len(chunks) > 5
    for row in rows:
        assert sum(row in chunk.text for chunk in chunks) == 1
    for chunk in chunks:
        assert chunk.embed_text.count(head) == 1
        assert f"{head}\n| row-" in chunk.embed_text
    assert sum(head in chunk.text for chunk in chunks) == 1
    assert sum("Table 3" in chunk.embed_text for chunk in chunks) == (1 if caption else 0)


@pytest.mark.parametrize("strategy", ["recursive", "fixed", "markdown"])
@pytest.mark.parametrize("overlap", [0, 12])
def test_pages_are_not_counted_twice_where_chunks_share_text(strategy: str, overlap: int) -> None:
    text = "\f".join(f"sheet {page} " + "oil runs through the filter " * 8 for page in range(1, 5))
    for chunk in chunks_of(text, strategy=strategy, size=30, overlap=overlap):
        solid = [at for at in range(chunk.char_start, chunk.char_end) if not text[at].isspace()]
        assert chunk.page_start == 1 + text[: solid[0]].count("\f")
        assert chunk.page_end == 1 + text[: solid[-1]].count("\f")


def test_front_matter_behind_a_byte_order_mark_makes_no_heading() -> None:
    text = (
        "\ufeff---\ntitle: Route\nauthor: A. B.\n---\n\nStart\n=====\n\nWords one.\n\nStops\n-----\n\nWords two.\n\n"
        "A last line\n\n---\n\n# Finish\n\nWords three.\n"
    )
    chunks = chunks_of(text, size=14)
    assert {title for chunk in chunks for title in chunk.section} == {"Start", "Stops", "Finish"}
    assert path_of(chunks, "Words one.") == ["Start"]
    assert path_of(chunks, "Words two.") == ["Start", "Stops"]
    assert path_of(chunks, "Words three.") == ["Finish"]
    assert not any("author" in chunk.embed_text for chunk in chunks)
    batch = Chunker(strategy="markdown").chunk_batch([text])
    assert batch.metadata == [{"title": "Route", "author": "A. B."}]
    assert batch.removed == [{"byte_order_mark": 1, "front_matter": len("---\ntitle: Route\nauthor: A. B.\n---")}]


def test_a_byte_order_mark_hides_no_heading() -> None:
    (chunk,) = chunks_of("\ufeff# One\n\ntext\n", size=20)
    assert (chunk.section, chunk.text) == (("One",), "# One\n\ntext")


def test_rules_in_the_middle_are_no_front_matter() -> None:
    chunks = chunks_of("No matter\n\n---\n\nname: value\n\n---\n\n# Top\n\nSome words.\n\nAnd the end.\n", size=12)
    assert path_of(chunks, "name: value") == []
    assert path_of(chunks, "And the end.") == ["Top"]
    assert {title for chunk in chunks for title in chunk.section} == {"Top"}


@pytest.mark.parametrize("strategy", ["markdown", "html"])
def test_a_picture_in_base64_becomes_few_chunks(strategy: str) -> None:
    blob = "QUJDRA" * 2000
    text = f"Text in front.\n\n![plot](data:image/png;base64,{blob})\n\nText behind.\n"
    chunks = chunks_of(text, strategy=strategy, size=256, overlap=32)
    for sentence in ("Text in front.", "Text behind."):
        assert any(sentence in chunk.text for chunk in chunks)
    total = sum(chunk.token_count for chunk in Chunker(strategy="whole", size=100_000).chunk(text))
    assert len(chunks) <= 4 + 1.3 * total / (256 - 32)


def test_entities_are_decoded_once() -> None:
    source = "<p>Type &amp;lt;u&amp;gt; &amp; &lt;i&gt;.&nbsp;3&nbsp;&euro; &#39;so&#x27;</p><pre>x &lt; y &amp;&amp; z"
    (chunk,) = chunks_of(source, strategy="html", size=200)
    for words in ("Type &lt;u&gt; & <i>.", "3\u00a0\u20ac 'so'", "x < y && z"):
        assert words in chunk.text


def test_entities_in_markdown_stay_as_they_are() -> None:
    text = "In text, write &amp;lt; for a less-than sign."
    assert [chunk.text for chunk in chunks_of(text, size=200)] == [text]


def test_formulas_and_notes_stay_whole() -> None:
    formula = "$$\nv = \\frac{d_1 + d_2}{t} \\tag{B.2}\n$$"
    bracketed = "\\[\np + q\n\nr + s\n\\]"
    note = "[^a]: Taken twice.\n    Both agree."
    text = (
        f"# Speed\n\nThe law[^a] is this.\n\n{formula}\n\nAnd then\n\n{bracketed}\n\nends it. "
        + "More words go here. " * 60
        + f"\n\n# Else\n\nOther text.\n\n{note}\n"
    )
    for size in (60, 120):
        chunks = chunks_of(text, size=size)
        for whole in (formula, bracketed, note):
            assert sum(whole in chunk.text for chunk in chunks) == 1
        assert {title for chunk in chunks for title in chunk.section} == {"Speed", "Else"}


@pytest.mark.parametrize("strategy", ["markdown", "html", "code", "table", "auto"])
def test_headings_without_text_and_blank_documents_make_no_blank_chunk(strategy: str) -> None:
    for text in (
        "",
        " \n\t",
        "\u200b\ufeff",
        "# A\n\n# B\n\ntext\n",
        "<h1></h1><p> </p>",
        ",\n,\n",
        "|\n|-\n",
        "#\n#\n",
    ):
        chunks_of(text, strategy=strategy, size=8, overlap=2)
