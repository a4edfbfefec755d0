"""`sentence`: as many whole sentences as fit; paragraph and sentence ends are equally good."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from udfs.chunking.best_cut import BestCut
from udfs.chunking.boundaries import CUT, prose_boundaries
from udfs.chunking.strategies.plan import Plan
from udfs.chunking.workpiece import Workpiece

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings

_SENTENCE, _LINE, _CLAUSE = 0, 1, 2
_TIERS = np.full(len(CUT), _CLAUSE, dtype=np.uint8)
_TIERS[[CUT["end"], CUT["heading"], CUT["block"], CUT["paragraph"], CUT["sentence"]]] = _SENTENCE
_TIERS[CUT["line"]] = _LINE


def plan(work: Workpiece, settings: ChunkSettings) -> Plan:
    """Pack sentences; a line end is second best, and a sentence over the limit is divided."""
    boundaries = prose_boundaries(work.slab, settings.limit)
    boundaries = replace(boundaries, tier=_TIERS[boundaries.cut])
    return Plan(boundaries, BestCut(work.slab, boundaries, work.ruler, settings.limit, good=_SENTENCE))
