"""Every wrong setting is refused with a message that says where, what, and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.settings import load_settings
from udfs.chunking import SettingsError


def message_of(tmp_path: Path, text: str, *sets: str) -> str:
    """The message that these settings are refused with."""
    path = tmp_path / "lake.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(path, sets)
    return str(caught.value).replace(str(path), "lake.yaml")


def test_an_unknown_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    message = message_of(tmp_path, "input:\n  formt: orc\n")
    assert message.startswith("lake.yaml, line 2: input.formt: unknown key; did you mean 'format'?")


@pytest.mark.parametrize(
    ("text", "place", "near"),
    [
        ("inptu: {}", "inptu", "input"),
        ("input: {columns: {txt: body}}", "input.columns.txt", "text"),
        ("output: {pth: x}", "output.pth", "path"),
        ("routing: [{profil: default, profile: default}]", "routing.0.profil", "profile"),
        ("profiles: {default: {siez: 4}}", "profiles.default.siez", "size"),
        ("profiles: {a: {extnds: default}}", "profiles.a.extnds", "extends"),
    ],
)
def test_unknown_keys_are_found_at_every_depth(tmp_path: Path, text: str, place: str, near: str) -> None:
    message = message_of(tmp_path, text)
    assert f"lake.yaml, line 1: {place}: unknown key; did you mean {near!r}?" in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("profiles: {default: {size: 0}}", "profiles.default.size = 0: must be greater than or equal to 1"),
        ("profiles: {default: {size: ten}}", "profiles.default.size = 'ten': must be a whole number"),
        ("profiles: {default: {size: 10, overlap: 10}}", "overlap = 10: must be less than size (10)"),
        ("profiles: {default: {strategy: recursiv}}", "did you mean 'recursive'?"),
        ("profiles: {default: {tokenizer: cl100k}}", "profiles.default.tokenizer = 'cl100k': unknown"),
        (
            "profiles: {default: {separators: [5]}}",
            "separators = [5]: separator 1 must be a text that is not empty, or {pattern: REGEX}",
        ),
        ("profiles: {default: {separators: [{pattern: 'x*'}]}}", "separator 1: pattern 'x*': matches the empty"),
        (
            "profiles: {default: {separators: [{pattern: x, y: 1}]}}",
            "separator 1 must be a text that is not empty, or {pattern: REGEX}",
        ),
        ("profiles: {default: {1: 2}}", "profiles.default.1: unknown key"),
        ("routing: {a: 1}", "routing = {'a': 1}: must be a list"),
        ("routing: [whole]", "routing.0 = 'whole': must be a mapping"),
        ("profiles: {default: {unit: bytes}}", "profiles.default.unit = 'bytes': must be 'tokens' or 'characters'"),
        ("profiles: {a.b: {}}", "'a.b' is not a profile's name"),
        ("input: {max_document_bytes: 0}", "input.max_document_bytes = 0: must be greater than or equal to 1"),
        ("input: {max_document_bytes: true}", "input.max_document_bytes = True: must be a whole number"),
        ("input: {carry: [a, b, a]}", "names a column twice: a"),
        ("input: {columns: {text: ''}}", "input.columns.text = ''"),
        ("output: {mode: append}", "output.mode = 'append': must be 'error' or 'overwrite'"),
        ("spark: {master: local}", "'master' is not a Spark setting; they start with 'spark.'"),
        ("spark: {spark.sql: {a: 1}}", "spark.spark.sql"),
        ("routing: [{profile: default}, {when: 'a = 1', profile: whole}]", "rule 0 has no `when`"),
        ("routing: [{when: ' ', profile: default}]", "routing.0.when = ' ': is blank"),
        ("routing: [{when: 'a = 1'}]", "routing.0.profile: is missing"),
        ("routing: [{profile: sentense}]", "routing.0.profile = 'sentense': no such profile; did you mean 'sentence'?"),
        ("input: 5", "input = 5"),
        ("profiles: {default: 5}", "profiles.default = 5"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(tmp_path: Path, text: str, expected: str) -> None:
    message = message_of(tmp_path, text)
    assert message.startswith("lake.yaml, line 1: ")
    assert expected in message
    assert "\n" not in message


def test_all_faults_are_told_in_one_go(tmp_path: Path) -> None:
    text = "input: {formt: orc}\noutput: {mode: append}\nprofiles: {a: {extends: b}}\nrouting: [{profile: hole}]\n"
    message = message_of(tmp_path, text, "profiles.c.size=0", "input.path.x=1")
    lines = message.splitlines()
    assert lines[0] == "6 settings are wrong:"
    for part in (
        "input.formt",
        "output.mode",
        "profiles.a.extends",
        "routing.0.profile",
        "profiles.c.size",
        "input.path",
    ):
        assert sum(part in line for line in lines[1:]) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("input: {\n", "lake.yaml, line 2, column 1: not valid YAML"),
        ("input:\n  path: a\n\tformat: b\n", "lake.yaml, line 3"),
        ("input:\n  path: a\n  path: b\n", "lake.yaml, line 3: the key 'path' stands twice (first in line 2)"),
        ("a: &a [*a]\n", "an alias (*) that contains itself"),
        ("- input\n", "holds a single value or a list"),
        ("input: {path: !!python/name:os.system x}\n", "not valid YAML"),
        ("input: {path: 2024-13-45}\n", "not valid YAML"),
        ("input: \x00\n", "not valid YAML"),
    ],
)
def test_what_is_not_clean_yaml_is_refused_with_its_line(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in message_of(tmp_path, text)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("size", "--set size: write key=value"),
        ("=5", "--set =5: write key=value"),
        ("input.path=[", "--set input.path, line 1"),
        ("input.pth=a", "--set: input.pth: unknown key; did you mean 'path'?"),
        ("input.carry.5=a", "--set: input.carry.5: input.carry has 0 items; the next index is 0"),
        ("routing.x.profile=a", "routing is a list; write an index (from 0) instead of 'x'"),
        ("profiles.default.unit.x=1", "profiles.default.unit is a single value; nothing can be set below it"),
    ],
)
def test_a_wrong_set_option_is_named(option: str, expected: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(sets=[option])
    assert expected in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"--config .*gone\.yaml: no such file"):
        load_settings(tmp_path / "gone.yaml")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path)


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lake.yaml"
    path.write_bytes(b"input: {path: \xff}")
    with pytest.raises(SettingsError, match="not UTF-8 \\(byte 14\\)"):
        load_settings(path)


def test_no_message_shows_a_secret(tmp_path: Path) -> None:
    text = "spark: {fs.s3a.secret.key: hunter2}\ninput: {path: ['s3a://me:hunter2@lake']}\n"
    message = message_of(tmp_path, text, "output.options.password=[hunter2]")
    assert "hunter2" not in message
    assert "***" in message


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("input.repeated_lines.mod=drop", "input.repeated_lines.mod: unknown key; did you mean 'mode'?"),
        ("input.repeated_lines.mode=dropp", "input.repeated_lines.mode = 'dropp': must be 'keep' or 'drop'"),
        (
            "input.repeated_lines.min_documents=1",
            "input.repeated_lines.min_documents = 1: must be greater than or equal to 2",
        ),
        (
            "input.repeated_lines.min_documents=true",
            "input.repeated_lines.min_documents = True: must be a whole number",
        ),
        ("input.columns.page=pages", "input.columns.page: unknown key; did you mean 'pages'?"),
    ],
)
def test_faults_in_the_settings_of_pages_and_repeated_lines_are_told(option: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(sets=[option])
    assert told in str(caught.value)
