"""Spread: work for every core, also where the input comes in few pieces.

A Parquet file is read by as many tasks as it has row groups, and most small tools write one: then a single core would
chunk everything.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

from jobs.check import RowCount
from jobs.session import is_remote

# Fewer rows than this are chunked sooner than they are moved.
WORTH_MOVING = 500

# More pieces than cores, so that one with long documents does not keep the others waiting.
PIECES_PER_CORE = 4


def spread(spark: SparkSession, documents: DataFrame, counted: RowCount) -> DataFrame:
    """The documents in enough pieces for all cores, by the hash of their id: in every run the same.

    Nothing is moved unless at least half of the cores would have nothing to do, nor if there are too few rows to
    matter. The cores of a remote session are not known, so there the pieces stay as they are.
    """
    if is_remote(spark) or counted.rows < WORTH_MOVING:
        return documents
    cores = spark.sparkContext.defaultParallelism
    if counted.pieces * 2 > cores:
        return documents
    return documents.repartition(cores * PIECES_PER_CORE, "document_id")
