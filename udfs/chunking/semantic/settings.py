"""The settings of the strategy `semantic`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from udfs.chunking.errors import SettingsError
from udfs.chunking.semantic.models import check_model, model_fingerprint

NO_MODEL = "semantic = None: the strategy 'semantic' needs a model; give semantic: {model: FOLDER}"
# What only one of the methods understands.
_BOUND_TO_METHOD = {"threshold": "dips", "window": "dips", "cost": "optimal"}


class Threshold(BaseModel):
    """How deep a dip in similarity must be for a cut: one of three ways to say it.

    Example:
        >>> Threshold(percentile=20).cosine is None
        True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cosine: float | None = Field(
        default=None, ge=-1, le=1, description="The two sides are at most so alike: a cosine. It depends on the model."
    )
    percentile: float | None = Field(
        default=None, ge=0, le=100, description="The deepest of a document's dips are cut, so many in a hundred."
    )
    deviations: float | None = Field(
        default=None,
        ge=0,
        le=10,
        description="The similarity is so many standard deviations below the mean of the document.",
    )

    @model_validator(mode="after")
    def _one_way(self) -> Threshold:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give one of cosine, percentile and deviations, for example {deviations: 1.0}")
        return self


class SemanticSettings(BaseModel):
    """Which model compares sentences, and where it is cut by that."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(
        description="What embeds sentences: the folder of a model2vec or sentence-transformers model, or the name of "
        "an installed package that holds one. Nothing is ever downloaded."
    )
    method: Literal["optimal", "dips"] = Field(
        default="optimal",
        description="optimal: the division of the whole document in which chunks are most alike inside; dips: cuts "
        "where the text before and behind are least alike.",
    )
    cost: float | None = Field(
        default=None,
        gt=0,
        le=100,
        description="Only for optimal: what a chunk costs, in multiples of what cutting a text on one topic gains; "
        "more makes fewer chunks. Default: 1.5.",
    )
    threshold: Threshold | None = Field(
        default=None,
        description="Only for dips: how deep a dip must be: {cosine: C}, {percentile: P} or {deviations: D}. Default: "
        "{cosine: 0.4}, which suits MiniLM and models like it.",
    )
    window: int | None = Field(
        default=None,
        ge=1,
        le=20,
        description="Only for dips: how many sentences on each side are compared. Default: 3.",
    )
    min_size: int = Field(
        default=0, ge=0, description="No cut for its topic makes a chunk smaller than this, in units; less than size."
    )
    threads: int = Field(default=1, ge=1, le=256, description="CPU threads of the model, in each Python worker.")

    @field_validator("model")
    @classmethod
    def _usable_model(cls, value: str) -> str:
        try:
            check_model(value)
        except SettingsError as error:
            raise ValueError(str(error).split(": ", 1)[1]) from None
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> SemanticSettings:
        for name, method in _BOUND_TO_METHOD.items():
            if getattr(self, name) is not None and self.method != method:
                raise ValueError(f"{name} belongs to the method {method!r}, not to {self.method!r}; leave it out")
        return self

    @property
    def chunk_cost(self) -> float:
        """What a chunk costs, the default filled in."""
        return 1.5 if self.cost is None else self.cost

    @property
    def depth(self) -> Threshold:
        """How deep a dip must be, the default filled in."""
        return self.threshold or Threshold(cosine=0.4)

    @property
    def side(self) -> int:
        """How many sentences on each side are compared, the default filled in."""
        return self.window or 3

    def effective(self) -> dict[str, Any]:
        """What the cuts depend on, as plain JSON values: the model by its content, no matter where it lies."""
        own: dict[str, Any] = {"method": self.method, "min_size": self.min_size, "model": model_fingerprint(self.model)}
        if self.method == "optimal":
            return own | {"cost": self.chunk_cost}
        return own | {"threshold": self.depth.model_dump(exclude_none=True), "window": self.side}
