"""What content types and names of files say about the kind of a document."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, get_args

from udfs.chunking.formats.code_languages import language_of

Kind = Literal["markdown", "html", "code", "table", "pages", "prose"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Guess(NamedTuple):
    """What a document seems to be."""

    kind: Kind
    why: str  # a short phrase for people
    language: str | None = None  # of code, if it is clear: a key of LANGUAGES


# `text/plain` and `application/octet-stream` are missing on purpose: they say nothing.
_CONTENT_TYPES: dict[Kind, str] = {
    "markdown": "text/markdown text/x-markdown text/x-web-markdown text/gfm text/vnd.daringfireball.markdown",
    "html": "text/html application/xhtml+xml application/vnd.wap.xhtml+xml",
    "table": "text/csv text/x-csv application/csv application/x-csv text/tab-separated-values text/tsv text/x-tsv",
    "code": "text/x-ruby text/x-php text/x-csharp text/x-kotlin text/x-swift text/x-scala text/x-lua text/x-perl",
    "pages": "application/pdf application/x-pdf",
    "prose": "text/x-rst text/prs.fallenstein.rst text/asciidoc text/x-tex application/x-tex text/rtf message/rfc822",
}
_ENDINGS: dict[Kind, str] = {
    "markdown": "md markdown mdown mkd mkdn mdx rmd qmd",
    "html": "html htm xhtml xht",
    "table": "csv tsv tab psv",
    "code": "rb php cs kt kts swift scala lua pl pm r jl ex exs erl hs clj dart groovy ps1 css scss zig nim",
    "pages": "pdf",
    "prose": "rst adoc asciidoc org tex textile",
}
_KIND_OF_TYPE = {word: kind for kind, words in _CONTENT_TYPES.items() for word in words.split()}
_KIND_OF_ENDING = {word: kind for kind, words in _ENDINGS.items() for word in words.split()}

_SITE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")  # not the path: .md and .rs are also ends of host names


def by_content_type(content_type: str | None) -> Guess | None:
    """What the content type says; None if it says nothing."""
    mime = (content_type or "").partition(";")[0].strip().lower()
    language = language_of(mime, None)
    kind: Kind | None = "code" if language else _KIND_OF_TYPE.get(mime)
    return None if kind is None else Guess(kind, f"content type {mime}", language)


def by_name(name: str | None) -> Guess | None:
    """What the ending of a file's name, path or URL says; None if it says nothing."""
    path = _SITE.sub("", (name or "").strip(), count=1).partition("?")[0].partition("#")[0]
    stem, _, ending = re.split(r"[/\\]", path)[-1].rpartition(".")
    ending = ending.lower()
    if not stem:
        return None
    language = language_of(None, f"{stem}.{ending}")
    kind: Kind | None = "code" if language else _KIND_OF_ENDING.get(ending)
    return None if kind is None else Guess(kind, f"name ends in .{ending}", language)
