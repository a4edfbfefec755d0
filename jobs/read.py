"""Read: whatever Spark reads becomes documents with the names that lakechunk uses.

Everything that can be wrong with the input as a whole is found here, before any document is touched.
"""

from __future__ import annotations

import re

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, DataType, DoubleType, FloatType, MapType, StringType, StructType

from jobs.errors import InputError
from jobs.settings import InputSettings, masked_text
from schemas import CHUNKS
from udfs.chunking import SettingsError
from udfs.column import as_valid_utf8

# The document's own columns, by the names that predicates and tables use.
DOCUMENT_COLUMNS = ("document_id", "text", "content_type", "title", "source")

# Where the carried columns travel, as one struct, until they are put behind the chunk's own columns.
CARRIED = "__carried"

_NESTED = (ArrayType, MapType, StructType)
_CONDITION = re.compile(r"\[([A-Z][A-Z_]+)[.\]]")
_FILE = re.compile(r"(?:reading file|footer for file:?|FileStatus\{path=) ?(\S+?)[;.,]?(?:\s|$)")


def read_documents(spark: SparkSession, settings: InputSettings) -> DataFrame:
    """The input's rows with the columns `DOCUMENT_COLUMNS`, the carried ones, and all others for predicates.

    Raises:
        InputError: the path is missing, empty or unreadable.
        SettingsError: a column that is mapped or carried is missing, or of a type that cannot serve.
    """
    rows = _load(spark, settings)
    faults = [*_mapping_faults(rows.schema, settings), *_carry_faults(rows.schema, settings)]
    if faults:
        raise SettingsError("\n".join(faults))
    return _with_document_columns(rows, settings)


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
    try:
        if settings.format == "text":
            return _load_texts(spark, settings)
        rows = spark.read.format(settings.format).options(**settings.options).load(settings.path)
        rows.schema  # noqa: B018 - a remote session looks at the path only when asked
    except Exception as error:  # Spark raises its own kinds, Py4J others
        raise _why_not_loaded(error, settings) from error
    return rows


def _load_texts(spark: SparkSession, settings: InputSettings) -> DataFrame:
    """Format `text`: each file is one document, its path the id."""
    options = {"wholetext": "true"} | settings.options
    rows = spark.read.format("text").options(**options).load(settings.path)
    partitions = [name for name in rows.columns if name != "value"]
    return rows.select(
        F.col("_metadata.file_path").alias(settings.columns.document_id),
        F.col("value").alias(settings.columns.text),
        *partitions,
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
    if isinstance(error, PySparkException) and (name := error.getErrorClass()):
        return str(name).split(".")[0]
    found = _CONDITION.search(str(error))
    return found.group(1) if found else ""


def first_line(error: Exception) -> str:
    """What an error of Spark says, without plan and stack."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # Py4J's line, then Java's
        return lines[1].removeprefix(": ")
    return lines[0] if lines else type(error).__name__


def _mapping_faults(schema: StructType, settings: InputSettings) -> list[str]:
    faults = []
    for role in DOCUMENT_COLUMNS:
        name = getattr(settings.columns, role)
        if name is None:
            continue
        found = _type_of(schema, name)
        if found is None:
            faults.append(str(SettingsError.unknown(f"input.columns.{role}", name, schema.names)))
        elif fault := _type_fault(role, name, found):
            faults.append(fault)
    return faults


def _type_fault(role: str, name: str, found: DataType) -> str | None:
    place = f"input.columns.{role} = {name!r}: has the type {found.simpleString()}"
    if role == "text" and not isinstance(found, StringType):
        return f"{place}; the text must be a string. Map another column, or cast it where the data is written."
    if isinstance(found, (*_NESTED, BinaryType)):
        return f"{place}; it must be a string or a simple type. Map another column, or cast it there."
    if role == "document_id" and isinstance(found, FloatType | DoubleType):
        return f"{place}, which is not exact; an id must be a string or a whole number. Cast it at the source."
    return None


def _carry_faults(schema: StructType, settings: InputSettings) -> list[str]:
    own = {name.lower() for name in CHUNKS.names}
    faults = []
    for name in settings.carry:
        if _type_of(schema, name) is None:
            faults.append(str(SettingsError.unknown("input.carry", name, schema.names)))
        elif name.lower() in own:
            faults.append(
                f"input.carry = {name!r}: the chunk table has a column of this name. Rename it at the source, or "
                "map it with input.columns."
            )
    return faults


def _type_of(schema: StructType, name: str) -> DataType | None:
    """The column's type, found as Spark finds it: whatever the case."""
    return next((field.dataType for field in schema.fields if field.name.lower() == name.lower()), None)


def _with_document_columns(rows: DataFrame, settings: InputSettings) -> DataFrame:
    own = [_document_column(role, getattr(settings.columns, role)) for role in DOCUMENT_COLUMNS]
    carried = [F.struct(*(quoted(name) for name in settings.carry)).alias(CARRIED)] if settings.carry else []
    others = [quoted(name) for name in rows.columns if name.lower() not in DOCUMENT_COLUMNS]
    return rows.select(*own, *carried, *others)


def _document_column(role: str, name: str | None) -> Column:
    if name is None:
        return F.lit(None).cast("string").alias(role)
    value = quoted(name).cast("string")
    if role == "document_id":
        value = F.when(F.trim(value) != "", value)  # a blank id is no id
    elif role != "text":
        value = as_valid_utf8(value)  # what is only shown must not be able to break those who read the tables
    return value.alias(role)


def quoted(name: str) -> Column:
    """The column of exactly this name, dots and all."""
    return F.col(f"`{name.replace('`', '``')}`")
