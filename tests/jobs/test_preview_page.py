"""The page of a preview in a real browser: it shows, it jumps, it asks for nothing, and text stays text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs import cli
from jobs.exit_codes import ExitCode
from tests.conftest import Page
from tests.jobs.test_preview import HOSTILE, TEXT

Open = Callable[..., Page]
SMALL = ("--set", "profiles.default.size=24", "--set", "profiles.default.overlap=8")
KEEP_CONTROL = ("--set", "profiles.default.clean.control=false", "--set", "profiles.default.size=96")


def page_of(folder: Path, text: str, *options: str, name: str = "doc.md") -> Path:
    (folder / name).write_text(text, encoding="utf-8", newline="")
    assert cli.main(["preview", str(folder / name), "--html", str(folder / "page.html"), *options]) == 0
    return folder / "page.html"


@pytest.fixture
def pumps(tmp_path: Path) -> Path:
    return page_of(tmp_path, TEXT * 6, "--profile", "markdown", *SMALL)


def assert_quiet(page: Page) -> None:
    assert (page.complaints, page.requests) == ([], [])


def test_the_page_shows_every_chunk_once_and_a_bar_for_each(pumps: Path, open_page: Open) -> None:
    page = open_page(pumps)
    assert_quiet(page)
    chunks = page.view.locator(".block[id]").count()
    assert chunks > 20
    assert page.view.locator(".cards b").first.inner_text() == str(chunks)
    hrefs = page.view.eval_on_selector_all(".bars svg a", "all => all.map(a => a.href.baseVal)")
    assert set(hrefs) == {f"#to-a-{index}" for index in range(chunks)}


def test_a_click_on_a_bar_goes_to_its_chunk_which_is_in_view_and_marked(pumps: Path, open_page: Open) -> None:
    page = open_page(pumps)
    page.view.emulate_media(reduced_motion="reduce")  # no gliding: the place is reached at once
    page.view.locator('.bars svg a[*|href="#to-a-17"]').last.click()
    assert page.view.evaluate("location.hash") == "#to-a-17"
    chart, block = page.view.locator(".bars"), page.view.locator("#to-a-17")
    top, bottom = (
        page.view.evaluate("e => e.getBoundingClientRect()." + side, block.element_handle())
        for side in ("top", "bottom")
    )
    assert chart.bounding_box()["y"] >= 0
    assert chart.bounding_box()["y"] + chart.bounding_box()["height"] <= top < bottom
    assert top < 900
    assert page.view.locator("#to-a-17 .body").evaluate("e => getComputedStyle(e).outlineStyle") == "solid"


def test_overlaps_are_hatched_in_the_tints_of_both_chunks_and_context_stands_apart(
    pumps: Path, open_page: Open
) -> None:
    page = open_page(pumps)
    hatch = page.view.locator(".document .overlap").first.evaluate("e => getComputedStyle(e).backgroundImage")
    assert hatch.startswith("repeating-linear-gradient")
    colours = set(re.findall(r"rgba?\([^)]*\)", hatch))
    assert len(colours) == 2
    assert page.view.locator(".context .text").first.inner_text() == "Pumps"
    assert page.view.locator(".side .section").first.inner_text() == "Pumps"


def test_neighbours_differ_in_tint_and_dark_differs_from_light(pumps: Path, open_page: Open) -> None:
    tints = "all => all.map(e => getComputedStyle(e).backgroundColor)"
    light, dark = (
        open_page(pumps, dark=dark).view.eval_on_selector_all(".block[id] .body", tints) for dark in (False, True)
    )
    assert all(one != after for one, after in itertools.pairwise(light))
    assert not set(light) & set(dark)


@pytest.mark.parametrize("options", [(), ("--diff", "sentence")])
def test_a_phone_scrolls_in_one_direction_only(tmp_path: Path, open_page: Open, options: tuple[str, ...]) -> None:
    text = TEXT + "\n\n" + "w" * 900 + "\n\n| a |" + " b |" * 60 + "\n\n# " + "Heading" * 30 + "\n\n" + TEXT
    page = open_page(
        page_of(tmp_path, text, "--profile", "markdown", *SMALL, *options, name="n" * 99 + ".md"), width=360
    )
    assert_quiet(page)
    assert page.view.evaluate("document.documentElement.scrollWidth") <= 360


def test_forced_cuts_are_red_bars_and_are_counted(tmp_path: Path, open_page: Open) -> None:
    page = open_page(page_of(tmp_path, "One. Two. " * 9 + "x" * 300, *SMALL))
    assert_quiet(page)
    fills = page.view.eval_on_selector_all(".bars svg path", "all => all.map(e => getComputedStyle(e).fill)")
    red = page.view.locator(".alarming b").evaluate("e => getComputedStyle(e).color")
    forced = int(page.view.locator(".alarming b").inner_text())
    assert forced > 1
    assert fills.count(red) == forced
    assert f"{forced} of" in page.view.locator(".warning").inner_text()


@pytest.mark.parametrize("options", [(), ("--diff", "recursive")])
def test_hostile_text_stays_text(tmp_path: Path, open_page: Open, options: tuple[str, ...]) -> None:
    name = "<script>x{{ 7*7 }}&.md"
    made = page_of(tmp_path, HOSTILE * 4, "--profile", "markdown", *KEEP_CONTROL, *options, name=name)
    page = open_page(made)
    assert_quiet(page)
    assert page.view.locator("script, img, iframe, link[rel=stylesheet]").count() == 0
    assert name in page.view.title()
    shown = page.view.locator(".document").first.inner_text()
    for text in (
        "<script>alert(1)</script>",
        "</style>",
        "{{ 7*7 }}",
        "\\x1b[31mred",
        "\\u202eRTL",
        "\\x00NUL",
        "$x^2$",
    ):
        assert text in shown
    assert not set(made.read_text(encoding="utf-8")) & set("\x1b\x00\x07\u202e\u2066")


def test_a_huge_document_gives_a_page_that_says_what_it_leaves_out(tmp_path: Path, open_page: Open) -> None:
    made = page_of(tmp_path, "A sentence of some words. " * 100_000)
    assert made.stat().st_size < 1_500_000
    page = open_page(made)
    assert_quiet(page)
    shown = page.view.locator(".block[id]").count()
    chunks = int(page.view.locator(".cards b").first.inner_text().replace(",", ""))
    assert f"{chunks - shown:,} more chunks are not shown." in page.view.locator(".document").inner_text()
    assert "stands for" in page.view.locator(".bars p").inner_text()
    for href in page.view.eval_on_selector_all(".bars svg a", "all => all.map(a => a.href.baseVal)"):
        assert page.view.locator(href).count() == 1


def test_a_comparison_has_both_side_by_side_or_on_a_phone_one_below_the_other(tmp_path: Path, open_page: Open) -> None:
    made = page_of(tmp_path, TEXT * 3, "--diff", "markdown", *SMALL)
    for width, beside in ((1200, True), (400, False)):
        page = open_page(made, width=width)
        assert_quiet(page)
        left, right = (page.view.locator(".columns section").nth(place).bounding_box() for place in (0, 1))
        assert (left["y"] == right["y"]) == beside
        assert page.view.locator(".columns svg").count() == 2
    page.view.locator("details summary").click()
    link = page.view.locator("details a").first
    target = link.get_attribute("href")
    link.click()
    assert page.view.locator(target).count() == 1
    assert page.view.evaluate("location.hash") == target


def test_a_directory_has_its_files_in_a_table_that_leads_to_those_that_are_drawn(
    tmp_path: Path, open_page: Open
) -> None:
    lake = tmp_path / "lake"
    lake.mkdir()
    for name in ("a.md", "b.md", "<b>.md"):
        (lake / name).write_text(TEXT, encoding="utf-8")
    (lake / "bad.txt").write_bytes(b"x" * 9000 + b"\xff")
    assert cli.main(["preview", str(lake), "--html", str(tmp_path)]) == 0
    page = open_page(tmp_path / "lake.preview.html")
    assert_quiet(page)
    rows = page.view.eval_on_selector_all("tr", "all => all.map(row => row.innerText)")
    assert any(row.startswith("bad.txt") and "not UTF-8" in row for row in rows)
    page.view.get_by_role("link", name="<b>.md").click()
    assert page.view.locator(page.view.evaluate("location.hash")).locator("h2").inner_text() == "<b>.md"
    ids = page.view.eval_on_selector_all("[id]", "all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))


def test_an_empty_document_has_a_page(tmp_path: Path, open_page: Open) -> None:
    page = open_page(page_of(tmp_path, " \n"))
    assert_quiet(page)
    assert "No chunks" in page.view.locator("main").inner_text()


def test_the_same_document_gives_the_same_page(tmp_path: Path) -> None:
    first = page_of(tmp_path, TEXT, *SMALL).read_bytes()
    assert page_of(tmp_path, TEXT, *SMALL).read_bytes() == first


def test_without_the_extra_the_message_says_how_to_get_it_and_nothing_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jobs.previewing.asked.can_show", lambda: False)
    gone = str(tmp_path / "gone.md")
    assert cli.main(["preview", gone, "--html", str(tmp_path / "a.html")]) == ExitCode.FAILURE
    assert "pip install 'lakechunk[report]'" in capsys.readouterr().err


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    (tmp_path / "x.html").mkdir()
    (tmp_path / "x.html" / "a.md.preview.html").mkdir()
    assert cli.main(["preview", str(tmp_path / "a.md"), "--html", str(tmp_path / "x.html")]) == ExitCode.INPUT
    assert "cannot be written" in capsys.readouterr().err


def test_a_page_never_takes_the_place_of_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = tmp_path / "a.html"
    document.write_text("<p>One.</p>")
    (tmp_path / "x").mkdir()
    assert cli.main(["preview", str(document), "--html", str(tmp_path / "x" / ".." / "a.html")]) == ExitCode.SETTINGS
    assert "would replace the document" in capsys.readouterr().err
    assert document.read_text() == "<p>One.</p>"
