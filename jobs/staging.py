"""Staging: where a run builds its tables, out of sight, until they are published."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from jobs.publish import Output
from jobs.settings import OutputSettings

# The working table and what helps to make it are ours alone, so their format is not the user's choice.
WORK_FORMAT = "parquet"


@dataclass(frozen=True, slots=True)
class Staging:
    """Writes tables below the output's staging folder, and reads them back."""

    spark: SparkSession
    output: Output
    settings: OutputSettings

    def work(self, name: str, rows: DataFrame) -> DataFrame:
        """Writes a table that only this run needs; what comes back is read from the files, not computed again."""
        path = self.output.staged(name)
        rows.write.format(WORK_FORMAT).save(path)
        return self.spark.read.schema(rows.schema).format(WORK_FORMAT).load(path)

    def table(self, name: str, rows: DataFrame) -> DataFrame:
        """Writes a table that will be published, in the output's format."""
        rows.write.format(self.settings.format).options(**self.settings.options).save(self.output.staged(name))
        return self.read(name, rows.schema)

    def read(self, name: str, schema: StructType) -> DataFrame:
        """A table that was written with `table`."""
        reader = self.spark.read.format(self.settings.format)
        # Table formats keep their schema themselves and refuse another one.
        if self.settings.format in ("parquet", "orc", "json", "csv"):
            reader = reader.schema(schema)
        return reader.load(self.output.staged(name))


@contextlib.contextmanager
def cleared(output: Output) -> Iterator[None]:
    """Whatever happens inside, nothing unfinished of this run stays behind."""
    try:
        yield
    except BaseException:
        # Spark may be gone by now; the next run on this output clears the rest.
        with contextlib.suppress(Exception):
            output.discard()
        raise
