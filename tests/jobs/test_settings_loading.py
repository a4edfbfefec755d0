"""Layers of settings: defaults < file < command line < --set."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.settings import JobSettings, Rule, load_settings
from udfs.chunking import SettingsError


def load(tmp_path: Path, text: str, *sets: str, **overrides: str) -> JobSettings:
    """Settings from a file with this text."""
    path = tmp_path / "lake.yaml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path, sets, {name.replace("__", "."): value for name, value in overrides.items()})


def error_of(tmp_path: Path, text: str, *sets: str) -> str:
    """The message that these settings are refused with."""
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text, *sets)
    return str(caught.value)


def test_without_anything_the_built_in_settings_hold() -> None:
    settings = load_settings()
    assert settings.input.format == "parquet"
    assert (settings.input.columns.document_id, settings.input.columns.text) == ("id", "text")
    assert settings.input.max_document_bytes == 32 * 1024 * 1024
    assert settings.output.mode == "error"
    assert settings.rules == [Rule(when=None, profile="default")]
    assert settings.profiles_resolved["default"].model_dump(include={"strategy", "size", "overlap"}) == {
        "strategy": "recursive",
        "size": 512,
        "overlap": 64,
    }


def test_each_layer_covers_the_one_below_it(tmp_path: Path) -> None:
    text = "input: {path: from_file, format: orc}\noutput: {path: from_file}\nprofiles: {default: {size: 100}}"
    settings = load(tmp_path, text, "output.path=from_set", input__path="from_option", output__path="from_option")
    assert settings.input.format == "orc"
    assert settings.input.path == "from_option"
    assert settings.output.path == "from_set"
    assert settings.profiles_resolved["default"].size == 100
    assert settings.profiles_resolved["default"].strategy == "recursive"  # from the built-in settings


def test_of_two_sets_for_one_key_the_last_wins() -> None:
    settings = load_settings(sets=["profiles.default.size=1", "profiles.default.size=2"])
    assert settings.profiles_resolved["default"].size == 2


def test_an_option_that_was_not_given_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lake.yaml"
    path.write_text("input: {path: docs}")
    assert load_settings(path, [], {"input.path": None}).input.path == "docs"


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, "") == load(tmp_path, "# nothing\n") == load_settings()


def test_an_empty_section_changes_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, "input: {}\nprofiles: {}\n") == load_settings()
    assert load(tmp_path, "input:\nprofiles:\n  default:\nrouting: []\noutput:\nspark:\n") == load_settings()


def test_a_list_in_the_file_replaces_the_list_below_it(tmp_path: Path) -> None:
    text = "routing: [{when: 'a = 1', profile: whole}, {profile: fixed}]"
    assert [rule.profile for rule in load(tmp_path, text, "routing=[{profile: sentence}]").rules] == ["sentence"]


def test_set_reaches_into_a_list(tmp_path: Path) -> None:
    text = "routing: [{when: 'a = 1', profile: whole}, {profile: fixed}]"
    settings = load(tmp_path, text, "routing.1.profile=sentence", "input.carry.0=tenant", "input.carry.1=acl")
    assert [rule.profile for rule in settings.rules] == ["whole", "sentence"]
    assert settings.input.carry == ("tenant", "acl")


def test_set_takes_yaml_and_equals_signs_in_it() -> None:
    settings = load_settings(sets=['profiles.default.separators=["\\n\\n", {pattern: "=+"}]', "input.path=a=b"])
    separators = settings.profiles_resolved["default"].separators
    assert separators is not None
    assert separators[0] == "\n\n"
    assert settings.input.path == "a=b"


@pytest.mark.parametrize(
    ("key", "section"),
    [("spark.spark.sql.ansi.enabled", "spark"), ("input.options.a.b.c", "input"), ("output.options.a.b.c", "output")],
)
def test_names_with_dots_stay_whole_where_spark_reads_them(key: str, section: str) -> None:
    settings = load_settings(sets=[f"{key}=true"]).model_dump()
    found = settings["spark"] if section == "spark" else settings[section]["options"]
    assert found == {key.removeprefix(f"{section}.").removeprefix("options."): "true"}


def test_options_become_text_as_spark_expects_it(tmp_path: Path) -> None:
    text = "input: {options: {header: yes, samplingRatio: 0.5, maxFiles: 3, day: 2024-01-31, off: null}}"
    expected = {"header": "true", "samplingRatio": "0.5", "maxFiles": "3", "day": "2024-01-31"}
    assert load(tmp_path, text).input.options == {**expected}


def test_variables_of_the_environment_are_put_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAKE_BUCKET", "docs")
    monkeypatch.setenv("LAKE_SIZE", "77")
    monkeypatch.delenv("LAKE_NOT_SET", raising=False)
    text = (
        "input: {path: 's3a://${LAKE_BUCKET}/${LAKE_NOT_SET:-all}', options: {a: '$${LAKE_BUCKET}', b: '$5 {x}'}}\n"
        "profiles: {default: {size: '${LAKE_SIZE}'}}"
    )
    settings = load(tmp_path, text, "output.path=${LAKE_BUCKET}")
    assert settings.input.path == "s3a://docs/all"
    assert settings.input.options == {"a": "${LAKE_BUCKET}", "b": "$5 {x}"}
    assert settings.profiles_resolved["default"].size == 77
    assert settings.output.path == "docs"


def test_a_variable_that_is_not_set_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAKE_NOT_SET", raising=False)
    message = error_of(tmp_path, "input:\n  path: ${LAKE_NOT_SET}\n")
    assert "lake.yaml, line 2: input.path: the environment variable LAKE_NOT_SET is not set" in message


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeffinput: {path: docs}").input.path == "docs"


def test_needs_name_what_is_missing_and_how_to_give_it() -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(overrides={"output.path": "out"}, needs=["input.path", "output.path"])
    assert str(caught.value) == "input.path: is missing; give --input PATH, or set it in the file"


def test_settings_cannot_be_changed_afterwards() -> None:
    settings = load_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.input = settings.input  # type: ignore[misc]
