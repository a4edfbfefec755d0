"""A document with its chunks, laid out for showing: which stretch of text is in which chunk.

Knows neither Spark, nor terminals, nor HTML. The preview and the report show it each in its own way.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from udfs.chunking import Chunk


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of canonical text that is in the same chunks from end to end.

    Attributes:
        text: of the stretch; None where it is not known (a gap between the chunks of a stored run).
        char_start: first code point in the canonical text.
        chunks: the indexes of the chunks it is in: none (blanks between chunks, front matter), one, or several where
            chunks overlap.
    """

    text: str | None
    char_start: int
    chunks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DrawnDocument:
    """A document, cut into stretches in reading order, and its chunks.

    Attributes:
        name: what the document is called: a path or an id.
        chunks: in reading order; `chunk_index` is the place in this sequence.
        stretches: all of the text, in reading order.
        limit: of the profile, in its unit.
        unit: tokens or characters.
        profile: its name.
        strategy: what cut the document; under `auto`, the one that was chosen.
        why: why that was chosen; empty where nothing was to choose.
    """

    name: str
    chunks: Sequence[Chunk]
    stretches: Sequence[Stretch]
    limit: int
    unit: str
    profile: str
    strategy: str
    why: str = ""


def context_of(chunk: Chunk) -> str:
    """What stands in front of the text in `embed_text`: headings, a table's header; empty if nothing does.

    Every template ends with the text, so what is before it is the context; see docs/structure.md.
    """
    return chunk.embed_text.removesuffix(chunk.text) if chunk.embed_text != chunk.text else ""


def stretches_of(chunks: Sequence[Chunk], text: str | None = None) -> list[Stretch]:
    """The text as stretches: a new one begins wherever a chunk begins or ends.

    Args:
        chunks: of one document, in reading order.
        text: its canonical text; None: only what the chunks hold is known of it.

    Example:
        >>> from udfs.chunking import Chunker
        >>> chunks = Chunker(strategy="fixed", size=4, overlap=2, unit="characters").chunk("012345")
        >>> [(stretch.text, stretch.chunks) for stretch in stretches_of(chunks, "012345")]
        [('01', (0,)), ('23', (0, 1)), ('45', (1,))]
    """
    end = len(text) if text is not None else max((chunk.char_end for chunk in chunks), default=0)
    edges = sorted({0, end, *(chunk.char_start for chunk in chunks), *(chunk.char_end for chunk in chunks)})
    stretches, first = [], 0
    for start, stop in itertools.pairwise(edges):
        while first < len(chunks) and chunks[first].char_end <= start:
            first += 1
        inside = []
        for place in range(first, len(chunks)):
            if chunks[place].char_start > start:
                break
            inside.append(place)
        stretches.append(Stretch(_text_between(start, stop, inside, chunks, text), start, tuple(inside)))
    return stretches


def _text_between(
    start: int, stop: int, inside: Sequence[int], chunks: Sequence[Chunk], text: str | None
) -> str | None:
    if text is not None:
        return text[start:stop]
    if not inside:
        return None
    chunk = chunks[inside[0]]
    return chunk.text[start - chunk.char_start : stop - chunk.char_start]
