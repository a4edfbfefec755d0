"""Faults that users reported of other chunkers, as tests of the whole kind."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.udfs.chunking.laws import blank, check_document
from tests.udfs.chunking.test_laws import STRATEGIES
from udfs.chunking import Chunk, Chunker, ChunkSettings, SettingsError

ROOT = Path(__file__).parents[3]
CJK_STOPS = "\u3002\uff01\uff1f"


def chunks_of(text: str, /, **values: object) -> list[Chunk]:
    """Chunks of a text, the laws checked."""
    chunker = Chunker(ChunkSettings.of(values))
    chunks = chunker.chunk(text)
    check_document(chunker, text, chunks)
    return chunks


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "size", "overlap"), [("beep boop " * 3, 9, 4), ("beep boop " * 3, 9, 0), ("ab" * 500, 10, 3)]
)
def test_repeated_text_gets_the_place_where_it_stands(strategy: str, text: str, size: int, overlap: int) -> None:
    chunks = chunks_of(text.strip(), strategy=strategy, size=size, overlap=overlap, unit="characters")
    starts = [chunk.char_start for chunk in chunks]
    assert len(set(starts)) == len(starts)
    assert chunks[-1].char_end == len(text.strip())


def test_a_pattern_as_separator_is_neither_shown_nor_glues_words() -> None:
    text = "red   green\t\tblue\n\n\nteal"
    chunks = chunks_of(text, size=12, overlap=0, unit="characters", separators=[{"pattern": r"\s+"}])
    assert [chunk.text for chunk in chunks] == ["red   green", "blue\n\n\nteal"]


@pytest.mark.parametrize(
    ("text", "separator", "expected"),
    [("v1.2|v1.3|v2.0", "|", ["v1.2|", "v1.3|", "v2.0"]), ("aaa.bbb.ccc", ".", ["aaa.", "bbb.", "ccc"])],
)
def test_a_literal_separator_is_no_pattern(text: str, separator: str, expected: list[str]) -> None:
    chunks = chunks_of(text, size=5, overlap=0, unit="characters", separators=[separator])
    assert [chunk.text for chunk in chunks] == expected


@pytest.mark.parametrize("pattern", ["x*", "", "(a|)", "(", "[z"])
def test_a_pattern_that_matches_nothing_or_is_none_is_refused(pattern: str) -> None:
    with pytest.raises(SettingsError, match="pattern"):
        Chunker(separators=[{"pattern": pattern}])


def test_a_separator_that_begins_with_a_line_break_begins_the_next_chunk() -> None:
    text = "intro words here\n## One\nfirst part\n## Two\nsecond part"
    chunks = chunks_of(text, size=20, overlap=0, unit="characters", separators=["\n## ", "\n"])
    assert [chunk.text for chunk in chunks] == ["intro words here", "## One\nfirst part", "## Two\nsecond part"]


def test_a_cut_at_a_separator_of_ones_own_is_called_a_block() -> None:
    chunks = chunks_of("one\n---\ntwo\n---\nthree", size=10, overlap=0, unit="characters", separators=["\n---\n"])
    assert [(chunk.text, chunk.cut) for chunk in chunks] == [
        ("one", "block"),
        ("---\ntwo", "block"),
        ("---\nthree", "end"),
    ]


def test_equal_runs_give_equal_chunks_and_an_edit_at_the_end_changes_only_the_end() -> None:
    text = "\n\n".join(f"Paragraph {number}. The tank is rinsed twice and left to dry." for number in range(30))
    before = chunks_of(text, size=40, overlap=8)
    after = chunks_of(text + "\n\nOne more line at the end.", size=40, overlap=8)
    assert before == chunks_of(text, size=40, overlap=8)
    assert len(set(before) - set(after)) <= 2
    # A change of these lines moves every boundary that is stored anywhere: it must be on purpose.
    assert [(chunk.char_start, chunk.char_end, chunk.token_count) for chunk in before[:3]] == GOLDEN_SPANS


GOLDEN_SPANS = [(0, 110, 30), (88, 222, 37), (200, 334, 37)]


def test_japanese_sentences_end_at_their_stops() -> None:
    text = (
        "\u300c\u884c\u3053\u3046\u3002\u300d\u3068\u5144\u304c\u8a00\u3063\u305f\u3002"
        "\u5024\u306f\uff13\uff0e\uff11\uff14\u3067\u3059\u3002"
        "\u96e8\u306f\u6b62\u307f\u307e\u3057\u305f\u304b\uff1f\u306f\u3044\u3001\u6b62\u307f\u307e\u3057\u305f\uff01"
        "\u3067\u306f\u3001\u51fa\u767a\u3057\u307e\u3057\u3087\u3046\u3002"
    )
    chunks = chunks_of(text, strategy="sentence", size=20, overlap=0, unit="characters")
    assert all(chunk.text[-1] in CJK_STOPS for chunk in chunks)
    assert all(chunk.text[0] not in CJK_STOPS + "\u300d\u3001" for chunk in chunks)
    for whole in ("\uff13\uff0e\uff11\uff14", "\u300c\u884c\u3053\u3046\u3002\u300d"):
        assert any(whole in chunk.text for chunk in chunks)


def test_ideographs_without_stops_fill_chunks() -> None:
    chunks = chunks_of("\u6f22" * 500, strategy="sentence", size=20, overlap=0, unit="characters")
    assert [len(chunk.text) for chunk in chunks] == [20] * 25


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("size", "overlap", "unit"), [(3, 1, "tokens"), (16, 0, "characters"), (3, 0, "tokens")])
def test_letters_of_several_bytes_stay_whole(strategy: str, size: int, overlap: int, unit: str) -> None:
    text = ("\u1e9etra\u00dfe \u0175yneb \u0227lpha \ua733 na\u00efve \u201cquote\u201d \u2014 " * 12).strip()
    chunks = chunks_of(text, strategy=strategy, size=size, overlap=overlap, unit=unit)
    if overlap == 0:
        assert "".join(chunk.text for chunk in chunks).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("strategy", ["recursive", "sentence"])
@pytest.mark.parametrize(
    ("text", "size", "overlap"),
    [
        (
            "Summary\nThe pump lifts water from the tank.\n\nWarning\nNever run it dry or with the lid off.",
            50,
            10,
        ),
        ("k l m n o p", 5, 1),
        ("One. Two. Three. Four.", 16, 11),
    ],
)
def test_overlap_is_not_applied_twice(strategy: str, text: str, size: int, overlap: int) -> None:
    chunks = chunks_of(text, strategy=strategy, size=size, overlap=overlap, unit="characters")
    assert all(before.char_end < after.char_end for before, after in pairwise(chunks))
    assert not any("o o" in chunk.text for chunk in chunks if text.startswith("k"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_document_that_fits_is_one_chunk(strategy: str) -> None:
    assert len(chunks_of("The valve opens at noon. " * 160, strategy=strategy, size=1024, overlap=256)) == 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_form_feeds_stop_no_paragraph_from_being_split(strategy: str) -> None:
    text = "\f".join(f"page {page} " + "water runs down the pipe " * 8 for page in range(1, 5))
    assert len(chunks_of(text, strategy=strategy, size=30, overlap=12)) > 4


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_the_names_of_special_tokens_are_ordinary_text(strategy: str, encoding: str) -> None:
    text = "Docs say <|endoftext|> ends a text and <|fim_prefix|> starts one. " * 4
    chunks_of(text, strategy=strategy, size=16, overlap=4, tokenizer=encoding)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_characters_of_several_tokens_are_never_cut(strategy: str) -> None:
    text = "\u732b" * 20 + "\U0001f680" * 20 + " na\u00efve caf\u00e9 " + "\u98df\u3079\u7269" * 10
    chunks = chunks_of(text, strategy=strategy, size=4, overlap=1)
    assert not any("\ufffd" in chunk.text for chunk in chunks)


def test_counting_needs_no_network_and_no_cache(tmp_path: Path) -> None:
    nowhere = {
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "TIKTOKEN_CACHE_DIR": str(tmp_path),
    }
    code = (
        "from udfs.chunking import Chunker\n"
        "for encoding in ('cl100k_base', 'o200k_base'):\n"
        "    chunker = Chunker(size=32, tokenizer=encoding)\n"
        "    print(len(chunker.chunk('some words to count ' * 20)))\n"
        "    print(len(chunker._cutter._tokenizer.reference.encode_ordinary('some words')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | nowhere,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.split() == ["3", "2", "3", "2"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("size", "unit"), [(64, "tokens"), (40, "characters")])
def test_blank_documents_have_no_chunks_and_no_chunk_is_blank(strategy: str, size: int, unit: str) -> None:
    for text in ("", " ", "\n\n\n", "\t\u00a0\u2003", "\u200b\ufeff"):
        assert chunks_of(text, strategy=strategy, size=size, unit=unit) == []
    gap = chunks_of("Head line." + " " * 5000 + "Foot line.", strategy=strategy, size=size, unit=unit)
    assert any("Head line." in chunk.text for chunk in gap)
    assert any("Foot line." in chunk.text for chunk in gap)
    tail = chunks_of("Last words. " * 30 + "\n\n\n", strategy=strategy, size=size, unit=unit)
    assert not all(map(blank, tail[-1].text))
    chunks_of("# A\n\n# B\n\ntext\n", strategy=strategy, size=size, unit=unit)


def test_a_picture_in_base64_does_not_become_a_thousand_chunks() -> None:
    blob = base64.b64encode(bytes(range(256)) * 60).decode()
    text = (
        f"Before the picture.\n\n![chart](data:image/png;base64,{blob})\n\n"
        f"[link](data:image/png;base64,{blob[:400]})\n\nAfter the picture.\n"
    )
    chunks = chunks_of(text, size=256, overlap=32)
    total = sum(chunk.token_count for chunk in Chunker(strategy="whole", size=100_000).chunk(text))
    assert len(chunks) <= 4 + 1.3 * total / (256 - 32)
    for sentence in ("Before the picture.", "After the picture."):
        assert any(sentence in chunk.text for chunk in chunks)


def test_entities_in_plain_text_stay_as_they_are() -> None:
    text = "In text, write &amp;lt; for a less-than sign."
    assert [chunk.text for chunk in chunks_of(text, size=200, overlap=0)] == [text]
