"""The door to the engine: `Chunker(...).chunk(text)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from udfs.chunking.auto import Chooser
from udfs.chunking.chunk import Chunk, ChunkBatch
from udfs.chunking.cutting import DocumentCutter
from udfs.chunking.document import NOTHING, About, Document
from udfs.chunking.families import FamilyCutter
from udfs.chunking.formats.reading import read_document
from udfs.chunking.joining import joined, reordered
from udfs.chunking.settings import ChunkSettings
from udfs.chunking.strategies import STRATEGIES


class Chunker:
    """Cuts documents into chunks, each with its exact place and token count.

    Args:
        settings: how to cut. Or give the fields of `ChunkSettings` by name.

    Raises:
        SettingsError: a setting that cannot be valid.

    Example:
        >>> chunker = Chunker(strategy="fixed", size=4, overlap=2, unit="characters")
        >>> [chunk.text for chunk in chunker.chunk("0123456789")]
        ['0123', '2345', '4567', '6789']
    """

    def __init__(self, settings: ChunkSettings | None = None, /, **values: Any) -> None:
        self.settings = settings if settings is not None else ChunkSettings.of(values)
        self._reading = self.settings.reading
        self._cutter = _cutter_of(self.settings)
        self._chooser = Chooser(self.settings) if self.settings.strategy == "auto" else None
        self._chunkers: dict[ChunkSettings, Chunker] = {}  # of the strategies that `auto` chose so far

    def chunk(self, text: str, about: About = NOTHING) -> list[Chunk]:
        """The chunks of one document, in reading order; none for a blank text.

        Args:
            text: the document.
            about: what else is known of it.

        Raises:
            TextError: the text holds a lone surrogate.
            TypeError: it is no str.
            ValueError: page offsets that do not fit the text.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}; decode bytes, and leave nulls out")
        return self.chunk_batch([text], [about]).document(0)

    def canonical(self, text: str, about: About = NOTHING) -> str:
        """The text that positions refer to: cleaned, and converted where the format asks for it."""
        return self.read(text, about).text

    def read(self, text: str, about: About = NOTHING) -> Document:
        """The document as it is chunked: its canonical text, structure and pages, and what was removed."""
        chosen = self._chosen(text, about)
        return chosen._read([text], [about])[0]  # noqa: SLF001 - another of this class

    def chunk_batch(self, texts: Sequence[str], abouts: Sequence[About] | None = None) -> ChunkBatch:
        """The chunks of many documents as flat columns. No document changes another's chunks.

        Args:
            texts: the documents.
            abouts: what else is known of each; None: nothing is.

        Raises:
            TextError: a text holds a lone surrogate.
        """
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise TypeError("texts must be a sequence of str, a document each; for one document use chunk(text)")
        if self._chooser is not None:
            return self._chunk_as_chosen(texts, abouts or [NOTHING] * len(texts))
        documents = self._read(texts, abouts or [NOTHING] * len(texts))
        return replace(
            self._cutter.cut(documents),
            canonical=[
                None if document.text == text else document.text
                for document, text in zip(documents, texts, strict=True)
            ],
            strategy=[self.settings.strategy] * len(texts),
        )

    def _read(self, texts: Sequence[str], abouts: Sequence[About]) -> list[Document]:
        strategy = STRATEGIES[self._reading.strategy]
        return [
            read_document(text, about, self._reading, strategy.reader, printed=strategy.printed)
            for text, about in zip(texts, abouts, strict=True)
        ]

    def _chosen(self, text: str, about: About) -> Chunker:
        """The chunker of the strategy that suits a document."""
        if self._chooser is None:
            return self
        settings = self._chooser.choose(text, about).settings
        if settings not in self._chunkers:
            self._chunkers[settings] = Chunker(settings)
        return self._chunkers[settings]

    def _chunk_as_chosen(self, texts: Sequence[str], abouts: Sequence[About]) -> ChunkBatch:
        places: dict[Chunker, list[int]] = {}
        for place, (text, about) in enumerate(zip(texts, abouts, strict=True)):
            places.setdefault(self._chosen(text, about), []).append(place)
        batches = [
            chunker.chunk_batch([texts[place] for place in found], [abouts[place] for place in found])
            for chunker, found in places.items()
        ]
        order = np.argsort(np.array([place for found in places.values() for place in found], dtype=np.int64))
        return reordered(joined(batches), order.tolist())


def _cutter_of(settings: ChunkSettings) -> DocumentCutter | FamilyCutter:
    if settings.parent_settings is None or settings.child_settings is None:
        return DocumentCutter(settings)
    parent, child = DocumentCutter(settings.parent_settings), DocumentCutter(settings.child_settings)
    return FamilyCutter(parent, child, inline=settings.parents == "inline")
