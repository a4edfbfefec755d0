"""What `auto` does with a document, and why."""

from __future__ import annotations

import pytest

from tests.udfs.chunking.laws import check_document
from udfs.chunking import Chunker, ChunkSettings, SettingsError
from udfs.chunking.auto import SIZE_OF, Chooser, limits
from udfs.chunking.document import NOTHING, About
from udfs.chunking.settings import SMALLEST

MARKDOWN = "# Pumps\n\nText about pumps.\n\n## Limits\n\n- four bar\n- one bar\n\n```sh\nmake\n```\n"
HTML = "<!doctype html><html><body><h1>Pumps</h1><p>Text about <b>pumps</b>.</p></body></html>"
CODE = "import os\n\n\ndef start(pump):\n    if pump.on:\n        return os.getpid()\n    return None\n" * 4
TABLE = "id,name,price\n" + "".join(f"{number},pump {number},{number}.50\n" for number in range(40))
PROSE = "The pump lifts water from the lower tank. It never runs dry. " * 40
PAGES = "\f".join(f"Pumps and tanks\n\nThe water of page {page} runs down. " + "It runs. " * 40 for page in range(1, 6))


def choose(text: str, about: About = NOTHING, **values: object) -> ChunkSettings:
    return Chooser(ChunkSettings.of({"strategy": "auto"} | values)).choose(text, about).settings


@pytest.mark.parametrize(
    ("text", "strategy", "size"),
    [
        (MARKDOWN, "markdown", 384),
        (HTML, "html", 384),
        (CODE, "code", 384),
        (TABLE, "table", 256),
        (PROSE, "recursive", 512),
        (PAGES, "recursive", 512),
        ("A short answer.", "whole", 512),
        ("", "whole", 512),
    ],
)
def test_the_strategy_and_the_size_suit_the_text(text: str, strategy: str, size: int) -> None:
    chosen = choose(text)
    assert (chosen.strategy, chosen.size) == (strategy, size)


@pytest.mark.parametrize(
    ("about", "strategy"),
    [
        (About(content_type="text/markdown; charset=utf-8"), "markdown"),
        (About(content_type="text/html"), "html"),
        (About(content_type="text/csv"), "table"),
        (About(source="https://example.org/a/pump.rs"), "code"),
        (About(source="README.md"), "markdown"),
        (About(content_type="text/plain", source="notes.txt"), "recursive"),
    ],
)
def test_content_type_and_name_tell_before_the_text_does(about: About, strategy: str) -> None:
    assert choose(PROSE, about).strategy == strategy


def test_a_profile_may_set_the_size_of_every_kind() -> None:
    assert [choose(text, size=100).size for text in (MARKDOWN, TABLE, PROSE)] == [100] * 3
    assert [choose(text, size=100).shared for text in (MARKDOWN, TABLE, PROSE)] == [12] * 3
    assert choose(MARKDOWN, size=100, overlap=40).shared == 40
    assert choose(MARKDOWN, unit="characters", size=1000).size == 1000


@pytest.mark.parametrize(("below", "strategy"), [(0, "recursive"), (40, "recursive"), (41, "whole"), (5000, "whole")])
def test_whole_below_is_counted_exactly(below: int, strategy: str) -> None:
    text = "hello" + " hello" * 40  # 41 tokens
    assert choose(text, whole_below=below).strategy == strategy


def test_whole_below_is_a_quarter_of_the_size_unless_it_is_set() -> None:
    assert choose("hello" + " hello" * 127).strategy == "whole"
    assert choose("hello" + " hello" * 128).strategy == "recursive"
    assert choose("hello" + " hello" * 128, size=1000).strategy == "whole"
    assert choose("a" * 100, unit="characters", size=400).strategy == "whole"
    assert choose("a" * 101, unit="characters", size=400).strategy == "recursive"


def test_structure_is_used_however_short_the_text_is() -> None:
    assert choose(MARKDOWN, whole_below=10_000).strategy == "markdown"


def test_settings_of_structure_go_along_where_they_belong() -> None:
    assert choose(MARKDOWN, keep_apart=3).keep_apart == 3
    assert choose(PROSE, keep_apart=3).keep_apart is None
    assert choose(MARKDOWN, context="none").context_mode == "none"


def test_running_headers_are_dropped_unless_they_are_to_be_kept() -> None:
    dropped = Chunker(strategy="auto").chunk_batch([PAGES])
    assert dropped.removed[0]["running_header"] > 0
    assert not any("Pumps and tanks" in text for text in dropped.text)
    kept = Chunker(strategy="auto", boilerplate="keep").chunk_batch([PAGES])
    assert "running_header" not in kept.removed[0]
    assert sum(text.count("Pumps and tanks") for text in kept.text) >= 5


@pytest.mark.parametrize(("setting", "value"), [("whole_below", 3), ("keep_apart", 1)])
def test_settings_of_auto_belong_to_it(setting: str, value: int) -> None:
    with pytest.raises(SettingsError, match=setting):
        Chunker(ChunkSettings.of({"strategy": "recursive", setting: value}))


def test_documents_keep_their_order_whatever_is_chosen_for_each() -> None:
    texts = [PROSE, MARKDOWN, "", TABLE, HTML, "Short.", MARKDOWN, CODE, PAGES]
    chunker = Chunker(strategy="auto")
    batch = chunker.chunk_batch(texts)
    assert batch.documents == len(texts)
    for index, text in enumerate(texts):
        assert batch.document(index) == chunker.chunk(text)
        check_document(chunker, text, batch.document(index))
    assert batch.canonical[4] == "Pumps\n\nText about pumps."
    assert batch.strategy == [chunker._chosen(text, NOTHING).settings.strategy for text in texts]
    assert {*batch.strategy} == {"recursive", "markdown", "table", "html", "whole", "code"}


def test_the_limits_of_what_may_be_chosen() -> None:
    sizes = {"markdown": 384, "html": 384, "code": 384, "table": 256, "recursive": 512, "whole": 512}
    assert limits(ChunkSettings(strategy="auto")) == sizes
    assert limits(ChunkSettings(strategy="auto", size=100)) == dict.fromkeys(sizes, 100)
    assert set(limits(ChunkSettings(strategy="auto", unit="characters")).values()) == {512}
    assert limits(ChunkSettings(strategy="auto", model_max_tokens=300))["markdown"] == 300


def test_it_says_why() -> None:
    chooser = Chooser(ChunkSettings(strategy="auto"))
    assert chooser.choose(PROSE, About(source="a.md")).why == "name ends in .md"
    assert chooser.choose("Short.", NOTHING).why.startswith("at most 128 tokens; ")


def test_form_feeds_in_code_and_tables_are_no_printed_pages() -> None:
    code = "def f():\n    return 1\n\n\f\n# ---- helpers ----\n" * 5
    table = "name,qty\nx,1\n\f" * 5
    abouts = [About(source="a.py"), About(source="a.csv")]
    batch = Chunker(strategy="auto").chunk_batch([code, table], abouts)
    assert [dict(found) for found in batch.removed] == [{}, {}]


def test_an_overlap_that_no_kind_allows_is_refused_at_once() -> None:
    assert min(SIZE_OF.values()) == SMALLEST
    with pytest.raises(SettingsError, match="must be less than the smallest size that auto chooses"):
        Chunker(strategy="auto", overlap=300)
    assert Chunker(strategy="auto", size=512, overlap=300).settings.shared == 300
