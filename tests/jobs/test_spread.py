"""Work for every core."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.check import RowCount, count_rows
from jobs.spread import PIECES_PER_CORE, WORTH_MOVING, spread


@pytest.fixture
def documents(spark: Any) -> Any:
    return spark.range(2 * WORTH_MOVING).selectExpr("cast(id AS string) AS document_id", "'x' AS text").coalesce(1)


def plan_of(rows: Any) -> str:
    return str(rows._jdf.queryExecution().executedPlan().toString())


def test_the_pieces_of_the_input_are_counted(documents: Any) -> None:
    assert count_rows(documents) == RowCount(2 * WORTH_MOVING, 0, 1)
    assert count_rows(documents.repartition(5, "document_id")).pieces == 5
    assert count_rows(documents.limit(0)) == RowCount(0, 0, 0)
    assert count_rows(documents.union(documents.limit(3))).repeated_ids == 3


def test_one_large_piece_is_spread_over_all_cores_by_the_id(spark: Any, documents: Any) -> None:
    spreads = spread(spark, documents, count_rows(documents))
    assert count_rows(spreads) == RowCount(2 * WORTH_MOVING, 0, 2 * PIECES_PER_CORE)
    assert "hashpartitioning(document_id" in plan_of(spreads)


@pytest.mark.parametrize("counted", [RowCount(WORTH_MOVING - 1, 0, 1), RowCount(WORTH_MOVING, 0, 2)])
def test_few_rows_and_enough_pieces_stay_where_they_are(spark: Any, documents: Any, counted: RowCount) -> None:
    assert "Exchange" not in plan_of(spread(spark, documents, counted))
