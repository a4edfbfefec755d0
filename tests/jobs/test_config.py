"""`lakechunk config` shows the effective settings, and what may be set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobs.cli import main
from jobs.config import settings_schema, settings_yaml
from jobs.settings import load_settings


def test_what_is_shown_can_be_read_again(tmp_path: Path) -> None:
    sets = [
        "profiles={a: {strategy: sliding_window, size: 100, stride: 25}, b: {extends: a, size: 50}}",
        "routing=[{when: length(text) < 9, profile: whole}, {profile: b}]",
        "input.carry=[tenant]",
        "spark.spark.sql.ansi.enabled=true",
    ]
    settings = load_settings(sets=sets)
    path = tmp_path / "shown.yaml"
    path.write_text(settings_yaml(settings))
    again = load_settings(path)
    assert again.profiles_resolved == settings.profiles_resolved
    assert again.model_dump(exclude={"profiles"}) == settings.model_dump(exclude={"profiles"})


def test_settings_of_structure_can_be_read_again_and_mean_the_same(tmp_path: Path) -> None:
    sets = [
        "profiles.a={strategy: markdown, context: title, clean: {nfc: true}}",
        "profiles.b={extends: a, clean: {blank_lines: 1}}",
        "input.repeated_lines.mode=drop",
        "input.columns.pages=pages",
        "routing=[{when: a = 1, profile: b}, {when: a = 2, profile: html}, {profile: auto}]",
    ]
    settings = load_settings(sets=sets)
    path = tmp_path / "shown.yaml"
    path.write_text(settings_yaml(settings))
    again = load_settings(path)
    assert again.input == settings.input
    for name, profile in settings.profiles_resolved.items():
        assert again.profiles_resolved[name].config_hash() == profile.config_hash()
    assert not {"size", "overlap"} & again.profiles_resolved["auto"].model_fields_set


def test_each_profile_is_shown_with_its_fingerprint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--set", "profiles.handbook.size=99"]) == 0
    shown = capsys.readouterr().out
    profiles = load_settings(sets=["profiles.handbook.size=99"]).profiles_resolved
    assert f"#   default   {profiles['default'].config_hash()}\n" in shown
    assert f"#   handbook  {profiles['handbook'].config_hash()}\n" in shown


def test_options_of_the_command_line_are_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "lake.yaml"
    path.write_text("input: {path: from_file, format: orc}")
    assert main(["config", "--config", str(path), "--input", "from_option", "--output", "s3a://me:pw@out"]) == 0
    shown = capsys.readouterr().out
    assert "path: from_option" in shown
    assert "format: orc" in shown
    assert "path: s3a://***@out" in shown


def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == settings_schema()


def test_the_schema_explains_every_setting() -> None:
    schema = settings_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    unexplained = [
        name
        for model in _objects(schema)
        for name, field in model.get("properties", {}).items()
        if not field.get("description")
    ]
    assert unexplained == []


def test_every_reference_in_the_schema_leads_somewhere() -> None:
    schema = settings_schema()
    references = {node["$ref"] for node in _objects(schema) if isinstance(node.get("$ref"), str)}
    assert references
    assert references <= {f"#/$defs/{name}" for name in schema["$defs"]}


def test_the_schema_knows_a_profiles_settings_and_refuses_others() -> None:
    profile = settings_schema()["properties"]["profiles"]["additionalProperties"]
    assert {"extends", "strategy", "size", "overlap", "tokenizer", "context", "clean"} <= set(profile["properties"])
    assert profile["additionalProperties"] is False
    assert "required" not in profile


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from _objects(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _objects(inner)
