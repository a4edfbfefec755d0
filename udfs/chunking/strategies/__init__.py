"""The strategies by name. Adding one touches its own file and the registry here."""

from __future__ import annotations

from importlib.util import find_spec

from udfs.chunking.errors import SettingsError
from udfs.chunking.formats import readers
from udfs.chunking.formats.code_languages import LANGUAGES
from udfs.chunking.strategies import fixed, recursive, semantic, sentence, structured
from udfs.chunking.strategies.plan import Plan, Strategy

GRAMMARS = ("tree_sitter", *sorted({language.package for language in LANGUAGES.values() if language.package}))

STRATEGIES: dict[str, Strategy] = {
    "whole": Strategy(recursive.plan),
    "fixed": Strategy(fixed.plan),
    "sliding_window": Strategy(fixed.plan),
    "recursive": Strategy(recursive.plan),
    "sentence": Strategy(sentence.plan),
    "markdown": Strategy(structured.plan, readers.read_as_markdown),
    "html": Strategy(structured.plan, readers.read_as_html, printed=False),
    "code": Strategy(
        structured.plan_code, readers.read_as_code, kind="code", printed=False, packages=GRAMMARS, extra="code"
    ),
    "table": Strategy(structured.plan, readers.read_as_table, kind="table", printed=False),
    "semantic": Strategy(semantic.plan),
    "parent_child": Strategy(recursive.plan),  # composed of two others: see `families.py`
    # Hands each document to one of the others: see `auto.py`.
    "auto": Strategy(recursive.plan, packages=GRAMMARS, extra="code"),
}

# Those that know the structure of their documents.
STRUCTURED = (*(name for name, strategy in STRATEGIES.items() if strategy.reader is not None), "auto")


def check_available(name: str) -> None:
    """Check that all is installed that a strategy needs.

    Raises:
        SettingsError: names the first package that is missing, and the line to install it.
    """
    strategy = STRATEGIES[name]
    for package in strategy.packages:
        if find_spec(package) is None:
            raise SettingsError(
                f"strategy = {name!r}: needs the package {package}, which is not installed; "
                f"install it here and on all workers with: pip install 'lakechunk[{strategy.extra}]'"
            )


__all__ = ["STRATEGIES", "STRUCTURED", "Plan", "Strategy", "check_available"]
