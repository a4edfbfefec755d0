"""What a strategy decides: where a slab may be cut, and who chooses among the cuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from udfs.chunking.boundaries import Boundaries
from udfs.chunking.packing import CutChooser
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings


@dataclass(frozen=True)
class Plan:
    """The boundaries of a slab and the chooser that packs it."""

    boundaries: Boundaries
    chooser: CutChooser


Strategy = Callable[[Slab, "ChunkSettings", Ruler], Plan]
