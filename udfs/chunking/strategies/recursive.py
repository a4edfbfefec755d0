"""`recursive` and `whole`: paragraphs before lines before sentences before clauses before words.

`whole` keeps a document in one chunk while it fits. One that exceeds the size
is divided as by `recursive`, for the limit always holds; so one plan serves both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from udfs.chunking.best_cut import BestCut
from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.separators import separator_boundaries
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab
from udfs.chunking.strategies.plan import Plan

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings


def plan(slab: Slab, settings: ChunkSettings, ruler: Ruler) -> Plan:
    """Cut at the separators that the settings give, else at the structure of prose."""
    if settings.separators is None:
        boundaries = prose_boundaries(slab, settings.limit)
        return Plan(boundaries, BestCut(slab, boundaries, ruler, settings.limit))
    boundaries = separator_boundaries(slab, settings.separator_patterns())
    return Plan(boundaries, BestCut(slab, boundaries, ruler, settings.limit, good=len(settings.separators)))
