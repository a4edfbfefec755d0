"""The charts of the report: the flow of documents, sizes, cuts. Only numbers, names of profiles and our own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jobs.showing.charts import (
    ACCENT,
    ALERT,
    CUT_COLOURS,
    GOOD,
    LINE,
    MUTED,
    PANEL,
    SECOND,
    as_svg,
    chart_style,
    figure_of,
)
from udfs.chunking import CUTS

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes

# Inches; the page scales a chart to its column, where its text comes out about as large as that of the page.
_WIDTH, _NARROW = 5.2, 4.2

STATUS_COLOURS = {"chunked": GOOD, "unchanged": ACCENT, "empty": SECOND, "rejected": ALERT}
MARKED_PERCENTILES = (5, 50, 95, 99)

# Labels of marks nearer to each other than this share of the axis stand one above the other.
_TOO_NEAR = 0.11
_NAME_LENGTH = 18


def flow_chart(statuses: Mapping[str, int]) -> Markup:
    """Documents by status, as one bar."""
    with chart_style():
        figure = figure_of(_WIDTH, 0.62)
        axes = figure.add_subplot()
        _one_row_of_bars(axes)
        before, tips = 0, {}
        for status, colour in STATUS_COLOURS.items():
            if count := statuses.get(status, 0):
                part = f"status-{status}"
                axes.barh([0], [count], left=[before], color=colour, edgecolor=PANEL, linewidth=1, gid=part)
                axes.patches[-1].set_gid(part)
                tips[part] = f"{status}: {count:,} documents"
                before += count
        axes.set_xlim(0, max(before, 1))
        return as_svg(figure, "flow-chart", f"Documents by status: {_listed(statuses)}", tips)


def size_chart(
    bins: Sequence[Mapping[str, Any]], marks: Mapping[str, float], limits: Sequence[int], unit: str, name: str
) -> Markup:
    """A histogram with its percentiles and limits marked.

    Args:
        bins: rows of the table `histograms`.
        marks: the place of each mark, by its label.
        limits: of the profiles in it.
        unit: tokens or characters.
        name: of the chart, in the page.
    """
    with chart_style():
        figure = figure_of(_NARROW, 2.3)
        axes = figure.add_subplot()
        starts, ends = [row["bin_start"] for row in bins], [row["bin_end"] for row in bins]
        counts = [row["chunk_count"] for row in bins]
        widths = [end - start for start, end in zip(starts, ends, strict=True)]
        axes.bar(starts, counts, widths, align="edge", color=ACCENT, edgecolor=PANEL, linewidth=0.8)
        tips = _bin_tips(axes, bins, unit)
        right = max([*ends, *limits, 1])
        axes.set_xlim(0, right * 1.02)
        _mark(axes, marks, limits, right)
        axes.set_xlabel(unit)
        axes.set_ylabel("chunks")
        _plain_numbers(axes)
        return as_svg(figure, name, f"Sizes of chunks in {unit}: {_listed(marks)}", tips)


def cuts_chart(rows: Sequence[tuple[str, Mapping[str, float]]]) -> Markup:
    """The share of each kind of cut, one bar for all chunks and each profile."""
    with chart_style():
        figure = figure_of(_WIDTH, 0.45 + 0.3 * len(rows))
        axes = figure.add_subplot()
        tips = {}
        for place, (label, shares) in enumerate(rows):
            before = 0.0
            for cut, colour in zip(CUTS, CUT_COLOURS, strict=True):
                if share := shares.get(cut, 0.0):
                    part = f"cut-{place}-{cut}"
                    axes.barh([place], [share], 0.72, left=[before], color=colour, edgecolor=PANEL, linewidth=0.8)
                    axes.patches[-1].set_gid(part)
                    tips[part] = f"{label}: {share:.1%} end at: {cut}"
                    before += share
        axes.set_yticks(range(len(rows)), [_short(label) for label, _ in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.tick_params(length=0)
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return as_svg(figure, "cuts-chart", "Share of each kind of cut, by profile", tips)


def _one_row_of_bars(axes: Axes) -> None:
    axes.set_axis_off()
    axes.set_ylim(-0.4, 0.4)
    axes.margins(0)


def _bin_tips(axes: Axes, bins: Sequence[Mapping[str, Any]], unit: str) -> dict[str, str]:
    tips = {}
    for place, (bar, row) in enumerate(zip(axes.patches, bins, strict=True)):
        part = f"bin-{place}"
        bar.set_gid(part)
        chunks = f"{row['chunk_count']:,} chunk{'' if row['chunk_count'] == 1 else 's'}"
        tips[part] = f"{row['bin_start'] + 1:,} to {row['bin_end']:,} {unit}: {chunks}"
    return tips


def _mark(axes: Axes, marks: Mapping[str, float], limits: Sequence[int], right: float) -> None:
    """Lines with labels above the axes; labels that would touch stand in rows."""
    for limit in limits:
        axes.axvline(limit, color=ALERT, linewidth=1.4)
    labels = [(float(limit), "limit", ALERT) for limit in limits]
    labels += sorted((place, label, MUTED) for label, place in marks.items())
    rows: list[list[float]] = []
    for place, label, colour in labels:
        free = (n for n, row in enumerate(rows) if all(abs(place - other) >= _TOO_NEAR * right for other in row))
        row = next(free, len(rows))
        rows[row : row + 1] = [[*(rows[row] if row < len(rows) else []), place]]
        axes.annotate(
            label,
            (place, 1),
            xytext=(0, 2 + 11 * row),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            color=colour,
            fontsize=9,
        )
        if colour == MUTED:
            axes.axvline(place, color=SECOND, linewidth=1.1, linestyle=(0, (3, 2)))


def _plain_numbers(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.tick_params(color=LINE)


def _listed(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:,.0f}" for name, value in values.items())


def _short(label: str) -> str:
    return label if len(label) <= _NAME_LENGTH else label[: _NAME_LENGTH - 1] + "…"
