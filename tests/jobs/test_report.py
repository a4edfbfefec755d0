"""The report of a run: one page, whatever the documents hold."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.cli import main
from jobs.errors import InputError
from jobs.exit_codes import ExitCode
from jobs.report import write_report
from jobs.reporting.histograms import MOST_BARS, histograms
from schemas import HISTOGRAMS
from tests.conftest import Page, Result

OpenPage = Callable[..., Page]

ATTACKS = {
    "script": "<script>window.taken = 1; alert(1)</script>",
    "style": "</style></pre></div><style>body { display: none }</style>",
    "template": "{{ 7 * 7 }}{% raw %}",
    "picture": '<img src="http://127.0.0.1:9/a.png" onerror="window.taken = 1">',
    "frame": "<iframe src='http://127.0.0.1:9/'></iframe><base href='http://127.0.0.1:9/'>",
    "link": '"><a href="data:text/html,x" id="sizes">data</a><a href="javascript:window.taken=1">script</a>',
    "control": "bell\x07 escape\x1b[31m turned\u202e\u2066 end",
    "comment": "<!-- <svg onload=window.taken=1> ]]> &lt;b&gt; -->",
}
# An id must be an id; the same attacks, as far as they are.
IDS = {name: f"{name} \"'><b onclick=window.taken=1>{text}" for name, text in ATTACKS.items()}


def hostile_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {
            "id": IDS[name],
            "text": f"# {text}\n\n{text} " + "and more words. " * 30,
            "source": text,
            "content_type": text,
        }
        for name, text in ATTACKS.items()
    ]
    rows.append({"id": "line", "text": "<i>x</i>" * 130_000, "source": "'", "content_type": "text/plain"})
    rows.append({"id": "<b>lost</b>", "text": None, "source": "\x1b]0;x\x07", "content_type": "<u>"})
    rows += [{"id": f"twin {n}", "text": "<s>The same.</s>", "source": "a", "content_type": None} for n in range(4)]
    return rows


@pytest.fixture(scope="module")
def out(module_run: Callable[..., Result]) -> Result:
    profiles = "profiles={default: {size: 40, overlap: 8}, a-b_C: {extends: default, strategy: markdown, size: 30}}"
    rules = "routing=[{when: \"content_type LIKE '%script%'\", profile: a-b_C}, {profile: default}]"
    return module_run(hostile_rows(), profiles, rules)


@pytest.fixture(scope="module")
def page(out: Result, _session: Any) -> Path:
    written = write_report(str(out.path), spark=_session)
    assert Path(written.place) == out.path / "report.html"
    assert written.size == (out.path / "report.html").stat().st_size
    return out.path / "report.html"


def test_the_page_loads_nothing_runs_nothing_and_has_nothing_to_say(page: Path, open_page: OpenPage) -> None:
    opened = open_page(page)
    assert opened.complaints == []
    assert opened.requests == []
    assert opened.view.evaluate("window.taken") is None
    tags = "script, img, iframe, base, object, embed, form, input, i b, s, u, [onclick], [onerror], [onload]"
    assert opened.view.locator(tags).count() == 0
    assert opened.view.locator("style").count() - opened.view.locator("svg style").count() == 1
    links = opened.view.evaluate("[...document.querySelectorAll('a')].map(link => link.getAttribute('href'))")
    assert all(link.startswith("#") for link in links)


def test_what_attacks_is_shown_as_text(page: Path, open_page: OpenPage) -> None:
    view = open_page(page).view
    view.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    shown = view.inner_text("body")
    for name, text in ATTACKS.items():
        expected = r"bell\x07 escape\x1b[31m turned\u202e\u2066 end" if name == "control" else text
        assert expected in shown, name
    assert "<b>lost</b>" in shown
    assert "49" not in [word.strip() for word in shown.split()]
    assert "\x1b" not in page.read_text("utf-8")
    assert "\u202e" not in page.read_text("utf-8")


def test_the_charts_are_there_and_drawn_as_large_as_their_column(page: Path, open_page: OpenPage) -> None:
    view = open_page(page).view
    names = view.evaluate("[...document.querySelectorAll('svg.chart')].map(chart => chart.id)")
    assert names == ["flow-chart", "sizes-0", "sizes-1", "sizes-2", "cuts-chart"]
    for name in names:
        box = view.locator(f"#{name}").bounding_box()
        assert box["width"] > 250, name
        assert box["height"] > 25, name
    bars = view.evaluate("document.querySelectorAll('#sizes-0 [id^=sizes-0-bin]').length")
    assert bars > 3


def test_every_link_of_the_page_leads_to_one_place(page: Path, open_page: OpenPage) -> None:
    view = open_page(page).view
    ids = view.evaluate("[...document.querySelectorAll('[id]')].map(part => part.id)")
    assert len(ids) == len(set(ids))
    lost = "[...document.querySelectorAll('a')].filter(link => !document.querySelector(link.getAttribute('href')))"
    assert view.evaluate(f"{lost}.length") == 0
    view.click("nav a[href='#cuts']")
    assert view.evaluate("location.hash") == "#cuts"


def test_light_and_dark_are_both_readable(page: Path, open_page: OpenPage) -> None:
    asked = (
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color, "
        "getComputedStyle(document.querySelector('#sizes-0-bin-0 path')).fill]"
    )
    light, dark = (open_page(page, dark=dark).view.evaluate(asked) for dark in (False, True))
    assert all(one != other for one, other in zip(light, dark, strict=True))
    brightness = [sum(map(int, style[0][4:-1].split(","))) for style in (light, dark)]
    assert brightness[0] > 600
    assert brightness[1] < 150


@pytest.mark.parametrize("width", [320, 360, 400])
def test_a_phone_shows_the_page_without_scrolling_sideways(page: Path, open_page: OpenPage, width: int) -> None:
    view = open_page(page, width=width).view
    view.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    assert view.evaluate("document.documentElement.scrollWidth") == width


def test_counts_sizes_and_samples_are_those_of_the_run(page: Path, out: Result, open_page: OpenPage) -> None:
    view = open_page(page).view
    counts = out.record["counts"]
    cards = view.inner_text(".cards")
    assert f"{counts['input_rows']:,}\n" in cards
    assert f"{counts['chunks']:,}\n" in cards
    first = view.inner_text("#sizes tbody tr:first-child")
    assert first.split("\t")[:2] == ["all chunks", f"{counts['chunks']:,}"]
    assert "null_text 1" in view.inner_text("#rejects")
    chunks = out.rows("chunks")
    assert view.locator("#sample .document").count() == 5
    longest = max(row["token_count"] for row in chunks)
    assert view.locator("#chunks summary b").first.inner_text() == f"{longest} tokens"
    assert "4 times" in view.inner_text("#chunks") or "times" in view.inner_text("#chunks")
    assert "line" in view.inner_text("#large tbody tr:first-child")


def test_a_document_is_drawn_up_to_a_bound_and_the_page_says_so(page: Path, open_page: OpenPage) -> None:
    view = open_page(page).view
    view.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    blocks = view.evaluate("[...document.querySelectorAll('.document')].map(d => d.querySelectorAll('.block').length)")
    assert len(blocks) == 5
    assert max(blocks) <= 41
    assert view.locator("#sample .number").count() == sum(blocks)


def test_the_page_is_the_same_each_time(page: Path, out: Result, spark: Any, tmp_path: Path) -> None:
    write_report(str(out.path), to=str(tmp_path / "again.html"), spark=spark)
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_a_run_written_before_there_were_histograms_is_shown(
    out: Result, spark: Any, tmp_path: Path, open_page: OpenPage
) -> None:
    old = shutil.copytree(out.path, tmp_path / "old")
    shutil.rmtree(old / "histograms")
    record = {key: value for key, value in out.record.items() if key not in ("warnings", "slowest", "repeated_lines")}
    (old / "run.json").write_text(json.dumps(record))
    sizes = pa.concat_tables(pq.read_table(file) for file in (old / "sizes").glob("*.parquet"))
    shutil.rmtree(old / "sizes")
    (old / "sizes").mkdir()
    pq.write_table(sizes.drop_columns(["forced_cuts", "duplicates", "most_repeated"]), old / "sizes" / "a.parquet")
    write_report(str(old), spark=spark)
    opened = open_page(old / "report.html")
    assert opened.complaints == []
    shown = opened.view.inner_text("body")
    assert "no table of histograms" in shown
    assert "did not note how long" in shown
    assert opened.view.locator("svg.chart").count() == 2
    assert "times" in opened.view.inner_text("#chunks")


def test_a_run_without_chunks_has_a_report(run: Callable[..., Result], spark: Any, open_page: OpenPage) -> None:
    out = run([{"id": "a", "text": " "}, {"id": "b", "text": None}])
    write_report(str(out.path), spark=spark)
    opened = open_page(out.path / "report.html")
    assert opened.complaints == []
    assert "null_text" in opened.view.inner_text("#rejects")
    assert opened.view.locator("#sizes, #cuts, #sample").count() == 0


def test_lines_that_were_dropped_are_shown_as_they_are(
    run: Callable[..., Result], spark: Any, open_page: OpenPage
) -> None:
    rows = [{"id": f"{n}", "text": f"Go <b>home</b> & rest\nPage {n}.", "source": f"wiki/{n}"} for n in range(6)]
    out = run(rows, "input.repeated_lines.mode=drop")
    write_report(str(out.path), spark=spark)
    opened = open_page(out.path / "report.html")
    assert opened.complaints == []
    assert "wiki\tGo <b>home</b> & rest\t6\t100" in opened.view.inner_text("#removed")


def test_tables_of_another_format_are_shown(run: Callable[..., Result], spark: Any, open_page: OpenPage) -> None:
    out = run([{"id": f"{n}", "text": "A <b>word</b>. " * n} for n in range(1, 30)], "output.format=json")
    write_report(str(out.path), spark=spark)
    opened = open_page(out.path / "report.html")
    assert opened.complaints == []
    assert opened.view.locator("svg.chart").count() == 3
    assert "A <b>word</b>." in opened.view.inner_text("#sample")


def test_a_folder_without_a_run_is_refused_before_spark_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.session.get_session", lambda *_: pytest.fail("Spark was started"))
    with pytest.raises(InputError, match="holds no run of lakechunk"):
        write_report(str(tmp_path))


@pytest.mark.parametrize("place", ["missing/report.html", "."])
def test_a_wrong_place_is_told_before_spark_starts(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    monkeypatch.setattr("jobs.session.get_session", lambda *_: pytest.fail("Spark was started"))
    target = str(tmp_path / place)
    assert main(["report", "--output", str(page.parent), "--to", target]) == ExitCode.FAILURE
    assert f"--to {target!r}: " in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_told(
    page: Path, tmp_path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError("the disk is full")

    assert spark is not None
    monkeypatch.setattr("jobs.storage.ArrowStorage.write_text", full)
    target = tmp_path / "report.html"
    assert main(["report", "--output", str(page.parent), "--to", str(target)]) == ExitCode.FAILURE
    told = capsys.readouterr().err
    assert "the report cannot be written there: the disk is full" in told
    assert str(target) in told


def test_huge_chunks_neither_flatten_the_chart_nor_fill_it(spark: Any) -> None:
    bins = [("profile", "whole", "tokens", 16 * n, 16 * n + 16, 1) for n in range(5000)]
    bins += [("profile", "few", "tokens", 96, 112, 50), ("profile", "few", "tokens", 496, 512, 50)]
    bins += [("profile", "few", "tokens", 9_984, 10_000, 1), ("profile", "few", "characters", 0, 64, 101)]
    table = spark.createDataFrame(bins, HISTOGRAMS)
    percentiles = {"token_p5": 100, "token_p50": 500, "token_p95": 500}
    rows = [
        {"scope": "profile", "name": "whole", "chunk_count": 5000, "token_max": 80_000, "token_p99": 79_200},
        {"scope": "profile", "name": "few", "chunk_count": 101, "token_max": 10_000, "token_p99": 500},
    ]
    profile = {"strategy": "recursive", "size": 512, "unit": "tokens"}
    shown = histograms(table, [row | percentiles for row in rows], {"whole": profile, "few": profile})
    few = next(one for one in shown if one["name"] == "few")
    assert "<title>97 to 112 tokens: 50 chunks</title>" in few["chart"]
    assert "10,000" not in few["chart"]
    assert few["beyond"] == 1
    whole = next(one for one in shown if one["name"] == "whole")
    assert 48 <= whole["chart"].count("<title>") <= MOST_BARS + 1
    counted = sum(int(count) for count in re.findall(r"tokens: (\d+) chunk", whole["chart"]))
    assert (counted, whole["beyond"]) == (5000, 0)
