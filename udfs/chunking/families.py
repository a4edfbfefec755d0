"""`parent_child`: large parts of a document, and small chunks inside each. Search small, return big.

    document   [      parent 0      ][    parent 1    ]
    chunks      [  0  ][  1  ][  2  ]  [  3  ][  4  ]        none crosses a parent's edge

The parents are chunks of one strategy, without overlap. Each is then cut by another strategy as if it were a
document, but with the structure of the whole: a chunk still knows the headings above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from udfs.chunking.chunk import ChunkBatch, Parents
from udfs.chunking.cutting import DocumentCutter, page_columns
from udfs.chunking.document import Document
from udfs.chunking.formats.slicing import Slicer
from udfs.chunking.occurrences import occurrences

Int64 = npt.NDArray[np.int64]


class FamilyCutter:
    """Cuts documents into parents, and those into chunks.

    Args:
        parent: cuts documents.
        child: cuts parents.
        inline: every chunk bears the text of its parent.
    """

    def __init__(self, parent: DocumentCutter, child: DocumentCutter, *, inline: bool) -> None:
        self._parent, self._child, self._inline = parent, child, inline

    def cut(self, documents: Sequence[Document]) -> ChunkBatch:
        """The chunks of the documents, and their parents."""
        parents = self._parent.cut(documents)
        children = self._child.cut(list(_parts(documents, parents)))
        family = np.diff(children.offsets)  # how many chunks each parent has
        parent = np.repeat(np.arange(len(parents)), family)
        start = parents.char_start[parent] + children.char_start
        end = parents.char_start[parent] + children.char_end
        cut = children.cut.copy()
        last = children.offsets[1:][family > 0] - 1
        cut[last] = parents.cut[family > 0]
        offsets = children.offsets[parents.offsets]
        page_start, page_end = page_columns(documents, offsets, start, children.text)
        return replace(
            children,
            offsets=offsets,
            char_start=start,
            char_end=end,
            page_start=page_start,
            page_end=page_end,
            cut=cut,
            occurrence=occurrences(children.embed_text, offsets),
            canonical=parents.canonical,
            removed=parents.removed,
            metadata=parents.metadata,
            parent=(parent - np.repeat(parents.offsets[:-1], np.diff(offsets))).astype(np.int32),
            parent_text=[parents.text[row] for row in parent.tolist()] if self._inline else None,
            parents=Parents.of(parents),
        )


def _parts(documents: Sequence[Document], parents: ChunkBatch) -> Iterator[Document]:
    """Each parent as a document of its own."""
    edges = zip(parents.offsets[:-1].tolist(), parents.offsets[1:].tolist(), strict=True)
    for document, (first, last) in zip(documents, edges, strict=True):
        slicer = None if document.structure is None else Slicer(document.structure)
        for row in range(first, last):
            start, end = int(parents.char_start[row]), int(parents.char_end[row])
            structure = None if slicer is None else slicer.part(start, end)
            yield Document(parents.text[row], structure, title=document.title)
