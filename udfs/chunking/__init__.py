"""The chunking engine: text in, chunks out. Needs neither Spark nor pandas."""

from udfs.chunking.chunk import CUTS, KINDS, Chunk, ChunkBatch
from udfs.chunking.chunker import Chunker
from udfs.chunking.errors import LakechunkError, SettingsError, TextError
from udfs.chunking.settings import BOUND_TO_STRATEGY, ChunkSettings

__all__ = [
    "BOUND_TO_STRATEGY",
    "CUTS",
    "KINDS",
    "Chunk",
    "ChunkBatch",
    "ChunkSettings",
    "Chunker",
    "LakechunkError",
    "SettingsError",
    "TextError",
]
