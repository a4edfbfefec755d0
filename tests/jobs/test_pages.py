"""The column `pages`: the texts of the pages, or where they begin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from tests.conftest import Result
from udfs.chunking import Chunker, SettingsError
from udfs.chunking.document import About

PAGES = "input.columns.pages=pages"
SMALL = ("profiles.default.size=12", "profiles.default.overlap=0")

TEXTS: dict[str, list[str | None] | None] = {
    "book": ["The first page ends here.", "The second page. " * 8, None, "The last\fpage."],
    "one": ["Only one page."],
    "blank": ["", None, " \n"],
    "none": [],
    "lost": None,
}


def places(result: Result, name: str) -> list[tuple[str, int | None, int | None]]:
    found = [row for row in result.rows("chunks") if row["document_id"] == name]
    return [(row["text"].split()[1], row["page_start"], row["page_end"]) for row in found]


def table_of(pages: dict[str, Any], kind: pa.DataType, **columns: Any) -> pa.Table:
    return pa.table({"id": list(pages), "pages": pa.array(list(pages.values()), kind), **columns})


@pytest.fixture(scope="module")
def of_texts(module_run: Callable[..., Result]) -> Result:
    return module_run(table_of(TEXTS, pa.list_(pa.string())), PAGES, *SMALL, name="texts")


def test_the_texts_of_pages_make_the_text_and_no_text_column_is_needed(of_texts: Result) -> None:
    assert of_texts.status() == {
        "book": "chunked",
        "one": "chunked",
        "blank": "empty",
        "none": "empty",
        "lost": "rejected",
    }
    assert of_texts.reasons() == [("lost", "null_text")]
    assert places(of_texts, "one") == [("one", 1, 1)]
    assert places(of_texts, "book")[0] == ("first", 1, 1)
    assert places(of_texts, "book")[-1] == ("last", 4, 4)
    assert {page for _, page, _ in places(of_texts, "book")} == {1, 2, 4}


def test_the_text_that_was_made_is_stored_and_positions_refer_to_it(of_texts: Result) -> None:
    stored = {row["document_id"]: row["text"] for row in of_texts.rows("documents")}
    assert stored["book"] == "The first page ends here.\f" + "The second page. " * 8 + "\f\fThe last\npage.\f"
    assert (stored["one"], stored["blank"], stored["none"]) == ("Only one page.\f", "\f\f \n\f", "")
    for row in of_texts.rows("chunks"):
        assert stored[row["document_id"]][row["char_start"] : row["char_end"]] == row["text"]


def test_running_headers_go_and_paragraphs_are_joined_where_boilerplate_is_dropped(run: Callable[..., Result]) -> None:
    weather = ("rain", "wind", "snow", "hail", "fog")
    pages = [f"Water works\nIt was {name} again and the water in the\n{n}" for n, name in enumerate(weather, 1)]
    out = run(table_of({"a": pages}, pa.list_(pa.string())), PAGES, "profiles.default.boilerplate=drop")
    row = out.rows("documents")[0]
    assert "Water works" not in row["text"]
    assert {"running_header", "page_number"} <= set(dict(row["removed"]))
    assert [(c["page_start"], c["page_end"]) for c in out.rows("chunks")] == [(1, 5)]


def test_a_text_column_of_the_input_gives_way_to_the_pages(run: Callable[..., Result]) -> None:
    source = table_of({"a": ["from pages"]}, pa.list_(pa.string()), text=["from the text column"])
    rule = "routing=[{when: \"text LIKE 'from pages%'\", profile: whole}]"
    out = run(source, PAGES, rule, "input.carry=[pages]")
    assert [(row["text"], row["pages"]) for row in out.rows("chunks")] == [("from pages", ["from pages"])]


@pytest.mark.parametrize("kind", [pa.int16(), pa.int32(), pa.int64()])
def test_offsets_tell_where_pages_begin(run: Callable[..., Result], kind: pa.DataType) -> None:
    text = "The first page ends here. The second page goes on for a while and then it ends, too."
    source = table_of({"a": [0, 26], "b": None}, pa.list_(kind), text=[text, "No\fpages?"])
    out = run(source, PAGES, *SMALL, "input.carry=[pages]")
    wanted = Chunker(size=12, overlap=0).chunk(text, About(pages=[0, 26]))
    found = [row for row in out.rows("chunks") if row["document_id"] == "a"]
    assert [(row["text"], row["page_start"], row["page_end"]) for row in found] == [
        (chunk.text, chunk.page_start, chunk.page_end) for chunk in wanted
    ]
    assert {row["page_start"] for row in found} == {1, 2}
    assert found[0]["pages"] == [0, 26]
    assert [row["text"] for row in out.rows("documents")] == [None, None]
    assert places(out, "b")[0][1:] == (1, 2)  # where nobody says, form feeds part pages


def test_offsets_that_do_not_fit_are_rejected_alone(run: Callable[..., Result]) -> None:
    offsets = {"good": [0, 4], "behind": [0, 99], "falling": [0, 5, 3], "null": [0, None], "late": [2], "no": None}
    source = table_of(offsets, pa.list_(pa.int64()), text=["one two three"] * 6)
    out = run(source, PAGES)
    bad = ["behind", "falling", "late", "null"]
    assert out.reasons() == [(name, "chunking_failed") for name in bad]
    assert all(row["detail"].startswith("ValueError: page ") for row in out.rows("rejects"))
    assert {name for name, status in out.status().items() if status == "chunked"} == {"good", "no"}


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (pa.array([7]), "has the type bigint; it must be array<string>"),
        (pa.array([[0.5]]), "has the type array<double>"),
        (pa.array(["a"]), "has the type string"),
    ],
)
def test_pages_of_another_type_are_told_before_any_document_is_read(
    run: Callable[..., Result], column: pa.Array, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.run.count_rows", lambda *_: pytest.fail("the documents were read"))
    with pytest.raises(SettingsError) as raised:
        run(pa.table({"id": ["a"], "text": ["x"], "pages": column}), PAGES)
    assert "input.columns.pages = 'pages': " in str(raised.value)
    assert told in str(raised.value)


def test_a_missing_column_of_pages_is_told_with_the_nearest_name(run: Callable[..., Result]) -> None:
    with pytest.raises(SettingsError, match=r"input.columns.pages = 'pages': unknown; did you mean 'page'\?"):
        run(pa.table({"id": ["a"], "text": ["x"], "page": [[0]]}), PAGES)


def test_a_column_called_pages_means_nothing_unless_it_is_mapped(run: Callable[..., Result]) -> None:
    out = run(table_of({"a": [7, 8]}, pa.list_(pa.int64()), text=["some text"]))
    assert places(out, "a") == [("text", None, None)]


def test_bytes_that_are_no_text_on_a_page_are_not_mended(run: Callable[..., Result]) -> None:
    pages = pa.array([[b"good"], [b"good", b"Z\xfcri\x0cch"]], pa.list_(pa.binary()))
    strings = pa.ListArray.from_arrays(pages.offsets, pages.values.view(pa.string()))
    out = run(pa.table({"id": ["a", "b"], "pages": strings}), PAGES)
    assert out.reasons() == [("b", "invalid_utf8")]
    assert out.status() == {"a": "chunked", "b": "rejected"}


def test_a_list_of_pages_is_as_large_as_its_text(run: Callable[..., Result]) -> None:
    out = run(table_of({"a": ["x" * 6, "y" * 6]}, pa.list_(pa.string())), PAGES, "input.max_document_bytes=13")
    assert [row["detail"] for row in out.rows("rejects")] == ["14 bytes; input.max_document_bytes is 13"]
