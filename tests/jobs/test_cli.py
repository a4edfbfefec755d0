"""The command line: help, exit codes, one message for each error, nothing imported in vain."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from jobs import cli
from jobs.exit_codes import MEANINGS, ExitCode
from udfs.chunking import LakechunkError, SettingsError

ROOT = Path(__file__).parents[2]


class StrangeError(LakechunkError):
    """An error with an exit code of its own."""

    exit_code = ExitCode.INPUT


def command_that_raises(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make `lakechunk config` raise this error."""

    def command() -> None:
        raise error

    module = types.ModuleType("jobs.config")
    module.command = command  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jobs.config", module)


def test_help_lists_every_command_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, entry in cli.COMMANDS.items():
        assert f"{name} " in shown
        assert entry.summary in shown


def test_help_of_a_command_has_examples_and_exit_codes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert cli.main(["config", "--help"]) == 0
    shown = capsys.readouterr().out
    for example in cli.COMMANDS["config"].examples:
        assert example in shown
    for code, meaning in MEANINGS.items():
        assert f"{code.value} {meaning}" in " ".join(shown.split())


def test_every_exit_code_has_a_meaning_and_stands_in_the_manual() -> None:
    assert set(MEANINGS) == set(ExitCode)
    manual = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for code, meaning in MEANINGS.items():
        assert f"| {code.value} | {meaning} |" in manual


@pytest.mark.parametrize(
    "arguments", [["cnfig"], ["config", "--formt"], ["config", "--config"], ["config", "--set", "inptu=1"]]
)
def test_wrong_usage_and_wrong_settings_end_with_2(arguments: list[str]) -> None:
    assert cli.main(arguments) == 2


def test_the_version_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("lakechunk ")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SettingsError("size = 0"), ExitCode.SETTINGS),
        (StrangeError("gone"), ExitCode.INPUT),
        (LakechunkError("odd"), ExitCode.FAILURE),
    ],
)
def test_an_error_raised_on_purpose_is_one_message_and_its_exit_code(
    error: LakechunkError, code: ExitCode, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command_that_raises(monkeypatch, error)
    assert cli.main(["config"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"Error: {error}\n"


def test_a_message_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    message = "profiles.default.separators = ['[bold]', '[/x]']: " + "long " * 60 + "end"
    command_that_raises(monkeypatch, SettingsError(message))
    cli.main(["config"])
    assert capsys.readouterr().err == f"Error: {message}\n"


@pytest.mark.parametrize("arguments", [["--debug", "config"], ["config", "--debug"]])
def test_debug_shows_where_an_error_was_raised(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command_that_raises(monkeypatch, SettingsError("size = 0, password=hunter2"))
    assert cli.main(arguments) == ExitCode.SETTINGS
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert told.count("hunter2") == 1  # in the message, which whoever raised it has to answer for


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command_that_raises(monkeypatch, KeyboardInterrupt())
    assert cli.main(["config"]) == 130
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["pyspark", "py4j"])
def test_without_pyspark_the_message_says_how_to_get_it(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "jobs.run", raising=False)
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert cli.main(["run", "--input", "docs"]) == ExitCode.FAILURE
    assert "pip install 'lakechunk[spark]'" in capsys.readouterr().err


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    command_that_raises(monkeypatch, ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        cli.main(["config"])


@pytest.mark.parametrize("arguments", [["--help"], ["config"], ["config", "--help"], ["--version"]])
def test_neither_help_nor_config_wait_for_spark(arguments: list[str]) -> None:
    code = (
        "import sys; from jobs.cli import main; main(sys.argv[1:]);"
        "sys.exit([name for name in ('pyspark', 'pandas', 'pyarrow') if name in sys.modules] or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_command_is_a_script_as_well(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "jobs" / "config.py", "--set", "profiles.default.size=7"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "size: 7" in done.stdout
