"""Chunking as a Spark column: `chunk("text", strategy="recursive", size=512)`.

One evaluation serves all versions of Spark: see `evaluation.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BooleanType, DoubleType, IntegerType, MapType, StringType, StructType

from udfs.chunking import Chunker, ChunkSettings
from udfs.chunking.semantic.models import ModelContent, model_content, register_model
from udfs.chunking.tokenizers import register, tokenizer_content
from udfs.evaluation import Chunking, evaluated, has_arrow_udf
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
    .add("parent_index", IntegerType())
    .add("parent_text", StringType())
)

# A parent of chunks as Spark sees it; the fields are those of the engine's `Parents`.
PARENT = (
    StructType()
    .add("text", StringType())
    .add("char_start", IntegerType())
    .add("char_end", IntegerType())
    .add("token_count", IntegerType())
    .add("section", ArrayType(StringType()))
    .add("page_start", IntegerType())
    .add("page_end", IntegerType())
    .add("occurrence", IntegerType())
)

# What the job gets for each document: what `chunk` gives, and what went wrong.
OUTCOME = (
    StructType()
    .add("canonical", StringType())
    .add("removed", MapType(StringType(), IntegerType()))
    .add("metadata", MapType(StringType(), StringType()))
    .add("strategy", StringType())
    .add("failure", StringType())
    .add("chunks", ArrayType(CHUNK))
    .add("parents", ArrayType(PARENT))
    .add("seconds", DoubleType())
)


def chunk(
    column: Column | str,
    *,
    title: Column | str | None = None,
    content_type: Column | str | None = None,
    source: Column | str | None = None,
    pages: Column | str | None = None,
    **settings: Any,
) -> Column:
    """The chunks of a text column, as an array of structs with the fields of a chunk.

    A null or blank text gives an empty array. A text that cannot be chunked (not valid
    UTF-8, say) gives null and leaves its neighbours alone; find such rows with `isNull()`.

    Args:
        column: a string column, or its name. Where a document is an array of pages, see `join_pages`.
        title: a column, or its name, that is put in front of chunks where the `context` asks for it.
        content_type: likewise: a MIME type, which tells the format and the language of code.
        source: likewise: a file name, path or URL, which tells the same.
        pages: likewise: array<int> or array<bigint>, where each page begins in the text (code points, the first 0).
            Without it, form feeds part pages.
        settings: those of a profile: `strategy`, `size`, `overlap`, `unit`, `tokenizer`, ...

    Raises:
        SettingsError: on the driver, at the call, if a setting is unknown or cannot be.

    Example:
        df.select("id", F.explode(chunk("text", strategy="markdown", title="title")).alias("c")).select("id", "c.*")
    """
    function = _chunks_function(_portable(ChunkSettings.of(settings)))
    text = _column(column)
    strings = {"title": title, "content_type": content_type, "source": source}
    about = {name: as_valid_utf8(_column(given)) for name, given in strings.items() if given is not None}
    if pages is not None:
        about["pages"] = _column(pages)
    columns = {"text": text, **about}
    if has_arrow_udf():
        return evaluated(function, columns, ArrayType(CHUNK))
    # pandas decodes the column before we see it, so bytes that are no text must not get there.
    valid = is_valid_utf8(text)
    chunks = evaluated(function, {**columns, "text": F.when(valid, text)}, ArrayType(CHUNK))
    return F.when(text.isNull() | valid, chunks)


def join_pages(pages: Column | str) -> Column:
    r"""The text of a document that is an array of pages: each page ends with a form feed, as in the text of a PDF.

    A form feed inside a page becomes a line feed, a page that is null is an empty one, and no array is no text.

    Args:
        pages: array<string>, or the column's name.

    Example:
        df.select("id", chunk(join_pages("pages"), size=384, boilerplate="drop"))
    """

    def page_text(page: Column) -> Column:
        # `replace` works on bytes; `translate` and regular expressions would mend bytes that are no text in silence.
        return F.concat(F.replace(F.coalesce(page, F.lit("")), F.lit("\f"), F.lit("\n")), F.lit("\f"))

    return F.array_join(F.transform(_column(pages), page_text), "")


def chunk_by_profile(
    text: Column, profile: Column, profiles: Mapping[str, ChunkSettings], about: Mapping[str, Column] | None = None
) -> Column:
    """The outcome of each document under its own profile, of the type `OUTCOME`.

    In the chunks, `embed_text` is null where it equals `text`; that halves what Python and Spark exchange.

    Args:
        text: a string column of valid UTF-8; null gives no chunks.
        profile: a string column with keys of `profiles`; null gives no chunks.
        profiles: the settings of each profile.
        about: what else is known: `title`, `content_type`, `source` (valid UTF-8) and `pages`, as for `chunk`.
    """
    # Plain strings travel to the workers; each worker builds its chunkers once.
    function = _outcome_function({name: _portable(settings) for name, settings in profiles.items()})
    columns = {"text": text, "profile": profile, **(about or {})}
    return evaluated(function, columns, OUTCOME)


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


def _column(given: Column | str) -> Column:
    return F.col(given) if isinstance(given, str) else given


class Portable(NamedTuple):
    """What a worker needs to build a chunker; it reads no file of its own."""

    settings: str  # as JSON, without what nobody set: `auto` chooses that itself
    tokenizer: str  # its name or path
    content: str | None  # of the tokenizer.json at that path
    models: tuple[tuple[str, ModelContent], ...]  # by name


def _portable(settings: ChunkSettings) -> Portable:
    content = tokenizer_content(settings.tokenizer)
    models = tuple((name, model_content(name)) for name in settings.models)
    return Portable(settings.model_dump_json(exclude_unset=True), settings.tokenizer, content, models)


@lru_cache(maxsize=64)
def _chunker(profile: Portable) -> Chunker:
    """The chunker of one profile, built once in each Python worker."""
    if profile.content is not None:
        register(profile.tokenizer, profile.content)
    for name, model in profile.models:
        register_model(name, model)
    return Chunker(ChunkSettings.model_validate_json(profile.settings))


def _chunks_function(profile: Portable) -> Chunking:
    def chunks_of(rows: pa.RecordBatch) -> Iterator[pa.Array]:
        return (outcome.chunks for outcome in chunk_rows(_chunker(profile), rows))

    return chunks_of


def _outcome_function(profiles: dict[str, Portable]) -> Chunking:
    def outcome_of(rows: pa.RecordBatch) -> Iterator[pa.Array]:
        for outcome in chunk_rows_by(lambda name: _chunker(profiles[name]), rows):
            yield pa.StructArray.from_arrays(list(outcome), names=list(Outcome._fields))

    return outcome_of
