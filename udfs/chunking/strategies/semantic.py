"""`semantic`: sentences are embedded, and chunks end where the topic changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from udfs.chunking.boundaries import Boundaries, prose_boundaries
from udfs.chunking.errors import SettingsError
from udfs.chunking.semantic.dips import dip_cuts
from udfs.chunking.semantic.models import load_embedder
from udfs.chunking.semantic.optimal import optimal_cuts
from udfs.chunking.semantic.sentences import sentences_of
from udfs.chunking.semantic.settings import NO_MODEL, SemanticSettings
from udfs.chunking.semantic.topic_cut import TopicCut
from udfs.chunking.semantic.vectors import embedded
from udfs.chunking.strategies.plan import Plan
from udfs.chunking.workpiece import Workpiece

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings

Int64 = npt.NDArray[np.int64]

# Estimates are off by a token or two: a chunk that is planned so much smaller is not divided again.
_SPARE = 2


def plan(work: Workpiece, settings: ChunkSettings) -> Plan:
    """Chunks end at changes of topic; a stretch on one topic that exceeds the size is divided as by `recursive`."""
    boundaries = prose_boundaries(work.slab, settings.limit)
    stops = boundaries.left.take(_cuts(work, boundaries, settings))
    return Plan(boundaries, TopicCut(work.slab, boundaries, work.ruler, settings.limit, stops.tolist()))


def _cuts(work: Workpiece, boundaries: Boundaries, settings: ChunkSettings) -> Int64:
    """The rows of the boundaries at which the topic changes."""
    semantic: SemanticSettings | None = settings.semantic
    if semantic is None:
        raise SettingsError(NO_MODEL)
    sentences = sentences_of(work.slab, boundaries)
    if len(sentences) == 0:
        return np.zeros(0, np.int64)
    vectors = embedded(work.slab, sentences, load_embedder(semantic.model, semantic.threads))
    if semantic.method == "dips":
        cuts = dip_cuts(vectors, sentences, boundaries, work.bare_ruler, semantic)
    else:
        most = settings.limit - work.most_context
        cuts = optimal_cuts(vectors, sentences, boundaries, work.bare_ruler, max(1, most - _SPARE), semantic)
    return sentences.boundary.take(cuts)
