"""Templates into pages. Knows no Spark, no chunks: only that whatever is put into a page is escaped."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from jobs.drawing import shown_text
from jobs.errors import MissingExtraError
from jobs.quantities import percent

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: Any) -> str:
    """A page.

    Args:
        template: the name of a file in this package, such as `report.html.j2`; it extends `base.html.j2`.
        values: what the template shows. Text is escaped; only `markupsafe.Markup` is taken as HTML.

    Raises:
        MissingExtraError: the extra `report` is not installed.
    """
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    try:
        import jinja2
    except ModuleNotFoundError as error:
        raise MissingExtraError("An HTML page", "report") from error
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {"number": number, "share": percent, "visible": visible_text, "cut": cut}
    environment.filters.update(filters)
    return environment


def _source(name: str) -> str:
    """The text of a template or style sheet: from the package, which may be inside a zip."""
    return resources.files("jobs.showing").joinpath(name).read_text(encoding="utf-8")


def visible_text(value: object) -> str:
    """Anything as text in which nothing is hidden and nothing turns the direction of writing."""
    return shown_text(str(value))


def cut(value: object, length: int = 200) -> str:
    """The first code points of a text, and a sign if that is not all.

    >>> cut("chunks", 3)
    'chu…'
    """
    text = str(value)
    return text if len(text) <= length else text[:length] + "…"


def number(value: float) -> str:
    """A number as a person reads it.

    >>> number(1234567), number(3.25)
    ('1,234,567', '3.2')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
