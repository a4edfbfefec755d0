"""The account of a run: rows in = chunked + empty + rejected + unchanged. Nothing is published unless it balances."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.errors import AccountError


@dataclass(frozen=True, slots=True)
class Account:
    """What went in and what came out. Rows of the input are counted on their own, by another pass over it."""

    input_rows: int
    chunked: int
    empty: int
    rejected: int
    unchanged: int
    rejected_by_reason: dict[str, int]
    chunks: int
    tokens: int
    characters: int  # code points of the canonical texts
    text_bytes: int  # UTF-8 of the source texts that were chunked or empty
    removed: dict[str, int]  # code points that are in no chunk, by reason

    def as_dict(self) -> dict[str, Any]:
        """As it stands in run.json."""
        return asdict(self)

    def check(self, chunk_rows: int) -> None:
        """Raises AccountError unless every row, and every chunk, is where it must be.

        Args:
            chunk_rows: rows of the table `chunks`, counted after it was written.
        """
        out = self.chunked + self.empty + self.rejected + self.unchanged
        if self.input_rows != out:
            raise AccountError(
                f"The account does not balance: {self.input_rows} rows in, but {out} out ({self.chunked} chunked, "
                f"{self.empty} empty, {self.rejected} rejected, {self.unchanged} unchanged). Nothing was published. "
                "Did the input change while the job ran? Run it again on an input that stands still."
            )
        if self.chunks != chunk_rows:
            raise AccountError(
                f"The account does not balance: {self.chunks} chunks made, but {chunk_rows} written. Nothing was "
                "published. Please report this."
            )


def take_account(work: DataFrame, input_rows: int) -> Account:
    """Sums up the working table.

    Args:
        work: the working table.
        input_rows: rows of the input, counted before.
    """
    rows = (
        work.groupBy("status", "reason")
        .agg(
            F.count("*").alias("rows"),
            F.sum("chunk_count").alias("chunks"),
            F.sum("token_count").alias("tokens"),
            F.sum("char_count").alias("characters"),
            F.sum(F.when(F.col("status") != "rejected", F.col("text_bytes"))).alias("text_bytes"),
        )
        .collect()  # one row for each status and reason
    )
    by_status = {status: sum(row["rows"] for row in rows if row["status"] == status) for status in _STATUSES}
    reasons = {row["reason"]: row["rows"] for row in rows if row["status"] == "rejected"}
    sums = {name: sum(row[name] or 0 for row in rows) for name in ("chunks", "tokens", "characters", "text_bytes")}
    reasons = dict(sorted(reasons.items()))
    return Account(input_rows, **by_status, rejected_by_reason=reasons, **sums, removed=_removed(work))


def _removed(work: DataFrame) -> dict[str, int]:
    counts = work.select(F.explode("removed").alias("reason", "count")).groupBy("reason").agg(F.sum("count"))
    return dict(sorted(tuple(row) for row in counts.collect()))  # one row for each reason


_STATUSES = ("chunked", "empty", "rejected", "unchanged")
