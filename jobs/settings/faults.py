"""What is wrong with the settings: every fault with its place, its value and what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from jobs.settings.masking import MASK, masked_value
from udfs.chunking import SettingsError

Path = tuple[str | int, ...]

_LONGEST_VALUE = 80  # code points of a value that a message shows
_ABSENT: Any = object()


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


def model_faults(error: ValidationError, model: type[BaseModel], at: Path = ()) -> list[Fault]:
    """The faults that pydantic found in `model`, whose values stand at the path `at`."""
    return [_model_fault(details, model, at) for details in error.errors()]


def _model_fault(details: Any, model: type[BaseModel], at: Path) -> Fault:
    location: Path = details["loc"]
    path = (*at, *location)
    if details["type"] == "extra_forbidden":
        return Fault(path, f"unknown key; {nearest(location[-1], _known_keys(model, location[:-1]))}")
    if details["type"] == "missing":
        return Fault(path, "is missing")
    if details["type"] == "literal_error":
        allowed = details["ctx"]["expected"]
        return Fault(path, f"must be {allowed}", details["input"])
    message = details["msg"].removeprefix("Value error, ")
    message = message.replace("Input should be", "must be")
    return Fault(path, message, details["input"]) if location else Fault(path, message)


def _known_keys(model: type[BaseModel], location: Path) -> list[str]:
    """The keys of the model that stands at `location` inside `model`."""
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
