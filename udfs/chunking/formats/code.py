"""Source code: functions, classes and their parts, so that none is cut that fits.

tree-sitter parses; a walk through its tree finds what should stay whole. What no
grammar understands is cut where a blank line comes before a line without
indentation, which is where people put the joints of a file.
"""

from __future__ import annotations

from functools import cache

from udfs.chunking.errors import SettingsError
from udfs.chunking.formats.code_groups import groups_of_lines
from udfs.chunking.formats.code_languages import LANGUAGES, known_language, language_of
from udfs.chunking.formats.code_layout import structure_of
from udfs.chunking.formats.code_outline import Outline
from udfs.chunking.formats.code_parser import grammar_of, parse
from udfs.chunking.formats.code_roles import Roles, bytes_understood
from udfs.chunking.formats.code_sql import outline_of_sql
from udfs.chunking.formats.code_walk import outline_of
from udfs.chunking.formats.structure import Structure

_TOO_LITTLE = 0.3  # of the bytes: what else was found in such a text is chance
_ENOUGH = 0.6

__all__ = ["LANGUAGES", "language_of", "read_code"]


def read_code(text: str, language: str) -> Structure:
    r"""The structure of a source file.

    A function, class, or other unit is a block with the decorators and comments
    directly above it; imports are one block; statements of several lines are blocks
    within. Each function and class is a section, named as in the source, and its
    signature is repeated for what stands behind it.

    Args:
        text: the source, in any state: faulty, cut off, or no code at all.
        language: a key of LANGUAGES, an alias, or a file extension.

    Raises:
        SettingsError: the language is unknown, or its grammar is not installed.

    >>> structure = read_code("class A:\n    def f(self):\n        return 1\n", "python")
    >>> [(section.level, section.title) for section in structure.sections]
    [(1, 'A'), (2, 'f')]
    """
    name = known_language(language)
    if name is None:
        raise SettingsError.unknown("language", language, LANGUAGES)
    source = _plain(text.encode("utf-8", "surrogatepass"))
    return structure_of(text, source, _outline(source, name))


def _plain(source: bytes) -> bytes:
    """The same length, with line feeds for all line ends and blanks for NUL: grammars stumble over others."""
    if b"\r" in source:
        source = source.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
    return source.replace(b"\0", b" ")


def _outline(source: bytes, language: str) -> Outline:
    if not LANGUAGES[language].package:
        return outline_of_sql(source)
    tree = parse(source, language)
    if tree is None:
        return groups_of_lines(source)
    roles = _roles(language)
    understood = bytes_understood(tree.root_node, roles) / max(1, len(source))
    if understood < _TOO_LITTLE:
        return groups_of_lines(source)
    outline = outline_of(tree.root_node, source, roles)
    if understood < _ENOUGH:
        outline.parts += groups_of_lines(source).parts
    return outline


@cache
def _roles(language: str) -> Roles:
    return Roles(LANGUAGES[language], grammar_of(language))
