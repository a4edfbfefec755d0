"""Check: which rows cannot be chunked, and why. Native Spark only; no row is dropped, each is marked.

Operations: `reject_unfit` looks at each row alone; `count_rows` reads the ids alone, which costs little; only if an
id occurs twice does `reject_duplicates` shuffle anything, and then only the rows that share an id.
"""

from __future__ import annotations

from typing import NamedTuple

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    IntegralType,
    MapType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from udfs.column import as_valid_utf8, is_valid_utf8

DETAIL_LENGTH = 300

# Types whose values Spark orders exactly.
_ORDERED = (BinaryType, BooleanType, DateType, DecimalType, IntegralType, TimestampNTZType, TimestampType)


class RowCount(NamedTuple):
    """What one pass over the ids tells of the input."""

    rows: int
    repeated_ids: int  # ids that occur more than once
    pieces: int  # partitions that hold rows, about


def count_rows(documents: DataFrame) -> RowCount:
    """Counts in one pass over the ids; the texts are not read where the format has columns."""
    ids = documents.select("document_id", F.spark_partition_id().alias("piece"))
    ids = ids.groupBy("document_id").agg(F.count("*").alias("count"), F.min("piece").alias("piece"))
    repeated = F.count_if(F.col("document_id").isNotNull() & (F.col("count") > 1))
    found = ids.agg(F.sum("count"), repeated, F.approx_count_distinct("piece")).first()
    return RowCount(*((number or 0) for number in found or (0, 0, 0)))


def repeated_ids(documents: DataFrame) -> DataFrame:
    """The ids that occur more than once: one column, `document_id`."""
    counts = documents.where(F.col("document_id").isNotNull()).groupBy("document_id").count()
    return counts.where(F.col("count") > 1).select("document_id")


def reject_unfit(documents: DataFrame, max_document_bytes: int) -> DataFrame:
    """Adds `reason` and `detail`: null for a document that can be chunked."""
    documents = documents.withColumn("text_bytes", F.octet_length("text").cast("long"))
    reason, detail = F.lit(None).cast("string"), F.lit(None).cast("string")
    for condition, code, words in reversed(_tests(max_document_bytes)):
        reason = F.when(condition, F.lit(code)).otherwise(reason)
        detail = F.when(condition, words).otherwise(detail)
    marked = documents.withColumn("reason", reason).withColumn("detail", detail)
    # An id that is no text cannot stand in a table; `detail` shows it as well as it can be shown.
    return marked.withColumn("document_id", F.when(is_valid_utf8(F.col("document_id")), F.col("document_id")))


def reject_duplicates(documents: DataFrame, ids: DataFrame) -> DataFrame:
    """Of the rows that share an id one is kept; the others get the reason `duplicate_id`.

    Kept is a row that can be chunked before one that cannot, then by the hash of its text, then by all its columns:
    never by where the row lies. Rows that agree in all of this are the same, so it does not matter which.

    Args:
        documents: rows with `reason` and `detail`.
        ids: the ids that occur more than once, as from `repeated_ids`.
    """
    single = documents.join(ids, "document_id", "left_anti")
    shared = documents.join(ids, "document_id", "left_semi")
    order = Window.partitionBy("document_id").orderBy(
        F.col("reason").isNotNull(), F.sha2("text", 256).asc_nulls_last(), *_all_others(documents)
    )
    later = F.row_number().over(order) > 1
    ranked = shared.withColumn("later", later)
    marked = ranked.withColumn("reason", F.when(F.col("later"), "duplicate_id").otherwise(F.col("reason")))
    words = F.lit("another row with this id was kept")
    marked = marked.withColumn("detail", F.when(F.col("later"), words).otherwise(F.col("detail"))).drop("later")
    # Counting the rows on their way keeps Spark from chunking on either side of the union, in two Python stages.
    return single.unionByName(marked).observe("checked", F.count(F.lit(1)).alias("rows"))


def _tests(max_document_bytes: int) -> list[tuple[Column, str, Column]]:
    """What is looked for, in this order; the first that holds gives the reason."""
    size = F.col("text_bytes")
    too_large = F.concat(size.cast("string"), F.lit(f" bytes; input.max_document_bytes is {max_document_bytes}"))
    bad_id = F.concat(F.lit("the id is not valid UTF-8: "), as_valid_utf8(F.col("document_id")))
    return [
        (F.col("document_id").isNull(), "missing_id", F.lit("the id is null or blank")),
        (~is_valid_utf8(F.col("document_id")), "invalid_utf8", bad_id),
        (F.col("text").isNull(), "null_text", F.lit("the text is null")),
        (size > max_document_bytes, "too_large", too_large),
        (~is_valid_utf8(F.col("text")), "invalid_utf8", F.lit("the text is not valid UTF-8")),
        (F.col("profile").isNull(), "no_profile", F.lit("no routing rule matched")),
    ]


def _all_others(documents: DataFrame) -> list[Column]:
    return [_in_order(F.col(field.name), field.dataType) for field in documents.schema if field.name != "text"]


def _in_order(column: Column, kind: DataType) -> Column:
    """What puts the values of a column in an order in which only equal values are level, to the last bit."""
    if isinstance(kind, StringType):
        return column.cast("binary")  # collations hold unequal texts for equal
    if isinstance(kind, StructType):
        fields = (_in_order(column.getField(field.name), field.dataType).alias(f"f{i}") for i, field in enumerate(kind))
        return F.when(column.isNotNull(), F.struct(*fields))
    if isinstance(kind, ArrayType):
        return F.transform(column, lambda element: _in_order(element, kind.elementType))
    if isinstance(kind, MapType):
        # Entries as they lie: in another order they would be written in another order, too.
        keys = _in_order(F.map_keys(column), ArrayType(kind.keyType))
        return F.struct(keys, _in_order(F.map_values(column), ArrayType(kind.valueType)))
    if isinstance(kind, _ORDERED):
        return column
    return column.cast("string")  # floating point, where 0.0 and -0.0 are level; and what has no order (variant)
