"""Which documents took longest to chunk, for people; no table depends on it."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

# So many are told of.
_MANY = 10


def slowest_documents(work: DataFrame) -> list[dict[str, Any]]:
    """The documents with the most seconds, slowest first: `document_id`, `profile`, `char_count`, `seconds`.

    Small documents are chunked together; of their time each is given what its length accounts for.

    Args:
        work: the working table.
    """
    order = F.desc_nulls_last("seconds"), "document_id"
    rows = work.where(F.col("seconds") > 0).orderBy(*order).limit(_MANY)
    names = ("document_id", "profile", "char_count", F.round("seconds", 6).alias("seconds"))
    return [row.asDict() for row in rows.select(*names).collect()]  # ten rows
