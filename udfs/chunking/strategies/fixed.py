"""`fixed` and `sliding_window`: windows of equal size, `size - overlap` (or `stride`) units apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab
from udfs.chunking.strategies.plan import Plan
from udfs.chunking.window import FixedWindow

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings


def plan(slab: Slab, settings: ChunkSettings, ruler: Ruler) -> Plan:
    """Windows that look at no boundary; the boundaries only tell how good the cuts came out."""
    boundaries = prose_boundaries(slab, settings.limit)
    return Plan(boundaries, FixedWindow(slab, ruler))
