"""SQL: statements, each up to its semicolon, without a grammar.

Grammars know one dialect and stumble over the others; semicolons outside of strings,
comments and routine bodies part the statements of all of them. One pass, whatever
the text: what is opened and never closed reaches to the end.

But: `DELIMITER //` is not understood; such a script is parted at its semicolons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from udfs.chunking.formats.code_outline import BLOCK, LINE, Outline, Part, Unit

# One set of first characters, so that the search runs over all others at once.
_TOKEN = re.compile(
    rb"[-/'\"`$;Gg](?:"
    rb"(?P<comment>(?<=-)-[^\n]*)"
    rb"|(?P<open_comment>(?<=/)\*)"
    rb"|(?P<quoted>(?<=')[^']*(?:'|\Z)|(?<=\")[^\"]*(?:\"|\Z)|(?<=`)[^`]*(?:`|\Z))"
    rb"|(?P<dollar>(?<=\$)(?:[A-Za-z_][A-Za-z_0-9]{0,62})?\$)"
    rb"|(?P<end>(?<=;))"
    rb"|(?P<go>(?<=^[Gg])[Oo][ \t]*$)"  # ends a batch in T-SQL
    rb")",
    re.MULTILINE,
)
_SOLID = re.compile(rb"\S")
_ROUTINE = re.compile(
    rb"(?:(?:CREATE|ALTER)\s+(?:[A-Z]+\s+){0,4}?(?:FUNCTION|PROCEDURE|PROC|TRIGGER|PACKAGE|EVENT)|DECLARE|BEGIN\s+[^\s;])\b",
    re.IGNORECASE,
)
_WORDS = re.compile(rb"\b(?:BEGIN|END(?:\s+(?:IF|LOOP|WHILE|FOR|REPEAT|CASE))?|CASE)\b", re.IGNORECASE)
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
    routine: bool  # may hold statements between BEGIN and END
    depth: int = 0  # of these
    inner: int = -1  # where its current inner statement begins; -1: not yet


def outline_of_sql(source: bytes) -> Outline:
    r"""The statements of a script as parts, and what they create as units.

    >>> found = outline_of_sql(b"CREATE TABLE a (b INT);\nSELECT ';';")
    >>> [(part.start, part.end) for part in found.parts], [unit.title for unit in found.units]
    ([(0, 23), (24, 35)], ['a'])
    """
    return _Script(source).outline()


class _Script:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._found = Outline()
        self._comment: tuple[int, int] | None = None  # waits for the statement below it
        self._statement: _Statement | None = None

    def outline(self) -> Outline:
        position = 0
        for start, end, kind in _tokens(self._source):
            self._read_plain(position, start)
            self._read_token(start, end, kind)
            position = end
        self._read_plain(position, len(self._source))
        self._close(len(self._source))
        return self._found

    def _read_plain(self, start: int, end: int) -> None:
        """Read what stands between two tokens."""
        solid = _SOLID.search(self._source, start, end)
        if not solid:
            return
        statement = self._begin(solid.start())
        if statement.routine:
            for word in _WORDS.finditer(self._source, start, end):
                kind = word[0][:5].upper()
                if kind in (b"BEGIN", b"CASE"):
                    statement.depth += 1
                elif kind == b"END" or word[0][-4:].upper() == b"CASE":  # `END IF` ends what was not counted
                    statement.depth -= 1

    def _read_token(self, start: int, end: int, kind: str) -> None:
        if kind == "comment":
            if self._statement is None:
                self._comment = (self._comment[0] if self._comment and self._touches(start) else start, end)
        elif kind == "go":
            self._close(start)
        elif kind != "end":
            self._begin(start)
        elif self._statement and self._statement.depth > 0:
            self._found.parts.append(Part(self._statement.inner, end, LINE))
            self._statement.inner = -1
        else:
            self._close(end)

    def _begin(self, start: int) -> _Statement:
        """The statement to which a place belongs."""
        if self._statement is None:
            with_comment = self._comment[0] if self._comment and self._touches(start) else start
            self._statement = _Statement(with_comment, start, bool(_ROUTINE.match(self._source, start, start + _HEAD)))
            self._comment = None
        if self._statement.inner < 0:
            self._statement.inner = start
        return self._statement

    def _touches(self, start: int) -> bool:
        """Whether the comment that waits stands directly above a place."""
        return self._comment is not None and self._source.count(b"\n", self._comment[1], start) <= 1

    def _close(self, end: int) -> None:
        statement, self._statement, self._comment = self._statement, None, None
        if statement is None:
            return
        self._found.parts.append(Part(statement.start, end, BLOCK, unit=True))
        named = _NAMED.match(self._source, statement.first, min(end, statement.first + _HEAD))
        if named:
            line_end = self._source.find(b"\n", named.end(), end)
            title = named[1].decode("utf-8", "replace").strip()
            body = end if line_end < 0 else line_end
            self._found.units.append(Unit(statement.start, statement.first, body, end, title))


def _tokens(source: bytes) -> Iterator[tuple[int, int, str]]:
    """Comments, quoted text and ends of statements: (start, end, kind)."""
    position = 0
    while match := _TOKEN.search(source, position):
        kind = match.lastgroup or ""
        position = match.end()
        if kind in ("dollar", "open_comment"):
            closing = b"*/" if kind == "open_comment" else match[0]
            found = source.find(closing, position)
            position = len(source) if found < 0 else found + len(closing)
            kind = "comment" if kind == "open_comment" else "quoted"
        yield match.start(), position, kind
