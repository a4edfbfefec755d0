"""The page: what was taken from the record and the tables, charts drawn, the template filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import yaml

from jobs.finished_run import FinishedRun
from jobs.reporting import facts
from jobs.reporting.aggregates import (
    SHOWN_ROWS,
    largest_documents,
    reject_examples,
    size_rows,
)
from jobs.reporting.figures import cuts_chart, flow_chart
from jobs.reporting.histograms import SHOWN_PROFILES, histograms
from jobs.reporting.samples import Samples, take_samples
from jobs.showing import render
from udfs.chunking import CUTS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What each kind of cut means.
_ENDS = {
    "end": "with the document",
    "heading": "before a heading",
    "block": "at the edge of a table, list, code block, function",
    "paragraph": "before a blank line",
    "line": "at the end of a line",
    "sentence": "with a sentence",
    "clause": "after a comma, semicolon, colon or dash",
    "word": "between two words",
    "grapheme": "inside a word",
}


def report_page(run: FinishedRun, spark: SparkSession) -> str:
    """The report of a run, as the text of one HTML file.

    Raises:
        InputError: there is no run in that folder, or it cannot be read.
        MissingExtraError: the extra `report` is not installed.
    """
    with run.told_plainly():
        record = run.record
        counts = record["counts"]
        sizes = size_rows(run.frame("sizes", spark)) if counts["chunks"] else []
        return render(
            "report.html.j2",
            facts=facts.heading(record, run.path),
            counts=counts,
            statuses=facts.flow(counts),
            flow_chart=flow_chart(facts.flow(counts)),
            warnings=facts.warnings(record),
            knows_warnings="warnings" in record,
            profiles=_profiles(record, sizes),
            settings=yaml.safe_dump(record["settings"], sort_keys=False, allow_unicode=True),
            sizes=sizes,
            bounds={**SHOWN_ROWS, "histograms": SHOWN_PROFILES},
            histograms=_histograms(run, spark, sizes),
            cuts=_cuts(sizes),
            samples=_samples(run, spark, sizes),
            rejects=facts.rejects(counts, _reject_examples(run, spark)),
            largest_documents=largest_documents(run.frame("documents", spark)) if counts["characters"] else [],
            slowest=facts.slowest(record),
            removed=facts.removed(counts),
            repeated_lines=facts.repeated_lines(record),
        )


def _profiles(record: Mapping[str, Any], sizes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The settings of each profile that people ask for first, and how many chunks it made; unused ones last."""
    made = {row["name"]: row["chunk_count"] for row in sizes if row["scope"] == "profile"}
    rows = [
        {"name": str(name), "chunks": made.get(name, 0), **profile}
        for name, profile in record["settings"]["profiles"].items()
    ]
    return sorted(rows, key=lambda row: (-row["chunks"], row["name"]))


def _histograms(run: FinishedRun, spark: SparkSession, sizes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Empty where the run has no such table."""
    if not sizes or not run.has("histograms"):
        return []
    return histograms(run.frame("histograms", spark), sizes, run.profiles)


def _cuts(sizes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The chart by profile, the kinds of cuts with meaning and share, and the shares by content type."""
    profiles = [row for row in sizes if row["scope"] == "profile"][:SHOWN_PROFILES]
    bars = [("all chunks", row["cut_shares"]) for row in sizes if row["scope"] == "overall"]
    bars += [(str(row["name"]), row["cut_shares"]) for row in profiles if len(profiles) > 1]
    in_all = bars[0][1] if bars else {}
    kinds = [(cut, _ENDS[cut], in_all[cut]) for cut in CUTS if in_all.get(cut)]
    types = [row for row in sizes if row["scope"] == "content_type"]
    return {"chart": cuts_chart(bars) if bars else None, "kinds": kinds, "types": types}


def _samples(run: FinishedRun, spark: SparkSession, sizes: Sequence[Mapping[str, Any]]) -> Samples | None:
    if not sizes:
        return None
    repeats = sizes[0].get("most_repeated") != 1  # unknown in older runs
    profiles = run.profiles
    return take_samples(run.frame("chunks", spark), run.frame("documents", spark), profiles, repeats=repeats)


def _reject_examples(run: FinishedRun, spark: SparkSession) -> dict[str, list[dict[str, Any]]]:
    reasons = run.record["counts"]["rejected_by_reason"]
    return reject_examples(run.frame("rejects", spark), reasons) if reasons else {}
