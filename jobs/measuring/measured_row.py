"""A row of the table `sizes`, with what it was allowed: the shares that findings and comparisons are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemas import FORCED_CUTS
from udfs.chunking import ChunkSettings

# These cut wherever the size is used up, on purpose.
CUTS_ANYWHERE = frozenset({"fixed", "sliding_window"})

# A text that fewer chunks share than this does not weigh.
RARE = 0.001

# Here documents alone decide how large a chunk is.
WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """A row of `sizes` beside the profiles that its chunks may be of.

    Args:
        row: as read from the table.
        profiles: the one of the row; else all that have chunks in the run.
    """

    row: Mapping[str, Any]
    profiles: Sequence[ChunkSettings]

    @property
    def scope(self) -> str:
        """What the row sums up."""
        return str(self.row["scope"])

    @property
    def name(self) -> str | None:
        """Which profile, content type or source."""
        name = self.row["name"]
        return None if name is None else str(name)

    @property
    def chunk_count(self) -> int:
        """How many chunks it sums up."""
        return int(self.row["chunk_count"])

    @property
    def unit(self) -> str | None:
        """What the limit counts; None where profiles differ."""
        units = {profile.unit for profile in self.profiles}
        return units.pop() if len(units) == 1 else None

    @property
    def limit(self) -> int | None:
        """The limit; None where profiles differ."""
        limits = {profile.limit for profile in self.profiles}
        return limits.pop() if len(limits) == 1 and self.unit is not None else None

    @property
    def limit_is_nominal(self) -> bool:
        """Whether `auto` has chosen smaller sizes itself."""
        return any(profile.strategy == "auto" and "size" not in profile.model_fields_set for profile in self.profiles)

    @property
    def p95(self) -> float:
        """In the unit of the limit."""
        return float(self.row["char_p95" if self.unit == "characters" else "token_p95"])

    @property
    def p95_share(self) -> float | None:
        """The 95th percentile as a share of the limit."""
        return None if self.limit is None or self._has(WHOLE) else self.p95 / self.limit

    @property
    def share_of_limit(self) -> float:
        """The mean."""
        return float(self.row["share_of_limit"])

    @property
    def over_limit(self) -> int:
        """Must be 0."""
        return int(self.row["over_limit"])

    @property
    def tiny(self) -> float | None:
        """The share of tiny chunks."""
        return None if self._has(WHOLE) else float(self.row["tiny"]) / self.chunk_count

    @property
    def within_word(self) -> float | None:
        """The share of the chunks that end within a word."""
        return self._forced("grapheme")

    @property
    def within_sentence(self) -> float | None:
        """The share of the chunks that end within a sentence or a word."""
        return self._forced(*FORCED_CUTS)

    @property
    def duplicates(self) -> float:
        """The share of the chunks that repeat an earlier one."""
        return float(self.row["duplicates"]) / self.chunk_count

    @property
    def most_repeated(self) -> int:
        """How many chunks share the commonest text."""
        return int(self.row["most_repeated"])

    @property
    def commonly_repeated(self) -> int | None:
        """The same, unless they are lost among the others."""
        return self.most_repeated if self.most_repeated >= RARE * self.chunk_count else None

    def _forced(self, *cuts: str) -> float | None:
        if self._has(*CUTS_ANYWHERE):
            return None
        forced = sum(int(self.row["forced_cuts"].get(cut, 0)) for cut in cuts)
        return forced / self.chunk_count

    def _has(self, *strategies: str) -> bool:
        return any(profile.strategy in strategies for profile in self.profiles)


def measured_rows(rows: Sequence[Mapping[str, Any]], profiles: Mapping[str, ChunkSettings]) -> list[MeasuredRow]:
    """The rows of `sizes`, each with its profile; one that is of no profile, with all that have chunks."""
    used = [profiles[row["name"]] for row in rows if row["scope"] == "profile"]
    return [MeasuredRow(row, [profiles[row["name"]]] if row["scope"] == "profile" else used) for row in rows]
