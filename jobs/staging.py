"""Staging: where a run builds its tables, out of sight, until they are published."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from jobs.described import described
from jobs.publish import Output
from jobs.read import first_line
from jobs.settings import OutputSettings, masked_text
from jobs.settings.masking import masked_value
from udfs.chunking import SettingsError

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
        with described(self.spark, f"write {name}"):
            rows.write.format(WORK_FORMAT).save(path)
        return self.spark.read.schema(rows.schema).format(WORK_FORMAT).load(path)

    def work_bytes(self, name: str) -> int:
        """How many bytes a table takes that was written with `work`."""
        return sum(self.output.storage.files(self.output.staged(name)).values())

    def table(self, name: str, rows: DataFrame, records: int | None = None) -> DataFrame:
        """Writes a table that will be published, in the output's format.

        Args:
            name: of the table.
            rows: of the table.
            records: at most so many go into a file, unless the output's options say otherwise.
        """
        options = ({} if records is None else {"maxRecordsPerFile": str(records)}) | self.settings.options
        with described(self.spark, f"write the table {name}"):
            rows.write.format(self.settings.format).options(**options).save(self.output.staged(name))
        return self.read(name, rows.schema)

    def read(self, name: str, schema: StructType) -> DataFrame:
        """A table that was written with `table`."""
        reader = self.spark.read.format(self.settings.format)
        # Table formats keep their schema themselves and refuse another one.
        if self.settings.format in ("parquet", "orc", "json", "csv"):
            reader = reader.schema(schema)
        return reader.load(self.output.staged(name))

    def try_out(self, schema: StructType) -> None:
        """Writes a table of one row of nulls, moves it as publishing will, and reads it.

        What the format or its options cannot do shows here, not after all documents have been chunked.

        Args:
            schema: of the table that asks most of the format: `chunks`, with the carried columns.

        Raises:
            SettingsError: names output.format and output.options, with Spark's reason.
            OSError: nothing can be written to the output at all.
        """
        self.output.storage.write_text(self.output.staged("trial/reachable"), "")  # else the format would be blamed
        row = self.spark.range(0, 1, 1, 1).select(
            *(F.lit(None).cast(field.dataType).alias(field.name) for field in schema)
        )
        with self._blaming_the_format():
            self.table("trial/written", row)
        self.output.storage.rename(self.output.staged("trial/written"), self.output.staged("trial/moved"))
        with self._blaming_the_format():
            rows = self.read("trial/moved", schema).count()
        if rows != 1:
            raise SettingsError(self._unfit(f"of a table of one row, {rows} could be read after it had been moved"))
        self.output.storage.delete(self.output.staged("trial"))

    @contextlib.contextmanager
    def _blaming_the_format(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # Spark, Py4J and each format raise their own
            raise SettingsError(self._unfit(first_line(error))) from error

    def _unfit(self, reason: str) -> str:
        options = f", output.options = {masked_value(self.settings.options)}" if self.settings.options else ""
        return (
            f"output.format = {self.settings.format!r}{options}: the chunk table cannot be written like this: "
            f"{masked_text(reason).rstrip('.')}. Correct the options, or take a format whose tables are folders of "
            "files and may hold arrays: parquet, orc or json; others need their package (spark.jars.packages)."
        )


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
