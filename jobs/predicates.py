"""Predicates: what a routing rule may ask. Only facts about the document, so that every run gives the same answer.

Spark itself knows best what an expression reads, so it is asked where there is a JVM. A remote session does not tell;
there, and for what Spark computes while it parses (`timestamp 'now'`), the words of the predicate must do.
"""

from __future__ import annotations

import re
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.columns import DOCUMENT_COLUMNS, PAGE_OFFSETS, TEXT_IS_MADE
from jobs.read import first_line
from jobs.session import is_remote

# Functions whose value is not a fact about the document: the same document would be routed differently next time.
_CALLS = (
    *("rand", "randn", "random", "uniform", "randstr", "uuid", "shuffle"),
    *("reflect", "java_method", "try_reflect"),  # whatever Java answers
    *("monotonically_increasing_id", "spark_partition_id", "input_file_block_start", "input_file_block_length"),
    *("now", "current_date", "current_time", "current_timestamp", "localtimestamp", "curdate", "current_timezone"),
    *("current_user", "session_user", "user", "current_database", "current_schema", "current_catalog"),
)
_WORDS = (
    *("current_date", "current_time", "current_timestamp", "localtimestamp"),
    *("current_user", "session_user"),
)
_UNSTEADY = (
    re.compile(rf"\b({'|'.join(_CALLS)})\s*\(", re.IGNORECASE),
    re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE),
    re.compile(r"\b(unix_timestamp|to_unix_timestamp)\s*\(\s*\)", re.IGNORECASE),
)
_FILE_NAME = re.compile(r"\binput_file_name\s*\(", re.IGNORECASE)
_SUBQUERY = re.compile(r"\(\s*(?:select|with|from|values|table)\b", re.IGNORECASE)

# Quoted text, quoted names and comments, whichever begins first.
_PARTS = re.compile(r"(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|`(?:[^`]|``)*`|/\*.*?\*/|--[^\n]*", re.DOTALL)
# Texts that Spark reads as a moment of its own where a date or time is wanted.
_MOMENT = re.compile(r"['\"]\s*(now|today|tomorrow|yesterday)\b", re.IGNORECASE)
_TIME = re.compile(r"\b(?:date|timestamp(?:_ntz|_ltz)?)\s*$", re.IGNORECASE)
_TIME_FUNCTION = re.compile(r"date|time", re.IGNORECASE)

_QUERY_FAULT = "holds a query of its own; use only the document's columns and fixed values."


def fault(documents: DataFrame, predicate: str) -> str | None:
    """Why this predicate cannot route the documents; None if it can.

    Args:
        documents: as from `read_documents`.
        predicate: Spark SQL.
    """
    bare = _without_quotes(predicate)
    if found := _fault_of_words(predicate, bare):
        return found
    try:
        rows = documents.where(F.expr(predicate))
        rows.schema  # noqa: B018 - makes Spark analyse it, and runs nothing
        # As it will be used: a filter also sees columns that were left out.
        documents.select(F.when(F.expr(predicate), F.lit(1))).schema  # noqa: B018
    except PySparkException as error:
        return _unmapped(documents, predicate, bare) or _unusable(documents, error)
    if is_remote(rows.sparkSession):
        word = _MOMENT.search(predicate)
        return _unsteady(f"the time {word.group(1)!r}") if word and _TIME_FUNCTION.search(bare) else None
    return _fault_of_plan(rows)


def _fault_of_words(predicate: str, bare: str) -> str | None:
    """What the words tell, before Spark is asked."""
    if found := next((match for pattern in _UNSTEADY if (match := pattern.search(bare))), None):
        return _unsteady(found.group(1))
    if moment := _moment_in(predicate):
        return _unsteady(f"the time {moment!r}")
    if _FILE_NAME.search(bare):
        return "input_file_name() depends on where Spark calls it; write _metadata.file_path."
    return _QUERY_FAULT if _SUBQUERY.search(bare) else None


def _without_quotes(predicate: str) -> str:
    """The predicate with quoted text and names emptied, and without comments."""
    return _PARTS.sub(lambda part: "''" if part.group()[0] in "'\"`" else " ", predicate)


def _moment_in(predicate: str) -> str | None:
    """The word in `timestamp 'now'` and the like, which Spark computes while it parses."""
    before, end = "", 0
    for part in _PARTS.finditer(predicate):
        before, end = before + predicate[end : part.start()], part.end()
        text = part.group("text")
        if text is not None:
            if _TIME.search(before) and (moment := _MOMENT.match(text)):
                return moment.group(1)
            before = ""
        elif part.group().startswith("`"):
            before = ""
        else:
            before += " "  # a comment
    return None


def _fault_of_plan(rows: DataFrame) -> str | None:
    """What Spark knows of the predicate that filters these rows."""
    jvm: Any = rows.sparkSession._jvm  # noqa: SLF001 - the only way to what Spark knows of an expression
    plan = rows._jdf.queryExecution().analyzed()  # noqa: SLF001
    condition, patterns = plan.expressions().head(), jvm.org.apache.spark.sql.catalyst.trees.TreePattern
    if condition.containsPattern(patterns.PLAN_EXPRESSION()):
        return _QUERY_FAULT
    if condition.containsPattern(patterns.CURRENT_LIKE()) or not condition.deterministic():
        return _unsteady("it")
    # Spark replaces 'now', 'today' ... where they become a time; if there is anything to replace, it is there.
    plan = _rule(jvm, "ReplaceExpressions").apply(plan)
    if not _rule(jvm, "SpecialDatetimeValues").apply(plan).fastEquals(plan):
        return _unsteady("a text that stands for a moment, such as 'now' or 'today',")
    return None


def _rule(jvm: Any, name: str) -> Any:
    """One of the rules of Spark's optimizer."""
    return getattr(getattr(jvm.org.apache.spark.sql.catalyst.optimizer, f"{name}$"), "MODULE$")


def _unsteady(what: str) -> str:
    return f"{what} changes from run to run; use only the document's columns and fixed values."


def _unmapped(documents: DataFrame, predicate: str, bare: str) -> str | None:
    """The fault of a predicate that is wrong only because a role has no column."""
    roles = [role for role in DOCUMENT_COLUMNS if role not in documents.columns]
    try:
        documents.select("*", *(F.lit("").alias(role) for role in roles)).where(F.expr(predicate)).schema  # noqa: B018
    except PySparkException:
        return None
    named = [role for role in roles if re.search(rf"\b{role}\b", bare, re.IGNORECASE)] or roles
    settings = " and ".join(f"input.columns.{role}" for role in named)
    return f"uses {' and '.join(named)}, for which the input has no column. Set {settings}, or use another column."


def _unusable(documents: DataFrame, error: Exception) -> str:
    known = ", ".join(name for name in documents.columns if name not in (PAGE_OFFSETS, TEXT_IS_MADE))
    return f"not a predicate that Spark can use: {first_line(error)} The columns are: {known}."
