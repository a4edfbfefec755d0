"""What a walk through a syntax tree finds, in bytes of the source: units, their parts, their signatures.

Two kinds of readers make an `Outline`: `code_walk.py` from a syntax tree, `code_sql.py`
from SQL. `code_layout.py` turns it into a `Structure` in code points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from udfs.chunking.chunk import CUTS

BLOCK, PARAGRAPH, LINE = CUTS.index("block"), CUTS.index("paragraph"), CUTS.index("line")


class Part(NamedTuple):
    """What should stay whole: a unit, a statement, some imports; in bytes, half-open."""

    start: int
    end: int
    cut: int  # index into CUTS
    unit: bool = False  # a function or the like: worth a block of its own even on one line


class Unit(NamedTuple):
    """A function, class or the like; in bytes, half-open."""

    start: int  # with the comments and decorators that belong to it
    signature: int  # where its signature begins, behind those
    body: int  # where its signature ends
    end: int
    title: str


@dataclass
class Outline:
    """All that was found, in no special order."""

    parts: list[Part] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
