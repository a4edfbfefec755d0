"""The record of a run: what `run.json` holds, and what `run_job` gives back."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from jobs.account import Account
from jobs.measuring.findings import Finding
from jobs.settings import JobSettings, masked

# What the rows of a run depend on, by the name of the distribution.
_PARTS = {
    "lakechunk": "lakechunk",
    "pyarrow": "pyarrow",
    "tiktoken": "tiktoken",
    "toktok": "toktok-rs",
    "pandas": "pandas",
}


@dataclass(frozen=True, slots=True)
class RunReport:
    """A finished run. `as_dict` is what `run.json` holds."""

    run_id: str
    output: str
    settings: JobSettings
    account: Account
    started: datetime
    finished: datetime
    timings: dict[str, float]  # seconds by stage, in order
    spark_version: str
    sizes: list[dict[str, Any]] = field(default_factory=list)  # the rows of the table `sizes`
    slowest: list[dict[str, Any]] = field(default_factory=list)  # documents; see jobs/slowest.py
    repeated_lines: list[dict[str, Any]] = field(default_factory=list)  # that were dropped; see jobs/repeated_lines.py
    warnings: list[Finding] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """From the start of the run to its end, by the clock."""
        return (self.finished - self.started).total_seconds()

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values, secrets masked."""
        return {
            "run_id": self.run_id,
            "started": self.started.isoformat(timespec="seconds"),
            "finished": self.finished.isoformat(timespec="seconds"),
            "balanced": True,  # a run that does not balance is not published
            "counts": self.account.as_dict(),
            "warnings": [finding.as_dict() for finding in self.warnings],
            "timings_seconds": {stage: round(seconds, 3) for stage, seconds in self.timings.items()},
            "slowest": self.slowest,
            "repeated_lines": self.repeated_lines,
            "versions": versions(self.spark_version),
            "profiles": _fingerprints(self.settings),
            "settings": masked(self.settings),
        }

    def as_json(self) -> str:
        """The text of `run.json`."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n"


def versions(spark_version: str) -> dict[str, str | None]:
    """The versions of all that the rows depend on; None for what is not installed."""
    found = {name: _version(distribution) for name, distribution in _PARTS.items()}
    return {**found, "python": platform.python_version(), "spark": spark_version}


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _fingerprints(settings: JobSettings) -> dict[str, dict[str, str]]:
    """For each profile the hash of its settings, and which vocabulary counted its tokens."""
    return {
        name: {
            "config_hash": profile.config_hash(),
            "tokenizer": profile.tokenizer,
            "tokenizer_fingerprint": str(profile.effective()["vocabulary"]),
        }
        for name, profile in settings.profiles_resolved.items()
    }
