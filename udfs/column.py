"""Chunking as a Spark column: `chunk("text", strategy="recursive", size=512)`.

One evaluation serves all versions: an Arrow UDF where Spark has them (4.1 and
later), a pandas UDF elsewhere (3.5 and later). Works on Spark Connect too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, cast

import pandas as pd
import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BooleanType, IntegerType, StringType, StructType

from udfs.chunking import Chunker, ChunkSettings
from udfs.chunking.tokenizers import register, tokenizer_content
from udfs.isolation import Outcome, chunk_rows, chunk_rows_by

# A chunk as Spark sees it; the fields and their order are those of the engine's `Chunk`.
CHUNK = (
    StructType()
    .add("chunk_index", IntegerType())
    .add("text", StringType())
    .add("embed_text", StringType())
    .add("token_count", IntegerType())
    .add("char_start", IntegerType())
    .add("char_end", IntegerType())
    .add("page_start", IntegerType())
    .add("page_end", IntegerType())
    .add("section", ArrayType(StringType()))
    .add("kind", StringType())
    .add("cut", StringType())
    .add("oversize", BooleanType())
    .add("occurrence", IntegerType())
)

# What the job gets for each document: what `chunk` gives, and what went wrong.
OUTCOME = StructType().add("canonical", StringType()).add("failure", StringType()).add("chunks", ArrayType(CHUNK))

# Made by name, since no version of Spark has all of them.
_arrow_udf: Any = getattr(F, "arrow_udf", None)
_pandas_udf: Any = getattr(F, "pandas_udf", None)


def chunk(column: Column | str, **settings: Any) -> Column:
    """The chunks of a text column, as an array of structs with the fields of a chunk.

    A null or blank text gives an empty array. A text that cannot be chunked (not valid
    UTF-8, say) gives null and leaves its neighbours alone; find such rows with `isNull()`.

    Args:
        column: a string column, or its name.
        settings: those of a profile: `strategy`, `size`, `overlap`, `unit`, `tokenizer`, ...

    Raises:
        SettingsError: on the driver, at the call, if a setting is unknown or cannot be.

    Example:
        df.select("id", F.explode(chunk("text", size=384)).alias("c")).select("id", "c.*")
    """
    checked = ChunkSettings.of(settings)
    text = F.col(column) if isinstance(column, str) else column
    function = _chunks_function(_portable(checked))
    if _arrow_udf is not None:
        return cast(Column, _arrow_chunks(function)(text))
    # pandas decodes the column before we see it, so bytes that are no text must not get there.
    valid = is_valid_utf8(text)
    chunks = _pandas_chunks(function)(F.when(valid, text))
    return F.when(text.isNull() | valid, chunks)


def chunk_by_profile(text: Column, profile: Column, profiles: Mapping[str, ChunkSettings]) -> Column:
    """The outcome of each document under its own profile: struct<canonical, failure, chunks>.

    In the chunks, `embed_text` is null where it equals `text`; that halves what Python and Spark exchange.

    Args:
        text: a string column of valid UTF-8; null gives no chunks.
        profile: a string column with keys of `profiles`; null gives no chunks.
        profiles: the settings of each profile.
    """
    # Plain strings travel to the workers; each worker builds its chunkers once.
    function = _outcome_function({name: _portable(settings) for name, settings in profiles.items()})
    if _arrow_udf is not None:
        return cast(Column, _arrow_outcome(function)(text, profile))
    return cast(Column, _pandas_outcome(function)(text, profile))


def is_valid_utf8(column: Column) -> Column:
    """Whether the bytes of a string column are UTF-8 text; null for null."""
    if hasattr(F, "is_valid_utf8"):
        return F.is_valid_utf8(column)
    # Spark 3.5: encoding replaces what is not UTF-8, so only valid text comes back as it was.
    return F.encode(column, "UTF-8") == column.cast("binary")


def as_valid_utf8(column: Column) -> Column:
    """The string with every byte that is not UTF-8 replaced by U+FFFD."""
    if hasattr(F, "make_valid_utf8"):
        return F.make_valid_utf8(column)
    return F.decode(F.encode(column, "UTF-8"), "UTF-8")


class Portable(NamedTuple):
    """What a worker needs to build a chunker; it reads no file of its own."""

    settings: str  # as JSON
    tokenizer: str  # its name or path
    content: str | None  # of the tokenizer.json at that path


def _portable(settings: ChunkSettings) -> Portable:
    content = tokenizer_content(settings.tokenizer)
    return Portable(settings.model_dump_json(exclude_none=True), settings.tokenizer, content)


@lru_cache(maxsize=64)
def _chunker(profile: Portable) -> Chunker:
    """The chunker of one profile, built once in each Python worker."""
    if profile.content is not None:
        register(profile.tokenizer, profile.content)
    return Chunker(ChunkSettings.model_validate_json(profile.settings))


def _chunks_function(profile: Portable) -> Callable[[pa.Array], Iterator[pa.Array]]:
    def chunks_of(texts: pa.Array) -> Iterator[pa.Array]:
        return (outcome.chunks for outcome in chunk_rows(_chunker(profile), texts))

    return chunks_of


def _outcome_function(profiles: dict[str, Portable]) -> Callable[[pa.Array, pa.Array], Iterator[pa.Array]]:
    def outcome_of(texts: pa.Array, names: pa.Array) -> Iterator[pa.Array]:
        for outcome in chunk_rows_by(lambda name: _chunker(profiles[name]), texts, names):
            yield pa.StructArray.from_arrays(list(outcome), names=list(Outcome._fields))

    return outcome_of


# Spark takes an iterator of results for an iterator of batches, cut as we like as long as the rows add up: no batch of
# results is larger than a portion, however much the overlap makes of a batch of texts.


def _arrow_chunks(function: Callable[[pa.Array], Iterator[pa.Array]]) -> Any:
    def chunks_of(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        for texts in batches:
            yield from function(texts)

    return _arrow_udf(chunks_of, ArrayType(CHUNK))


def _arrow_outcome(function: Callable[[pa.Array, pa.Array], Iterator[pa.Array]]) -> Any:
    def outcome_of(batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        for texts, names in batches:
            yield from function(texts, names)

    return _arrow_udf(outcome_of, OUTCOME)


def _pandas_chunks(function: Callable[[pa.Array], Iterator[pa.Array]]) -> Any:
    def chunks_of(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
        for texts in batches:
            for chunks in function(pa.array(texts, pa.large_string(), from_pandas=True)):
                yield pd.Series(chunks.to_pylist(), dtype=object)

    return _pandas_udf(chunks_of, ArrayType(CHUNK))


def _pandas_outcome(function: Callable[[pa.Array, pa.Array], Iterator[pa.Array]]) -> Any:
    def outcome_of(batches: Iterator[tuple[pd.Series, ...]]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            arrays = (pa.array(column, pa.large_string(), from_pandas=True) for column in batch)
            for outcome in function(*arrays):
                columns = zip(Outcome._fields, outcome.flatten(), strict=True)
                yield pd.DataFrame({name: pd.Series(array.to_pylist(), dtype=object) for name, array in columns})

    return _pandas_udf(outcome_of, OUTCOME)
