"""Cleaning: only what does harm goes, and all of it is counted."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking.formats.cleaning import Cleaning, clean

DEFAULT = Cleaning()
ALL = Cleaning(line_ends="unix", nfc=True, blank_lines=1)
NOTHING = Cleaning(byte_order_mark=False, control=False, soft_hyphen=False)

PIECES = (
    "\ufeff", "\x00", "\x1b", "[31m", "\x1b[", "\u00ad", "\r", "\n", "\r\n", " ", "\t", "\f", "\x85", "\x9f", "e",
    "\u0301", "\u1100\u1161", "\ufb1d", "\u0958", "a\u0323\u0307", "\x0b", "\x1c", "m", "\u2126",
)  # fmt: skip


def dirty() -> st.SearchStrategy[str]:
    return st.one_of(documents(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


def options() -> st.SearchStrategy[Cleaning]:
    switches = st.fixed_dictionaries(
        {
            "line_ends": st.sampled_from(["keep", "unix"]),
            "byte_order_mark": st.booleans(),
            "control": st.booleans(),
            "soft_hyphen": st.booleans(),
            "nfc": st.booleans(),
            "blank_lines": st.sampled_from([None, 0, 1, 2]),
        }
    )
    return switches.map(lambda values: Cleaning(**values))


def test_the_example_of_the_module_holds() -> None:
    text, removed = clean("\ufeffPlan\x00 B: co\u00adoperate", DEFAULT)
    assert text == "Plan B: cooperate"
    assert removed == {"byte_order_mark": 1, "control": 1, "soft_hyphen": 1}


def test_a_heading_behind_a_byte_order_mark_begins_the_text() -> None:
    assert clean("\ufeff---\ntitle: Plan\n---\n", DEFAULT)[0].startswith("---\n")
    assert clean("\x00\ufeff\u00ad\ufeff# First\n", DEFAULT) == (
        "# First\n",
        {"control": 1, "soft_hyphen": 1, "byte_order_mark": 2},
    )


def test_a_byte_order_mark_within_the_text_is_no_byte_order_mark() -> None:
    assert clean("one\ufefftwo", DEFAULT) == ("one\ufefftwo", {})


def test_what_parts_words_lines_or_pages_is_no_control_character() -> None:
    text = "a\tb\nc\rd\fe\x0bf\x1cg\x1dh\x1ei\x1fj\x85k"
    assert clean(text, DEFAULT) == (text, {})


@pytest.mark.parametrize("point", [*range(9), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0)])
@pytest.mark.parametrize("around", ["ab", "a" * 2000, "\u6f22", "\u6f22" * 2000, "\xe9\xb5"])
def test_every_other_control_character_goes(point: int, around: str) -> None:
    assert clean(f"{around}{chr(point)}{around}", DEFAULT) == (around * 2, {"control": 1})


def test_the_colours_of_a_terminal_go_whole() -> None:
    assert clean("\x1b[1;31mred\x1b[0m, and [31m stays", DEFAULT) == ("red, and [31m stays", {"control": 11})


def test_line_ends_become_line_feeds_only_on_request() -> None:
    text = "one\r\ntwo\rthree\nfour\r\r\n"
    assert clean(text, DEFAULT) == (text, {})
    assert clean(text, Cleaning(line_ends="unix")) == ("one\ntwo\nthree\nfour\n\n", {"line_ends": 2})


def test_a_lone_carriage_return_is_changed_and_nothing_is_dropped() -> None:
    assert clean("one\rtwo", Cleaning(line_ends="unix")) == ("one\ntwo", {})


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (0, "a\n  b\r\nc\f\nd\n"),
        (1, "a\n\n  b\r\n \r\nc\f\n\nd\n"),
        (2, "a\n\n\t\n  b\r\n \r\nc\f\n\nd\n"),
        (3, "a\n\n\t\n\n  b\r\n \r\nc\f\n\nd\n"),
    ],
)
def test_runs_of_blank_lines_are_shortened_to_the_number_given(most: int, expected: str) -> None:
    text = "a\n\n\t\n\n  b\r\n \r\nc\f\n\nd\n"
    cleaned, removed = clean(text, Cleaning(blank_lines=most))
    assert cleaned == expected
    assert removed.get("blank_lines", 0) == len(text) - len(expected)


def test_indentation_behind_blank_lines_stays() -> None:
    assert clean("def f():\n\n\n\n    return 1", Cleaning(blank_lines=1))[0] == "def f():\n\n    return 1"


def test_marks_are_composed_on_request_and_counted() -> None:
    text = "cafe\u0301 na\u00efve \u6f22\u6f22"
    assert clean(text, DEFAULT) == (text, {})
    assert clean(text, Cleaning(nfc=True)) == ("caf\u00e9 na\u00efve \u6f22\u6f22", {"nfc": 2})


def test_a_change_that_keeps_the_length_is_counted_too() -> None:
    assert clean("5 k\u2126", Cleaning(nfc=True)) == ("5 k\u03a9", {"nfc": 1})


def test_a_soft_hyphen_between_letter_and_mark_does_not_hinder_composing() -> None:
    assert clean("e\u00ad\u0301", Cleaning(nfc=True))[0] == "\u00e9"


@pytest.mark.parametrize(
    "text", ["", "plain text\n", "\u6f22\u5b57 \u00e9\u00a0\u00bb", "x" * 5000, "\U0001f680" * 500]
)
def test_a_text_that_needs_nothing_is_the_same_object(text: str) -> None:
    assert clean(text, ALL)[0] is text


@pytest.mark.parametrize("text", NASTY)
def test_with_everything_off_every_text_is_the_same_object(text: str) -> None:
    assert clean(text, NOTHING) == (text, {})
    assert clean(text, NOTHING)[0] is text


def test_a_lone_surrogate_is_left_to_others() -> None:
    assert clean("\ud800a\x00b\u00e9e\u0301", Cleaning(nfc=True))[0] == "\ud800ab\u00e9\u00e9"


@given(dirty(), options())
def test_cleaning_twice_is_cleaning_once(text: str, chosen: Cleaning) -> None:
    once, removed = clean(text, chosen)
    again, nothing = clean(once, chosen)
    assert again is once
    assert nothing == {}
    assert all(count > 0 for count in removed.values())


@given(dirty(), options())
def test_counts_add_up_to_what_is_missing(text: str, chosen: Cleaning) -> None:
    plain = chosen.model_copy(update={"nfc": False})
    cleaned, removed = clean(text, plain)
    assert len(text) - len(cleaned) == sum(removed.values())


@given(dirty())
def test_nothing_but_what_is_named_is_dropped(text: str) -> None:
    """What stays is a subsequence of the text, and what went is a control, a soft hyphen or part of a colour."""
    cleaned, _ = clean(text, DEFAULT)
    left = iter(text)
    assert all(character in left for character in cleaned)
    if "\x1b" not in text:
        kept = [c for c in text if not (c in "\u00ad\ufeff" or (unicodedata.category(c) == "Cc" and not c.isspace()))]
        assert [character for character in cleaned if character != "\ufeff"] == kept


@given(dirty())
def test_normalization_is_the_standards(text: str) -> None:
    expected = unicodedata.normalize("NFC", text)
    cleaned, removed = clean(text, NOTHING.model_copy(update={"nfc": True}))
    assert cleaned == expected
    assert ("nfc" in removed) == (cleaned != text)


@pytest.mark.parametrize(
    "text", ["\n" * 200_000, "\n " * 100_000, " " * 200_000, "\x1b[" * 100_000, "e\u0301" * 50_000]
)
def test_long_runs_of_what_is_looked_for_are_survived(text: str) -> None:
    assert len(clean(text, ALL)[0]) <= len(text)


@pytest.mark.parametrize("fault", [{"blank_lines": -1}, {"line_ends": "dos"}, {"bom": True}])
def test_a_setting_that_cannot_be_is_refused(fault: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Cleaning(**fault)
