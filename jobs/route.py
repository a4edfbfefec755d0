"""Route: which profile each document is chunked with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.read import CARRIED, DOCUMENT_COLUMNS, first_line
from jobs.settings import Rule
from udfs.chunking import SettingsError

# Functions whose value is not a fact about the document: the same document would be routed differently next time.
_UNSTEADY = (
    *("rand", "randn", "random", "uniform", "randstr", "uuid", "shuffle"),
    *("monotonically_increasing_id", "spark_partition_id", "input_file_block_start", "input_file_block_length"),
    *("now", "current_date", "current_time", "current_timestamp", "localtimestamp", "curdate"),
    *("current_user", "session_user", "user"),
)
_UNSTEADY_CALL = re.compile(rf"\b({'|'.join(_UNSTEADY)})\s*\(", re.IGNORECASE)
_UNSTEADY_WORD = re.compile(r"\b(current_date|current_time|current_timestamp|localtimestamp)\b", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`")


def check_rules(documents: DataFrame, rules: Sequence[Rule]) -> None:
    """Every predicate must parse, be a boolean over the columns, and say the same each time.

    Raises:
        SettingsError: names each rule at fault and why.
    """
    faults = [
        f"routing.{index}.when = {rule.when!r}: {fault}"
        for index, rule in enumerate(rules)
        if rule.when is not None and (fault := _fault(documents, rule.when))
    ]
    if faults:
        raise SettingsError("\n".join(faults))


def route(documents: DataFrame, rules: Sequence[Rule]) -> DataFrame:
    """The documents with their `profile`; of the input's other columns only the carried ones stay.

    The first rule that holds wins; a predicate that gives null does not hold. Where no rule holds, `profile` is null.
    """
    carried = [F.col(CARRIED).alias("carried")] if CARRIED in documents.columns else []
    return documents.select(*DOCUMENT_COLUMNS, *carried, _profile(rules).alias("profile"))


def _profile(rules: Sequence[Rule]) -> Column:
    last = F.lit(None).cast("string")
    return reduce(_instead, reversed(rules), last)


def _instead(otherwise: Column, rule: Rule) -> Column:
    if rule.when is None:
        return F.lit(rule.profile)
    return F.when(F.expr(rule.when), F.lit(rule.profile)).otherwise(otherwise)


def _fault(documents: DataFrame, predicate: str) -> str | None:
    bare = _QUOTED.sub("''", predicate)
    unsteady = _UNSTEADY_CALL.search(bare) or _UNSTEADY_WORD.search(bare)
    if unsteady:
        return f"{unsteady.group(1)} changes from run to run; use only the document's columns and fixed values."
    try:
        documents.where(F.expr(predicate)).schema  # noqa: B018 - makes Spark analyse it, and runs nothing
    except PySparkException as error:
        visible = ", ".join(name for name in documents.columns if name != CARRIED)
        return f"not a predicate that Spark can use: {first_line(error)} The columns are: {visible}."
    return None
