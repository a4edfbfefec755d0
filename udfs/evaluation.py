"""Python in Spark: a function of batches of documents, evaluated over columns.

An Arrow UDF where Spark has them (4.1 and later), a pandas UDF elsewhere (3.5 and later); from the same function,
with the same results. Works on Spark Connect too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import pandas as pd
import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import DataType

# Made by name, since no version of Spark has all of them.
_arrow_udf: Any = getattr(F, "arrow_udf", None)
_pandas_udf: Any = getattr(F, "pandas_udf", None)

Chunking = Callable[[pa.RecordBatch], Iterator[pa.Array]]
"""From a batch of documents to what comes of them, in one array or several; see `isolation`."""


def has_arrow_udf() -> bool:
    """Whether strings reach Python as they are; else pandas decodes them before."""
    return _arrow_udf is not None


def evaluated(function: Chunking, columns: Mapping[str, Column], result: DataType) -> Column:
    """What the function makes of each row, as a column.

    Args:
        function: gets the columns by their names; its results, put together, have a value for each row.
        columns: string columns, and perhaps `pages`, an array of integers.
        result: the type of the values.
    """
    if has_arrow_udf():
        return cast(Column, _on_arrow(function, list(columns), result)(*columns.values()))
    if "pages" in columns:
        # pandas would make floats of integers among which there is a null; -1 is as wrong for the engine.
        known = F.transform(columns["pages"], lambda offset: F.coalesce(offset, F.lit(-1)))
        columns = {**columns, "pages": known}
    return cast(Column, _on_pandas(function, list(columns), result)(*columns.values()))


# Spark takes an iterator of results for an iterator of batches, cut as we like as long as the rows add up: no batch of
# results is larger than a portion, however much the overlap makes of a batch of texts.


def _on_arrow(function: Chunking, names: list[str], result: DataType) -> Any:
    def on_batches(batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        for batch in batches:
            yield from function(_checked(pa.RecordBatch.from_arrays(_columns(batch), names)))

    return _arrow_udf(on_batches, result)


def _on_pandas(function: Chunking, names: list[str], result: DataType) -> Any:
    def on_batches(batches: Iterator[tuple[pd.Series, ...]]) -> Iterator[pd.Series]:
        for batch in batches:
            arrays = [_from_pandas(column, name) for name, column in zip(names, _columns(batch), strict=True)]
            for array in function(_checked(pa.RecordBatch.from_arrays(arrays, names))):
                yield _to_pandas(array)

    return _pandas_udf(on_batches, result)


def _columns(batch: Any) -> list[Any]:
    """The columns of a batch; Spark gives a single one as it is."""
    return list(batch) if isinstance(batch, tuple) else [batch]


def _checked(rows: pa.RecordBatch) -> pa.RecordBatch:
    """The batch; a column of pages of another type is no fault of a document, so it ends the query."""
    if "pages" in rows.schema.names:
        found = rows.column("pages").type
        item = found.value_type if pa.types.is_list(found) or pa.types.is_large_list(found) else None
        if not pa.types.is_null(found) and (item is None or not (pa.types.is_integer(item) or pa.types.is_null(item))):
            raise TypeError(
                f"pages has the type {found}; it must be array<int> or array<bigint>: where each page begins in the "
                "text. For the texts of pages: chunk(join_pages(...))"
            )
    return rows


def _from_pandas(column: pd.Series, name: str) -> pa.Array:
    return pa.array(column, None if name == "pages" else pa.large_string(), from_pandas=True)


def _to_pandas(array: pa.Array) -> Any:
    """A series; a data frame for structs."""
    if not pa.types.is_struct(array.type):
        return pd.Series(_objects(array), dtype=object)
    fields = zip(array.type, array.flatten(), strict=True)
    return pd.DataFrame({field.name: pd.Series(_objects(column), dtype=object) for field, column in fields})


def _objects(array: pa.Array) -> list[Any]:
    values: list[Any] = array.to_pylist()
    if pa.types.is_map(array.type):  # Spark 3.5 takes nothing but dicts
        return [None if items is None else dict(items) for items in values]
    return values
