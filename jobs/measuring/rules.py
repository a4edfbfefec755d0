"""What is looked at in a row of `sizes`, from where on it is worth a warning, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jobs.measuring.measured_row import MeasuredRow
from jobs.quantities import percent


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing to look at in a row of `sizes`.

    Attributes:
        check: its name; also that of the setting that makes it a check.
        bound: from where on it is worth a warning; None: never.
        value: of a row; None where the question makes no sense.
        message: the fact, and what to do.
    """

    check: str
    bound: float | None
    value: Callable[[MeasuredRow], float | None]
    message: Callable[[MeasuredRow], str]

    def is_broken(self, value: float, bound: float) -> bool:
        """Whether the value is past the bound; a value that equals it is not."""
        return value < bound if self.check.startswith("min_") else value > bound


def _p95_message(row: MeasuredRow) -> str:
    return (
        f"p95 is {percent(row.p95_share)} of the limit ({row.p95:,.0f} of {row.limit:,} {row.unit}): these are "
        "fragments. Join short documents before the run, or let sections share a chunk (keep_apart: 0)."
    )


def _tiny_message(row: MeasuredRow) -> str:
    return (
        f"{percent(row.tiny)} of the chunks are tiny, under a tenth of the limit. Clean the source of short leftovers, "
        "or let sections share a chunk (keep_apart: 0)."
    )


def _within_word_message(row: MeasuredRow) -> str:
    return (
        f"{percent(row.within_word)} of the chunks end within a word. Such words are longer than a chunk (encoded "
        "data, say): clean the source, or give a larger size."
    )


def _within_sentence_message(row: MeasuredRow) -> str:
    full = " and are full: no better place to cut was found" if row.share_of_limit >= 0.9 else ""  # noqa: PLR2004
    return (
        f"{percent(row.within_sentence)} of the chunks end within a sentence{full}. Give a larger size, or a strategy "
        "that knows the structure of these documents (markdown, html, code, table)."
    )


def _duplicates_message(row: MeasuredRow) -> str:
    return (
        f"{percent(row.duplicates)} of the chunks repeat the text of an earlier one. Drop documents that came twice, "
        "or what they share (input.repeated_lines.mode: drop)."
    )


def _repeated_message(row: MeasuredRow) -> str:
    return (
        f"{row.most_repeated:,} chunks share one text. Look at it in the table chunks (GROUP BY content_hash), and "
        "clean the source of it."
    )


def _over_limit_message(row: MeasuredRow) -> str:
    return f"Chunks larger than the limit: {row.over_limit:,}. There must be none; please report this."


# The most important first.
RULES = (
    Rule("over_limit", 0, lambda row: row.over_limit, _over_limit_message),
    Rule("min_p95", 0.1, lambda row: row.p95_share, _p95_message),
    Rule("max_within_word", 0.02, lambda row: row.within_word, _within_word_message),
    Rule("repeated", 100, lambda row: row.commonly_repeated, _repeated_message),
    Rule("max_duplicates", 0.1, lambda row: row.duplicates, _duplicates_message),
    Rule("max_within_sentence", 0.1, lambda row: row.within_sentence, _within_sentence_message),
    Rule("max_tiny", 0.25, lambda row: row.tiny, _tiny_message),
)
