"""Profiles inherit along `extends`; rules may name a strategy instead of a profile."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from jobs.settings import JobSettings, load_settings
from udfs.chunking import ChunkSettings, SettingsError
from udfs.chunking.strategies import STRATEGIES


def settings_of(profiles: str, routing: str = "[]") -> JobSettings:
    """Settings with these profiles and rules, and nothing from the built-in file."""
    return JobSettings(profiles=yaml.safe_load(profiles), routing=yaml.safe_load(routing))


def message_of(profiles: str) -> str:
    """The message that these profiles are refused with."""
    with pytest.raises(SettingsError) as caught:
        load_settings(sets=[f"profiles={profiles}"])
    return str(caught.value)


def test_a_profile_inherits_what_it_does_not_say() -> None:
    found = settings_of("{a: {size: 100, overlap: 7}, b: {extends: a, strategy: sentence}, c: {extends: b, size: 50}}")
    assert found.profiles_resolved["c"] == ChunkSettings(strategy="sentence", size=50, overlap=7)


def test_without_extends_a_profile_starts_from_the_engine_and_not_from_default() -> None:
    found = settings_of("{default: {size: 100}, other: {strategy: sentence}}")
    assert found.profiles_resolved["other"] == ChunkSettings(strategy="sentence")
    assert found.profiles_resolved["default"].size == 100


def test_an_overlap_that_nobody_wrote_follows_the_size() -> None:
    found = settings_of("{a: {size: 800}, b: {extends: a, size: 16}}")
    assert found.profiles_resolved["b"].overlap == 2


def test_a_rule_may_name_a_strategy() -> None:
    found = settings_of("{default: {size: 100}}", "[{when: 'a = 1', profile: whole}, {profile: default}]")
    assert found.profiles_resolved["whole"] == ChunkSettings(strategy="whole", size=100)


def test_a_profile_of_that_name_comes_before_the_strategy() -> None:
    found = settings_of("{whole: {strategy: fixed, size: 3}}", "[{profile: whole}]")
    assert found.profiles_resolved["whole"].strategy == "fixed"


def test_default_exists_even_where_nobody_wrote_it() -> None:
    assert settings_of("{a: {size: 5}}").profiles_resolved["default"] == ChunkSettings()


def test_only_what_is_defined_or_named_is_resolved() -> None:
    found = settings_of("{a: {size: 5}}", "[{profile: fixed}]")
    assert list(found.profiles_resolved) == ["default", "a", "fixed"]


def test_another_strategy_does_not_inherit_what_only_the_first_one_has() -> None:
    found = settings_of("{default: {strategy: recursive, size: 9, separators: ['|']}}", "[{profile: sentence}]")
    assert found.profiles_resolved["sentence"] == ChunkSettings(strategy="sentence", size=9)


def test_an_own_overlap_replaces_an_inherited_stride() -> None:
    found = settings_of("{a: {strategy: sliding_window, size: 10, stride: 4}, b: {extends: a, overlap: 1}}")
    assert found.profiles_resolved["a"].overlap == 6
    assert found.profiles_resolved["b"].overlap == 1


def test_a_circle_is_printed() -> None:
    assert "profiles extend each other in a circle: a -> b -> c -> a" in message_of(
        "{c: {extends: a}, b: {extends: c}, a: {extends: b}}"
    )
    assert "in a circle: a -> a" in message_of("{a: {extends: a}}")


def test_a_circle_is_told_once() -> None:
    assert message_of("{a: {extends: b}, b: {extends: a}, c: {extends: a}}").count("circle") == 1


def test_an_unknown_parent_names_the_nearest_profile() -> None:
    message = message_of("{handbook: {size: 9}, b: {extends: handbok}}")
    assert "profiles.b.extends = 'handbok': no such profile; did you mean 'handbook'?" in message


def test_a_fault_that_was_inherited_says_from_where() -> None:
    message = message_of("{a: {overlap: 50}, b: {extends: a, size: 20}}")
    assert "profiles.b" in message
    assert "overlap = 50: must be less than size (20)" in message


def test_a_fault_in_a_parent_is_told_once() -> None:
    assert message_of("{a: {siz: 5}, b: {extends: a}, c: {extends: b}}").count("unknown key") == 1


def test_wrong_profiles_cannot_be_built_without_the_loader_either() -> None:
    with pytest.raises(ValueError, match="no such profile"):
        settings_of("{}", "[{profile: hole}]")


def test_an_empty_profile_is_the_engines_defaults() -> None:
    assert settings_of("{a: }").profiles_resolved["a"] == ChunkSettings()


def test_what_several_strategies_have_is_inherited_among_them_only() -> None:
    profiles = (
        "{a: {strategy: markdown, keep_apart: 2}, b: {extends: a, strategy: html}, c: {extends: a, strategy: fixed}}"
    )
    found = settings_of(profiles).profiles_resolved
    assert (found["b"].keep_apart, found["c"].keep_apart) == (2, None)


def test_settings_of_structure_and_context_are_inherited() -> None:
    said = "context: headings, context_share: 0.3, embed_template: '{headings}: {text}', boilerplate: keep"
    found = settings_of(f"{{a: {{{said}}}, b: {{extends: a, strategy: markdown}}}}").profiles_resolved["b"]
    assert found == ChunkSettings(
        strategy="markdown",
        context="headings",
        context_share=0.3,
        embed_template="{headings}: {text}",
        boilerplate="keep",
    )


def test_cleaning_is_inherited_key_by_key() -> None:
    found = settings_of(
        "{a: {clean: {nfc: true, blank_lines: 1}}, b: {extends: a, clean: {blank_lines: 2}}, c: {extends: b, clean: }}"
    )
    wanted = ChunkSettings.of({"clean": {"nfc": True, "blank_lines": 2}})
    assert found.profiles_resolved["b"] == found.profiles_resolved["c"] == wanted


def test_a_fault_in_cleaning_is_told_where_it_was_written_and_names_the_nearest_key() -> None:
    message = message_of("{a: {clean: {nfcc: true}}, b: {extends: a, clean: {blank_lines: 2}}}")
    assert "profiles.a.clean.nfcc: unknown key; did you mean 'nfc'? Known: blank_lines, " in message
    assert "profiles.b" not in message


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("{contxt: title}", "unknown key; did you mean 'context'?"),
        ("{context: titel}", "profiles.p.context = 'titel': must be 'none', 'title', 'headings' or 'auto'"),
        ("{context_share: 2}", "profiles.p.context_share = 2: must be less than or equal to 0.9"),
        ("{keep_apart: 2}", "keep_apart belongs to the strategy 'markdown' or 'html'"),
        ("{strategy: code, language: pyton}", "did you mean 'python'?"),
        ("{strategy: table, rows_as: list}", "profiles.p.rows_as = 'list': must be 'table' or 'pairs'"),
        ("{embed_template: '{titel} {text}'}", "profiles.p.embed_template = '{titel} {text}'"),
    ],
)
def test_faults_in_settings_of_structure_are_told(settings: str, told: str) -> None:
    assert told in message_of(f"{{p: {settings}}}")


def test_auto_chooses_sizes_unless_somebody_wrote_one() -> None:
    found = load_settings(sets=["routing=[{profile: auto}]"]).profiles_resolved["auto"]
    assert "size" not in found.model_fields_set
    found = load_settings(sets=["routing=[{profile: auto}]", "profiles.default.size=99"]).profiles_resolved["auto"]
    assert found.size == 99
    assert "size" in found.model_fields_set


def test_a_strategy_whose_library_is_missing_is_told_with_the_line_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = replace(STRATEGIES["code"], packages=("no_such_package",))
    monkeypatch.setitem(STRATEGIES, "code", code)
    assert "profiles.a.strategy = 'code': needs the package no_such_package" in message_of("{a: {strategy: code}}")
    with pytest.raises(SettingsError, match=r"routing.1.profile = 'code': needs .* pip install 'lakechunk\[code\]'"):
        load_settings(sets=["routing=[{when: a = 1, profile: whole}, {profile: code}]"])
