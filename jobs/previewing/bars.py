"""The sizes of a document's chunks as a chart: a bar for each, which leads to its chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from jobs.drawing import DrawnDocument
from jobs.showing.charts import ACCENT, ALERT, LINE, MUTED, as_svg, chart_style, figure_of
from udfs.chunking import Chunk

if TYPE_CHECKING:
    from markupsafe import Markup

# More bars are too thin to be hit.
MOST_BARS = 300
# Fewer would be as broad as barn doors.
_FEWEST_BARS = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a chunk, or several neighbours of which the largest gives the height.

    Attributes:
        first, last: the indexes of the chunks.
        size: in the unit of the limit.
        forced: a chunk of them ends within a sentence.
    """

    first: int
    last: int
    size: int
    forced: bool

    def told(self, unit: str) -> str:
        """What the bar says when pointed at.

        >>> Bar(0, 1, 20, True).told("tokens")
        'chunks 0 to 1: at most 20 tokens, a forced cut'
        """
        size = f"{self.size:,} {unit}" + (", a forced cut" if self.forced else "")
        return (
            f"chunk {self.first}: {size}"
            if self.first == self.last
            else f"chunks {self.first} to {self.last}: at most {size}"
        )


def bars_of(document: DrawnDocument, most: int = MOST_BARS) -> list[Bar]:
    """The bars of a document, at most so many: beyond, each stands for several chunks."""
    each = -(-len(document.chunks) // most)
    rest = iter(document.chunks)
    groups = iter(lambda: list(islice(rest, each)), [])
    return [_bar(document, group) for group in groups]


def size_chart(document: DrawnDocument, prefix: str, width: float = 12.0) -> Markup:
    """The chart as SVG. A bar leads to `#to-<prefix>-<index>` where that chunk is shown.

    Args:
        document: all of its chunks are in the chart.
        prefix: of the ids in the page; letters, digits and hyphens.
        width: in inches, at a height of 1.75.

    Raises:
        MissingExtraError: the extra `report` is not installed.
    """
    bars = bars_of(document)
    with chart_style():
        figure = figure_of(width, 1.75)
        axes: Any = figure.add_subplot()
        _draw_bars(axes, bars, document, prefix)
        axes.axhline(document.limit, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_xlim(-0.5, max(len(bars), _FEWEST_BARS) - 0.5)
        axes.set_ylim(0, 1.12 * max([document.limit, *(bar.size for bar in bars)]) or 1)
        axes.set_ylabel(document.unit)
        _number_bars(axes, bars)
        label = f"Sizes of {len(document.chunks):,} chunks in {document.unit}, and the limit of {document.limit:,}"
        tips = {f"{prefix}-bar-{place}": bar.told(document.unit) for place, bar in enumerate(bars)}
        return as_svg(figure, f"sizes-{prefix}", label, tips)


def _bar(document: DrawnDocument, group: Sequence[Chunk]) -> Bar:
    size = max(document.used(chunk) for chunk in group)
    forced = any(document.is_forced(chunk) for chunk in group)
    return Bar(group[0].chunk_index, group[-1].chunk_index, size, forced)


def _draw_bars(axes: Any, bars: Sequence[Bar], document: DrawnDocument, prefix: str) -> None:
    """Each bar before a pale one up to the limit, so that small ones can be hit, too."""
    places, shown = range(len(bars)), len(document.shown_chunks)
    colours = [ALERT if bar.forced else ACCENT for bar in bars]
    tracks = axes.bar(places, [max(bar.size, document.limit) for bar in bars], width=0.86, color=LINE, alpha=0.35)
    solid = axes.bar(places, [bar.size for bar in bars], width=0.86, color=colours)
    for place, bar in enumerate(bars):
        solid[place].set_gid(f"{prefix}-bar-{place}")
        if bar.first < shown:
            tracks[place].set_url(f"#to-{prefix}-{bar.first}")
            solid[place].set_url(f"#to-{prefix}-{bar.first}")


def _number_bars(axes: Any, bars: Sequence[Bar]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))
    ticks = [int(tick) for tick in axes.get_xticks() if 0 <= tick < len(bars) and tick == int(tick)]
    axes.set_xticks(ticks, [f"{bars[tick].first:,}" for tick in ticks])
    axes.tick_params(length=0)
