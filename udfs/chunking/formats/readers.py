"""How each strategy that knows structure reads its documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from udfs.chunking.document import About
from udfs.chunking.formats.code import read_code
from udfs.chunking.formats.code_languages import language_of
from udfs.chunking.formats.delimited import read_delimited, rows_as_pairs
from udfs.chunking.formats.html import read_html
from udfs.chunking.formats.kind import kind_of
from udfs.chunking.formats.markdown import read_markdown
from udfs.chunking.formats.structure import Converted, Structure

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings

_TABS = "text/tab-separated-values"
_MARKDOWN_TABLE = re.compile(r"\s*\|?[^\n]*\|[^\n]*\n[ \t]*\|?[ \t:-]*-[ \t|:-]*\n")


def read_as_markdown(text: str, about: About, settings: ChunkSettings) -> Structure:  # noqa: ARG001
    """Of `markdown`."""
    return read_markdown(text)


def read_as_html(text: str, about: About, settings: ChunkSettings) -> Converted:  # noqa: ARG001
    """Of `html`."""
    return read_html(text, drop_boilerplate=settings.drops_boilerplate)


def read_as_code(text: str, about: About, settings: ChunkSettings) -> Structure:
    """Of `code`: the language is the one that is set, or that content type or name tell, or a look at the text."""
    language = settings.language or language_of(about.content_type, about.source) or kind_of(text).language
    return Structure() if language is None else read_code(text, language)


def read_as_table(text: str, about: About, settings: ChunkSettings) -> Structure | Converted:
    """Of `table`: delimited text, or a Markdown table."""
    if _MARKDOWN_TABLE.match(text) and settings.rows_as != "pairs":
        return read_markdown(text)
    mime = (about.content_type or "").partition(";")[0].strip().lower()
    delimiter = "\t" if mime == _TABS else None
    if settings.rows_as == "pairs":
        return rows_as_pairs(text, delimiter=delimiter)
    return read_delimited(text, delimiter=delimiter)
