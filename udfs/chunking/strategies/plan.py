"""What a strategy decides: where a slab may be cut, and who chooses among the cuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from udfs.chunking.boundaries import Boundaries
from udfs.chunking.formats.reading import Reader
from udfs.chunking.packing import CutChooser
from udfs.chunking.workpiece import Workpiece

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings


@dataclass(frozen=True)
class Plan:
    """The boundaries of a slab and the chooser that packs it.

    Attributes:
        boundaries: all places better than a word gap.
        chooser: chooses among them.
        extents: where each document's text begins and ends, if that is not as `Slab.extents` says.
    """

    boundaries: Boundaries
    chooser: CutChooser
    extents: tuple[list[int], list[int]] | None = None


@dataclass(frozen=True)
class Strategy:
    """How documents are cut.

    Attributes:
        plan: makes the plan of a slab.
        reader: finds the structure of each document beforehand; None for strategies that need none.
        kind: what text is that no block says otherwise of.
        printed: whether its texts may come from printed pages, with running headers and broken paragraphs.
        packages: those it needs beyond the base install.
        extra: what installs them.
    """

    plan: Callable[[Workpiece, ChunkSettings], Plan]
    reader: Reader | None = None
    kind: str = "prose"
    printed: bool = True
    packages: tuple[str, ...] = ()
    extra: str = ""
