"""SQL: statements, each up to its semicolon, without a grammar.

Grammars know one dialect and stumble over the others; semicolons outside of strings,
comments and routine bodies part the statements of all of them. One pass, whatever
the text: what is opened and never closed reaches to the end.

But: `DELIMITER //` is not understood; such a script is parted at its semicolons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from udfs.chunking.formats.code_outline import BLOCK, LINE, Outline, Part, Unit

_TOKEN = re.compile(
    rb"(?P<comment>--[^\n]*|/\*(?s:.*?)(?:\*/|\Z))"
    rb"|(?P<quoted>'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)|`[^`]*(?:`|\Z))"
    rb"|(?P<dollar>\$(?:[A-Za-z_][A-Za-z_0-9]{0,62})?\$)"
    rb"|(?P<end>;)"
    rb"|(?P<go>^[ \t]*[Gg][Oo][ \t]*$)"
    rb"|(?P<word>[^\W\d]\w*)"
    rb"|\S",
    re.MULTILINE,
)
_ROUTINES = frozenset({b"FUNCTION", b"PROCEDURE", b"TRIGGER", b"PACKAGE", b"EVENT", b"PROC"})
_NESTED = frozenset({b"BEGIN", b"CASE", b"IF", b"LOOP", b"WHILE", b"REPEAT", b"FOR"})
_NAMED = re.compile(
    rb"(?:CREATE|ALTER)\s+(?:[A-Z]+\s+){0,4}?(?:TABLE|VIEW|FUNCTION|PROCEDURE|PROC|TRIGGER|PACKAGE|INDEX|TYPE|SCHEMA"
    rb"|SEQUENCE|DATABASE|EVENT|DOMAIN|EXTENSION)\s+(?:CONCURRENTLY\s+)?(?:BODY\s+)?(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"
    rb"([^\s(;]{1,200})",
    re.IGNORECASE,
)
_HEAD = 600  # bytes of a statement in which its name is looked for


@dataclass
class _Statement:
    """A statement as far as it was read."""

    start: int  # with the comments above it
    first: int  # its first word
    words: list[bytes] = field(default_factory=list)  # the first few
    depth: int = 0  # of BEGIN ... END
    previous: bytes = b""  # the last word
    inner: int = 0  # where its current inner statement begins


def outline_of_sql(source: bytes) -> Outline:
    """The statements of a script as parts, and what they create as units.

    >>> found = outline_of_sql(b"CREATE TABLE a (b INT);\\nSELECT ';';")
    >>> [(part.start, part.end) for part in found.parts], [unit.title for unit in found.units]
    ([(0, 23), (24, 35)], ['a'])
    """
    outline = Outline()
    comment: tuple[int, int] | None = None
    statement: _Statement | None = None
    for start, end, kind in _tokens(source):
        if kind == "comment":
            if statement is None:
                joined = comment is not None and source.count(b"\n", comment[1], start) <= 1
                comment = (comment[0] if comment and joined else start, end)
            continue
        if statement is None:
            touches = comment is not None and source.count(b"\n", comment[1], start) <= 1
            statement = _Statement(comment[0] if comment and touches else start, start, inner=start)
            comment = None
        if kind == "word":
            _note_word(statement, source[start:end].upper())
        elif kind == "go" or (kind == "end" and _ends(statement, end, outline)):
            _close(source, statement, end, outline)
            statement = None
    if statement is not None:
        _close(source, statement, len(source), outline)
    return outline


def _tokens(source: bytes) -> Iterator[tuple[int, int, str]]:
    position = 0
    while match := _TOKEN.search(source, position):
        kind = match.lastgroup or "other"
        position = match.end()
        if kind == "dollar":
            closing = source.find(match[0], position)
            position = len(source) if closing < 0 else closing + len(match[0])
        yield match.start(), position, kind


def _note_word(statement: _Statement, word: bytes) -> None:
    if len(statement.words) < 8:
        statement.words.append(word)
    if word == b"BEGIN" or (statement.depth and word in (b"CASE", b"LOOP", b"REPEAT")):
        if statement.previous != b"END" and _is_routine(statement):
            statement.depth += 1
    elif word == b"END" and statement.depth:
        statement.depth -= 1
    elif statement.previous == b"END" and word in (b"IF", b"WHILE", b"FOR"):
        statement.depth += 1  # `END IF` closes what was not counted, because `IF` need not open anything
    statement.previous = word


def _is_routine(statement: _Statement) -> bool:
    opening = statement.words[:1] in ([b"CREATE"], [b"ALTER"], [b"DECLARE"], [b"BEGIN"])
    alone = statement.words[0] in (b"DECLARE", b"BEGIN") if statement.words else False
    return opening and (alone or not _ROUTINES.isdisjoint(statement.words))


def _ends(statement: _Statement, end: int, outline: Outline) -> bool:
    """Whether a semicolon ends the statement; if not, it ends an inner one."""
    if statement.words == [b"BEGIN"] or not statement.depth:
        return True
    outline.parts.append(Part(statement.inner, end, LINE))
    statement.inner = end
    return False


def _close(source: bytes, statement: _Statement, end: int, outline: Outline) -> None:
    outline.parts.append(Part(statement.start, end, BLOCK, unit=True))
    found = _NAMED.match(source, statement.first, min(end, statement.first + _HEAD))
    if not found:
        return
    line_end = source.find(b"\n", found.end(), end)
    body = end if line_end < 0 else line_end
    title = found[1].decode("utf-8", "replace").strip()
    outline.units.append(Unit(statement.start, statement.first, body, end, 1, title))
