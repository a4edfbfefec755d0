"""What the report takes from the small tables: sizes, rejects, documents."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from schemas import REASONS, SCOPES, SIZES

# Rows of `sizes` that are shown, by scope; there may be as many content types as documents.
SHOWN_ROWS = {"overall": 1, "profile": 50, "content_type": 20, "source": 20}

# Examples of each reason for a reject.
REJECT_EXAMPLES = 3

# The largest documents that are named.
LARGEST_DOCUMENTS = 8

# Names (ids, sources, content types, headings) are shown up to so many code points.
NAME_LENGTH = 200


def size_rows(sizes: DataFrame) -> list[dict[str, Any]]:
    """The rows of `sizes`: overall, profiles, content types, sources; of each the largest, up to a bound.

    Columns that an older run did not write are None.
    """
    table = with_columns(sizes, SIZES)
    parts = [
        table.where(F.col("scope") == scope).orderBy(F.desc("chunk_count"), "name").limit(bound)
        for scope, bound in SHOWN_ROWS.items()
    ]
    rows = [row.asDict(recursive=True) for row in _union(parts).withColumn("name", name_of("name")).collect()]
    for row in rows:
        row["cut_shares"] = _without_nothing(row["cut_shares"])
        row["forced_cuts"] = _without_nothing(row["forced_cuts"])
    return sorted(rows, key=lambda row: (SCOPES.index(row["scope"]), -row["chunk_count"], row["name"] or ""))


def reject_examples(rejects: DataFrame, reasons: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """A few rejects for each reason, the same ones each time."""
    known = [reason for reason in reasons if reason in REASONS]
    if not known:
        return {}
    table = rejects.select("document_id", "reason", "detail")
    parts = [
        table.where(F.col("reason") == reason).orderBy("document_id", "detail").limit(REJECT_EXAMPLES)
        for reason in known
    ]
    shown = _union(parts).select(name_of("document_id"), "reason", F.substring("detail", 1, 300).alias("detail"))
    rows = [row.asDict() for row in shown.collect()]  # a few for each reason
    return {reason: [row for row in rows if row["reason"] == reason] for reason in known}


def largest_documents(documents: DataFrame) -> list[dict[str, Any]]:
    """The documents with the longest canonical texts."""
    rows = documents.select("document_id", "profile", "status", "char_count", "chunk_count", "token_count")
    rows = rows.where("char_count > 0").orderBy(F.desc("char_count"), "document_id").limit(LARGEST_DOCUMENTS)
    return [row.asDict() for row in rows.withColumn("document_id", name_of("document_id")).collect()]


def name_of(column: str) -> Column:
    """A name, cut to what is shown of it."""
    return F.substring(column, 1, NAME_LENGTH).alias(column)


def with_columns(table: DataFrame, schema: StructType) -> DataFrame:
    """The table with these columns; those it has not (an older run, a format that leaves out nulls) are null."""
    present = set(table.columns)
    missing = {field.name: F.lit(None).cast(field.dataType) for field in schema if field.name not in present}
    return table.withColumns(missing) if missing else table


def _union(parts: Iterable[DataFrame]) -> DataFrame:
    return functools.reduce(DataFrame.unionByName, parts)


def _without_nothing(counts: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A map as a dict; formats without maps give a struct that has every key."""
    return None if counts is None else {name: value for name, value in counts.items() if value}
