"""Publish: a run's tables take the place of the old ones, whole or not at all.

Layout of the output folder:
    chunks/ documents/ rejects/ parents/ sizes/ run.json    what people read
    _staging/<run id>/...                                   what a run is building
    _publish.json                                           the journal: a run that is complete is being moved in
    _previous/<run id>/...                                  the old tables, until all new ones are in

Plan: everything is built under `_staging`; a crash there leaves the old tables untouched. Then the journal is written,
in one step: from that moment the new tables count. Then each old table is moved out and each new one in, run.json
last. After a crash in between, the next command on the output (`run` or `sizes`) finishes the moves. Each step looks
at what is there and can be repeated.
WARNING: a table is renamed out and in within milliseconds, but not in one step; whoever reads at that moment may find
a table missing. One output takes one run at a time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from jobs.errors import OutputExistsError
from jobs.settings import masked_text
from jobs.storage import Storage, join

STAGING = "_staging"
PREVIOUS = "_previous"
JOURNAL = "_publish.json"
RUN_FILE = "run.json"


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
        recover(self.storage, self.path)
        shown = masked_text(self.path)
        names = [name for name in self.storage.list(self.path) if not name.startswith((".", "_"))]
        if names and mode == "error":
            raise OutputExistsError(
                f"output.path = {shown!r}: is not empty (it holds {', '.join(names[:5])}). Give another folder, or "
                "replace the tables with --set output.mode=overwrite."
            )
        if names and RUN_FILE not in names:
            raise OutputExistsError(
                f"output.path = {shown!r}: was not written by lakechunk (it has no {RUN_FILE}), so it is not "
                "overwritten. Give another folder, or empty this one yourself."
            )
        self.storage.delete(join(self.path, STAGING))

    def staged(self, name: str) -> str:
        """Where this run builds a table."""
        return join(self.path, STAGING, self.run_id, name)

    def publish(self, tables: Sequence[str], run_file: str) -> None:
        """The staged tables, and `run_file` as run.json, take the place of the old ones."""
        self.storage.write_text(self.staged(RUN_FILE), run_file)
        journal = json.dumps({"run_id": self.run_id, "tables": list(tables)})
        # Written beside and renamed, so that there is either no journal or a complete one.
        self.storage.write_text(self.staged(JOURNAL), journal)
        self.storage.rename(self.staged(JOURNAL), join(self.path, JOURNAL))
        recover(self.storage, self.path)

    def discard(self) -> None:
        """Deletes what this run has staged, after a failure; not if its tables already count."""
        if not self.storage.exists(join(self.path, JOURNAL)):
            self.storage.delete(join(self.path, STAGING))


def recover(storage: Storage, path: str) -> bool:
    """Finishes the publishing that a journal announces, from wherever it stopped.

    Returns:
        Whether there was anything to finish.
    """
    if not storage.exists(join(path, JOURNAL)):
        return False
    journal = json.loads(storage.read_text(join(path, JOURNAL)))
    staging = join(path, STAGING, journal["run_id"])
    previous = join(path, PREVIOUS, journal["run_id"])
    storage.make_folder(previous)
    for name in [*journal["tables"], RUN_FILE]:
        _replace(storage, join(staging, name), join(path, name), join(previous, name))
    storage.delete(join(path, PREVIOUS))
    storage.delete(join(path, STAGING))
    storage.delete(join(path, JOURNAL))
    return True


def _replace(storage: Storage, new: str, current: str, old: str) -> None:
    if not storage.exists(new):
        return  # already moved in
    if storage.exists(current):
        if storage.exists(old):
            # Stores without a rename copy; this is half a copy, and the whole is still in staging.
            storage.delete(current)
        else:
            storage.rename(current, old)
    storage.rename(new, current)
