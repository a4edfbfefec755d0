"""What can go wrong in the engine, each failure with a name of its own.

Every message names the thing, the value, what is allowed and the next step.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError


class LakechunkError(Exception):
    """The base of all errors that lakechunk raises on purpose."""


class SettingsError(LakechunkError, ValueError):
    """A setting that cannot be valid. Raised before any document is read."""

    @classmethod
    def unknown(cls, what: str, value: object, known: Iterable[str]) -> SettingsError:
        """The error for a name that is not one of `known`; names the nearest.

        >>> print(SettingsError.unknown("strategy", "recursiv", ["fixed", "recursive"]))
        strategy = 'recursiv': unknown; did you mean 'recursive'? Known: fixed, recursive
        """
        names = sorted(known)
        near = difflib.get_close_matches(str(value), names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        return cls(f"{what} = {value!r}: unknown{hint} Known: {', '.join(names)}")

    @classmethod
    def from_validation(cls, error: ValidationError, known: Iterable[str], where: str = "") -> SettingsError:
        """One readable message from pydantic's list of faults.

        Args:
            error: what pydantic raised.
            known: the keys that exist at that place, to name the nearest one.
            where: a prefix for the field, such as `profiles.default`.
        """
        names = list(known)
        return cls("\n".join(_describe(fault, names, where) for fault in error.errors()))


class TextError(LakechunkError, ValueError):
    """A text that is not valid Unicode (it holds a lone surrogate)."""


def _describe(fault: Any, known: list[str], where: str) -> str:
    path = ".".join(str(part) for part in (where, *fault["loc"]) if part != "")
    if fault["type"] == "extra_forbidden":
        near = difflib.get_close_matches(str(fault["loc"][-1]), known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(sorted(known))}"
        return f"{path}: unknown key; {hint}"
    message: str = fault["msg"].removeprefix("Value error, ")
    stated = f"{path} = {fault['input']!r}: "
    return message if not fault["loc"] or message.startswith(stated) else stated + message
