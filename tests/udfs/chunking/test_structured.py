"""Documents with structure, worked by hand: what stays whole, what is divided where, what stands in front."""

from __future__ import annotations

import pytest

from tests.udfs.chunking.laws import check_document, tokens
from udfs.chunking import Chunk, Chunker, ChunkSettings
from udfs.chunking.document import NOTHING, About

FENCE = "`" * 3
CODE = f"Run this:\n\n{FENCE}sh\nmake all\nmake test\n{FENCE}"
AROUND = f"A first paragraph stands here.\n\n{CODE}\n\nA last one."
HEADINGS = (
    "# Pumps\n\nText about pumps.\n\n## Limits\n\nNever above four bar. Never below one.\n\n## Noise\n\nLoud.\n\n"
    "# Tanks\n\nText about tanks.\n"
)
CLASS = (
    'class Pump:\n    """Moves water."""\n\n    def start(self):\n        self.on = True\n\n'
    "    def stop(self):\n        self.on = False\n\n\ndef main():\n    Pump().start()\n"
)


def chunks_of(text: str, /, about: About = NOTHING, **values: object) -> list[Chunk]:
    """Chunks of a text in characters, the laws checked."""
    chosen = ChunkSettings.of({"strategy": "markdown", "unit": "characters", "overlap": 0, "context": "none"} | values)
    chunker = Chunker(chosen)
    chunks = chunker.chunk(text, about)
    check_document(chunker, text, chunks, about)
    return chunks


def texts(chunks: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


def fronts(chunks: list[Chunk]) -> list[str]:
    return [chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)] for chunk in chunks]


def test_code_stays_with_the_sentence_that_introduces_it_up_to_the_last_character() -> None:
    chunks = chunks_of(AROUND, size=len(CODE))
    assert texts(chunks) == ["A first paragraph stands here.", CODE, "A last one."]
    assert [chunk.cut for chunk in chunks] == ["block", "block", "end"]


def test_code_that_is_too_large_with_its_sentence_stays_whole_without_it() -> None:
    chunks = chunks_of(AROUND, size=len(CODE) - 1)
    assert texts(chunks)[1:3] == ["Run this:", CODE.partition("\n\n")[2]]


@pytest.mark.parametrize("unit", ["tokens", "characters"])
def test_a_block_stays_whole_at_exactly_the_size(unit: str) -> None:
    block = "\n".join(f"- item number {number} of them" for number in range(6))
    text = f"Some words in front, which are not few.\n\n{block}\n\nSome words behind, which are not few."
    size = len(block) if unit == "characters" else Chunker(size=1000).chunk(block)[0].token_count
    assert block in texts(chunks_of(text, size=size, unit=unit))
    assert not any(block in chunk.text for chunk in chunks_of(text, size=size - 1, unit=unit))


def test_a_block_is_not_cut_to_leave_more_for_the_last_chunk() -> None:
    code = f"{FENCE}\n" + "call the pump again\n" * 4 + FENCE
    assert texts(chunks_of(f"{code}\n\nTail.", size=len(code) + 5)) == [code, "Tail."]


def test_an_indented_block_at_the_start_stays_whole() -> None:
    code = "    first = 1\n    second = 2\n    third = 3"
    assert texts(chunks_of(f"{code}\n\nTail of it.", size=len(code)))[0] == code.strip()


def test_a_list_is_divided_between_items_and_keeps_its_introduction() -> None:
    text = "Steps to take:\n\n- open the valve\n- close the drain\n- start the pump\n- read the gauge\n"
    chunks = chunks_of(text, size=50, context="auto")
    assert texts(chunks) == [text[:50], "- start the pump\n- read the gauge"]
    assert fronts(chunks) == ["", "Steps to take:\n"]
    assert [(chunk.kind, chunk.cut) for chunk in chunks] == [("list", "line"), ("list", "end")]


@pytest.mark.parametrize("size", range(30, 80, 7))
def test_no_item_is_divided_that_fits(size: int) -> None:
    items = [f"- item {number}. It has words. And more." for number in range(5)]
    items.insert(2, "- short")
    chunks = chunks_of("Take:\n\n" + "\n".join(items), size=size, context="auto")
    for item in items:
        room = size - len("Take:\n")
        assert len(item) > room or any(item in chunk.text for chunk in chunks)


def test_an_item_that_does_not_fit_is_divided_where_its_children_begin() -> None:
    text = "Steps:\n\n- open the valve\n  - slowly at first\n  - then all the way\n- close the drain\n"
    assert texts(chunks_of(text, size=30)) == [
        "Steps:\n\n- open the valve",
        "  - slowly at first",
        "  - then all the way",
        "- close the drain",
    ]


def test_a_table_is_divided_between_rows_and_its_header_is_never_in_the_text_twice() -> None:
    text = "id,name,price\n" + "".join(f"{number},thing {number},{number}.50\n" for number in range(1, 9))
    chunks = chunks_of(text, strategy="table", size=60, context="auto")
    assert texts(chunks) == [
        "id,name,price\n1,thing 1,1.50\n2,thing 2,2.50\n3,thing 3,3.50",
        "4,thing 4,4.50\n5,thing 5,5.50\n6,thing 6,6.50",
        "7,thing 7,7.50\n8,thing 8,8.50",
    ]
    assert fronts(chunks) == ["", "id,name,price\n", "id,name,price\n"]
    assert {chunk.kind for chunk in chunks} == {"table"}


def test_rows_as_pairs_name_their_columns() -> None:
    text = "id,name\n1,pump\n2,valve\n"
    chunks = chunks_of(text, strategy="table", rows_as="pairs", size=30)
    assert texts(chunks) == ["id: 1\nname: pump", "id: 2\nname: valve"]


def test_a_divided_class_keeps_its_signature_and_its_members_stay_whole() -> None:
    chunks = chunks_of(CLASS, About(source="pump.py"), strategy="code", size=70, context="auto")
    assert texts(chunks) == [
        'class Pump:\n    """Moves water."""',
        "    def start(self):\n        self.on = True",
        "    def stop(self):\n        self.on = False",
        "def main():\n    Pump().start()",
    ]
    assert fronts(chunks) == ["", "Pump\nclass Pump:\n", "Pump\nclass Pump:\n", ""]
    assert [chunk.section for chunk in chunks] == [("Pump",), ("Pump", "start"), ("Pump", "stop"), ("main",)]
    assert {chunk.kind for chunk in chunks} == {"code"}


@pytest.mark.parametrize(
    ("keep_apart", "starts"),
    [(0, ["# Pumps"]), (1, ["# Pumps", "# Tanks"]), (2, ["# Pumps", "## Limits", "## Noise", "# Tanks"])],
)
def test_sections_are_kept_apart_down_to_a_depth(keep_apart: int, starts: list[str]) -> None:
    chunks = chunks_of(HEADINGS, size=1000, keep_apart=keep_apart)
    assert [chunk.text.partition("\n")[0] for chunk in chunks] == starts
    assert [chunk.cut for chunk in chunks] == ["heading"] * (len(starts) - 1) + ["end"]


def test_a_heading_is_kept_with_the_heading_under_it() -> None:
    chunks = chunks_of("# All\n\n## One\n\nText.\n\n## Two\n\nText.", size=1000, keep_apart=2)
    assert texts(chunks) == ["# All\n\n## One\n\nText.", "## Two\n\nText."]


def test_a_heading_goes_with_the_text_under_it() -> None:
    text = "A short line of words.\n\nAnd another one of them.\n\n# At the end\n\nA paragraph under it, of some length."
    chunks = chunks_of(text, size=65, keep_apart=0)
    assert [chunk.text[:12] for chunk in chunks] == ["A short line", "# At the end"]


def test_a_long_heading_does_not_stand_alone_while_words_under_it_fit() -> None:
    heading = "# A heading of thirty letters !!"
    chunks = chunks_of(f"{heading}\n\n" + "words go on " * 6, size=80)
    assert texts(chunks)[0] == f"{heading}\n\nwords go on words"


def test_a_cut_before_a_heading_is_called_heading_and_the_section_is_that_of_the_start() -> None:
    chunks = chunks_of(HEADINGS, size=60)
    assert [(chunk.cut, chunk.section) for chunk in chunks] == [
        ("sentence", ("Pumps",)),
        ("heading", ("Pumps", "Limits")),
        ("end", ("Tanks",)),
    ]


def test_nothing_is_shared_over_a_heading() -> None:
    text = "# A\n\nOne is first. Two is second.\n\n# B\n\nThree is third. Four is fourth. Five is fifth."
    chunks = chunks_of(text, size=40, overlap=20)
    assert [chunk.text[:5] for chunk in chunks] == ["# A\n\n", "# B\n\n", "Three", "Four "]
    text = "Zero. One is first.\n\n## B\n\nTwo is second. Three is third. Four is fourth. Five is fifth. Six."
    chunks = chunks_of(text, size=66, overlap=60, keep_apart=0)
    assert all("One is first" not in chunk.text for chunk in chunks[1:])


def test_no_shared_text_begins_inside_a_solid_block() -> None:
    block = "- one thing\n- two things"
    text = f"Words at first, some of them.\n\n{block}\n\nMore text, and more. And a lot more of it."
    chunks = chunks_of(text, size=70, overlap=30)
    assert chunks[1].text.startswith(block)
    chunks = chunks_of(text, size=70, overlap=15)
    assert chunks[1].text.startswith("More text")


def test_kinds() -> None:
    prose = "Prose is what remains, and here is a lot of it to be sure of that. It goes on for a while."
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    found = chunks_of(
        f"# A\n\n{prose}\n\n# B\n\n{table}\n{table[20:]}\n| 333333 | 44444 |\n\n# C\n\n{prose}\n\n{CODE}", size=200
    )
    assert [chunk.kind for chunk in found] == ["prose", "table", "mixed"]
    assert [chunk.kind for chunk in chunks_of("some words", strategy="code", size=40)] == ["code"]
    assert [chunk.kind for chunk in chunks_of("some words", strategy="table", size=40)] == ["table"]


def test_front_matter_is_in_no_chunk_and_counted() -> None:
    text = "---\ntitle: Plan\nowner: me\n---\n\nText here.\n"
    batch = Chunker(strategy="markdown").chunk_batch([text, "None here."])
    (chunk,) = batch.document(0)
    assert (chunk.text, chunk.char_start) == ("Text here.", text.index("Text"))
    assert chunk.embed_text == "Plan\nText here."
    assert batch.removed == [{"front_matter": 29}, {}]
    assert batch.metadata == [{"title": "Plan", "owner": "me"}, {}]
    assert batch.canonical == [None, None]


def test_a_document_of_front_matter_alone_has_no_chunk() -> None:
    assert chunks_of("---\ntitle: Plan\n---\n", size=10) == []


def test_pages_are_told_by_form_feeds_or_by_offsets() -> None:
    text = "Alpha one.\fBeta two. Beta three.\n\nBeta four.\fGamma."
    found = [(chunk.text, chunk.page_start, chunk.page_end) for chunk in chunks_of(text, size=30)]
    assert found == [("Alpha one.", 1, 1), ("Beta two. Beta three.", 2, 2), ("Beta four.\fGamma.", 2, 3)]
    about = About(pages=[0, 11, 45])
    found = [
        (chunk.text, chunk.page_start, chunk.page_end) for chunk in chunks_of(text.replace("\f", " "), about, size=30)
    ]
    assert found == [("Alpha one. Beta two.", 1, 2), ("Beta three.\n\nBeta four. Gamma.", 2, 3)]


def test_a_document_without_pages_has_none_beside_one_with_pages() -> None:
    batch = Chunker(strategy="markdown").chunk_batch(["one\ftwo", "three"])
    assert [(chunk.page_start, chunk.page_end) for index in (0, 1) for chunk in batch.document(index)] == [
        (1, 2),
        (None, None),
    ]


def test_what_cleaning_drops_is_counted_and_the_canonical_text_is_told() -> None:
    batch = Chunker(strategy="markdown").chunk_batch(["co\u00adoperate\x00", "clean"])
    assert batch.canonical == ["cooperate", None]
    assert batch.removed == [{"control": 1, "soft_hyphen": 1}, {}]
    source = "<p>One &amp; two</p>"
    assert Chunker(strategy="html").canonical(source) == "One & two"
    assert Chunker(strategy="html").chunk_batch([source]).canonical == ["One & two"]


def test_in_characters_a_block_may_hold_more_tokens_than_there_are_characters_in_the_limit() -> None:
    block = "- aaaa bbbb\n- cccc dddd"
    chunks = chunks_of(f"Text.\n\n{block}\n\nText.", size=20, model_max_tokens=20)
    assert all(len(chunk.text) <= 20 for chunk in chunks)


def test_a_block_that_takes_too_many_tokens_with_its_context_is_divided_at_its_children() -> None:
    items = ["- one two", "- seven eight nine ten eleven twelve and so on"]
    text = "# Some heading of words\n\nText.\n\n## Other\n\nText again, and more of it than before.\n\n" + "\n".join(
        items
    )
    chunks = chunks_of(text, size=400, model_max_tokens=20, context="auto")
    for item in items:
        assert any(chunk.text.endswith(item) for chunk in chunks)
    assert all(chunk.text.startswith("- ") for chunk in chunks if "one two" in chunk.text or "seven" in chunk.text)


def test_a_block_is_counted_where_the_tokens_of_the_document_tell_too_little() -> None:
    # In the document "<>();" and the line break are one token; by itself, the end of the block is two.
    items = ["- one", "- two three four five six seven eight<>();"]
    block = "\n".join(items)
    text = f"Words in front of it, and not so few.\n\n{block}\n# More\n\nWords that follow it."
    size = tokens(block, "cl100k_base")
    assert tokens("<>();\n", "cl100k_base") == 1
    for exact, expected in ((size, block), (size - 1, items[1])):
        assert expected in texts(chunks_of(text, unit="tokens", size=exact))


@pytest.mark.parametrize("unit", ["tokens", "characters"])
def test_a_block_that_does_not_fit_with_its_context_is_divided_at_its_children(unit: str) -> None:
    items = ["- one two three four five six seven", "- eight nine ten eleven twelve and so on and on"]
    block = "\n".join(items)
    front = "Some heading of a few more words\n"
    text = f"# {front}\nText stands here, some of it, to fill the chunk.\n\n{block}"
    alone, needed = (
        (tokens(block, "cl100k_base"), tokens(front + block, "cl100k_base"))
        if unit == "tokens"
        else (len(block), len(front + block))
    )
    for size in range(alone, needed + 1):
        chunks = chunks_of(text, unit=unit, size=size, context="auto")
        whole = block in texts(chunks)
        assert whole == (size == needed)
        assert whole or items[1] in texts(chunks)


@pytest.mark.parametrize("overlap", [12, 30, 60])
def test_shared_text_begins_under_the_last_heading_of_the_chunk_before(overlap: int) -> None:
    text = "One is it.\n\n## B\n\nTwo is it.\n\n### C\n\nThree is it. Four is it. " + "More is it. " * 12
    chunks = chunks_of(text, size=70, overlap=overlap, keep_apart=0)
    assert "### C\n\nThree" in chunks[0].text
    assert all("## B" not in chunk.text for chunk in chunks[1:])
    assert all(chunk.section == ("B", "C") for chunk in chunks[1:])


@pytest.mark.parametrize("length", range(8, 60, 4))
def test_no_heading_of_any_length_stands_alone_while_a_word_fits(length: int) -> None:
    heading = "# " + "h" * length
    for words in ("go on and on " * 8, "extraordinarily long words " * 4):
        text = f"{heading}\n\n{words}"
        for size in range(16, 100, 3):
            for chunk in chunks_of(text, size=size):
                alone = chunk.char_end == len(heading)
                assert not alone or len(chunk.text) + 2 + len(words.split()[0]) > size


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "fixed", "markdown"])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_text_is_lost_where_shared_text_is_bounded_by_few_tokens(strategy: str, most: int) -> None:
    chunks_of("One sentence stands here. Another ends.", strategy=strategy, size=4, overlap=2, model_max_tokens=most)
