"""What the engine gives back: one `Chunk`, or the flat columns of many (`ChunkBatch`).

Positions are Unicode code points of the document's canonical text, half-open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

# The qualities of a cut, best first. `end` is the end of the document.
CUTS = ("end", "heading", "block", "paragraph", "line", "sentence", "clause", "word", "grapheme")

# What a chunk is made of.
KINDS = ("prose", "code", "table", "list", "mixed")

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
Bool = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of a document.

    `text == canonical[char_start:char_end]`; `token_count` counts `embed_text`
    in the profile's tokenizer, exactly.
    """

    chunk_index: int
    text: str
    embed_text: str
    token_count: int
    char_start: int
    char_end: int
    page_start: int | None
    page_end: int | None
    section: tuple[str, ...]
    kind: str
    cut: str
    oversize: bool
    occurrence: int  # how many earlier chunks of the document have the same embed_text
    parent_index: int | None = None  # which parent of the document the chunk lies in; None: it has none
    parent_text: str | None = None  # the text of that, where the settings ask for it


@dataclass(frozen=True, slots=True)
class ChunkBatch:
    """The chunks of many documents as flat columns, document after document.

    The chunks of document `i` are the rows `offsets[i]` to `offsets[i + 1]` of
    every column but `canonical`, `removed` and `metadata`, which have one entry a document.
    """

    offsets: Int64  # (documents + 1,)
    text: list[str]
    embed_text: list[str]
    token_count: Int32
    char_start: Int32
    char_end: Int32
    page_start: Int32 | None  # 0 for documents without pages; None: no document has any
    page_end: Int32 | None
    section: list[tuple[str, ...]] | None  # None: no chunk has a section
    kind: UInt8  # index into KINDS
    cut: UInt8  # index into CUTS
    oversize: Bool
    occurrence: Int32
    canonical: list[str | None]  # (documents,); None: the source text, unchanged
    removed: list[Mapping[str, int]]  # (documents,); code points that are in no chunk, by reason
    metadata: list[Mapping[str, str]]  # (documents,); what the text says of itself: front matter, <title> ...
    parent: Int32 | None = None  # which parent of its document each chunk lies in; None: there are no parents
    parent_text: list[str] | None = None  # of each chunk, where the settings ask for it
    parents: Parents | None = None
    strategy: list[str] = field(default_factory=list)  # (documents,); under `auto`, the one that was chosen

    def __len__(self) -> int:
        return len(self.text)

    @property
    def documents(self) -> int:
        """How many documents the batch holds."""
        return len(self.offsets) - 1

    def document(self, index: int) -> list[Chunk]:
        """The chunks of one document, in reading order."""
        return list(self._rows(int(self.offsets[index]), int(self.offsets[index + 1])))

    def _rows(self, first: int, last: int) -> Iterator[Chunk]:
        for row in range(first, last):
            yield Chunk(
                chunk_index=row - first,
                text=self.text[row],
                embed_text=self.embed_text[row],
                token_count=int(self.token_count[row]),
                char_start=int(self.char_start[row]),
                char_end=int(self.char_end[row]),
                page_start=None if self.page_start is None else int(self.page_start[row]) or None,
                page_end=None if self.page_end is None else int(self.page_end[row]) or None,
                section=() if self.section is None else self.section[row],
                kind=KINDS[self.kind[row]],
                cut=CUTS[self.cut[row]],
                oversize=bool(self.oversize[row]),
                occurrence=int(self.occurrence[row]),
                parent_index=None if self.parent is None else int(self.parent[row]),
                parent_text=None if self.parent_text is None else self.parent_text[row],
            )


@dataclass(frozen=True, slots=True)
class Parents:
    """The parents of the documents of a batch, document after document: columns as in `ChunkBatch`."""

    offsets: Int64
    text: list[str]
    token_count: Int32
    char_start: Int32
    char_end: Int32
    page_start: Int32 | None
    page_end: Int32 | None
    section: list[tuple[str, ...]] | None
    occurrence: Int32  # how many earlier parents of the document have the same text

    @classmethod
    def of(cls, batch: ChunkBatch) -> Parents:
        """Chunks as parents."""
        return cls(**{one.name: getattr(batch, one.name) for one in fields(cls)})

    def __len__(self) -> int:
        return len(self.text)


CHUNK_FIELDS = tuple(field.name for field in fields(Chunk))
