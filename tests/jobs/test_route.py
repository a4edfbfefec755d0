"""Which profile a document goes to, and which predicates are refused."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.route import check_rules, route
from jobs.settings import Rule
from udfs.chunking import SettingsError


@pytest.fixture
def documents(spark: Any) -> Any:
    rows = [
        ("a", "short", "text/plain", None, None, 2020),
        ("b", "long " * 100, "text/markdown", None, None, 2021),
        ("c", None, None, "Rand() in a title", None, None),
    ]
    return spark.createDataFrame(
        rows, "document_id string, text string, content_type string, title string, source string, year int"
    )


def routed(documents: Any, *rules: Rule) -> dict[str, str | None]:
    check_rules(documents, rules)
    return {row["document_id"]: row["profile"] for row in route(documents, rules).collect()}


def test_the_first_rule_that_holds_wins(documents: Any) -> None:
    rules = (
        Rule(when="content_type = 'text/markdown'", profile="handbook"),
        Rule(when="length(text) < 1000", profile="small"),
        Rule(profile="default"),
    )
    assert routed(documents, *rules) == {"a": "small", "b": "handbook", "c": "default"}


def test_a_predicate_that_gives_null_does_not_hold(documents: Any) -> None:
    rules = (Rule(when="NOT (content_type = 'text/plain')", profile="x"), Rule(profile="rest"))
    assert routed(documents, *rules) == {"a": "rest", "b": "x", "c": "rest"}


def test_without_a_last_rule_for_all_some_have_no_profile(documents: Any) -> None:
    assert routed(documents, Rule(when="year = 2020", profile="old")) == {"a": "old", "b": None, "c": None}


def test_predicates_see_columns_that_are_not_mapped(documents: Any) -> None:
    assert routed(documents, Rule(when="year > 2020", profile="new"), Rule(profile="rest"))["b"] == "new"


def test_only_the_columns_that_are_needed_go_on(documents: Any) -> None:
    columns = route(documents, [Rule(profile="default")]).columns
    of_pages = ["page_offsets", "text_is_made"]
    assert columns == ["document_id", "text", "content_type", "title", "source", *of_pages, "profile"]


@pytest.mark.parametrize(
    ("predicate", "told"),
    [
        ("length(text) <", "PARSE_SYNTAX_ERROR"),
        ("titel = 'x'", "titel"),
        ("length(text)", "not a boolean"),
        ("count(1) > 2", "count"),
        ("rand() < 0.5", "rand changes from run to run"),
        ("uuid() > title", "uuid changes from run to run"),
        ("current_date > '2024-01-01'", "current_date changes from run to run"),
        ("hour(NOW ( )) > 12", "NOW changes from run to run"),
        ("rand/**/() < 0.5", "rand changes from run to run"),
        ("rand -- a comment\n() < 0.5", "rand changes from run to run"),
        ("unix_timestamp() > year", "changes from run to run"),
        ("unix_timestamp(current_date()) > year", "changes from run to run"),
        ("`rand`() < 0.5", "changes from run to run"),
        ("reflect('java.util.UUID', 'randomUUID') > title", "changes from run to run"),
        ("title < timestamp'now'", "the time 'now' changes from run to run"),
        ("title < DATE /* of the run */ ' Today '", "the time 'Today' changes from run to run"),
        ("to_date('now') > to_date(title)", "changes from run to run"),
        ("to_date(title) > concat('tomo', 'rrow')", "changes from run to run"),
        ("cast('yesterday' as timestamp) is null", "changes from run to run"),
        ("current_user = title", "changes from run to run"),
        ("current_database() = title", "changes from run to run"),
        ("input_file_name() like '%/x/%'", "write _metadata.file_path"),
        ("year in (select 2020)", "holds a query of its own"),
        ("exists(/**/ values (1))", "holds a query of its own"),
        ("row_number() over (order by year) > 1", "window functions"),
        ("explode(array(true))", "generator"),
    ],
)
def test_a_predicate_that_cannot_be_is_refused_with_its_place_and_reason(
    documents: Any, predicate: str, told: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        check_rules(documents, [Rule(when="year = 1", profile="a"), Rule(when=predicate, profile="b")])
    assert f"routing.1.when = {predicate!r}" in str(raised.value)
    assert told in str(raised.value)


def test_all_wrong_predicates_are_told_at_once(documents: Any) -> None:
    with pytest.raises(SettingsError) as raised:
        check_rules(documents, [Rule(when="a b c", profile="a"), Rule(when="nope = 1", profile="b")])
    assert "routing.0.when" in str(raised.value)
    assert "routing.1.when" in str(raised.value)


@pytest.mark.parametrize(
    "predicate",
    [
        "title != 'now'",
        "title = 'Rand() in a title' or title = \"timestamp 'now'\"",
        "date '2024-01-01' > to_date(title) or true",
        "year is null -- rand()",
        "title is not null /* (select) */",
        "unix_timestamp(title) is null and year is null",
    ],
)
def test_what_only_looks_unsteady_is_allowed(documents: Any, predicate: str) -> None:
    assert routed(documents, Rule(when=predicate, profile="x"), Rule(profile="y"))["c"] == "x"


@pytest.mark.parametrize(
    "predicate",
    ["rand/**/() > 1", "unix_timestamp ( ) > year", "reflect('a', 'b') = title", "to_date('now') > to_date(title)",
     "title < timestamp 'now'", "year in (select 1)", "current_timestamp > '2024-01-01'"],
)  # fmt: skip
def test_without_a_jvm_the_words_tell(documents: Any, predicate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.predicates.is_remote", lambda _: True)
    with pytest.raises(SettingsError, match=r"changes from run to run|query of its own"):
        check_rules(documents, [Rule(when=predicate, profile="a")])


def test_a_predicate_on_a_role_without_a_column_names_the_setting(documents: Any) -> None:
    without = documents.drop("title", "source")
    with pytest.raises(SettingsError, match=r"uses title, for which the input has no column. Set input.columns.title"):
        check_rules(without, [Rule(when="title = 'x'", profile="a")])
    assert route(without, [Rule(profile="default")]).where("title is null").count() == 3


def test_names_of_functions_inside_quotes_are_only_text(documents: Any) -> None:
    assert routed(documents, Rule(when="title = 'Rand() in a title'", profile="x"), Rule(profile="y"))["c"] == "x"
