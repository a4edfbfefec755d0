"""From the text that is given to the document that is chunked: cleaned, converted, its structure found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from udfs.chunking.document import About, Document
from udfs.chunking.formats.cleaning import clean
from udfs.chunking.formats.pages import FORM_FEED, read_pages, split_pages
from udfs.chunking.formats.structure import Converted, Structure

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings

Reader = Callable[[str, About, "ChunkSettings"], Structure | Converted]
"""What finds the structure of a text, or converts it."""


def read_document(
    text: str, about: About, settings: ChunkSettings, reader: Reader | None, *, printed: bool
) -> Document:
    """The document that is chunked.

    Args:
        text: as it is given.
        about: what else is given.
        settings: of the profile.
        reader: of the strategy; None for one that needs no structure.
        printed: whether what recurs at the edges of pages may be dropped, and paragraphs joined over them.

    Raises:
        ValueError: page offsets that do not fit the text.
    """
    cleaned = _cleaned(text, about, settings, drop=printed and settings.drops_boilerplate)
    if reader is None:
        return Document(cleaned.text, None, cleaned.pages, cleaned.removed, about.title or "")
    found = reader(cleaned.text, about, settings)
    if isinstance(found, Structure):
        found = Converted(cleaned.text, found, cleaned.pages)
    removed = Counter(cleaned.removed)
    removed += found.removed
    structure = found.structure or Structure()
    for cut in structure.removed:
        removed[cut.reason] += cut.end - cut.start
    return Document(found.text, structure, found.pages, removed, about.title or structure.metadata.get("title", ""))


def _cleaned(text: str, about: About, settings: ChunkSettings, *, drop: bool) -> Converted:
    """The text without what cleaning drops, and its pages."""
    if about.pages is not None or (drop and FORM_FEED in text):
        boilerplate: Literal["drop", "keep"] = "drop" if drop else "keep"
        return read_pages(text, about.pages, boilerplate=boilerplate, join=drop, cleaning=settings.clean)
    cleaned, removed = clean(text, settings.clean)
    return Converted(cleaned, pages=split_pages(cleaned), removed=removed)
