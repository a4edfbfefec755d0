"""The settings `checks`: what fails a run, so that chunks nobody would want do not reach the index."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _number(value: Any) -> Any:
    # pydantic reads `true` as 1, which is never what was meant.
    if isinstance(value, bool):
        raise ValueError("must be a number from 0 to 1")  # noqa: TRY004 - pydantic turns only this into a fault
    return value


Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), BeforeValidator(_number)]


class Checks(BaseModel):
    """Thresholds, as shares from 0 to 1; one that is not set is not checked.

    Each is for all chunks together and for every profile, but for `max_rejected`, which is for the whole run.

    >>> Checks(max_tiny=0.2).thresholds
    {'max_tiny': 0.2}
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_rejected: Share | None = Field(
        default=None, description="The largest share of the input's rows that may be rejected."
    )
    min_p95: Share | None = Field(
        default=None,
        description="The least that the 95th percentile of the sizes may be, as a share of the limit: below, the "
        "chunks are fragments.",
    )
    max_tiny: Share | None = Field(
        default=None, description="The largest share of the chunks that may be tiny: under a tenth of the limit."
    )
    max_within_word: Share | None = Field(
        default=None, description="The largest share of the chunks that may end within a word."
    )
    max_within_sentence: Share | None = Field(
        default=None, description="The largest share of the chunks that may end within a sentence, words included."
    )
    max_duplicates: Share | None = Field(
        default=None, description="The largest share of the chunks whose text an earlier chunk may have."
    )

    @property
    def thresholds(self) -> dict[str, float]:
        """Those that are set, by name."""
        return {name: value for name in type(self).model_fields if (value := getattr(self, name)) is not None}
