"""Other chunkers on the same text, where they are installed: `pip install 'lakechunk[bench]'`.

Each is set up as its manual says for chunks of so many tokens of cl100k_base, and
counts with tiktoken from the vocabulary that ships here, so nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import tiktoken

from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import reference_encoding

Split = Callable[[str], list[str]]


@dataclass(frozen=True)
class Peer:
    """A chunker of somebody else."""

    name: str
    split: Split


def installed_peers(size: int, overlap: int) -> Iterator[Peer]:
    """Those that can be imported."""
    for name, build in (
        ("langchain-text-splitters", langchain),
        ("semantic-text-splitter", _semantic_text_splitter),
        ("semchunk", _semchunk),
        ("chonkie", _chonkie),
    ):
        try:
            yield Peer(name, build(size, overlap))
        except ImportError:
            continue


def _tokens(text: str) -> int:
    return len(reference_encoding("cl100k_base").encode_ordinary(text))


def langchain(size: int, overlap: int) -> Split:
    library = import_module("langchain_text_splitters")
    splitter = library.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, length_function=_tokens)
    return lambda text: list(splitter.split_text(text))


def _semantic_text_splitter(size: int, overlap: int) -> Split:
    splitter = import_module("semantic_text_splitter").TextSplitter.from_tiktoken_model("gpt-4", size, overlap=overlap)
    return lambda text: list(splitter.chunks(text))


def _semchunk(size: int, overlap: int) -> Split:
    chunker = import_module("semchunk").chunkerify(_tokens, size)
    return lambda text: list(chunker(text, overlap=overlap))


def _chonkie(size: int, overlap: int) -> Split:  # noqa: ARG001 - its recursive chunker shares nothing
    encoding = reference_encoding("cl100k_base")
    # It would refuse text that reads like a special token; without such tokens, that is text as any other. By these
    # attributes, tiktoken's manual extends an encoding.
    ordinary = tiktoken.Encoding(
        encoding.name,
        pat_str=encoding._pat_str,
        mergeable_ranks=encoding._mergeable_ranks,
        special_tokens={},
    )
    chunker = import_module("chonkie").RecursiveChunker(tokenizer=ordinary, chunk_size=size)
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def ends_of(document: str, chunks: list[str]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The quality of the cuts that end all chunks but the last, as indexes into CUTS; unplaced chunks are left out."""
    slab = Slab([document])
    ends, position = [], 0
    for chunk in chunks[:-1]:
        text = chunk.strip()
        found = document.find(text, position)
        if found >= 0 and text:
            ends.append(1 + found + len(text))
            position = found + 1
    return prose_boundaries(slab, 512).quality_at(slab, np.array(ends, dtype=np.int64))
