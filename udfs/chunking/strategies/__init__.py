"""The strategies by name. Adding one touches its own file and the registry here."""

from __future__ import annotations

from udfs.chunking.strategies import fixed, recursive, sentence
from udfs.chunking.strategies.plan import Plan, Strategy

STRATEGIES: dict[str, Strategy] = {
    "whole": recursive.plan,
    "fixed": fixed.plan,
    "sliding_window": fixed.plan,
    "recursive": recursive.plan,
    "sentence": sentence.plan,
}

__all__ = ["STRATEGIES", "Plan", "Strategy"]
