"""HTML pages for people: self-contained, without scripts, and safe whatever a document holds.

A page is one file. It loads nothing, runs nothing (its Content-Security-Policy forbids both) and follows the reader's
choice of light or dark. Every value is escaped by the template engine; what is already HTML is `Markup`.
"""

from importlib.util import find_spec

from jobs.showing.rendering import render

__all__ = ["can_show", "render"]


def can_show() -> bool:
    """Whether the extra `report` is installed; answered without importing it."""
    return all(find_spec(name) is not None for name in ("jinja2", "matplotlib"))
