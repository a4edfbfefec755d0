"""Check: of rows that share an id, the same one is kept wherever they lie."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from jobs.check import reject_duplicates

MOMENT = datetime(2024, 1, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("timestamp", MOMENT, MOMENT + MICROSECOND),
        ("timestamp_ntz", MOMENT.replace(tzinfo=None), MOMENT.replace(tzinfo=None) + MICROSECOND),
        ("decimal(38,18)", Decimal("0.000000000000000001"), Decimal("0.000000000000000002")),
        ("double", 0.1, 0.1 + 2**-56),
        ("double", 0.0, -0.0),
        ("float", 0.0, -0.0),
        ("binary", b"\x80", b"\x81"),
        ("string", "a", "A"),
        ("string", None, ""),
        ("map<string,int>", {"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ("map<string,timestamp>", {"a": MOMENT}, {"a": MOMENT + MICROSECOND}),
        ("array<double>", [0.0], [-0.0]),
        ("array<array<double>>", [[0.0]], [[-0.0]]),
        ("array<string>", None, []),
        ("struct<a:timestamp,b:map<string,double>>", (MOMENT, {"a": 0.0}), (MOMENT, {"a": -0.0})),
        ("struct<a:int>", None, (None,)),
        ("interval day to second", MICROSECOND, 2 * MICROSECOND),
    ],
)
def test_rows_that_differ_in_the_last_bit_are_kept_alike_in_any_order(
    spark: Any, kind: str, one: Any, other: Any
) -> None:
    schema = f"document_id string, text string, carried struct<v:{kind}>, reason string, detail string"
    ids = spark.createDataFrame([("a",)], "document_id string")

    def kept(*values: Any) -> str:
        rows = spark.createDataFrame([("a", "same", (value,), None, None) for value in values], schema).coalesce(1)
        (row,) = reject_duplicates(rows, ids).where("reason is null").collect()
        return repr(row["carried"]["v"])

    assert repr(one) != repr(other)
    assert kept(one, other) == kept(other, one)
