"""Separators that a user gives: literals, and regular expressions that are checked when the settings are made."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

MAX_SEPARATORS = 200


class Pattern(BaseModel):
    """A separator given as a regular expression: `{pattern: REGEX}`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str = Field(description="A Python regular expression that never matches the empty string.")

    @field_validator("pattern")
    @classmethod
    def _usable(cls, value: str) -> str:
        try:
            compiled = re.compile(value)
        except re.error as error:
            raise ValueError(f"not a regular expression ({error})") from None
        if compiled.match("") or compiled.fullmatch(""):
            raise ValueError("matches the empty string, so it would cut everywhere; use + instead of *")
        return value


def separator(number: int, separator: object) -> str | Pattern:
    """A separator of the list, checked: one message, whatever is wrong with it."""
    if isinstance(separator, Pattern) or (isinstance(separator, str) and separator):
        return separator
    if not isinstance(separator, dict) or set(separator) != {"pattern"}:
        raise ValueError(f"separator {number} must be a text that is not empty, or {{pattern: REGEX}}")
    try:
        return Pattern(**separator)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ValueError(f"separator {number}: pattern {separator['pattern']!r}: {reason}") from None


def separators(value: object) -> tuple[str | Pattern, ...]:
    """Separators from plain values, best first.

    Raises:
        ValueError: names the one at fault and what is wrong with it.
    """
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MAX_SEPARATORS:
        raise ValueError(f"must be a list of 1 to {MAX_SEPARATORS} separators (words and graphemes always come last)")
    return tuple(separator(number, one) for number, one in enumerate(value, start=1))
