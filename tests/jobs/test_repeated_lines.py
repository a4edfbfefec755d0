"""Repeated lines: what most documents of one source have in common goes, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from pyspark.sql import functions as F

from jobs.repeated_lines import drop_repeated_lines, repeated_lines, source_group, told_lines
from jobs.settings import RepeatedLines

SETTINGS = RepeatedLines(min_documents=3, min_share=0.5)
DROP = ("input.repeated_lines.mode=drop", "input.repeated_lines.min_documents=3")
MENU = "Home | News | Contact"
NAMES = ("north", "south", "east", "west", "up", "down")

Row = tuple[str, str | None, str | None, str | None]


def page(name: str, *, site: str = "https://example.org", menu: str = MENU) -> Row:
    return (
        f"{site}/{name}",
        f"{menu}\n\nThe wind from {name}.\n  {menu}\r\nIt blows {name}.\n",
        None,
        f"{site}/{name}",
    )


def frame(spark: Any, rows: Sequence[Row]) -> Any:
    return spark.createDataFrame(rows, "document_id string, text string, content_type string, source string")


def cleaned(
    spark: Any, rows: Sequence[Row], settings: RepeatedLines = SETTINGS
) -> dict[str, tuple[str | None, int, int]]:
    documents = frame(spark, rows)
    result = drop_repeated_lines(documents, repeated_lines(documents, settings), settings)
    assert result.columns == [*documents.columns, "kept_text", "repeated_lines", "repeated_chars"]
    found = result.collect()
    assert len(found) == len(rows)
    assert {(row["document_id"], row["text"]) for row in found} == {(name, text) for name, text, _, _ in rows}
    return {row["document_id"]: (row["kept_text"], row["repeated_lines"], row["repeated_chars"]) for row in found}


def untouched(spark: Any, rows: Sequence[Row], settings: RepeatedLines = SETTINGS) -> bool:
    return cleaned(spark, rows, settings) == {name: (text, 0, 0) for name, text, _, _ in rows}


def test_a_menu_of_most_pages_goes_from_all_of_them_and_is_counted(spark: Any) -> None:
    plain: Row = ("plain", "Only wind.\n", None, "https://example.org/plain")
    result = cleaned(spark, [*(page(name) for name in NAMES), plain])
    assert result["https://example.org/up"] == ("\nThe wind from up.\nIt blows up.\n", 2, 2 * len(MENU) + 5)
    assert result["plain"] == ("Only wind.\n", 0, 0)


def test_each_source_is_counted_by_itself(spark: Any) -> None:
    rows = [page(name) for name in NAMES[:2]]
    assert untouched(spark, [*rows, *(page(name, site=f"https://{name}.org") for name in NAMES)])


def test_a_line_counts_once_a_document(spark: Any) -> None:
    often: Row = ("often", f"{MENU}\n" * 9 + "wind", None, "a/1")
    assert untouched(spark, [often, *((name, f"wind {name}", None, f"a/{name}") for name in NAMES[:3])])


def test_lines_of_too_few_documents_or_too_small_a_share_stay(spark: Any) -> None:
    rows: list[Row] = [(name, f"{MENU}\nwind {name}", None, "site") for name in NAMES[:3]]
    others: list[Row] = [(f"other {number}", f"text {number}", None, "site") for number in range(4)]
    assert untouched(spark, [*rows, *others])
    assert untouched(spark, rows, RepeatedLines(min_documents=4))
    assert cleaned(spark, [*rows, *others[:3]])["north"] == ("wind north", 1, len(MENU) + 1)


def test_markup_and_lines_that_are_too_short_or_long_stay(spark: Any) -> None:
    markup = ["## Installation", "```python", "~~~ text", "| a | b |", "<div class='x'>", "[^1]: a note"]
    lines = [*markup, "---", "2024", "}", "ab", "x" * 301]
    rows: list[Row] = [
        (f"{name} {number}", f"{line}\nwind {name}", None, f"site {number}")
        for number, line in enumerate(lines)
        for name in NAMES
    ]
    assert untouched(spark, rows)
    assert not untouched(spark, [*rows, *(page(name) for name in NAMES)])


def test_a_document_of_nothing_else_keeps_its_lines(spark: Any) -> None:
    rows: list[Row] = [*(page(name) for name in NAMES), ("alone", f"{MENU}\n \n{MENU}", None, "https://example.org/")]
    assert cleaned(spark, rows)["alone"] == (f"{MENU}\n \n{MENU}", 0, 0)


def test_code_and_html_and_documents_without_text_or_source_are_left_alone(spark: Any) -> None:
    rows: list[Row] = [page(name) for name in NAMES]
    others: list[Row] = [
        ("code", f"{MENU}\nx", "text/x-python", "https://example.org/x.py"),
        ("html", f"{MENU}\nx", "text/html; charset=utf-8", "https://example.org/x.html"),
        ("null", None, "text/plain", "https://example.org/null"),
        ("lost", f"{MENU}\nx", None, None),
    ]
    result = cleaned(spark, [*rows, *others])
    assert {name: result[name] for name, *_ in others} == {name: (text, 0, 0) for name, text, *_ in others}
    assert (
        cleaned(spark, [*rows, ("md", f"{MENU}\nx", "Text/Markdown; charset=utf-8", "https://example.org/x.md")])["md"][
            1
        ]
        == 1
    )


def test_who_is_looked_at_can_be_said(spark: Any) -> None:
    documents = frame(spark, [page(name) for name in NAMES])
    nobody = F.lit(False)
    assert repeated_lines(documents, SETTINGS, nobody).count() == 0
    found = repeated_lines(documents, SETTINGS)
    kept = drop_repeated_lines(documents, found, SETTINGS, applies=F.col("document_id").endswith("north"))
    assert {row["document_id"] for row in kept.where("repeated_lines > 0").collect()} == {"https://example.org/north"}


def test_the_lines_found_are_told_as_people_read_them(spark: Any) -> None:
    footer = "All rights reserved"
    rows: list[Row] = [page(name) for name in NAMES] + [("plain", "wind", None, "https://example.org/plain")]
    rows += [(f"site-{name}", f"  {footer}\r\nwind {name}", None, "site") for name in NAMES[:4]]
    documents = frame(spark, rows)
    found = repeated_lines(documents, SETTINGS)
    menus = {"source": "example.org", "line": MENU, "documents": 6, "share": 0.857143}
    assert told_lines(found, documents) == [
        menus,
        {"source": "site", "line": footer, "documents": 4, "share": 1.0},
    ]
    assert told_lines(found, documents, most=1) == [menus]
    assert told_lines(repeated_lines(documents, RepeatedLines(min_documents=50)), documents) == []


def test_of_many_repeated_lines_those_of_the_most_documents_go(spark: Any) -> None:
    rows: list[Row] = [(name, f"{MENU}\nAll rights reserved\nwind {name}", None, "site") for name in NAMES]
    rows.append(("rights", "All rights reserved\nwind", None, "site"))
    result = cleaned(spark, rows, RepeatedLines(min_documents=3, most_per_source=1))
    assert result["north"][0] == f"{MENU}\nwind north"


def test_a_source_is_a_host_a_folder_or_a_name(spark: Any) -> None:
    groups = {
        "https://Example.org/a/b?c=d": "example.org",
        "http://user@example.org:8080": "example.org:8080",
        "s3a://lake/docs/a.txt": "s3a://lake/docs",
        "docs\\a.txt": "docs",
        "wiki": "wiki",
        "/a.txt": None,
        " ": None,
        None: None,
    }
    rows = spark.createDataFrame([(source,) for source in groups], "source string")
    found = rows.select("source", source_group().alias("group")).collect()
    assert {row["source"]: row["group"] for row in found} == groups


def test_partitions_and_order_make_no_difference(spark: Any) -> None:
    rows = [page(name) for name in NAMES]
    documents = frame(spark, rows)
    for shuffled in (documents.repartition(5, "document_id"), documents.orderBy(F.desc("document_id")).coalesce(1)):
        result = drop_repeated_lines(shuffled, repeated_lines(shuffled, SETTINGS), SETTINGS)
        kept = {
            row["document_id"]: (row["kept_text"], row["repeated_lines"], row["repeated_chars"])
            for row in result.collect()
        }
        assert kept == cleaned(spark, rows)


def test_other_columns_keep_their_names_and_values(spark: Any) -> None:
    documents = frame(spark, [page(name) for name in NAMES]).withColumn("a.b", F.lit(7))
    result = drop_repeated_lines(documents, repeated_lines(documents, SETTINGS), SETTINGS)
    assert {row["a.b"] for row in result.collect()} == {7}


def lake_of(names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"id": name, "text": f"{MENU}\n\nThe wind from {name}.\n{MENU}\n", "source": f"https://a.org/{name}"}
        for name in names
    ]


def test_the_job_keeps_repeated_lines_unless_it_is_told_otherwise(run: Any) -> None:
    out = run(lake_of(NAMES))
    assert all(MENU in row["text"] for row in out.rows("chunks"))
    assert out.record["counts"]["removed"] == {}
    assert out.record["repeated_lines"] == []


def test_the_job_drops_them_counts_them_and_stores_what_is_left(run: Any) -> None:
    rows = [*lake_of(NAMES), {"id": "plain", "text": "Only wind.\n", "source": "https://a.org/plain"}]
    out = run(rows, *DROP)
    documents = {row["document_id"]: row for row in out.rows("documents")}
    assert documents["north"]["text"] == "\nThe wind from north.\n"
    assert documents["north"]["document_hash"] == hashlib.sha256(b"\nThe wind from north.\n").hexdigest()
    assert documents["north"]["char_count"] == len("\nThe wind from north.\n")
    assert documents["north"]["removed"] == [("repeated_line", 2 * len(MENU) + 2)]
    assert (documents["plain"]["text"], documents["plain"]["removed"]) == (None, [])
    chunks = {row["document_id"]: row for row in out.rows("chunks")}
    assert (chunks["north"]["text"], chunks["north"]["char_start"]) == ("The wind from north.", 1)
    assert out.record["counts"]["removed"] == {"repeated_line": len(NAMES) * (2 * len(MENU) + 2)}
    assert out.record["counts"]["text_bytes"] == sum(len(row["text"]) for row in rows)
    told = {"source": "a.org", "line": MENU, "documents": len(NAMES), "share": round(len(NAMES) / len(rows), 6)}
    assert out.record["repeated_lines"] == [told]


def test_what_the_engine_removes_is_counted_beside_it(run: Any) -> None:
    rows = lake_of(NAMES)
    rows[0]["text"] += "\x00end"
    removed = {row["document_id"]: dict(row["removed"]) for row in run(rows, *DROP).rows("documents")}
    assert removed["north"] == {"control": 1, "repeated_line": 2 * len(MENU) + 2}


def test_rejected_rows_do_not_count_as_documents_of_a_source(run: Any) -> None:
    rows = lake_of(NAMES[:2])
    copies = [{**rows[0], "text": rows[0]["text"] + " " * n} for n in range(5)]
    out = run([*rows, *copies], *DROP)
    assert out.record["counts"]["rejected"] == 5
    assert out.record["counts"]["removed"] == {}


def test_documents_with_offsets_of_pages_keep_their_lines(run: Any) -> None:
    rows = [{**row, "starts": [0, 5]} for row in lake_of(NAMES)]
    out = run(rows, *DROP, "input.columns.pages=starts")
    assert all(MENU in row["text"] for row in out.rows("chunks"))


def test_pages_stay_where_they_are_when_lines_at_their_edges_go(run: Any) -> None:
    pages = [
        {"id": name, "starts": [f"Of {name}.\n{MENU}", f"{MENU}\nMore.", "End."], "source": f"a/{name}"}
        for name in NAMES
    ]
    out = run(pages, *DROP, "input.columns.pages=starts", "profiles.default.size=4", "profiles.default.overlap=0")
    found = [row for row in out.rows("chunks") if row["document_id"] == "north"]
    assert {row["text"].split()[-1].strip(): row["page_start"] for row in found if "." in row["text"]}["End."] == 3
    assert all(row["text"].count("\f") == 3 for row in out.rows("documents"))


def test_order_and_files_of_the_lake_make_no_difference(run: Any, spark: Any) -> None:
    first = run(lake_of(NAMES), *DROP, name="first")
    rows = spark.createDataFrame(
        [tuple(row.values()) for row in lake_of(NAMES[::-1])], "id string, text string, source string"
    )
    second = run(rows.repartition(3, "id"), *DROP, name="second")
    assert second.rows("chunks") == first.rows("chunks")
    assert second.rows("documents") == first.rows("documents")


def test_a_line_with_a_page_break_stays(spark: Any) -> None:
    rows: list[Row] = [(name, f"wind {name}\n\f{MENU}\n{MENU}\f\nrest {name}", None, "site") for name in NAMES]
    assert untouched(spark, rows)
