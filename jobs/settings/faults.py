"""What is wrong with the settings: every fault with its place, its value and what is allowed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from jobs.settings.masking import MASK, masked_value
from udfs.chunking import SettingsError

Path = tuple[str | int, ...]

_LONGEST_VALUE = 80  # code points of a value that a message shows
_ABSENT: Any = object()

# What pydantic says, and what users of YAML call it.
_IN_TERMS_OF_YAML = {
    "^Input should be": "must be",
    "a valid (tuple|list)": "a list",
    r"a valid dictionary( or instance of \w+)?": "a mapping",
    "a valid string": "a text",
    "a valid integer": "a whole number",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: the setting's path, what is allowed, and the value (if there is one)."""

    path: Path
    message: str
    value: Any = _ABSENT
    origin: str | None = None  # None: wherever the setting at `path` comes from

    def line(self, origin: str) -> str:
        """The fault as one line; `origin` says which file or option it came from.

        >>> Fault(("profiles", "default", "size"), "must be at least 1", 0).line("lake.yaml, line 3")
        'lake.yaml, line 3: profiles.default.size = 0: must be at least 1'
        """
        place = f"{origin}: " if origin else ""
        value = "" if self.value is _ABSENT else f" = {shown(self.path, self.value)}"
        name = dotted(self.path)
        return f"{place}{name}{value}: {self.message}" if name else f"{place}{self.message}"


def dotted(path: Path) -> str:
    """The path as users type it: `("routing", 0, "when")` is `routing.0.when`."""
    return ".".join(str(part) for part in path)


def shown(path: Path, value: Any) -> str:
    """The value as a message may show it: secrets masked, long values cut."""
    for part in reversed(path):
        value = masked_value(value, str(part))
    text = value if value == MASK else repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."


def nearest(value: object, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known one, and all of them.

    >>> nearest("siz", ["overlap", "size"])
    "did you mean 'size'? Known: overlap, size"
    """
    names = sorted(known)
    near = difflib.get_close_matches(str(value), names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}Known: {', '.join(names)}"


def settings_error(faults: Sequence[Fault], origin: Callable[[Path], str]) -> SettingsError:
    """One error that lists all faults, one a line."""
    origins = [origin(fault.path) if fault.origin is None else fault.origin for fault in faults]
    lines = list(dict.fromkeys(fault.line(origin) for fault, origin in zip(faults, origins, strict=True)))
    if len(lines) == 1:
        return SettingsError(lines[0])
    return SettingsError("\n".join([f"{len(lines)} settings are wrong:", *(f"  - {line}" for line in lines)]))


def model_faults(
    error: ValidationError, model: type[BaseModel], values: Any, *, more: Sequence[str] = ()
) -> list[Fault]:
    """The faults that pydantic found when it made `model` from `values`.

    Args:
        error: what pydantic raised.
        model: the model that was to be made.
        values: what it was to be made from.
        more: keys that are allowed beside the model's own, to name the nearest one.

    Where a value may be one of several kinds, pydantic tells what is wrong with it as each kind: only what is wrong
    with the kind that it resembles is kept.
    """
    found: dict[Path, Fault] = {}
    for details in error.errors():
        location = _in_values(details, values)
        fault = _model_fault(details, model, location, more)
        before = found.get(location)
        found[location] = fault if before is None else replace(before, message=f"{before.message}, or {fault.message}")
    deepest = [path for path in found if not any(path == other[: len(path)] for other in found if other != path)]
    return [found[path] for path in deepest]


def _in_values(details: Any, values: Any) -> Path:
    """The fault's location without the names that pydantic gives to the kinds of a union."""
    location: list[str | int] = []
    for part in details["loc"]:
        if _holds(values, part):
            values = values[part]
            location.append(part)
        elif details["type"] == "missing" and part == details["loc"][-1]:
            location.append(part)
    return tuple(location)


def _holds(values: Any, part: str | int) -> bool:
    if isinstance(values, list | tuple):
        return isinstance(part, int) and part < len(values)
    return isinstance(values, dict) and part in values


def _model_fault(details: Any, model: type[BaseModel], path: Path, more: Sequence[str]) -> Fault:
    if details["type"] == "extra_forbidden":
        return Fault(path, f"unknown key; {nearest(path[-1], _known_keys(model, path[:-1], more))}")
    if details["type"] == "missing":
        return Fault(path, "is missing")
    if details["type"] == "literal_error":
        return Fault(path, f"must be {details['ctx']['expected']}", details["input"])
    message = details["msg"].removeprefix("Value error, ")
    if not path:
        return Fault(path, message)
    for theirs, ours in _IN_TERMS_OF_YAML.items():
        message = re.sub(theirs, ours, message)
    return Fault(path, message.removeprefix(f"{path[-1]} = {details['input']!r}: "), details["input"])


def _known_keys(model: type[BaseModel], location: Path, more: Sequence[str]) -> list[str]:
    """The keys of the model that stands at `location` inside `model`; `more` are allowed beside its own."""
    if not location:
        return [*model.model_fields, *more]
    for part in location:
        if isinstance(part, int):
            continue
        inner = _model_in(model.model_fields[part].annotation) if part in model.model_fields else None
        if inner is None:
            return []
        model = inner
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The pydantic model that an annotation such as `tuple[Rule, ...]` holds."""
    # On Python 3.10, `tuple[Rule, ...]` counts as a type itself.
    if get_origin(annotation) is None and isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in get_args(annotation):
        found = _model_in(inner)
        if found is not None:
            return found
    return None
