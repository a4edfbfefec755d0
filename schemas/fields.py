"""How a column is written down: its name, its type, and what it means."""

from __future__ import annotations

from pyspark.sql.types import DataType, StructField


def column(name: str, data_type: DataType, comment: str, *, nullable: bool = True) -> StructField:
    """A column whose meaning travels with the table: Spark keeps the comment in the file's schema.

    Example:
        >>> from pyspark.sql.types import IntegerType
        >>> column("n", IntegerType(), "How many.").metadata
        {'comment': 'How many.'}
    """
    return StructField(name, data_type, nullable, {"comment": comment})
