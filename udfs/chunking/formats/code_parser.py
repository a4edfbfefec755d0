"""Parsing with tree-sitter, with a bound on the work.

tree-sitter is linear for code, but not for everything: some grammars look ahead to
the end of the text again and again (`<<a <<b ...` in Bash). The parser reads the
source in small pieces and reports its progress; both are counted, and what asks
for far more than code does is given up. Counts, not clocks: the same text has the
same fate on every machine. Faults make steps dear: up to 0.3 ms each, while those
of code take 0.015 ms.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module, metadata
from typing import TYPE_CHECKING

from udfs.chunking.errors import SettingsError
from udfs.chunking.formats.code_languages import LANGUAGES

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Point, Tree

_OLDEST = (0, 26, 1)  # earlier ones crash: 0.25 when it reports its progress, 0.26.0 in what it makes of positions
_PIECE = 1024  # bytes read at a time
_READS = 40  # of each piece, on average; code needs 3
_STEPS = 1 / 60  # reports of progress for each byte; most code needs 1 / 180, C++ full of unknown macros 1 / 50
_FIRST_STEPS = 10_000  # are free: enough for 300 KB of the densest code, tables of numbers
_LARGEST = 16 * 1024 * 1024  # bytes


@cache
def grammar_of(language: str) -> Grammar:
    """The grammar of a language, loaded once a process.

    Raises:
        SettingsError: the packages for code are not installed, or too old.
    """
    entry = LANGUAGES[language]
    try:
        version = metadata.version("tree-sitter")
        module = import_module(entry.package)
    except ImportError as error:
        raise SettingsError(
            f"strategy = 'code' needs a package that is not installed ({error.name}): pip install 'lakechunk[code]'"
        ) from error
    if tuple(map(int, re.findall(r"\d+", version)[:3])) < _OLDEST:
        raise SettingsError(
            f"tree-sitter {version} is too old for strategy = 'code', as it may crash: pip install -U 'lakechunk[code]'"
        )
    from tree_sitter import Language  # noqa: PLC0415 - an extra, which not everyone has

    return Language(getattr(module, entry.grammar)())


def parse(source: bytes, language: str) -> Tree | None:
    """The syntax tree of a source; None if it costs too much to find.

    Args:
        source: UTF-8. Line breaks should be line feeds, and there should be no NUL.
        language: a key of LANGUAGES that has a grammar.
    """
    if len(source) > _LARGEST:
        return None
    return _BoundedParse(source).run(grammar_of(language))


class _BoundedParse:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._reads_left = (len(source) // _PIECE + 8) * _READS
        self._steps = 0

    def run(self, grammar: Grammar) -> Tree | None:
        from tree_sitter import Parser  # noqa: PLC0415

        try:
            tree = Parser(grammar).parse(self._read, progress_callback=self._give_up)
        except ValueError:  # how tree-sitter says that it was told to stop
            return None
        return tree if self._reads_left >= 0 else None

    def _read(self, start: int, _: Point) -> bytes:
        self._reads_left -= 1
        return self._source[start : start + _PIECE] if self._reads_left >= 0 else b""

    def _give_up(self, offset: int, _has_error: bool) -> bool:
        self._steps += 1
        return self._steps > _FIRST_STEPS + offset * _STEPS or self._reads_left < 0
