"""The strategies by name. Adding one touches its own file and the registry here."""

from __future__ import annotations

from udfs.chunking.formats import readers
from udfs.chunking.strategies import fixed, recursive, sentence, structured
from udfs.chunking.strategies.plan import Plan, Strategy

STRATEGIES: dict[str, Strategy] = {
    "whole": Strategy(recursive.plan),
    "fixed": Strategy(fixed.plan),
    "sliding_window": Strategy(fixed.plan),
    "recursive": Strategy(recursive.plan),
    "sentence": Strategy(sentence.plan),
    "markdown": Strategy(structured.plan, readers.read_as_markdown),
    "html": Strategy(structured.plan, readers.read_as_html),
    "code": Strategy(structured.plan_code, readers.read_as_code, kind="code"),
    "table": Strategy(structured.plan, readers.read_as_table, kind="table"),
    "auto": Strategy(recursive.plan),  # hands each document to one of the others: see `auto.py`
}

# Those that know the structure of their documents.
STRUCTURED = (*(name for name, strategy in STRATEGIES.items() if strategy.reader is not None), "auto")

__all__ = ["STRATEGIES", "STRUCTURED", "Plan", "Strategy"]
