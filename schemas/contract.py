"""Does a table have the columns that were promised? All differences at once, nested ones too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pyspark.sql.types import ArrayType, DataType, MapType, StructType


class Difference(NamedTuple):
    """One place where a schema is not what it should be."""

    column: str
    expected: str
    found: str
    reason: str


class SchemaMismatchError(ValueError):
    """A table that does not have the columns that were promised; `differences` lists all of them."""

    def __init__(self, table: str, differences: list[Difference]) -> None:
        self.differences = differences
        super().__init__(f"{table}: {len(differences)} column(s) differ from the contract.\n{_as_table(differences)}")


def check_schema(table: str, found: StructType, expected: StructType) -> None:
    """Compares names, order and types; whether a column may be null is not compared, for files do not keep it.

    Args:
        table: how the table is called in the message.
        found: the schema it has.
        expected: the schema it should have.

    Raises:
        SchemaMismatchError: with every difference as column | expected | found | reason.

    Example:
        >>> from schemas import REJECTS
        >>> check_schema("rejects", REJECTS, REJECTS)
    """
    differences = list(_compare_fields("", found, expected))
    if not differences and found.names != expected.names:
        differences.append(Difference("*", ", ".join(expected.names), ", ".join(found.names), "order differs"))
    if differences:
        raise SchemaMismatchError(table, differences)


def _compare_fields(path: str, found: StructType, expected: StructType) -> Iterator[Difference]:
    there = {field.name: field.dataType for field in found.fields}
    wanted = {field.name: field.dataType for field in expected.fields}
    for name, data_type in wanted.items():
        place = f"{path}{name}"
        if name not in there:
            yield Difference(place, data_type.simpleString(), "-", "missing")
        else:
            yield from _compare_types(place, there[name], data_type)
    for name, data_type in there.items():
        if name not in wanted:
            yield Difference(f"{path}{name}", "-", data_type.simpleString(), "not in the contract")


def _compare_types(path: str, found: DataType, expected: DataType) -> Iterator[Difference]:
    if isinstance(found, StructType) and isinstance(expected, StructType):
        yield from _compare_fields(f"{path}.", found, expected)
    elif isinstance(found, ArrayType) and isinstance(expected, ArrayType):
        yield from _compare_types(f"{path}.element", found.elementType, expected.elementType)
    elif isinstance(found, MapType) and isinstance(expected, MapType):
        yield from _compare_types(f"{path}.key", found.keyType, expected.keyType)
        yield from _compare_types(f"{path}.value", found.valueType, expected.valueType)
    elif found != expected:
        yield Difference(path, expected.simpleString(), found.simpleString(), "type differs")


def _as_table(differences: list[Difference]) -> str:
    rows = [Difference("column", "expected", "found", "reason"), *differences]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
