"""The tables, each made from the working table and brought into the shape that `schemas` promises."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructField, StructType

from jobs.check import DETAIL_LENGTH
from jobs.columns import quoted
from jobs.errors import ContractError
from jobs.identify import chunk_id, config_hash, content_hash
from schemas import DOCUMENTS, PARENTS, REJECTS, SchemaMismatchError, check_schema, chunks_with
from udfs.chunking import ChunkSettings


def chunks_table(work: DataFrame, profiles: Mapping[str, ChunkSettings]) -> DataFrame:
    """One row a chunk, in the order of the working table; carried columns last."""
    carried = carried_fields(work)
    rows = work.where("status = 'chunked'").select("*", F.explode("chunks").alias("chunk"))
    embed_text = F.coalesce(F.col("chunk.embed_text"), F.col("chunk.text"))
    rows = rows.withColumn("embed_text", embed_text).withColumn("content_hash", content_hash(F.col("embed_text")))
    computed = {
        "chunk_id": chunk_id(F.col("document_id"), F.col("content_hash"), F.col("chunk.occurrence")),
        "embed_text": F.col("embed_text"),
        "parent_id": F.expr("parents[chunk.parent_index].parent_id"),
        "config_hash": config_hash(F.col("profile"), profiles),
        "duplicate_of": F.lit(None),
    }
    # Of the chunk's own fields, the table has all but those that only make its columns.
    from_chunk = set(_fields(work, "chunks")) - {"embed_text", "occurrence", "parent_index"}
    schema = chunks_with(carried, parent_text=has_inline_parents(profiles))
    columns = []
    for name in schema.names[: len(schema) - len(carried)]:
        source = F.col(f"chunk.{name}") if name in from_chunk else F.col(name)
        columns.append(computed.get(name, source).alias(name))
    columns += [F.col("carried").getField(field.name).alias(field.name) for field in carried]
    return conform("chunks", rows.select(*columns), schema)


def has_inline_parents(profiles: Mapping[str, ChunkSettings]) -> bool:
    """Whether the chunks of some profile bear the texts of their parents."""
    return any(settings.parents == "inline" for settings in profiles.values())


def documents_table(work: DataFrame, profiles: Mapping[str, ChunkSettings]) -> DataFrame:
    """One row for each id: rows without an id, and those rejected as duplicates, are only in `rejects`."""
    rows = work.where("document_id IS NOT NULL AND NOT (reason <=> 'duplicate_id')").select(
        "document_id",
        "document_hash",
        config_hash(F.col("profile"), profiles).alias("config_hash"),
        "profile",
        "status",
        "chunk_count",
        "token_count",
        "char_count",
        F.col("canonical").alias("text"),
        "removed",
        "metadata",
    )
    return conform("documents", rows, DOCUMENTS)


def rejects_table(work: DataFrame) -> DataFrame:
    """One row for each row of the input that was rejected."""
    rows = work.where("status = 'rejected'").withColumn("detail", F.left("detail", F.lit(DETAIL_LENGTH)))
    return conform("rejects", rows.select(*REJECTS.names), REJECTS)


def parents_table(work: DataFrame) -> DataFrame:
    """One row a parent, in the order of the working table; empty but for profiles that make parents."""
    rows = work.where("status = 'chunked'").select("document_id", F.explode("parents").alias("parent"))
    columns = [F.col("document_id") if name == "document_id" else F.col(f"parent.{name}") for name in PARENTS.names]
    return conform("parents", rows.select(*columns), PARENTS)


def carried_fields(work: DataFrame) -> list[StructField]:
    """The carried columns, which travel as the struct `carried`."""
    if "carried" not in work.columns:
        return []
    return list(work.schema["carried"].dataType.fields)  # type: ignore[attr-defined]


def conform(table: str, rows: DataFrame, schema: StructType) -> DataFrame:
    """The rows with the promised columns, types and comments.

    Raises:
        ContractError: if a column is missing or one too many.
    """
    columns = [
        quoted(field.name).cast(field.dataType).alias(field.name, metadata=field.metadata)
        for field in schema.fields
        if field.name in rows.columns
    ]
    extra = [quoted(name) for name in rows.columns if name not in schema.names]
    shaped = rows.select(*columns, *extra)
    try:
        check_schema(table, shaped.schema, schema)
    except SchemaMismatchError as error:
        raise ContractError(f"{error}\nNothing was published. Please report this, with the settings.") from error
    return shaped


def _fields(work: DataFrame, column: str) -> list[str]:
    return list(work.schema[column].dataType.elementType.names)  # type: ignore[attr-defined]
