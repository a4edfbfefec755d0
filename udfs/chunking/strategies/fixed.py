"""`fixed` and `sliding_window`: windows of equal size, `size - overlap` (or `stride`) units apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.strategies.plan import Plan
from udfs.chunking.window import FixedWindow
from udfs.chunking.workpiece import Workpiece

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings


def plan(work: Workpiece, settings: ChunkSettings) -> Plan:
    """Windows that look at no boundary; the boundaries only tell how good the cuts came out."""
    boundaries = prose_boundaries(work.slab, settings.limit)
    return Plan(boundaries, FixedWindow(work.slab, work.ruler))
