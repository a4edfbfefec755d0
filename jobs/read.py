"""Read: whatever Spark reads becomes documents with the names that lakechunk uses.

Everything that can be wrong with the input as a whole is found here, before any document is touched.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from jobs.columns import Fold, fold_of, quoted, with_document_columns
from jobs.errors import InputError
from jobs.session import is_remote
from jobs.settings import InputSettings, masked_text
from udfs.chunking import SettingsError

# Formats whose folders may hold values (`tenant=001/`), which Spark would turn into numbers and dates.
_FILE_FORMATS = frozenset({"parquet", "json", "orc", "csv", "text", "xml", "avro"})
_INFERENCE = "spark.sql.sources.partitionColumnTypeInference.enabled"

# A name that no folder has, so that a folder `value=x/` does not take the place of the text.
_CONTENT = "__content_of_the_file"

_CONDITION = re.compile(r"\[([A-Z][A-Z_]+)[.\]]")
_FILE = re.compile(r"(?:reading file|footer for file:?|FileStatus\{path=) ?(\S+?)[;.,]?(?:\s|$)")


def read_documents(spark: SparkSession, settings: InputSettings) -> DataFrame:
    """The input's rows: a column for each role that has one (`DOCUMENT_COLUMNS`), and all others for predicates.

    Values that stand in the names of folders are text: `tenant=001/` is "001".

    Raises:
        InputError: the path is missing, empty or unreadable.
        SettingsError: a column that is mapped or carried is missing, or of a type that cannot serve.
    """
    rows, fold = _load(spark, settings), fold_of(spark)
    if settings.format == "text":
        rows = _texts(rows, settings, fold)
    return with_document_columns(rows, settings, fold)


def unreadable(error: Exception, settings: InputSettings) -> InputError | None:
    """The error to show when Spark failed on a file of the input; None if it failed on something else."""
    text = str(error)
    if not any(mark in text for mark in ("FAILED_READ_FILE", "CANNOT_READ_FILE", "Encountered error while reading")):
        return None
    found = _FILE.search(text)
    name = masked_text(found.group(1)) if found else masked_text(settings.path)
    return InputError(
        f"input.path: {name} cannot be read as {settings.format}: it is damaged or of another format. "
        "Restore or remove the file, or set input.format. The output was not touched."
    )


def _load(spark: SparkSession, settings: InputSettings) -> DataFrame:
    reader = spark.read.format(settings.format)
    if settings.format == "text":
        reader = reader.schema(StructType().add(_CONTENT, "string")).option("wholetext", "true")
    reader = reader.options(**settings.options)
    try:
        with _folder_values_as_text(spark):
            rows = reader.load(settings.path)
            schema = rows.schema  # a remote session looks at the path only when asked
        if is_remote(spark) and settings.format in _FILE_FORMATS:
            # A remote session looks again at each use, when it may infer again; what it is told, it keeps.
            rows = reader.schema(schema).load(settings.path)
    except Exception as error:  # Spark raises its own kinds, Py4J others
        raise _why_not_loaded(error, settings) from error
    return rows


@contextlib.contextmanager
def _folder_values_as_text(spark: SparkSession) -> Iterator[None]:
    """Inside, `id=001/` and `id=1/` stay two values. The session may be somebody else's, so it is put back."""
    before = spark.conf.get(_INFERENCE, "true") or "true"
    spark.conf.set(_INFERENCE, "false")
    try:
        yield
    finally:
        spark.conf.set(_INFERENCE, before)


def _texts(rows: DataFrame, settings: InputSettings, fold: Fold) -> DataFrame:
    """Format `text`: each file is one document, its path the id."""
    from_folders = {fold(name) for name in rows.columns}
    for role in ("document_id", "text"):
        name = getattr(settings.columns, role)
        if fold(name) in from_folders:
            raise SettingsError(
                f"input.columns.{role} = {name!r}: folders of the input hold values of this name ({name}=...). Give "
                f"the column another name, such as --set input.columns.{role}=file_{name}."
            )
    return rows.select(
        F.col("_metadata.file_path").alias(settings.columns.document_id),
        F.col(_CONTENT).alias(settings.columns.text),
        *(quoted(name) for name in rows.columns if name != _CONTENT),
    )


def _why_not_loaded(error: Exception, settings: InputSettings) -> Exception:
    shown = masked_text(settings.path)
    known = unreadable(error, settings)
    if known is not None:
        return known
    condition = _condition(error)
    if condition == "PATH_NOT_FOUND":
        return InputError(f"input.path = {shown!r}: does not exist; check --input (a file, folder or glob).")
    if condition == "UNABLE_TO_INFER_SCHEMA":
        return InputError(f"input.path = {shown!r}: holds no {settings.format} files. Check --input and input.format.")
    if condition == "DATA_SOURCE_NOT_FOUND":
        return SettingsError(
            f"input.format = {settings.format!r}: Spark has no reader of this name. Built in: parquet, json, orc, "
            "text, csv; others need their package (spark.jars.packages)."
        )
    return InputError(f"input.path = {shown!r}: cannot be read as {settings.format}: {masked_text(first_line(error))}")


def _condition(error: Exception) -> str:
    """Spark's name for what went wrong; some errors of Spark reach Python only as text."""
    if isinstance(error, PySparkException):
        # Spark 4 has a new name for it, Spark 3.5 only the old one.
        condition = getattr(error, "getCondition", None) or error.getErrorClass
        if name := condition():
            return str(name).split(".")[0]
    found = _CONDITION.search(str(error))
    return found.group(1) if found else ""


def first_line(error: Exception) -> str:
    """What an error of Spark says, without plan and stack."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # Py4J's line, then Java's
        return lines[1].removeprefix(": ")
    return lines[0] if lines else type(error).__name__
