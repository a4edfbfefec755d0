"""A document with its chunks, laid out for showing: which stretch of text is in which chunk.

Knows neither Spark, nor terminals, nor HTML. The preview and the report show it each in its own way.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jobs.screen import visible
from udfs.chunking import Chunk

# Cuts within a sentence, for want of a better place. The same as in `schemas`, which needs Spark.
FORCED = ("clause", "word", "grapheme")

# Of one chunk, nobody reads more on a screen; a text that is kept whole may be huge.
_MOST_OF_A_BLOCK = 20_000


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

    @property
    def shown(self) -> str:
        """The text for a person; empty if it is not known."""
        return shown_text(self.text or "")


@dataclass(frozen=True, slots=True)
class Block:
    """What is shown of a document from the start of one chunk to the start of the next.

    What the chunk shares with the one before stands at its head, so that the document is read once, in order.

    Attributes:
        chunk: that begins here; None for what stands in front of the first one.
        context: what stands in front of its text in `embed_text`, for a person.
        stretches: of the text, in order.
        section: the heading path, where it is another than that of the block before; else empty.
        page: where it is another than that of the block before, such as "3" or "3-4"; else empty.
        left_out: code points at the end of the block that are not among the stretches.
        goes_on: the chunk ends in the next block, with what the two chunks share.
    """

    chunk: Chunk | None
    context: str
    stretches: Sequence[Stretch]
    section: tuple[str, ...]
    page: str
    left_out: int
    goes_on: bool = False


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
        shown: how many chunks are shown, from the first; None: all.
    """

    name: str
    chunks: Sequence[Chunk]
    stretches: Sequence[Stretch]
    limit: int
    unit: str
    profile: str
    strategy: str
    why: str = ""
    shown: int | None = None

    @property
    def shown_chunks(self) -> Sequence[Chunk]:
        """The chunks that are shown."""
        return self.chunks[: self.shown]

    @property
    def left_out(self) -> int:
        """How many chunks are not shown."""
        return len(self.chunks) - len(self.shown_chunks)

    @property
    def blocks(self) -> list[Block]:
        """As it is read: a block for each chunk that is shown, and one for what stands before the first."""
        return list(_blocks(self))

    @property
    def has_sides(self) -> bool:
        """Whether anything can stand along the side: headings or pages."""
        return any(chunk.section or chunk.page_start is not None for chunk in self.shown_chunks)

    def used(self, chunk: Chunk) -> int:
        """How much of the limit a chunk takes, in the unit of the limit."""
        return chunk.token_count if self.unit == "tokens" else len(chunk.embed_text)

    def is_forced(self, chunk: Chunk) -> bool:
        """Whether the chunk ends within a sentence."""
        return chunk.cut in FORCED


def shown_text(text: str) -> str:
    r"""Text of a document for a person: what a terminal would obey or a reader not see is written as an escape.

    Line ends and tabs stay what they are.

    >>> print(shown_text("one\r\ntwo\x1b[31m"))
    one
    two\x1b[31m
    """
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(visible, line.split("\t"))) if "\t" in line else visible(line) for line in lines)


def context_of(chunk: Chunk) -> str:
    """What stands in front of the text in `embed_text`: headings, a table's header; empty if nothing does.

    Every template ends with the text, so what is before it is the context; see docs/structure.md.
    """
    return chunk.embed_text.removesuffix(chunk.text) if chunk.embed_text != chunk.text else ""


def pages_of(chunk: Chunk) -> str:
    """The page or pages of a chunk as a person writes them; empty without pages."""
    if chunk.page_start is None:
        return ""
    one = chunk.page_end in (None, chunk.page_start)
    return str(chunk.page_start) if one else f"{chunk.page_start}-{chunk.page_end}"


def chunk_of_row(row: Mapping[str, Any]) -> Chunk:
    """A row of the table `chunks` as the engine's chunk; what the table does not keep is 0 or None."""
    names = "chunk_index text embed_text token_count char_start char_end page_start page_end kind cut oversize"
    values = {name: row[name] for name in names.split()}
    return Chunk(**values, section=tuple(row["section"] or ()), occurrence=0)


def bounded(document: DrawnDocument, chunks: int, characters: int) -> DrawnDocument:
    """The document with at most so many chunks shown, and about so many code points; never less than one chunk."""
    reach = sum(1 for chunk in document.chunks if chunk.char_end <= characters)
    return replace(document, shown=max(1, min(chunks, reach)))


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


def _blocks(document: DrawnDocument) -> Iterator[Block]:
    """A block up to each chunk's start; the last that is shown goes to its own end."""
    chunks = document.shown_chunks
    starts = [chunk.char_start for chunk in chunks]
    stop = chunks[-1].char_end if document.left_out else None
    waiting = itertools.takewhile(lambda one: stop is None or one.char_start < stop, document.stretches)
    parts: list[list[Stretch]] = [[] for _ in range(len(chunks) + 1)]
    place = 0
    for stretch in waiting:
        while place < len(chunks) and starts[place] <= stretch.char_start:
            place += 1
        inside = tuple(index for index in stretch.chunks if index < len(chunks))
        parts[place].append(stretch if inside == stretch.chunks else replace(stretch, chunks=inside))
    if _has_text(parts[0]):
        yield _block(None, parts[0], None)
    for place, chunk in enumerate(chunks):
        block = _block(chunk, parts[place + 1], chunks[place - 1] if place else None)
        yield replace(block, goes_on=place + 1 < len(chunks) and starts[place + 1] < chunk.char_end)


def _block(chunk: Chunk | None, stretches: list[Stretch], before: Chunk | None) -> Block:
    while stretches and not _has_text(stretches[-1:]):  # blanks up to the next chunk
        stretches = stretches[:-1]
    stretches, left_out = _up_to(_MOST_OF_A_BLOCK, stretches)
    if chunk is None:
        return Block(None, "", stretches, (), "", left_out)
    section = () if before is not None and before.section == chunk.section else chunk.section
    page = "" if before is not None and pages_of(before) == pages_of(chunk) else pages_of(chunk)
    context = shown_text(context_of(chunk)[:_MOST_OF_A_BLOCK].rstrip("\n"))
    return Block(chunk, context, stretches, section, page, left_out)


def _has_text(stretches: Sequence[Stretch]) -> bool:
    return any(one.chunks or (one.text is not None and one.text.strip()) for one in stretches)


def _up_to(most: int, stretches: Sequence[Stretch]) -> tuple[list[Stretch], int]:
    """The stretches up to so many code points, and how many are left out."""
    kept, left_out = [], 0
    for one in stretches:
        text = one.text or ""
        left_out += max(0, len(text) - most)
        if most > 0:
            kept.append(one if len(text) <= most else replace(one, text=text[:most]))
        most = max(0, most - len(text))
    return kept, left_out
