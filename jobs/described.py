"""What Spark's own pages say a job is for, in place of a line number of PySpark's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from jobs.session import is_remote

_PROPERTY = "spark.job.description"


@contextmanager
def described(spark: SparkSession, what: str) -> Iterator[None]:
    """Inside, Spark's jobs are described as `lakechunk: ` and these words; afterwards as before.

    A remote session tells nothing of this to its server, so there nothing happens.

    Args:
        spark: the session.
        what: what is being done, as a person would say it; nothing from a document, no secret.
    """
    if is_remote(spark):
        yield
        return
    context = spark.sparkContext
    before = context.getLocalProperty(_PROPERTY)
    context.setJobDescription(f"lakechunk: {what}")
    try:
        yield
    finally:
        # A null takes the property away; the stub knows only text.
        context.setLocalProperty(_PROPERTY, before)  # type: ignore[arg-type]
