"""Identify: hashes and ids that are the same in every run. Native Spark only."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import Column
from pyspark.sql import functions as F

from udfs.chunking import ChunkSettings

# Stands between the parts of an id. The last two parts have a fixed form, so no id can be read in two ways.
_SEPARATOR = "\x1f"


def content_hash(embed_text: Column) -> Column:
    """SHA-256 (hex) of what is to be embedded."""
    return F.sha2(embed_text, 256)


def chunk_id(document_id: Column, content: Column, occurrence: Column) -> Column:
    """SHA-256 (hex) of document id, content hash and the occurrence number among equal embed_texts.

    Position is left out on purpose: an edit in one place of a document keeps the ids of all other chunks.
    """
    return F.sha2(F.concat_ws(_SEPARATOR, document_id, content, occurrence.cast("string")), 256)


def with_parent_ids(document_id: Column, parents: Column) -> Column:
    """The parents of a document, each with its `parent_id`: as stable as the ids of chunks, and never equal to one."""

    def with_id(parent: Column) -> Column:
        parts = (document_id, content_hash(parent["text"]), parent["occurrence"].cast("string"), F.lit("parent"))
        return parent.withField("parent_id", F.sha2(F.concat_ws(_SEPARATOR, *parts), 256))

    return F.transform(parents, with_id)


def config_hash(profile: Column, profiles: Mapping[str, ChunkSettings]) -> Column:
    """The fingerprint of the effective settings of each document's profile."""
    return _looked_up(profile, {name: settings.config_hash() for name, settings in profiles.items()})


def _looked_up(key: Column, values: Mapping[str, str]) -> Column:
    pairs = [F.lit(part) for pair in values.items() for part in pair]
    return F.create_map(*pairs)[key]
