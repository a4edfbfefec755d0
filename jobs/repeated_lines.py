"""Repeated lines: menus, banners and disclaimers, found because most documents of one source have them.

    source "example.org"    12 documents, 11 with the line "Home | News | Contact"   ->  dropped from those 11
    source "other.org"       3 documents,  1 with that line                          ->  stays

Native Spark only: lines are counted by their hash, the few that recur travel to the documents in a broadcast join, and
no row is added or lost. What is markup rather than text (headings, fences, rows of tables, tags) is never dropped, nor
is a line with a page break; and a document that consists of repeated lines alone keeps them.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from jobs.settings import RepeatedLines
from jobs.staging import Staging

_BLANKS = " \t\r\u00a0"
# Headings, fences, rows of tables, tags; and what has no letter, which is layout.
_MARKUP = r"^(?:#|```|~~~|\||<|\[\^)"
_LETTER = r"\p{L}"
_PAGE_BREAK = "\f"
# A type that is missing says nothing against text; in code and HTML, equal lines are the rule.
_TEXT_TYPES = ("", "text/plain", "text/markdown", "text/x-markdown", "application/pdf", "application/octet-stream")

# So many of the lines are told of, those of the most documents first.
MOST_TOLD = 50


def without_repeated_lines(
    staging: Staging, documents: DataFrame, settings: RepeatedLines
) -> tuple[DataFrame, list[dict[str, Any]]]:
    """The documents, with a shorter `text` where lines were dropped; and which lines these are, see `told_lines`.

    Args:
        staging: holds the lines that were found, so that they are looked for once.
        documents: as from `check_documents`. Rejected ones neither count nor change; nor do those whose pages begin at
            offsets, which refer to the whole text. `repeated_chars` is added: by how much each is shorter.
        settings: when a line counts as repeated.
    """
    applies = has_text() & F.col("reason").isNull() & F.col("page_offsets").isNull()
    found = staging.work("repeated_lines", repeated_lines(documents, settings, applies))
    shorter = drop_repeated_lines(documents, found, settings, applies)
    shorter = shorter.withColumn("text_is_made", F.col("text_is_made") | (F.col("repeated_lines") > 0))
    shorter = shorter.withColumn("text", F.col("kept_text")).drop("kept_text", "repeated_lines")
    return shorter, told_lines(found, documents)


def source_group() -> Column:
    """What documents of one source share: the host of a web address, the folder of a path, or else the source itself.

    Null where there is no source: such documents have nothing in common.
    """
    source = F.trim("source")
    host = F.lower(F.regexp_extract(source, r"^[A-Za-z]+://(?:[^/?#@]*@)?([^/?#]+)", 1))
    folder = F.regexp_extract(source, r"^(.*)[/\\][^/\\]*$", 1)
    group = F.when(source.rlike(r"^(?i)https?://"), host).when(source.rlike(r"[/\\]"), folder).otherwise(source)
    return F.when(F.length(group) > 0, group)


def has_text() -> Column:
    """Whether a document is text for people, by its content type: not code, HTML or a table."""
    mime = F.lower(F.trim(F.substring_index(F.coalesce("content_type", F.lit("")), ";", 1)))
    return F.col("text").isNotNull() & mime.isin(*_TEXT_TYPES)


def repeated_lines(documents: DataFrame, settings: RepeatedLines, applies: Column | None = None) -> DataFrame:
    """The lines that recur, one row a source and line.

    Args:
        documents: rows with `text`, `source` and `content_type`; each is one document.
        settings: when a line counts as repeated.
        applies: which documents are looked at; by default those that `has_text`.

    Returns:
        line_group (as from `source_group`), line_hash (xxhash64 of the line without the blanks around it), documents
        (how many have it), share (of the group's documents), example (xxhash64 of the id of one of them). Empty if
        nothing recurs.
    """
    looked_at = documents.where(has_text() if applies is None else applies).select(
        source_group().alias("line_group"), _lines().alias("lines"), F.xxhash64("document_id").alias("number")
    )
    looked_at = looked_at.where(F.col("line_group").isNotNull())
    candidates = F.filter("lines", lambda line: _may_be_dropped(line, settings))
    # Once for each document, however often it has the line.
    hashes = F.array_distinct(F.transform(candidates, _line_hash))
    each = looked_at.select("line_group", F.explode(hashes).alias("line_hash"), "number")
    # A number is what a hash aggregate can hold; the line itself would have all lines of all documents sorted.
    counted = each.groupBy("line_group", "line_hash").agg(
        F.count("*").alias("documents"), F.min("number").alias("example")
    )
    in_group = looked_at.groupBy("line_group").agg(F.count(F.lit(1)).alias("in_group"))
    found = counted.where(F.col("documents") >= settings.min_documents)
    found = found.join(in_group, "line_group").withColumn("share", F.col("documents") / F.col("in_group"))
    rank = F.row_number().over(Window.partitionBy("line_group").orderBy(F.col("documents").desc(), "line_hash"))
    found = found.where(F.col("share") >= settings.min_share).withColumn("rank", rank)
    return found.where(F.col("rank") <= settings.most_per_source).select(
        "line_group", "line_hash", "documents", "share", "example"
    )


def drop_repeated_lines(
    documents: DataFrame, repeated: DataFrame, settings: RepeatedLines, applies: Column | None = None
) -> DataFrame:
    """The documents without their repeated lines, in new columns; every row stays, and its own columns as they are.

    Args:
        documents: as for `repeated_lines`.
        repeated: its result; small, it is sent to every executor.
        settings: the same as there.
        applies: the same as there.

    Returns:
        The columns of `documents`, and: kept_text (`text` where nothing was dropped), repeated_lines (how many lines
        were dropped) and repeated_chars (how many characters, with their line breaks).
    """
    per_group = repeated.groupBy("line_group").agg(F.sort_array(F.collect_list("line_hash")).alias("line_hashes"))
    applies = has_text() if applies is None else applies
    joined = documents.withColumn("line_group", F.when(applies, source_group()))
    joined = joined.join(F.broadcast(per_group), "line_group", "left")
    kept = F.filter(_lines(), lambda line: ~_is_repeated(line, settings))
    joined = joined.withColumn("kept_lines", F.when(F.col("line_hashes").isNotNull(), kept))
    text = F.array_join("kept_lines", "\n")
    # Null where there was nothing to drop, or would be nothing left.
    joined = joined.withColumn("kept_text", F.when(F.btrim(text, F.lit(_BLANKS + _PAGE_BREAK + "\n")) != "", text))
    lines = F.when(F.col("kept_text").isNotNull(), F.size(_lines()) - F.size("kept_lines"))
    joined = joined.withColumn("repeated_lines", F.coalesce(lines, F.lit(0)))
    joined = joined.withColumn("kept_text", F.coalesce("kept_text", "text"))
    chars = F.coalesce(F.length("text") - F.length("kept_text"), F.lit(0))
    added = (F.col("kept_text"), F.col("repeated_lines"), chars.alias("repeated_chars"))
    return joined.select(*(F.col(f"`{name}`") for name in documents.columns), *added)


def told_lines(repeated: DataFrame, documents: DataFrame, most: int = MOST_TOLD) -> list[dict[str, Any]]:
    """The repeated lines as people read them, those of the most documents first.

    Args:
        repeated: as from `repeated_lines`.
        documents: in which they stand. Of these, only one for each line is looked into.
        most: so many lines at most.

    Returns:
        `source` (as from `source_group`), `line`, `documents` and `share` of each.
    """
    order = F.desc("documents"), "line_group", "line_hash"
    told = repeated.orderBy(*order).limit(most)
    numbers = told.select(F.col("example").alias("number")).distinct()
    examples = documents.join(F.broadcast(numbers), F.xxhash64("document_id") == F.col("number"), "left_semi")
    lines = examples.select(source_group().alias("line_group"), F.explode(_lines()).alias("line"))
    keys = ["line_group", "line_hash"]
    lines = lines.select(
        "line_group", _line_hash(F.col("line")).alias("line_hash"), _without_blanks(F.col("line")).alias("line")
    )
    rows = told.join(lines.groupBy(*keys).agg(F.min("line").alias("line")), keys, "left").orderBy(*order)
    columns = F.col("line_group").alias("source"), "line", "documents", F.round("share", 6).alias("share")
    return [row.asDict() for row in rows.select(*columns).collect()]  # at most `most` rows


def _lines() -> Column:
    return F.split("text", "\n", -1)


def _without_blanks(line: Column) -> Column:
    return F.btrim(line, F.lit(_BLANKS))


def _line_hash(line: Column) -> Column:
    return F.xxhash64(_without_blanks(line))


def _may_be_dropped(line: Column, settings: RepeatedLines) -> Column:
    text = _without_blanks(line)
    fits = F.length(text).between(settings.min_length, settings.max_length)
    return fits & text.rlike(_LETTER) & ~text.rlike(_MARKUP) & ~text.contains(_PAGE_BREAK)


def _is_repeated(line: Column, settings: RepeatedLines) -> Column:
    known = F.array_contains(F.col("line_hashes"), _line_hash(line))
    return _may_be_dropped(line, settings) & known
