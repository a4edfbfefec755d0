"""What the report says from `run.json` alone: when, how long, with what, and what came of the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jobs.settings import masked_text
from schemas import REASONS, STATUSES

# Warnings and slow documents that are shown; run.json holds few, but may have been written by something else.
MOST_WARNINGS, MOST_SLOW, MOST_LINES = 12, 8, 20


@dataclass(frozen=True, slots=True)
class Warned:
    """Something about the sizes that somebody should look at."""

    about: str  # which chunks: a profile, a source; empty for all
    message: str
    failed: bool


def heading(record: Mapping[str, Any], place: str) -> dict[str, Any]:
    """When the run was, how long it took, and where its tables are."""
    started, finished = (datetime.fromisoformat(str(record[name])) for name in ("started", "finished"))
    return {
        "run_id": str(record["run_id"]),
        "started": f"{started:%d %B %Y, %H:%M} UTC",
        "output": masked_text(place),
        "input": masked_text(str(record["settings"]["input"]["path"])),
        "input_format": str(record["settings"]["input"]["format"]),
        "output_format": str(record["settings"]["output"]["format"]),
        "seconds": (finished - started).total_seconds(),
        "timings": {str(stage): float(seconds) for stage, seconds in record["timings_seconds"].items()},
        "versions": {str(name): version for name, version in record["versions"].items()},
    }


def flow(counts: Mapping[str, Any]) -> dict[str, int]:
    """Documents by status; `unchanged` only where there are any."""
    return {name: int(counts[name]) for name in STATUSES if counts[name] or name != "unchanged"}


def rejects(counts: Mapping[str, Any], examples: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The reasons for rejects, the commonest first, each with its meaning and a few examples."""
    ordered = sorted(counts["rejected_by_reason"].items(), key=lambda item: (-item[1], item[0]))
    return [
        {"reason": reason, "rows": rows, "meaning": REASONS.get(reason, ""), "examples": examples.get(reason, [])}
        for reason, rows in ordered
    ]


def removed(counts: Mapping[str, Any]) -> list[tuple[str, int, float]]:
    """What is in no chunk: reason, code points, and their share of all text; the largest first."""
    by_reason = {str(reason): int(count) for reason, count in counts["removed"].items()}
    total = int(counts["characters"]) + sum(by_reason.values())
    ordered = sorted(by_reason.items(), key=lambda item: (-item[1], item[0]))
    return [(reason, count, count / total if total else 0.0) for reason, count in ordered]


def repeated_lines(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines that were dropped since most documents of a source have them; empty where the run noted none."""
    names = ("source", "line", "documents", "share")
    return [{name: row.get(name) for name in names} for row in record.get("repeated_lines", [])[:MOST_LINES]]


def warnings(record: Mapping[str, Any]) -> list[Warned]:
    """The warnings of the run; none where it was written before there were any."""
    return [_warned(warning) for warning in record.get("warnings", [])[:MOST_WARNINGS]]


def slowest(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The slowest documents; empty where the run did not note them."""
    names = ("document_id", "profile", "seconds", "char_count")
    return [{name: row.get(name) for name in names} for row in record.get("slowest", [])[:MOST_SLOW]]


def _warned(warning: Any) -> Warned:
    if not isinstance(warning, dict):
        return Warned("", str(warning), failed=False)
    scope, name = warning.get("scope"), warning.get("name")
    about = "" if scope in (None, "overall") else f"{str(scope).replace('_', ' ')} {'(none)' if name is None else name}"
    return Warned(about, str(warning.get("message", "")), bool(warning.get("failed", False)))
