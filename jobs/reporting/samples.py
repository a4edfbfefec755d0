"""What the report shows of the chunks themselves: the largest, the smallest, the most repeated, and a few documents.

First narrow columns tell which chunks those are; then one pass over the texts fetches them, cut.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.drawing import DrawnDocument, chunk_of_row, stretches_of
from jobs.finished_run import recorded_limit
from jobs.reporting.aggregates import NAME_LENGTH, name_of, with_columns
from schemas import CHUNKS
from udfs.chunking import Chunk

# The largest and the smallest chunks, and the most repeated texts, of each.
EXTREMES = 5

# The documents that are drawn; of each, so many chunks and code points at most.
SAMPLED, SAMPLED_CHUNKS, SAMPLED_TEXT = 5, 40, 30_000

_CONTEXT_LENGTH = 500
_HEADINGS = 6


@dataclass(frozen=True, slots=True)
class Repeated:
    """A text that several chunks share."""

    count: int
    chunk: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A document as it is drawn, and how much of it that is."""

    document: DrawnDocument
    chunk_count: int  # of the whole document
    is_cut: bool  # the text of its first chunk is longer than what is shown


@dataclass(frozen=True, slots=True)
class Samples:
    """The chunks that are shown."""

    largest: list[dict[str, Any]]
    smallest: list[dict[str, Any]]
    repeated: list[Repeated]
    drawn: list[Drawn]


def take_samples(
    chunks: DataFrame, documents: DataFrame, profiles: Mapping[str, Mapping[str, Any]], *, repeats: bool
) -> Samples:
    """The chunks and documents to show; the same ones each time.

    Args:
        chunks: the table.
        documents: the table.
        profiles: the settings of each profile, as in run.json.
        repeats: whether some text is in several chunks; looking for it costs a shuffle of all hashes.
    """
    chunks = with_columns(chunks, CHUNKS)
    largest, smallest = _extremes(chunks, largest=True), _extremes(chunks, largest=False)
    repeated = _repeated(chunks) if repeats else {}
    sampled = _sampled_chunks(chunks, _sampled_documents(documents))
    ids = itertools.chain(largest, smallest, repeated, *sampled.values())
    texts = _texts(chunks, set(ids))
    drawn = [_drawn([texts[name] for name in names], profiles, totals) for totals, names in sampled.items() if names]
    return Samples(
        [texts[name] for name in largest],
        [texts[name] for name in smallest],
        [Repeated(count, texts[name]) for name, count in repeated.items()],
        drawn,
    )


def _extremes(chunks: DataFrame, *, largest: bool) -> list[str]:
    size = F.desc("token_count") if largest else F.asc("token_count")
    rows = chunks.select("chunk_id", "token_count", "document_id", "chunk_index")
    return [row["chunk_id"] for row in rows.orderBy(size, "document_id", "chunk_index").limit(EXTREMES).collect()]


def _repeated(chunks: DataFrame) -> dict[str, int]:
    """For each of the most repeated texts its first chunk, and how many there are."""
    first = F.min(F.struct("document_id", "chunk_index", "chunk_id")).alias("first")
    counted = chunks.groupBy("content_hash").agg(F.count("*").alias("count"), first).where("count > 1")
    rows = counted.orderBy(F.desc("count"), "content_hash").limit(EXTREMES).select("first.chunk_id", "count").collect()
    return {row["chunk_id"]: row["count"] for row in rows}


def _sampled_documents(documents: DataFrame) -> dict[str, int]:
    """A few documents with their counts of chunks: one of each profile first, and those that can be shown whole."""
    whole = F.col("chunk_count").between(2, SAMPLED_CHUNKS) & (F.col("char_count") <= SAMPLED_TEXT)
    rank = F.struct((~whole).alias("cut"), F.sha2("document_id", 256).alias("hash"), "document_id", "chunk_count")
    ranked = documents.where("status = 'chunked'").select("profile", rank.alias("rank"))
    first = ranked.groupBy("profile").agg(F.min("rank").alias("rank"), F.count("*").alias("rows"))
    of_profiles = first.orderBy(F.desc("rows"), "profile").limit(SAMPLED).select("rank.*").collect()
    others = ranked.orderBy("rank").limit(2 * SAMPLED).select("rank.*").collect()
    found = {row["document_id"]: row["chunk_count"] for row in [*of_profiles, *others]}
    return dict(itertools.islice(found.items(), SAMPLED))


def _sampled_chunks(chunks: DataFrame, documents: Mapping[str, int]) -> dict[tuple[str, int], list[str]]:
    """For each document (id, count of chunks) the ids of its first chunks, as many as may be shown."""
    wanted = F.col("document_id").isin(list(documents)) & (F.col("chunk_index") < SAMPLED_CHUNKS)
    rows = chunks.where(wanted).select("document_id", "chunk_index", "chunk_id", "char_end").collect()
    shown = {}
    for name, count in documents.items():
        own = sorted((row for row in rows if row["document_id"] == name), key=lambda row: row["chunk_index"])
        ids = [row["chunk_id"] for row in own if row["chunk_index"] == 0 or row["char_end"] <= SAMPLED_TEXT]
        shown[name, count] = ids
    return shown


def _texts(chunks: DataFrame, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The chunks of these ids, by id; texts, contexts and headings are cut."""
    before = F.length("embed_text") - F.length("text")
    rows = chunks.where(F.col("chunk_id").isin(sorted(ids))).select(
        *("chunk_id", "chunk_index", "token_count", "char_start", "char_end", "page_start", "page_end"),
        *("kind", "cut", "oversize", "profile", "strategy"),
        name_of("document_id"),
        F.substring("text", 1, SAMPLED_TEXT).alias("text"),
        F.col("embed_text").substr(F.lit(1), F.least(before, F.lit(_CONTEXT_LENGTH))).alias("context"),
        F.transform(F.slice("section", 1, _HEADINGS), lambda title: F.substring(title, 1, NAME_LENGTH)).alias(
            "section"
        ),
    )
    return {row["chunk_id"]: row.asDict() for row in rows.collect()}  # a fixed number of ids


def _drawn(
    rows: Sequence[Mapping[str, Any]], profiles: Mapping[str, Mapping[str, Any]], document: tuple[str, int]
) -> Drawn:
    chunks = [_chunk(row) for row in rows]
    profile = rows[0]["profile"]
    settings = profiles.get(profile, {})
    name = document[0][:NAME_LENGTH]
    shown = DrawnDocument(
        name=name,
        chunks=chunks,
        stretches=stretches_of(chunks),
        limit=recorded_limit(settings, rows[0]["strategy"]),
        unit=str(settings.get("unit", "tokens")),
        profile=profile,
        strategy=rows[0]["strategy"],
    )
    return Drawn(shown, document[1], any(row["char_end"] - row["char_start"] > len(row["text"]) for row in rows))


def _chunk(row: Mapping[str, Any]) -> Chunk:
    """A row as the engine's chunk; where the text was cut, it ends where the shown text ends."""
    end = row["char_start"] + len(row["text"])
    return chunk_of_row({**row, "embed_text": row["context"] + row["text"], "char_end": end})
