"""Charts as SVG inside a page: drawn by matplotlib, coloured by the page, so that they follow light and dark."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jobs.errors import MissingExtraError

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.figure import Figure

# What a chart is drawn with, and the style variable that stands in its place in the page. The numbers mean nothing;
# they only have to be found again.
TEXT, MUTED, LINE, ACCENT, ALERT, SECOND = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04", "#0a0b05", "#0a0b06"
GOOD, PANEL = "#0a0b07", "#0a0b08"
# The kinds of cuts, from structure to the middle of a word; the order is that of `udfs.chunking.CUTS`.
CUT_COLOURS = tuple(f"#0a0c{place:02x}" for place in range(9))
_VARIABLES = {
    TEXT: "var(--text)",
    MUTED: "var(--muted)",
    LINE: "var(--line)",
    ACCENT: "var(--accent)",
    ALERT: "var(--alert)",
    SECOND: "var(--second)",
    GOOD: "var(--good)",
    PANEL: "var(--panel)",
    **{colour: f"var(--cut-{place})" for place, colour in enumerate(CUT_COLOURS)},
}

_STYLE = {
    "axes.edgecolor": LINE,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.labelcolor": MUTED,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": TEXT,
    "figure.facecolor": "none",
    "font.size": 11,
    "grid.color": LINE,
    "savefig.facecolor": "none",
    "svg.fonttype": "none",  # text stays text: small, searchable, in the page's font
    "svg.hashsalt": "lakechunk",  # the same chart, the same file
    "text.color": TEXT,
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "xtick.color": MUTED,
    "ytick.color": MUTED,
}

_REFERENCE = re.compile(r'(\bid="|xlink:href="#|url\(#)(?!to-)')
_COLOUR = re.compile("|".join(_VARIABLES))


@contextmanager
def chart_style() -> Iterator[None]:
    """Inside, figures are made and turned into SVG in the style of the pages, whatever matplotlibrc says.

    Raises:
        MissingExtraError: the extra `report` is not installed.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise MissingExtraError("A chart", "report") from error
    defaults: Any = mpl.rcParamsDefault
    style: Any = defaults | _STYLE
    with mpl.rc_context(style):
        yield


def figure_of(width: float, height: float) -> Figure:
    """An empty figure, in inches; the page scales it to the room there is."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def as_svg(figure: Figure, name: str, label: str, tips: Mapping[str, str] | None = None) -> Markup:
    """The figure as an SVG element of the page.

    Args:
        figure: made within `chart_style`; links (`set_url`) lead to `#to-...` elements of the page.
        name: unlike that of any other chart of the page; letters, digits and hyphens.
        label: what the chart shows, for those who cannot see it.
        tips: what a part of the chart says when pointed at, by its `gid`: letters, digits and hyphens.
    """
    from markupsafe import Markup, escape
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    written = io.StringIO()
    metadata: dict[str, Any] = {"Date": None, "Creator": None, "Type": None, "Format": None}
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(written, metadata=metadata)
    drawn = written.getvalue()
    drawn = drawn[drawn.index("<svg") :]  # without the head of a file of its own
    for part, tip in (tips or {}).items():
        drawn = drawn.replace(f'<g id="{part}">', f'<g id="{part}"><title>{escape(tip)}</title>', 1)
    drawn = _REFERENCE.sub(rf"\g<1>{name}-", drawn)  # several charts in one page share no ids
    drawn = _COLOUR.sub(lambda found: _VARIABLES[found.group()], drawn)
    drawn = drawn.replace(' target="_blank"', "")  # links lead to places of this page
    inner = drawn[drawn.index(">") + 1 :]
    width, height = (72 * inches for inches in figure.get_size_inches())
    head = f'<svg class="chart" id="{name}" role="img" aria-label="{escape(label)}" viewBox="0 0 {width:g} {height:g}">'
    return Markup(head + inner)  # noqa: S704 - matplotlib has escaped its texts, and we ours
