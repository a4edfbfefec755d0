"""Charts: matplotlib draws, the page colours."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import pytest

from jobs.reporting.figures import cuts_chart, flow_chart, size_chart
from jobs.showing.charts import ACCENT, as_svg, chart_style, figure_of

BINS = [{"bin_start": 16 * n, "bin_end": 16 * (n + 1), "chunk_count": n + 1} for n in range(32)]
MARKS = {"p5": 30.0, "p50": 250.0, "p95": 500.0, "p99": 510.0}


def bars(name: str = "bars", tips: dict[str, str] | None = None, title: str = "") -> str:
    with chart_style():
        figure = figure_of(4, 2)
        axes = figure.add_subplot()
        axes.bar([1, 2], [3, 4], color=ACCENT)
        axes.patches[0].set_gid("first")
        axes.set_title(title)
        return str(as_svg(figure, name, 'What "it" shows', tips))


def test_a_chart_takes_its_colours_from_the_page() -> None:
    for chart in (bars(), flow_chart({"chunked": 3, "rejected": 1}), cuts_chart([("all", {"end": 0.5, "word": 0.5})])):
        assert "var(--" in chart
        assert "#0a0" not in chart


def test_the_same_chart_is_drawn_the_same_twice_and_whatever_the_users_style() -> None:
    before = bars()
    with mpl.rc_context({"axes.facecolor": "red", "svg.fonttype": "path", "font.size": 30}):
        assert bars() == before


def test_two_charts_of_one_page_share_no_ids() -> None:
    ids = [set(re.findall(r'\bid="([^"]+)"', bars(name))) for name in ("one", "two")]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_a_part_says_what_it_is_and_markup_in_it_is_text() -> None:
    drawn = bars(tips={"first": "<script>alert(1)</script> & 3"})
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; 3</title>" in drawn
    assert "<script" not in drawn


def test_markup_and_formulas_in_a_chart_are_text() -> None:
    drawn = bars(title=r"<b>$\frac{1}{2}$</b>")
    assert r"&lt;b&gt;$\frac{1}{2}$&lt;/b&gt;" in drawn


def test_a_chart_says_what_it_shows() -> None:
    assert 'role="img" aria-label="What &#34;it&#34; shows"' in bars()
    assert 'aria-label="Documents by status: chunked 3, empty 0"' in flow_chart({"chunked": 3, "empty": 0})


def test_every_bin_every_percentile_and_the_limit_are_drawn() -> None:
    drawn = size_chart(BINS, MARKS, [512], "tokens", "sizes-0")
    assert all(f'id="sizes-0-bin-{n}"' in drawn for n in range(32))
    assert "<title>1 to 16 tokens: 1 chunk</title>" in drawn
    assert "<title>497 to 512 tokens: 32 chunks</title>" in drawn
    assert all(f">{label}</text>" in drawn for label in [*MARKS, "limit", "tokens", "chunks"])


def test_labels_of_marks_that_are_near_stand_in_rows() -> None:
    drawn = size_chart(BINS, MARKS, [512], "tokens", "sizes-0")
    places = {
        label: float(found[1])
        for label in [*MARKS, "limit"]
        if (found := re.search(rf'y="([\d.]+)"[^>]*>{label}</text>', drawn))
        or (found := re.search(rf"translate\([\d.]+ ([\d.]+)\)[^>]*>{label}</text>", drawn))
    }
    assert places["p5"] == places["p50"] == places["limit"]
    assert len({places[label] for label in ("p95", "p99", "limit")}) == 3


def test_empty_tables_make_empty_charts() -> None:
    assert "<svg" in flow_chart({"chunked": 0})
    assert "<svg" in size_chart([], {}, [], "tokens", "none")
    assert "<svg" in cuts_chart([("all chunks", {})])


def test_nothing_of_matplotlib_is_imported_before_a_chart_is_drawn(tmp_path: Path) -> None:
    import subprocess
    import sys

    from tests.conftest import ROOT

    code = "import sys, jobs.report, jobs.reporting; sys.exit('matplotlib' in sys.modules or 'jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, env={"HOME": str(tmp_path)})
    assert done.returncode == 0


def test_a_chart_without_the_extra_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from jobs.errors import MissingExtraError

    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lakechunk\[report\]'"):
        bars()
