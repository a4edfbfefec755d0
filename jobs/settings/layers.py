"""Layers of settings, laid one over the other; remembers which layer every setting came from.

Mappings merge key by key; everything else, lists included, is replaced by the upper layer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jobs.settings.faults import Fault, Path, dotted

# Below these, names hold dots of their own (`spark.sql.shuffle.partitions`): the rest of a dotted path is one key.
_FREE = (("spark",), ("input", "options"), ("output", "options"))


class Layers:
    """The merged values so far, and the origin of each."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._origins: dict[Path, str] = {}

    def merge(self, values: dict[str, Any], origin: Callable[[Path], str]) -> None:
        """Lay a mapping on top; `origin` names the place that a path comes from."""
        self._merge(self.values, values, (), origin)

    def assign(self, path: Path, value: Any, origin: str) -> Fault | None:
        """Set one value, making the mappings on its way; returns a fault where the path leads nowhere."""
        place: Any = self.values
        for depth, part in enumerate(path[:-1]):
            place, fault = _enter(place, part, path, depth)
            if fault is not None:
                return replace(fault, origin=origin)
            self._origins[path[: depth + 1]] = origin
        if isinstance(place, dict):
            place[path[-1]] = value
        else:
            index, fault = _index(place, path[-1], path, len(path) - 1)
            if fault is not None:
                return replace(fault, origin=origin)
            place[index : index + 1] = [value]
        self._forget_below(path)
        self._origins[path] = origin
        return None

    def origin(self, path: Path) -> str:
        """Where the value at a path, or what surrounds it, comes from; "" if from nowhere."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._origins:
                return self._origins[path[:length]]
        return ""

    def _merge(self, base: dict[str, Any], values: dict[str, Any], path: Path, origin: Callable[[Path], str]) -> None:
        for key, value in values.items():
            at = (*path, key)
            if value is None and isinstance(base.get(key), dict):
                continue  # a section in which everything is commented out
            if isinstance(value, dict) and value:
                if not isinstance(base.get(key), dict):
                    base[key] = {}
                self._origins[at] = origin(at)
                self._merge(base[key], value, at, origin)
            elif value != {} or not isinstance(base.get(key), dict):  # an empty mapping changes nothing below it
                base[key] = value
                self._forget_below(at)
                self._origins[at] = origin(at)
                self._note_items(value, at, origin)

    def _note_items(self, value: Any, path: Path, origin: Callable[[Path], str]) -> None:
        items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
        for key, inner in items:
            at = (*path, key)
            self._origins[at] = origin(at)
            self._note_items(inner, at, origin)

    def _forget_below(self, path: Path) -> None:
        for other in [known for known in self._origins if known[: len(path)] == path]:
            del self._origins[other]


def split(name: str) -> Path:
    """A dotted name as a path; numbers are list indexes.

    >>> split("routing.0.profile"), split("spark.spark.sql.ansi.enabled")
    (('routing', 0, 'profile'), ('spark', 'spark.sql.ansi.enabled'))
    """
    parts = name.split(".")
    for free in _FREE:
        if tuple(parts[: len(free)]) == free and len(parts) > len(free):
            return (*free, ".".join(parts[len(free) :]))
    return tuple(int(part) if part.isdecimal() and index else part for index, part in enumerate(parts))


def _enter(place: Any, part: str | int, path: Path, depth: int) -> tuple[Any, Fault | None]:
    """The container at `path[: depth + 1]`, made if there is nothing."""
    following: Any = [] if isinstance(path[depth + 1], int) else {}
    if isinstance(place, dict):
        if place.get(part) is None:
            place[part] = following
        inner = place[part]
    else:
        index, fault = _index(place, part, path, depth)
        if fault is not None:
            return None, fault
        if index == len(place):
            place.append(following)
        inner = place[index]
    if not isinstance(inner, dict | list):
        return None, Fault(path, f"{dotted(path[: depth + 1])} is a single value; nothing can be set below it")
    return inner, None


def _index(place: list[Any], part: str | int, path: Path, depth: int) -> tuple[int, Fault | None]:
    """A list's index: one of its items, or the place right after the last."""
    if not isinstance(part, int):
        return 0, Fault(path, f"{dotted(path[:depth])} is a list; write an index (from 0) instead of {part!r}")
    if part > len(place):
        return 0, Fault(path, f"{dotted(path[:depth])} has {len(place)} items; the next index is {len(place)}")
    return part, None
