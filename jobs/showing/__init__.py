"""HTML pages for people: self-contained, without scripts, and safe whatever a document holds.

A page is one file. It loads nothing, runs nothing (its Content-Security-Policy forbids both) and follows the reader's
choice of light or dark. Every value is escaped by the template engine; what is already HTML is `Markup`.
"""

from jobs.showing.rendering import render

__all__ = ["render"]
