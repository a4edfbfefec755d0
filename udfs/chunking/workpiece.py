"""A slab with all that is measured and known of it before it is cut."""

from __future__ import annotations

from dataclasses import dataclass

from udfs.chunking.counting import StretchCounter
from udfs.chunking.outline import Outline
from udfs.chunking.sizes import Ruler
from udfs.chunking.slab import Slab


@dataclass(frozen=True)
class Workpiece:
    """What a strategy plans with.

    Attributes:
        slab: the documents.
        outline: their structure; empty for strategies that need none.
        ruler: estimates sizes; the context of a chunk counts as part of it.
        bare_ruler: the same without contexts.
        most_context: the most units that a context takes.
        counter: counts tokens of stretches exactly, context included.
    """

    slab: Slab
    outline: Outline
    ruler: Ruler
    bare_ruler: Ruler
    most_context: int
    counter: StretchCounter
