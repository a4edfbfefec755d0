"""Warnings and failed checks, from rows of the table `sizes`."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from jobs.account import Account
from jobs.exit_codes import ExitCode
from jobs.measuring.findings import FailedChecksError, Finding, failed_checks, warnings
from jobs.settings import load_settings
from jobs.settings.checks import Checks
from udfs.chunking import ChunkSettings, SettingsError

DEFAULT = {"default": ChunkSettings(size=500)}
FIXED = {"default": ChunkSettings(strategy="fixed", size=500)}


def account(rejected: int = 0, rows: int = 1000) -> Account:
    return Account(rows, rows - rejected, 0, rejected, 0, {}, 5000, 1, 1, 1, {})


def row(scope: str = "overall", name: str | None = None, **values: Any) -> dict[str, Any]:
    """A row of `sizes` with which all is well."""
    well = {
        "scope": scope,
        "name": name,
        "chunk_count": 1000,
        "token_p95": 480.0,
        "char_p95": 1900.0,
        "share_of_limit": 0.8,
        "over_limit": 0,
        "tiny": 10,
        "forced_cuts": {"word": 5},
        "duplicates": 3,
        "most_repeated": 2,
    }
    return well | values


def rows(**values: Any) -> list[dict[str, Any]]:
    """All chunks are of one profile."""
    return [row(**values), row("profile", "default", **values)]


def found(table: list[dict[str, Any]], profiles: dict[str, ChunkSettings] = DEFAULT) -> list[tuple[str, str | None]]:
    return [(finding.check, finding.name) for finding in warnings(table, profiles, account())]


def test_a_run_with_which_all_is_well_has_no_warnings() -> None:
    assert warnings(rows(), DEFAULT, account(rejected=5)) == []


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"token_p95": 15.0}, "p95 is 3 % of the limit (15 of 500 tokens): these are fragments."),
        ({"forced_cuts": {"grapheme": 120}}, "12 % of the chunks end within a word."),
        ({"forced_cuts": {"clause": 100, "word": 50}}, "15 % of the chunks end within a sentence. "),
        (
            {"forced_cuts": {"word": 900}, "share_of_limit": 0.97},
            "90 % of the chunks end within a sentence and are full",
        ),
        ({"most_repeated": 4812, "duplicates": 900}, "4,812 chunks share one text."),
        ({"duplicates": 300}, "30 % of the chunks repeat the text of an earlier one."),
        ({"tiny": 300}, "30 % of the chunks are tiny"),
        ({"over_limit": 1}, "Chunks larger than the limit: 1. There must be none"),
    ],
)
def test_what_should_not_be_is_told_once_with_its_number(values: dict[str, Any], told: str) -> None:
    (finding,) = warnings(rows(**values), DEFAULT, account())
    assert finding.message.startswith(told)
    assert (finding.scope, finding.name, finding.failed) == ("overall", None, False)


def test_many_rejected_rows_are_told() -> None:
    (finding,) = warnings(rows(), DEFAULT, account(rejected=31))
    assert finding.message.startswith("3.1 % of the rows were rejected (31 of 1,000).")
    assert warnings(rows(), DEFAULT, account(rejected=9, rows=99)) == []


def test_a_few_chunks_prove_nothing_unless_they_are_too_large() -> None:
    assert found(rows(chunk_count=99, tiny=99, duplicates=98)) == []
    assert found(rows(chunk_count=99, over_limit=1)) == [("over_limit", None)]


def test_copies_that_are_lost_among_the_others_are_not_told() -> None:
    assert found(rows(chunk_count=1_000_000, most_repeated=999)) == []
    assert found(rows(chunk_count=1_000_000, most_repeated=1001)) == [("repeated", None)]


def test_a_source_is_told_if_it_is_much_worse_than_the_whole() -> None:
    table = [*rows(forced_cuts={"grapheme": 30}), row("source", "x", forced_cuts={"grapheme": 120})]
    assert found(table) == [("max_within_word", None), ("max_within_word", "x")]


def test_a_source_is_not_told_again_for_what_the_whole_has() -> None:
    table = [*rows(tiny=300), row("content_type", "text/a", tiny=300), row("source", "x", tiny=400)]
    assert found(table) == [("max_tiny", None)]


def test_a_bad_source_in_a_good_whole_is_told() -> None:
    assert found([*rows(), row("source", "x", tiny=400), row("source", "y")]) == [("max_tiny", "x")]


@pytest.mark.parametrize("strategy", ["fixed", "sliding_window"])
def test_strategies_that_cut_anywhere_on_purpose_are_not_blamed_for_it(strategy: str) -> None:
    profiles = {"default": ChunkSettings(strategy=strategy, size=500)}
    cuts = {"forced_cuts": {"grapheme": 300, "word": 600}}
    table = [*rows(**cuts), row("source", "x", **cuts)]
    assert found(table, profiles) == []
    assert failed_checks(table, profiles, account(), {"max_within_word": 0.0}) == []


def test_another_profile_of_the_same_run_is_still_judged() -> None:
    cuts = {"grapheme": 300}
    table = [row(forced_cuts=cuts), row("profile", "default"), row("profile", "prose", forced_cuts=cuts)]
    assert found(table, {**FIXED, "prose": ChunkSettings()}) == [("max_within_word", "prose")]


def test_documents_that_are_kept_whole_may_be_short() -> None:
    assert found(rows(tiny=900, token_p95=10.0), {"default": ChunkSettings(strategy="whole")}) == []


def test_auto_is_not_measured_against_a_limit_that_it_did_not_use() -> None:
    pytest.importorskip("tree_sitter")
    values = {"tiny": 900, "token_p95": 10.0}
    assert found(rows(**values), {"default": ChunkSettings(strategy="auto")}) == []
    assert found(rows(**values), {"default": ChunkSettings(strategy="auto", size=500)}) == [("min_p95", None)]


def test_percentiles_are_compared_in_the_unit_of_the_limit() -> None:
    letters = {"default": ChunkSettings(size=2000, unit="characters")}
    assert found(rows(char_p95=1900.0, token_p95=1.0), letters) == []
    (finding,) = warnings(rows(char_p95=20.0), letters, account())
    assert "(20 of 2,000 characters)" in finding.message


def test_with_several_limits_only_profiles_are_compared_with_theirs() -> None:
    table = [row(token_p95=20.0), row("profile", "default", token_p95=20.0), row("profile", "small", token_p95=20.0)]
    profiles = {**DEFAULT, "small": ChunkSettings(size=100), "unused": ChunkSettings(size=7, overlap=0)}
    assert found(table, profiles) == [("min_p95", "default")]
    # A profile without chunks has no say.
    assert found(rows(token_p95=20.0), profiles) == [("min_p95", None)]


def test_at_most_a_dozen_are_told_the_most_important_first() -> None:
    table = [*rows(), *(row("source", f"{n:02}", tiny=300 + n) for n in range(20)), row("source", "x", over_limit=1)]
    told = found(table)
    assert len(told) == 12
    assert told[0] == ("over_limit", "x")


def test_no_message_holds_a_name_that_comes_from_a_document() -> None:
    for finding in warnings([*rows(), row("source", "EVIL", tiny=400, duplicates=400)], DEFAULT, account()):
        assert "EVIL" not in finding.message
        assert finding.as_dict()["name"] == "EVIL"


def checked(table: list[dict[str, Any]], **thresholds: float) -> list[Finding]:
    return failed_checks(table, DEFAULT, account(rejected=20), Checks(**thresholds).thresholds)


@pytest.mark.parametrize(
    ("values", "check", "passes", "fails"),
    [
        ({"tiny": 100}, "max_tiny", 0.1, 0.09),
        ({"forced_cuts": {"grapheme": 20, "word": 5}}, "max_within_word", 0.02, 0.01),
        ({"forced_cuts": {"grapheme": 20, "word": 5}}, "max_within_sentence", 0.025, 0.024),
        ({"duplicates": 40}, "max_duplicates", 0.04, 0.0),
        ({"token_p95": 250.0}, "min_p95", 0.5, 0.51),
    ],
)
def test_a_check_fails_past_its_threshold_for_all_and_by_profile(
    values: dict[str, Any], check: str, passes: float, fails: float
) -> None:
    assert checked(rows(**values), **{check: passes}) == []
    failed = checked(rows(**values), **{check: fails})
    assert [(finding.scope, finding.check, finding.bound) for finding in failed] == [
        ("overall", check, fails),
        ("profile", check, fails),
    ]
    assert all(finding.failed for finding in failed)


def test_rejected_rows_are_checked_once_and_even_without_any_chunk() -> None:
    assert checked([], max_rejected=0.02) == []
    assert [finding.scope for finding in checked([], max_rejected=0.01)] == ["overall"]
    assert failed_checks([], DEFAULT, account(0, 0), {"max_rejected": 0.0}) == []


def test_sources_fail_no_run() -> None:
    assert checked([*rows(), row("source", "x", tiny=1000)], max_tiny=0.5) == []


def test_a_check_looks_at_few_chunks_too() -> None:
    assert len(checked(rows(chunk_count=2, tiny=1), max_tiny=0.4)) == 2


def test_the_error_lists_every_failed_check_with_value_bound_and_what_to_do() -> None:
    table = rows(tiny=100, duplicates=50)
    error = FailedChecksError(checked(table, max_tiny=0.05, max_duplicates=0.01), table)
    assert error.exit_code == ExitCode.CHECK
    lines = str(error).splitlines()
    assert lines[0].startswith("4 checks have failed. Nothing was published.")
    assert lines[1].startswith("  - max_duplicates = 0.01, found 0.05 (all chunks): 5 % of the chunks repeat")
    assert lines[4].startswith("  - max_tiny = 0.05, found 0.1 (profile default): 10 % of the chunks are tiny")


@pytest.mark.parametrize("value", [-0.01, 1.01, True, float("nan"), "many", []])
@pytest.mark.parametrize("name", sorted(Checks.model_fields))
def test_a_threshold_that_is_no_share_cannot_be(name: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        Checks(**{name: value})


def test_wrong_checks_are_told_with_name_value_and_what_is_allowed() -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(sets=["checks.max_tiny=true", "checks.min_p95=2", "checks.max_tny=0.1"])
    told = str(raised.value)
    assert "checks.max_tiny = True: must be a number from 0 to 1" in told
    assert "checks.min_p95 = 2: must be less than or equal to 1" in told
    assert "checks.max_tny: unknown key; did you mean 'max_tiny'?" in told


def test_no_check_is_set_by_default() -> None:
    assert load_settings().checks.thresholds == {}
    assert load_settings(sets=["checks="]).checks.thresholds == {}
    assert load_settings(sets=["checks.max_tiny=0.1"]).checks.thresholds == {"max_tiny": 0.1}
