"""A document of a finished run, as the run chunked it. Local Parquet is read without a JVM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jobs.drawing import DrawnDocument, chunk_of_row, stretches_of
from jobs.errors import InputError
from jobs.finished_run import FinishedRun, recorded_limit
from jobs.previewing.subject import Subject
from jobs.screen import visible
from jobs.settings import masked_text

_CHUNK_COLUMNS = (
    *("chunk_index", "text", "embed_text", "token_count", "char_start", "char_end", "page_start", "page_end"),
    *("section", "kind", "cut", "oversize", "strategy"),
)
_DOCUMENT_COLUMNS = ("document_id", "profile", "status", "char_count", "text", "removed")


def stored_document(run: FinishedRun, document_id: str) -> Subject:
    """A document as it stands in the tables of a run.

    Args:
        run: the run.
        document_id: as in the table `documents`.

    Raises:
        InputError: there is no such run or document, or the document has no chunks because it was rejected.
    """
    found = _rows(run, "documents", document_id, _DOCUMENT_COLUMNS)
    if not found or found[0]["status"] == "rejected":
        raise InputError(_why_missing(run, document_id))
    row = found[0]
    rows = _rows(run, "chunks", document_id, _CHUNK_COLUMNS)
    chunks = [chunk_of_row(one) for one in sorted(rows, key=lambda one: int(one["chunk_index"]))]
    profile = run.profiles.get(row["profile"], {})
    strategy = rows[0]["strategy"] if rows else profile.get("strategy", "")
    document = DrawnDocument(
        name=document_id,
        chunks=chunks,
        stretches=stretches_of(chunks, row["text"]),
        limit=recorded_limit(profile, strategy),
        unit=profile.get("unit", "tokens"),
        profile=row["profile"],
        strategy=strategy,
    )
    removed = {reason: count for reason, count in dict(row["removed"] or {}).items() if count}
    return Subject(document, row["char_count"], removed)


def _rows(run: FinishedRun, table: str, document_id: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of one document."""
    with run.told_plainly():
        if run.is_local_parquet:
            from pyarrow import dataset as ds

            rows: list[dict[str, Any]] = (
                run.dataset(table).to_table(columns=list(columns), filter=ds.field("document_id") == document_id)
            ).to_pylist()
            return rows
        frame = run.frame(table)
        # Formats without a schema, such as JSON, lose columns that are null everywhere.
        chosen = frame.where(frame["document_id"] == document_id).select(
            *(name for name in columns if name in frame.columns)
        )
        return [dict.fromkeys(columns) | row.asDict(recursive=True) for row in chosen.collect()]  # of one document


def _why_missing(run: FinishedRun, document_id: str) -> str:
    name = f"--document {masked_text(visible(document_id))}"
    rejects = _rows(run, "rejects", document_id, ("reason", "detail"))
    if rejects:
        return f"{name}: the run rejected it: {rejects[0]['reason']}: {masked_text(visible(rejects[0]['detail']))}"
    return (
        f"{name}: the run in {masked_text(run.path)!r} holds no such document. Ids stand in its table documents, "
        "column document_id."
    )
