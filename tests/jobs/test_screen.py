"""What is not ours reaches the terminal as text, and only as text."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jobs.cli import report_error
from jobs.demo import _say_what_next
from jobs.screen import plain, visible
from jobs.size_tables import sizes_table
from jobs.summary import print_summary
from tests.jobs.test_summary import SIZES, report_of
from udfs.chunking import SettingsError

ODD = [
    "text/[/x]",
    "[link=file:evil]click[/link]",
    "[red]no[/red]",
    "a\x1b[31mb",
    "one\ntwo\r",
    "\x9b31m",
    "a\u202eb",
]
ESCAPED = {ODD[3]: r"a\x1b[31mb", ODD[4]: r"one\ntwo\r", ODD[5]: r"\x9b31m", ODD[6]: r"a\u202eb"}


def terminal() -> Console:
    return Console(file=io.StringIO(), width=200, force_terminal=True, color_system="standard")


def text_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def assert_harmless(shown: str, value: str) -> None:
    assert ESCAPED.get(value, value) in shown
    assert "\x1b]8" not in shown  # no link
    assert "\x1b[31m" not in shown  # nothing red but what is ours
    assert not set(shown) & set("\x9b\u202e\r")


@pytest.mark.parametrize("value", ODD)
def test_names_in_the_table_of_sizes_are_only_text(value: str) -> None:
    console = terminal()
    console.print(sizes_table("Sizes", [{**SIZES, "scope": "content_type", "name": value}], 200))
    assert_harmless(text_of(console), value)


@pytest.mark.parametrize("value", ODD)
def test_paths_in_the_summary_are_only_text(value: str) -> None:
    console = terminal()
    print_summary(report_of(f"lake/{value}"), console)
    assert_harmless(text_of(console), value)


@pytest.mark.parametrize("value", ODD)
def test_paths_in_the_demo_are_only_text(value: str) -> None:
    console = terminal()
    _say_what_next(Path("docs"), Path(value), console)
    assert_harmless(text_of(console), value)


@pytest.mark.parametrize("value", ODD)
def test_values_in_a_message_are_only_text(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    report_error(SettingsError(f"title = {value}"))
    shown = capsys.readouterr().err
    assert_harmless(shown, value if value != ODD[4] else "one")  # a message may have several lines
    assert "\x1b" not in shown


def test_bytes_of_a_path_that_are_no_text_can_be_shown() -> None:
    assert visible("a\udcff") == r"a\udcff"


@pytest.mark.parametrize("value", ["plain", "caf\u00e9 \u2603 \U0001f600", "\u0939\u093f", "a\u200db"])
def test_ordinary_text_is_shown_as_it_is(value: str) -> None:
    assert plain(value).plain == value


def test_over_the_limit_is_still_red() -> None:
    console = terminal()
    row: dict[str, Any] = {**SIZES, "over_limit": 3}
    console.print(sizes_table("Sizes", [row], 200))
    assert re.search(r"\x1b\[31m *3", text_of(console))


@pytest.mark.parametrize(
    "codes",
    [
        *[(0x00, 0x1F), (0x7F, 0x9F), (0x61C,), (0x200E, 0x200F), (0x2028, 0x202E), (0x2060, 0x2064)],
        *[(0x2066, 0x2069), (0xD800, 0xDFFF), (0xFEFF,), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F)],
    ],
)
def test_what_is_obeyed_or_hides_text_is_written_as_an_escape(codes: tuple[int, ...]) -> None:
    for code in range(codes[0], codes[-1] + 1):
        shown = visible(chr(code))
        assert shown.isascii()
        assert shown.isprintable()
        assert shown.startswith("\\")


@pytest.mark.parametrize(
    "text", ["\U0001f469\u200d\U0001f680", "\u0646\u200c\u0645", "na\u00efve \u4e2d\u6587 e\u0301"]
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert visible(text) == text
