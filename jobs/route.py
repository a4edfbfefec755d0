"""Route: which profile each document is chunked with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jobs.columns import DOCUMENT_COLUMNS, PAGE_OFFSETS, TEXT_IS_MADE, document_column, quoted
from jobs.predicates import fault
from jobs.settings import Rule
from udfs.chunking import SettingsError


def check_rules(documents: DataFrame, rules: Sequence[Rule]) -> None:
    """Every predicate must parse, be a boolean over the columns, and say the same each time.

    Raises:
        SettingsError: names each rule at fault and why.
    """
    faults = [
        f"routing.{index}.when = {rule.when!r}: {found}"
        for index, rule in enumerate(rules)
        if rule.when is not None and (found := fault(documents, rule.when))
    ]
    if faults:
        raise SettingsError("\n".join(faults))


def route(documents: DataFrame, rules: Sequence[Rule], carry: Sequence[str] = ()) -> DataFrame:
    """The documents with their `profile`; of the input's other columns only the carried ones stay, as one struct.

    `page_offsets` says where pages begin, `text_is_made` whether the text is not the source's. The first rule that
    holds wins; a predicate that gives null does not hold. Where no rule holds, `profile` is null.

    Args:
        documents: as from `read_documents`.
        rules: what decides, in this order.
        carry: the columns to keep; they travel as the struct `carried` until they are put behind the chunk's own.
    """
    own = (document_column(documents, role) for role in DOCUMENT_COLUMNS)
    known = documents.columns
    offsets = F.col(PAGE_OFFSETS) if PAGE_OFFSETS in known else F.lit(None).cast("array<bigint>")
    pages = (offsets.alias("page_offsets"), F.lit(TEXT_IS_MADE in known).alias("text_is_made"))
    carried = [F.struct(*(quoted(name) for name in carry)).alias("carried")] if carry else []
    return documents.select(*own, *pages, *carried, _profile(rules).alias("profile"))


def _profile(rules: Sequence[Rule]) -> Column:
    last = F.lit(None).cast("string")
    return reduce(_instead, reversed(rules), last)


def _instead(otherwise: Column, rule: Rule) -> Column:
    if rule.when is None:
        return F.lit(rule.profile)
    return F.when(F.expr(rule.when), F.lit(rule.profile)).otherwise(otherwise)
