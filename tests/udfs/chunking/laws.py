"""The laws that hold for every chunk of every strategy, as one check.

Everything is computed anew here: positions by slicing, tokens by the reference
tokenizer, graphemes by Unicode's own rule. Nothing of the engine is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import regex

from udfs.chunking import CUTS, Chunk, Chunker, ChunkSettings
from udfs.chunking.document import NOTHING, About
from udfs.chunking.tokenizers import reference_encoding

INVISIBLE = "\u200b\u2060\ufeff"


def blank(character: str) -> bool:
    return character.isspace() or character in INVISIBLE


@lru_cache(maxsize=4096)
def tokens(text: str, encoding: str) -> int:
    """Tokens by the reference."""
    return len(reference_encoding(encoding).encode_ordinary(text))


def size(text: str, settings: ChunkSettings) -> int:
    return tokens(text, settings.tokenizer) if settings.unit == "tokens" else len(text)


def check_document(chunker: Chunker, source: str, chunks: Sequence[Chunk], about: About = NOTHING) -> None:
    """Assert the laws for the chunks of one document as it was given."""
    chosen = chunker._chosen(source, about)
    document = chunker.read(source, about)
    assert chunker.canonical(source, about) == document.text
    removed = document.structure.removed if document.structure else ()
    check_laws(document.text, chunks, chosen.settings, [(cut.start, cut.end) for cut in removed])


def check_laws(
    source: str, chunks: Sequence[Chunk], settings: ChunkSettings, removed: Sequence[tuple[int, int]] = ()
) -> None:
    """Assert the laws of the design for one document.

    Args:
        source: the canonical text.
        chunks: of the document.
        settings: by which it was cut.
        removed: stretches that are declared to be in no chunk.
    """
    check_slices(source, chunks)
    check_cover(source, chunks, removed)
    check_sizes(chunks, settings)
    check_order(chunks)
    check_overlap(source, chunks, settings)
    check_unicode(source, chunks)


def check_slices(source: str, chunks: Sequence[Chunk]) -> None:
    for index, chunk in enumerate(chunks):
        assert chunk.chunk_index == index
        assert 0 <= chunk.char_start < chunk.char_end <= len(source)
        assert chunk.text == source[chunk.char_start : chunk.char_end]
        assert chunk.embed_text.endswith(chunk.text)
        assert not all(map(blank, chunk.text)), "a chunk of blanks alone"
        assert chunk.occurrence == sum(earlier.embed_text == chunk.embed_text for earlier in chunks[:index])
        assert chunk.cut in CUTS


def check_cover(source: str, chunks: Sequence[Chunk], removed: Sequence[tuple[int, int]] = ()) -> None:
    covered = 0
    inside = [(chunk.char_start, chunk.char_end) for chunk in chunks]
    for start, end in sorted([*inside, *removed]):
        assert all(map(blank, source[covered:start])), "text between two chunks is lost"
        covered = max(covered, end)
    assert all(map(blank, source[covered:])), "the end of the text is lost"
    for start, end in removed:
        assert not any(begin < end and start < stop for begin, stop in inside), "what is removed is in a chunk"


def check_sizes(chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    for chunk in chunks:
        assert chunk.token_count == tokens(chunk.embed_text, settings.tokenizer)
        over = size(chunk.embed_text, settings) > settings.size
        over |= settings.max_tokens is not None and chunk.token_count > settings.max_tokens
        assert chunk.oversize == over
        if over:
            assert len(regex.findall(r"\X", chunk.text)) == 1, f"over the limit: {chunk.text!r}"


def check_order(chunks: Sequence[Chunk]) -> None:
    for before, after in pairwise(chunks):
        assert before.char_start < after.char_start
        assert before.char_end < after.char_end


def check_overlap(source: str, chunks: Sequence[Chunk], settings: ChunkSettings) -> None:
    for before, after in pairwise(chunks):
        if after.char_start < before.char_end:
            shared = source[after.char_start : before.char_end]
            assert size(shared, settings) <= settings.shared


def check_unicode(source: str, chunks: Sequence[Chunk]) -> None:
    edges = {0} | {match.end() for match in regex.finditer(r"\X", source)}
    for chunk in chunks:
        chunk.text.encode()
        assert chunk.char_start in edges, "a grapheme is cut at the start"
        assert chunk.char_end in edges, "a grapheme is cut at the end"
