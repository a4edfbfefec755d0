"""The settings `input.repeated_lines`: whether lines that most documents of one source share are dropped, and which."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class RepeatedLines(BaseModel):
    """When a line counts as repeated, and what becomes of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Literal["keep", "drop"] = Field(
        default="keep", description="drop: lines that most documents of one source share (menus, disclaimers) go."
    )
    min_documents: int = Field(
        default=5, ge=2, strict=True, description="The fewest documents of a source that have the line."
    )
    min_share: float = Field(default=0.5, gt=0, le=1, description="The least share of the source's documents.")
    min_length: int = Field(
        default=3, ge=1, strict=True, description="Shorter lines stay, in characters without blanks around."
    )
    max_length: int = Field(default=300, ge=1, strict=True, description="Longer lines stay, in characters.")
    most_per_source: int = Field(
        default=500,
        ge=1,
        strict=True,
        description="The most lines of a source that are dropped: those of the most documents.",
    )
