"""The tables that lakechunk writes, as Spark types with a comment on every column."""

from schemas.chunks import CHUNKS, PARENT_TEXT, chunks_with
from schemas.contract import SchemaMismatchError, check_schema
from schemas.documents import DOCUMENTS, STATUSES
from schemas.histograms import HISTOGRAM_BINS, HISTOGRAM_UNITS, HISTOGRAMS
from schemas.parents import PARENTS
from schemas.rejects import REASONS, REJECTS
from schemas.sizes import FORCED_CUTS, PERCENTILES, SCOPES, SIZES

__all__ = [
    "CHUNKS",
    "DOCUMENTS",
    "FORCED_CUTS",
    "HISTOGRAMS",
    "HISTOGRAM_BINS",
    "HISTOGRAM_UNITS",
    "PARENTS",
    "PARENT_TEXT",
    "PERCENTILES",
    "REASONS",
    "REJECTS",
    "SCOPES",
    "SIZES",
    "STATUSES",
    "SchemaMismatchError",
    "check_schema",
    "chunks_with",
]
