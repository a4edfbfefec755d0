"""Publish: a run's tables take the place of the old ones, whole or not at all.

Layout of the output folder:
    chunks/ documents/ rejects/ ... run.json                what people read
    report.html                                             a look at these tables; a new run removes it
    _staging/<run id>/...                                   what a run is building
    _publish.json                                           the journal: a run that is complete is being moved in
    _previous/<run id>/...                                  the old tables, until all new ones are in

Plan: everything is built under `_staging`; a crash there leaves the old tables untouched. Then the journal is written,
in one step: from that moment the new tables count. Then each old table is moved out and each new one in, run.json
last. After a crash in between, the next run on the output finishes the moves; until then, readers find each new table
with `locate`. Each step looks at what is there and can be repeated.

Where a store has no rename, a move is a copy of every file and then a delete of every file, and may stop at any of
them. The journal therefore lists the files of the new tables: a staged table that is not whole can only be one that
was copied and is being deleted, so the table in place is whole; and as long as the staged one is whole, whatever lies
in its place may go.
WARNING: a table is renamed out and in within milliseconds, but not in one step; whoever reads at that moment may find
a table missing. One output takes one run at a time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from jobs.errors import JobError, OutputExistsError
from jobs.settings import masked_text
from jobs.storage import Storage, join

# What a run publishes, in this order, and then run.json.
TABLES = ("chunks", "documents", "rejects", "parents", "sizes", "histograms")

STAGING = "_staging"
PREVIOUS = "_previous"
JOURNAL = "_publish.json"
RUN_FILE = "run.json"

# Written later, by `lakechunk report`; of the old tables, so it goes with them.
REPORT_FILE = "report.html"


@dataclass(frozen=True, slots=True)
class Journal:
    """A complete run that is being moved in: its files by entry (a table, or run.json), each with its bytes."""

    run_id: str
    entries: dict[str, dict[str, int]]

    def as_json(self) -> str:
        """The text of the journal; half of it is no JSON, so half a journal cannot be taken for a whole one."""
        return json.dumps({"run_id": self.run_id, "entries": self.entries})


class Output:
    """The output folder of one run.

    Args:
        storage: where the folder lies.
        path: the folder.
        run_id: names this run's staging folder.
    """

    def __init__(self, storage: Storage, path: str, run_id: str) -> None:
        self.storage = storage
        self.path = path
        self.run_id = run_id

    def claim(self, mode: str) -> None:
        """Checks that this run may write here, and clears what crashed runs left behind.

        Raises:
            OutputExistsError: the folder is filled (mode `error`), or filled by something else (mode `overwrite`).
        """
        finished = recover(self.storage, self.path)
        shown = masked_text(self.path)
        names = [name for name in self.storage.list(self.path) if not name.startswith((".", "_"))]
        if names and mode == "error":
            news = " An earlier run that had stopped while publishing has just been finished." if finished else ""
            raise OutputExistsError(
                f"output.path = {shown!r}: is not empty (it holds {', '.join(names[:5])}).{news} Give another folder, "
                "or replace the tables with --set output.mode=overwrite."
            )
        if names and RUN_FILE not in names:
            raise OutputExistsError(
                f"output.path = {shown!r}: was not written by lakechunk (it has no {RUN_FILE}), so it is not "
                "overwritten. Give another folder, or empty this one yourself."
            )
        self.storage.delete(join(self.path, STAGING))

    def staged(self, name: str) -> str:
        """Where this run builds a table."""
        return _staged(self.path, self.run_id, name)

    def publish(self, tables: Sequence[str], run_file: str) -> None:
        """The staged tables, and `run_file` as run.json, take the place of the old ones.

        Raises:
            JobError: the run is complete and counts, but a move failed; the next run finishes it.
        """
        self.storage.write_text(self.staged(RUN_FILE), run_file)
        journal = Journal(self.run_id, {name: self.storage.files(self.staged(name)) for name in [*tables, RUN_FILE]})
        # Written beside and renamed, so that there is either no journal or a complete one.
        self.storage.write_text(self.staged(JOURNAL), journal.as_json())
        try:
            self.storage.rename(self.staged(JOURNAL), join(self.path, JOURNAL))
        except Exception:
            if _journal(self.storage, self.path) is None:
                raise
        try:
            recover(self.storage, self.path)
        except JobError:
            raise
        except Exception as error:  # storage, Py4J and Arrow each raise their own
            raise JobError(_stuck(self.path, self.run_id, error)) from error

    def discard(self) -> None:
        """Deletes what this run has staged, after a failure; not if its tables already count."""
        if _journal(self.storage, self.path) is None:
            self.storage.delete(join(self.path, STAGING))


def recover(storage: Storage, path: str) -> bool:
    """Finishes the publishing that a journal announces, from wherever it stopped.

    Returns:
        Whether there was anything to finish.

    Raises:
        JobError: a table is whole neither in staging nor in its place; nothing of it is touched.
    """
    journal = _journal(storage, path)
    if journal is None:
        if storage.exists(join(path, JOURNAL)):
            storage.delete(join(path, JOURNAL))  # half of one: no move had begun
        return False
    if storage.exists(join(path, REPORT_FILE)):
        storage.delete(join(path, REPORT_FILE))
    previous = join(path, PREVIOUS, journal.run_id)
    storage.make_folder(previous)
    for name, files in journal.entries.items():
        _replace(storage, _staged(path, journal.run_id, name), join(path, name), join(previous, name), files)
    storage.delete(join(path, PREVIOUS))
    storage.delete(join(path, STAGING))
    storage.delete(join(path, JOURNAL))
    return True


def locate(storage: Storage, path: str, name: str) -> str:
    """Where a reader finds a table, or run.json, that counts now. Moves nothing.

    Args:
        storage: where the output lies.
        path: the output folder.
        name: `chunks`, `run.json`, ...
    """
    journal = _journal(storage, path)
    if journal is not None and name in journal.entries:
        staged = _staged(path, journal.run_id, name)
        if _is_whole(storage, staged, journal.entries[name]):
            return staged
    return join(path, name)


def _replace(storage: Storage, new: str, current: str, old: str, files: dict[str, int]) -> None:
    if not storage.exists(new):
        return  # already moved in
    if not _is_whole(storage, new, files):
        # It has been copied into place and was being deleted.
        if not _is_whole(storage, current, files):
            raise JobError(
                f"{masked_text(current)}: is not complete, and neither is its copy in {masked_text(new)}; something "
                "else has changed the output. Delete the output folder and run again."
            )
        storage.delete(new)
        return
    if storage.exists(current):
        if storage.exists(old):
            storage.delete(current)  # half moved out, or half copied in
        else:
            storage.rename(current, old)
    storage.rename(new, current)


def _is_whole(storage: Storage, path: str, files: dict[str, int]) -> bool:
    """Whether all these files are there in full; others may have joined them (`.DS_Store`, say)."""
    return storage.exists(path) and files.items() <= storage.files(path).items()


def _staged(path: str, run_id: str, name: str) -> str:
    return join(path, STAGING, run_id, name)


def _journal(storage: Storage, path: str) -> Journal | None:
    """The journal; None if there is none, or only half of one."""
    if not storage.exists(join(path, JOURNAL)):
        return None
    try:
        values = json.loads(storage.read_text(join(path, JOURNAL)))
    except ValueError:
        return None
    return Journal(values["run_id"], values["entries"])


def _stuck(path: str, run_id: str, error: Exception) -> str:
    reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
    return (
        f"output.path = {masked_text(path)!r}: run {run_id} is complete and counts, but not all of its tables could be "
        f"moved into place: {masked_text(reason)}. Keep the folder as it is: the next lakechunk run on this output "
        "finishes the moves before anything else."
    )
