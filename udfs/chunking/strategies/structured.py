"""`markdown`, `html`, `code`, `table`: headings before blocks before prose; what fits stays whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from udfs.chunking.boundaries import CUT
from udfs.chunking.layout import lay_out
from udfs.chunking.strategies.plan import Plan
from udfs.chunking.structured_cut import StructuredCut
from udfs.chunking.workpiece import Workpiece

if TYPE_CHECKING:
    from udfs.chunking.settings import ChunkSettings


def plan(work: Workpiece, settings: ChunkSettings) -> Plan:
    """Headings part documents; a section of the outermost depth begins a chunk of its own."""
    return _plan(work, settings, keep_apart=1, section_cut=CUT["heading"])


def plan_code(work: Workpiece, settings: ChunkSettings) -> Plan:
    """Functions and classes are blocks; small ones may share a chunk."""
    return _plan(work, settings, keep_apart=0, section_cut=CUT["block"])


def _plan(work: Workpiece, settings: ChunkSettings, keep_apart: int, section_cut: int) -> Plan:
    """Cut at the structure that the reader of the format found; `keep_apart` unless it is set."""
    if settings.keep_apart is not None:
        keep_apart = settings.keep_apart
    in_tokens = settings.unit == "tokens"
    layout = lay_out(work, settings.limit, settings.max_tokens, in_tokens, keep_apart, section_cut)
    chooser = StructuredCut(work.slab, layout, work.ruler, settings.limit)
    return Plan(layout.boundaries, chooser, (layout.begin, layout.last))
