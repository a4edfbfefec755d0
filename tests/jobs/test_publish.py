"""Publishing: all the new tables or all the old ones, wherever it stops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jobs.errors import JobError, OutputExistsError
from jobs.publish import TABLES, Output, locate, recover
from jobs.storage import ArrowStorage, Storage


class CrashError(BaseException):
    """The process dies here; no `except Exception` sees it."""


class Crashing(ArrowStorage):
    """Storage that dies before its nth operation that changes something."""

    def __init__(self, path: str, survives: int) -> None:
        super().__init__(path)
        self.left = survives

    def _count(self) -> None:
        if self.left == 0:
            raise CrashError
        self.left -= 1

    def rename(self, source: str, target: str) -> None:
        self._count()
        super().rename(source, target)

    def delete(self, path: str) -> None:
        self._count()
        super().delete(path)

    def write_text(self, path: str, text: str) -> None:
        self._count()
        super().write_text(path, text)

    def make_folder(self, path: str) -> None:
        self._count()
        super().make_folder(path)


def stage(output: Output, root: Path, content: str) -> None:
    for table in TABLES:
        folder = root / "_staging" / output.run_id / table
        folder.mkdir(parents=True)
        (folder / "part-0").write_text(content)


def publish(root: Path, run_id: str, content: str, storage: Storage | None = None) -> None:
    output = Output(storage or ArrowStorage(str(root)), str(root), run_id)
    output.claim("overwrite")
    stage(output, root, content)
    output.publish(TABLES, json.dumps({"content": content}))


def state(root: Path) -> set[str]:
    """What the tables and the record hold; one value if they agree."""
    tables = {(root / table / "part-0").read_text() for table in TABLES}
    return tables | {json.loads((root / "run.json").read_text())["content"]}


def leftovers(root: Path) -> list[str]:
    return [path.name for path in root.iterdir() if path.name.startswith("_")]


def test_a_first_run_is_published_and_leaves_nothing_behind(tmp_path: Path) -> None:
    publish(tmp_path, "run-1", "old")
    assert state(tmp_path) == {"old"}
    assert leftovers(tmp_path) == []


def test_a_second_run_replaces_the_first(tmp_path: Path) -> None:
    publish(tmp_path, "run-1", "old")
    publish(tmp_path, "run-2", "new")
    assert state(tmp_path) == {"new"}
    assert leftovers(tmp_path) == []


def _crash_after(root: Path, steps: int) -> bool:
    """Publishes `new` over `old` with storage that survives so many steps; says whether it crashed."""
    publish(root, "run-1", "old")
    output = Output(ArrowStorage(str(root)), str(root), "run-2")
    output.claim("overwrite")
    stage(output, root, "new")
    try:
        Output(Crashing(str(root), steps), str(root), "run-2").publish(TABLES, json.dumps({"content": "new"}))
    except CrashError:
        return True
    return False


def test_after_a_crash_before_any_step_recovery_gives_one_state_whole(tmp_path: Path) -> None:
    states = []
    for steps in range(100):
        root = tmp_path / str(steps)
        crashed = _crash_after(root, steps)
        recover(ArrowStorage(str(root)), str(root))
        states.append(state(root))
        assert len(states[-1]) == 1, f"a mix after {steps} steps"
        if not crashed:
            break
    # Old until the journal is there (three steps write it), new from then on.
    assert states == [{"old"}] * 3 + [{"new"}] * (len(states) - 3)
    assert len(states) > 15


def test_recovery_may_crash_at_any_step_too(tmp_path: Path) -> None:
    for first in range(3, 20):
        for second in range(20):
            root = tmp_path / f"{first}-{second}"
            _crash_after(root, first)
            try:
                recover(Crashing(str(root), second), str(root))
            except CrashError:
                recover(ArrowStorage(str(root)), str(root))
            assert state(root) == {"new"}
            assert "_publish.json" not in leftovers(root)


def test_half_a_copy_left_by_a_store_without_rename_is_done_again(tmp_path: Path) -> None:
    _crash_after(tmp_path, 5)  # the first old table is out, the new one not yet in
    (tmp_path / "chunks").mkdir()
    (tmp_path / "chunks" / "part-of-a-part").write_text("ne")
    recover(ArrowStorage(str(tmp_path)), str(tmp_path))
    assert state(tmp_path) == {"new"}
    assert [path.name for path in (tmp_path / "chunks").iterdir()] == ["part-0"]


def test_until_publishing_starts_the_old_tables_are_untouched(tmp_path: Path) -> None:
    publish(tmp_path, "run-1", "old")
    output = Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-2")
    output.claim("overwrite")
    stage(output, tmp_path, "new")
    assert state(tmp_path) == {"old"}
    output.discard()
    assert state(tmp_path) == {"old"}
    assert leftovers(tmp_path) == []


def test_tables_that_already_count_are_not_discarded(tmp_path: Path) -> None:
    _crash_after(tmp_path, 6)
    Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-2").discard()
    recover(ArrowStorage(str(tmp_path)), str(tmp_path))
    assert state(tmp_path) == {"new"}


def test_a_filled_folder_is_refused_unless_overwriting_is_asked_for(tmp_path: Path) -> None:
    publish(tmp_path, "run-1", "old")
    with pytest.raises(OutputExistsError, match="is not empty"):
        Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-2").claim("error")
    assert state(tmp_path) == {"old"}


def test_a_folder_that_is_not_ours_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(OutputExistsError, match="was not written by lakechunk"):
        Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-1").claim("overwrite")
    assert (tmp_path / "thesis.tex").exists()


def test_what_a_crashed_run_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    stage(Output(ArrowStorage(str(tmp_path)), str(tmp_path), "dead"), tmp_path, "half")
    Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-1").claim("error")
    assert leftovers(tmp_path) == []


def test_a_run_that_crashed_while_publishing_counts_for_the_next_claim(tmp_path: Path) -> None:
    _crash_after(tmp_path, 6)
    Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-3").claim("overwrite")
    assert state(tmp_path) == {"new"}


def test_a_secret_in_the_path_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ArrowStorage, "list", lambda *_: ["thesis.tex"])
    monkeypatch.setattr(ArrowStorage, "exists", lambda *_: False)
    for mode in ("error", "overwrite"):
        with pytest.raises(OutputExistsError) as raised:
            Output(ArrowStorage(str(tmp_path)), "s3a://me:hunter2@lake/out", "run-1").claim(mode)
        assert "hunter2" not in str(raised.value)
        assert "lake/out" in str(raised.value)


def test_a_move_that_fails_once_the_run_counts_is_not_told_as_nothing_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, "run-1", "old")
    output = Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-2")
    output.claim("overwrite")
    stage(output, tmp_path, "new")
    moves = ArrowStorage.rename

    def no_documents(self: ArrowStorage, source: str, target: str) -> None:
        if source.endswith("/documents"):
            raise OSError("disk on fire\nat some line")
        moves(self, source, target)

    monkeypatch.setattr(ArrowStorage, "rename", no_documents)
    with pytest.raises(
        JobError, match=r"run run-2 is complete and counts.*: disk on fire\. Keep .* next lakechunk run"
    ):
        output.publish(TABLES, json.dumps({"content": "new"}))
    output.discard()
    monkeypatch.undo()
    with pytest.raises(OutputExistsError, match="had stopped while publishing has just been finished"):
        Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-3").claim("error")
    assert state(tmp_path) == {"new"}


def test_a_journal_that_could_not_be_put_in_place_leaves_the_old_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, "run-1", "old")
    output = Output(ArrowStorage(str(tmp_path)), str(tmp_path), "run-2")
    output.claim("overwrite")
    stage(output, tmp_path, "new")
    monkeypatch.setattr(ArrowStorage, "rename", lambda *_: (_ for _ in ()).throw(OSError("disk on fire")))
    with pytest.raises(OSError, match="disk on fire"):
        output.publish(TABLES, json.dumps({"content": "new"}))
    output.discard()
    assert state(tmp_path) == {"old"}
    assert leftovers(tmp_path) == []


def test_a_reader_finds_each_table_that_counts_and_moves_nothing(tmp_path: Path) -> None:
    for steps in range(30):
        root = tmp_path / str(steps)
        crashed = _crash_after(root, steps)
        before = sorted(str(path) for path in root.rglob("*"))
        storage = ArrowStorage(str(root))
        found = {(Path(locate(storage, str(root), table)) / "part-0").read_text() for table in TABLES}
        found.add(json.loads(Path(locate(storage, str(root), "run.json")).read_text())["content"])
        assert found == ({"old"} if steps < 3 else {"new"})
        assert sorted(str(path) for path in root.rglob("*")) == before
        if not crashed:
            return
    raise AssertionError("never came to an end")


def test_the_report_of_the_old_tables_goes_with_them_and_never_before_the_new_ones_count(tmp_path: Path) -> None:
    for steps in range(30):
        root = tmp_path / str(steps)
        publish(root, "run-1", "old")
        (root / "report.html").write_text("about the old tables")
        crashed = False
        try:
            publish(root, "run-2", "new", Crashing(str(root), steps))
        except CrashError:
            crashed = True
        storage = ArrowStorage(str(root))
        counts = json.loads(Path(locate(storage, str(root), "run.json")).read_text())["content"]
        if counts == "old":
            assert (root / "report.html").exists()
        recover(storage, str(root))
        assert (root / "report.html").exists() == (counts == "old")
        if not crashed:
            return
    raise AssertionError("never came to an end")
