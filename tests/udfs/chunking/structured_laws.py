"""What holds for every chunk of a document whose structure is known, computed anew in the slowest, plainest way."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from tests.udfs.chunking.laws import blank, check_laws, size, tokens
from tests.udfs.chunking.random_structures import Example, edges_of_graphemes
from udfs.chunking import Chunk, ChunkSettings
from udfs.chunking.chunk import KINDS
from udfs.chunking.formats.structure import Section
from udfs.chunking.layout import NEAR
from udfs.chunking.outline import MAX_TITLE
from udfs.chunking.strategies import STRATEGIES

MARK = "\u2026"


def check_structured(example: Example, chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    """Assert the laws of the design and those of structure for one document."""
    check_laws(example.text, chunks, settings, [(cut.start, cut.end) for cut in example.structure.removed])
    check_contexts(example, chunks, settings)
    check_sections(example, chunks)
    check_kinds(example, chunks, settings)
    check_solid_blocks(example, chunks, settings)
    check_headings(example, chunks, settings)
    check_heading_ends(example, chunks, settings)


def sections_at(example: Example, position: int) -> list[Section]:
    """The sections that hold a position, outermost first."""
    return [section for section in example.structure.sections if section.start <= position < section.end]


def path_at(example: Example, position: int) -> tuple[str, ...]:
    """The titles of the sections that hold a position."""
    return tuple(
        section.title if len(section.title) <= MAX_TITLE else section.title[: MAX_TITLE - 1] + MARK
        for section in sections_at(example, position)
    )


def context_at(example: Example, position: int, settings: ChunkSettings) -> str:
    """What stands in front of a chunk that begins at a position, were there no bound; by the default template."""
    path = path_at(example, position)
    inside = sections_at(example, position)
    if inside and position < inside[-1].body:
        path = path[:-1]
    repeats = [repeat.text for repeat in example.structure.repeats if repeat.start <= position < repeat.end]
    title = example.title
    if settings.context_mode == "none":
        return ""
    if settings.context_mode == "title":
        path, repeats = (), []
    elif settings.context_mode == "headings":
        title, repeats = "", []
    elif path:
        title = ""
    lines = [title, " > ".join(path), "\n".join(repeats)]
    return "".join(f"{line}\n" for line in lines if line)


def check_contexts(example: Example, chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    for chunk in chunks:
        front = chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]
        whole = context_at(example, chunk.char_start, settings)
        if front == whole:
            assert takes_its_share(front, settings)
        elif front:
            assert not takes_its_share(whole, settings)
            assert MARK in front
            assert takes_its_share(front, settings)
        else:  # nothing of it fits, or not beside a single grapheme that is too large
            assert not takes_its_share(whole, settings) or not fits(whole + chunk.text, settings)


def takes_its_share(context: str, settings: ChunkSettings) -> bool:
    """Whether a context takes no more than it may, of the units and of the tokens."""
    most = int(settings.limit * settings.context_share)
    used = size(context, settings)
    if settings.max_tokens is not None:
        used = max(used, math.ceil(tokens(context, settings.tokenizer) * settings.limit / settings.max_tokens))
    return used <= most


def check_sections(example: Example, chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        assert chunk.section == path_at(example, chunk.char_start)


def kind_of(example: Example, start: int, end: int, other: str) -> str:
    """The kind that makes up four fifths of a stretch."""
    kinds = [other] * len(example.text)
    blocks = example.structure.blocks
    for begin, stop, kind in reversed(list(zip(blocks.start, blocks.end, blocks.kind, strict=True))):
        kinds[begin:stop] = [KINDS[kind]] * int(stop - begin)
    inside = kinds[start:end]
    return next((kind for kind in KINDS if 5 * inside.count(kind) >= 4 * len(inside)), "mixed")


def check_kinds(example: Example, chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    for chunk in chunks:
        assert chunk.kind == kind_of(example, chunk.char_start, chunk.char_end, STRATEGIES[settings.strategy].kind)


def solid_blocks(example: Example, settings: ChunkSettings) -> list[tuple[int, int]]:
    """The blocks that fit into a chunk with the context that stands before them, the blanks before them left out."""
    found = []
    text = example.text
    edges = edges_of_graphemes(text)
    for start, end in zip(example.structure.blocks.start.tolist(), example.structure.blocks.end.tolist(), strict=True):
        context = context_at(example, start, settings)
        uncut = takes_its_share(context, settings)
        # In characters, tokens are bounded as well, but not counted while packing.
        clear = 0 if settings.unit == "tokens" else NEAR
        # An edge inside a word counts another number of tokens than the words around it.
        spaced = blank(text[max(0, start - 1)]) or start == 0
        spaced &= end == len(text) or blank(text[end])
        if uncut and spaced and {start, end} <= edges and fits(context + text[start:end], settings, clear):
            found.append((next(at for at in range(start, end) if not blank(text[at])), end))
    return found


def fits(text: str, settings: ChunkSettings, clear: int = 0) -> bool:
    """Whether a text is no larger than a chunk may be, by so many tokens."""
    most = settings.max_tokens
    return size(text, settings) <= settings.limit and (most is None or tokens(text, settings.tokenizer) <= most - clear)


def check_solid_blocks(example: Example, chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    for start, end in solid_blocks(example, settings):
        for chunk in chunks:
            assert not start < chunk.char_start < end, f"a chunk begins inside {example.text[start:end]!r}"
            assert not start < chunk.char_end < end, f"a chunk ends inside {example.text[start:end]!r}"


def small_blocks(example: Example, settings: ChunkSettings) -> list[tuple[int, int]]:
    """The blocks that may be solid: those that fit without their contexts."""
    blocks = zip(example.structure.blocks.start.tolist(), example.structure.blocks.end.tolist(), strict=True)
    return [(start, end) for start, end in blocks if fits(example.text[start:end], settings)]


def heading_starts(example: Example, settings: ChunkSettings) -> list[tuple[int, int]]:
    """Where headings stand that no solid block can hold, and how deep."""
    small = small_blocks(example, settings)
    return [
        (section.start, len(sections_at(example, section.start)))
        for section in example.structure.sections
        if not any(start < section.start < end for start, end in small)
    ]


def check_headings(example: Example, chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    """No chunk spans the heading of a section that is kept apart; nothing is shared over any heading."""
    keep_apart = settings.keep_apart if settings.keep_apart is not None else int(settings.strategy != "code")
    first = min((section.start for section in example.structure.sections), default=0)
    for heading, depth in heading_starts(example, settings):
        # What stands before the first heading may share a chunk with it, and a heading stays with the one under it.
        above = [section for section in sections_at(example, heading) if section.start < heading]
        bare = above and all(map(blank, example.text[above[-1].body : heading]))
        for chunk in chunks if depth <= keep_apart and heading != first and not bare else ():
            before = example.text[chunk.char_start : max(chunk.char_start, heading)]
            behind = example.text[max(chunk.char_start, heading) : chunk.char_end]
            assert all(map(blank, before)) or all(map(blank, behind)), "a chunk spans two sections"
        for earlier, later in pairwise(chunks):
            over = example.text[later.char_start : min(heading, earlier.char_end)]
            under = example.text[max(heading, later.char_start) : earlier.char_end]
            assert all(map(blank, over)) or all(map(blank, under)), "text is shared over a heading"


def check_heading_ends(example: Example, chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    """No chunk ends with a heading if the next word under it fits too. In characters, where nothing is estimated."""
    if settings.unit == "tokens" or settings.max_tokens is not None:
        return
    text, small = example.text, small_blocks(example, settings)
    for section in example.structure.sections:
        word = re.compile(r"\s*\S+").match(text, section.body)
        if word is None or word.end() > section.end or any(start < word.end() < end for start, end in small):
            continue
        heading_end = len(text[: section.body].rstrip())
        for chunk in chunks:
            if chunk.char_end == heading_end:
                whole = chunk.embed_text + text[heading_end : word.end()]
                assert size(whole, settings) > settings.limit, "a heading stands alone at the end"
