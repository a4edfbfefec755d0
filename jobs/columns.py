"""Columns: which column of the input plays which role, and which are copied onto every chunk."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DoubleType,
    FloatType,
    IntegralType,
    MapType,
    StringType,
    StructType,
    TimestampType,
)

from jobs.settings import InputSettings
from schemas import CHUNKS, PARENT_TEXT
from udfs.chunking import SettingsError
from udfs.chunking.characters import is_blank
from udfs.column import as_valid_utf8, join_pages

# The document's own columns, by the names that predicates and tables use.
DOCUMENT_COLUMNS = ("document_id", "text", "content_type", "title", "source")

# Where pages begin, and that `text` was made from pages: names that no input has.
PAGE_OFFSETS, TEXT_IS_MADE = "__page_offsets", "__text_is_made"

# What makes two names of columns the same.
Fold = Callable[[str], str]

_NESTED = (ArrayType, MapType, StructType)


def fold_of(spark: SparkSession) -> Fold:
    """How this session compares names: whatever the case, unless it was told otherwise."""
    exact = spark.conf.get("spark.sql.caseSensitive", "false") == "true"
    return str if exact else str.lower


def with_document_columns(rows: DataFrame, settings: InputSettings, fold: Fold) -> DataFrame:
    """The roles that have a column, under their names and as strings; and all other columns as they are.

    Where the pages are texts, they make the text, and `TEXT_IS_MADE` says so; else `PAGE_OFFSETS` holds them, if the
    input has any.

    A role that is not mapped takes the column of its own name, if there is one that can serve; one that cannot (a
    struct, say) stays what it is, for predicates.

    Raises:
        SettingsError: lists every column that is mapped or carried and is missing, or of a type that cannot serve.
    """
    context = (rows.schema, settings, fold)
    faults = [fault for find in (_mapping_faults, _pages_faults, _carry_faults) for fault in find(*context)]
    if faults:
        raise SettingsError("\n".join(faults))
    own = {role: _document_column(role, name) for role, name in _roles(*context).items()} | _page_columns(*context)
    others = (quoted(name) for name in rows.columns if fold(name) not in own)
    return rows.select(*(column.alias(name) for name, column in own.items()), *others)


def document_column(documents: DataFrame, role: str) -> Column:
    """The column of a role; null where the input has none for it."""
    found = next((field.dataType for field in documents.schema.fields if field.name == role), None)
    return F.col(role) if isinstance(found, StringType) else F.lit(None).cast("string").alias(role)


def quoted(name: str) -> Column:
    """The column of exactly this name, dots and all."""
    return F.col(f"`{name.replace('`', '``')}`")


def _roles(schema: StructType, settings: InputSettings, fold: Fold) -> dict[str, str]:
    """The roles that have a column, each with the column's name."""
    roles = {}
    for role in _from_columns(schema, settings, fold):
        name = getattr(settings.columns, role)
        if name is None:
            found = _type_of(schema, role, fold)
            name = role if found is not None and _type_fault(role, role, found) is None else None
        if name is not None:
            roles[role] = name
    return roles


def _from_columns(schema: StructType, settings: InputSettings, fold: Fold) -> list[str]:
    """The roles that a column of their own may fill: all but the text of a document whose pages are texts."""
    made = _pages_are_texts(schema, settings, fold)
    return [role for role in DOCUMENT_COLUMNS if not (role == "text" and made)]


def _pages_are_texts(schema: StructType, settings: InputSettings, fold: Fold) -> bool:
    found = None if settings.columns.pages is None else _type_of(schema, settings.columns.pages, fold)
    return isinstance(found, ArrayType) and isinstance(found.elementType, StringType)


def _page_columns(schema: StructType, settings: InputSettings, fold: Fold) -> dict[str, Column]:
    if settings.columns.pages is None:
        return {}
    pages = quoted(settings.columns.pages)
    if _pages_are_texts(schema, settings, fold):
        return {"text": join_pages(pages), TEXT_IS_MADE: F.lit(True)}
    return {PAGE_OFFSETS: pages.cast("array<bigint>")}


def _document_column(role: str, name: str) -> Column:
    value = quoted(name).cast("string")
    if role == "document_id":
        value = F.when(F.btrim(value, F.lit(_blanks())) != "", value)  # a blank id is no id
    elif role != "text":
        value = as_valid_utf8(value)  # what is only shown must not be able to break those who read the tables
    return value


@lru_cache(maxsize=1)
def _blanks() -> str:
    """All that the engine takes for blank; there is none beyond the first plane of Unicode."""
    return "".join(filter(is_blank, map(chr, range(0x10000))))


def _mapping_faults(schema: StructType, settings: InputSettings, fold: Fold) -> list[str]:
    faults = []
    for role in _from_columns(schema, settings, fold):
        name = getattr(settings.columns, role)
        if name is None:
            continue
        found = _type_of(schema, name, fold)
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
    if role == "document_id" and isinstance(found, TimestampType):
        return f"{place}, which reads differently in each time zone; an id must not. Cast it to a string at the source."
    if role == "document_id" and isinstance(found, FloatType | DoubleType):
        return f"{place}, which is not exact; an id must be a string or a whole number. Cast it at the source."
    return None


def _pages_faults(schema: StructType, settings: InputSettings, fold: Fold) -> list[str]:
    name = settings.columns.pages
    if name is None:
        return []
    found = _type_of(schema, name, fold)
    if found is None:
        return [str(SettingsError.unknown("input.columns.pages", name, schema.names))]
    if isinstance(found, ArrayType) and isinstance(found.elementType, StringType | IntegralType):
        return []
    fault = (
        f"input.columns.pages = {name!r}: has the type {found.simpleString()}; it must be array<string> (the texts of "
        "the pages), or array<int> or array<bigint> (where each page begins in the text, in code points)."
    )
    return [fault]


def _carry_faults(schema: StructType, settings: InputSettings, fold: Fold) -> list[str]:
    own = {fold(name) for name in (*CHUNKS.names, PARENT_TEXT.name)}
    names: dict[str, str] = {}
    faults = []
    for name in settings.carry:
        if _type_of(schema, name, fold) is None:
            faults.append(str(SettingsError.unknown("input.carry", name, schema.names)))
        elif fold(name) in own:
            faults.append(
                f"input.carry = {name!r}: the chunk table has a column of this name. Rename it at the source, or "
                "map it with input.columns."
            )
        elif (first := names.setdefault(fold(name), name)) != name:
            faults.append(f"input.carry = {name!r}: is the same column as {first!r}. Name it once.")
    return faults


def _type_of(schema: StructType, name: str, fold: Fold) -> DataType | None:
    """The column's type, found as Spark finds it."""
    return next((field.dataType for field in schema.fields if fold(field.name) == fold(name)), None)
