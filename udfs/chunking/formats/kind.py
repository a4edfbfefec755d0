"""Kind: what a document is, so that the strategy that suits it can be chosen.

First its content type tells, else the ending of its name, else a look at a few thousand code points
of its text. Prose is what remains: a text is called something else only where that is clear.
"""

from __future__ import annotations

from udfs.chunking.formats.kind_looks import look
from udfs.chunking.formats.kind_names import KINDS, Guess, Kind, by_content_type, by_name

__all__ = ["KINDS", "Guess", "Kind", "kind_of"]


def kind_of(text: str, content_type: str | None = None, name: str | None = None) -> Guess:
    r"""What a document is, and why that is thought.

    Args:
        text: its text; looked at only where content type and name do not tell, and then only in part, but for form
            feeds.
        content_type: a MIME type, parameters allowed; None if unknown.
        name: a file name, path or URL; None if unknown.

    Example:
        >>> kind_of("", "text/html; charset=utf-8")
        Guess(kind='html', why='content type text/html', language=None)
        >>> kind_of("", None, "src/main.rs")
        Guess(kind='code', why='name ends in .rs', language='rust')
        >>> kind_of("# Water\n\nIt runs.\n").why
        '1 heading in the first 18 characters'
    """
    known = by_content_type(content_type) or by_name(name)
    if known is None:
        return look(text)
    if known.kind != "pages":
        return known
    # A PDF is pages only if its text still says where they begin; and it may have been turned into Markdown.
    seen = look(text)
    return seen if seen.kind in ("markdown", "html", "pages") else Guess("prose", f"{known.why}, without form feeds")
