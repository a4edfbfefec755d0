"""Running lines: what recurs at the edges of pages is found, and no text is taken for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.udfs.chunking.nasty import documents
from udfs.chunking.formats import page_edges
from udfs.chunking.formats.running_lines import running_lines

NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()


def body(number: int) -> str:
    name = NAMES[number % len(NAMES)]
    return (
        f"The {name} pipe is {number * 7} metres long.\nIt leaks at {name}, they say.\nNobody has seen {name} since.\n"
    )


def book(count: int, page: Callable[[int, str], str]) -> list[str]:
    """Pages made of their number, from 1, and a text that differs from page to page."""
    return [page(number, body(number)) for number in range(1, count + 1)]


def dropped(pages: Sequence[str]) -> list[list[tuple[str, str]]]:
    """What was found on each page: reason and line."""
    found = running_lines(pages)
    return [[(line.reason, page[line.start : line.end].strip()) for line in lines] for page, lines in zip(pages, found)]  # noqa: B905


def nothing(pages: Sequence[str]) -> bool:
    return not any(running_lines(pages))


def test_header_footer_and_page_number_are_found_with_their_line_breaks() -> None:
    pages = book(4, lambda n, text: f"ACME handbook\n\n{text}\nFor internal use\n  - {n} -\n")
    assert dropped(pages)[2] == [
        ("running_header", "ACME handbook"),
        ("running_footer", "For internal use"),
        ("page_number", "- 3 -"),
    ]
    first = running_lines(pages)[0][0]
    assert (first.start, first.end, first.at_top) == (0, len("ACME handbook\n"), True)


@pytest.mark.parametrize(
    "line",
    [
        "{n}",
        "Page {n}",
        "page {n} of 17",
        "{n}/17",
        "- {n} -",
        "[{n}]",
        "Seite {n} von 17",
        "p. {n}",
        "\u7b2c {n} \u9875",
    ],
)
def test_page_numbers_are_known_in_many_forms(line: str) -> None:
    pages = book(5, lambda n, text: f"{text}\n{line.format(n=n + 20)}")
    assert dropped(pages)[1] == [("page_number", line.format(n=22))]


def test_roman_page_numbers_are_numbers() -> None:
    numerals = ["ii", "iii", "iv", "v", "vi"]
    pages = [f"{body(number)}\n{numeral}\n" for number, numeral in enumerate(numerals)]
    assert dropped(pages) == [[("page_number", numeral)] for numeral in numerals]


def test_roman_numbers_may_stand_behind_words_too() -> None:
    pages = [f"Preface to pipes {numeral}\n{body(n)}" for n, numeral in enumerate(("ii", "iii", "iv", "v", "vi"))]
    assert dropped(pages)[2] == [("running_header", "Preface to pipes iv")]


def test_a_line_of_which_an_end_was_not_seen_is_no_edge_line() -> None:
    page = "\n".join(letter * 250 for letter in "abcdef")
    assert [line.text[0] for line in page_edges.top_lines(page)] == ["a", "b"]
    assert [line.text[0] for line in page_edges.bottom_lines(page)] == ["f", "e"]


def test_lines_that_differ_in_numbers_have_the_same_key() -> None:
    assert page_edges._key("ACME  Page 3 of 17") == ("acme page 0 of 0", (3, 17))
    assert page_edges._key("(xiv)") == ("0", (14,))
    assert page_edges._key("order 12345678901") == ("order 12345678901", ())


@pytest.mark.parametrize(
    ("word", "value"), [("xiv", 14), ("mcmxc", 1990), ("iiii", 0), ("mild", 0), ("vx", 0), ("", 0)]
)
def test_roman_numerals_are_read(word: str, value: int) -> None:
    assert page_edges._roman(word) == value


def test_left_and_right_pages_may_differ() -> None:
    pages = book(8, lambda n, text: (f"{n}   The Pipe\n" if n % 2 else f"Leaks and Losses   {n}\n") + text)
    assert dropped(pages)[2] == [("running_header", "3   The Pipe")]
    assert dropped(pages)[3] == [("running_header", "Leaks and Losses   4")]


def test_left_pages_alone_suffice() -> None:
    pages = book(9, lambda n, text: text if n % 2 else f"Leaks and Losses\n{text}")
    assert [len(lines) for lines in running_lines(pages)] == [0, 1, 0, 1, 0, 1, 0, 1, 0]


def test_a_title_page_and_a_blank_page_do_not_hinder() -> None:
    pages = ["The Pipe\n", "", *book(5, lambda n, text: f"On pipes | {n}\n{text}")]
    assert [len(lines) for lines in running_lines(pages)] == [0, 0, 1, 1, 1, 1, 1]


def test_numbers_that_grow_otherwise_than_the_pages_are_text() -> None:
    assert nothing(book(9, lambda n, text: f"{text}Total {n * n}\n"))
    assert nothing(book(9, lambda n, text: f"{n * 31 % 17}  {n * 7 % 13}  {n}\n{text}"))


def test_numbers_too_long_for_pages_are_words() -> None:
    assert nothing(book(9, lambda n, text: f"Order {n}7351846209\n{text}"))


def test_a_counted_title_is_text() -> None:
    assert nothing(book(9, lambda n, text: f"Question {n}\n{text}"))
    assert nothing(book(9, lambda n, text: f"Step {n}\n{text}"))


def test_two_pages_are_too_few() -> None:
    assert nothing(book(2, lambda n, text: f"ACME handbook\n{text}{n}\n"))


def test_a_line_on_two_pages_of_three_is_text() -> None:
    assert nothing(book(3, lambda n, text: f"ACME handbook\n{text}" if n > 1 else text))


def test_what_recurs_on_few_pages_is_text() -> None:
    assert nothing(book(9, lambda n, text: f"ACME handbook\n{text}" if n in (1, 4, 5) else text))


@pytest.mark.parametrize("gap", [" | ", "\t", "   "])
def test_a_table_header_that_recurs_stays(gap: str) -> None:
    def page(number: int, text: str) -> str:
        rows = "\n".join(gap.join((f"Site {number}{row}", str(row * 7), str(row * number))) for row in range(5))
        return f"Consumption of water\n{gap.join(('Site', 'First', 'Second'))}\n{rows}\n{text}"

    assert dropped(book(5, page))[1] == [("running_header", "Consumption of water")]


def test_a_last_row_that_recurs_stays() -> None:
    assert nothing(book(5, lambda n, text: f"{text}A{n}  {n * n}  x\nSumme  100  total\n"))


def test_text_that_recurs_further_in_stays() -> None:
    """Each recipe has its ingredients: the title above differs, so this is no header."""
    assert nothing(book(6, lambda n, text: f"Soup of {NAMES[n]}\nIngredients\n{text}"))


def test_a_page_number_further_in_is_one_still() -> None:
    pages = book(6, lambda n, text: f"Chapter on {NAMES[n]}\n{n}\n{text}")
    assert dropped(pages)[0] == [("page_number", "1")]


def test_closing_brackets_of_code_are_no_footer() -> None:
    assert nothing([f"{body(number)}  }}\n}}\n" for number in range(6)])


def test_a_page_with_nothing_else_keeps_its_lines() -> None:
    pages = book(6, lambda n, text: f"ACME handbook\n{text}{n}\n")
    pages[3] = "ACME handbook\n\n4\n"
    assert [len(lines) for lines in running_lines(pages)] == [2, 2, 2, 0, 2, 2]
    assert nothing(["Thank you!\n"] * 5)


def test_a_long_line_is_text() -> None:
    assert nothing([f"{'All rights reserved. ' * 20}\n{body(number)}" for number in range(5)])


def test_lines_are_found_whatever_ends_them() -> None:
    pages = [page.replace("\n", "\r\n") for page in book(4, lambda n, text: f"ACME handbook\n{text}{n}")]
    assert dropped(pages)[0] == [("running_header", "ACME handbook"), ("page_number", "1")]
    first = running_lines(pages)[0][0]
    assert pages[0][first.start : first.end] == "ACME handbook\r\n"


def test_a_sign_that_stands_for_numbers_confuses_nobody() -> None:
    assert nothing(["# 12\nx", "1 12\ny", "# 13\nz", "0 0 1\nz", "00 1\nz"])


@given(st.lists(st.one_of(documents(), st.sampled_from(["", "Header\n1\ntext", "Header\n2\ntext"])), max_size=8))
def test_lines_are_in_order_apart_and_never_a_whole_page(pages: list[str]) -> None:
    for page, lines in zip(pages, running_lines(pages), strict=True):
        position = 0
        for line in lines:
            assert position <= line.start < line.end <= len(page)
            assert page[line.start : line.end].strip()
            position = line.end
        rest = "".join(page[line.start : line.end] for line in lines)
        assert not lines or len("".join(rest.split())) < len("".join(page.split()))


@pytest.mark.parametrize(
    "page",
    ["x" * 1_000_000, "\n" * 1_000_000 + "x", "x" + " \n" * 500_000, "1 " * 500_000, "\r" * 1_000_000, "9" * 5000],
    ids=["line", "leading", "trailing", "numbers", "returns", "digits"],
)
def test_large_odd_pages_are_survived(page: str) -> None:
    running_lines([page, "Header\n" + page, "Header\n" + page])


def test_what_is_looked_at_of_a_page_does_not_grow_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = page_edges._key

    def recording(text: str) -> tuple[str, tuple[int, ...]]:
        seen.append(len(text))
        return real(text)

    monkeypatch.setattr(page_edges, "_key", recording)
    running_lines([body(1) * 1000, "x " * 100_000, "\n" * 100_000 + body(1)])
    assert len(seen) <= 3 * 2 * page_edges.BAND
    assert max(seen) <= 200
