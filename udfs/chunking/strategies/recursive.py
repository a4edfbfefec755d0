"""`recursive` and `whole`: paragraphs before lines before sentences before clauses before words.

`whole` keeps a document in one chunk while it fits. One that exceeds the size
is divided as by `recursive`, for the limit always holds; so one plan serves both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from udfs.chunking.best_cut import BestCut
from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.separators import separator_boundaries
from udfs.chunking.strategies.plan import Plan
from udfs.chunking.workpiece import Workpiece

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings


def plan(work: Workpiece, settings: ChunkSettings) -> Plan:
    """Cut at the separators that the settings give, else at the structure of prose."""
    if settings.separators is None:
        boundaries = prose_boundaries(work.slab, settings.limit)
        return Plan(boundaries, BestCut(work.slab, boundaries, work.ruler, settings.limit))
    boundaries = separator_boundaries(work.slab, settings.separator_patterns())
    return Plan(boundaries, BestCut(work.slab, boundaries, work.ruler, settings.limit, good=len(settings.separators)))
