"""Publishing to a store without rename: every move is copies and deletes, and it may stop at any of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from jobs.errors import JobError
from jobs.publish import Output, locate, recover
from jobs.storage import Storage, join

OUT = "s3://lake/out"
TABLES = ("chunks", "sizes")
FILES = ("part-0", "log/0", "part-1")


class CrashError(BaseException):
    """The process dies here; no `except Exception` sees it."""


class CopyingStore:
    """Files by path, in memory. Each file written, each half file copied and each file deleted is a step."""

    def __init__(self, content: dict[str, str] | None = None, survives: int = 10_000) -> None:
        self.content = {} if content is None else content
        self.left = survives

    def exists(self, path: str) -> bool:
        return path in self.content or any(name.startswith(path + "/") for name in self.content)

    def list(self, path: str) -> list[str]:
        return sorted({name.split("/")[0] for name in self.files(path)})

    def files(self, path: str) -> dict[str, int]:
        if path in self.content:
            return {"": len(self.content[path])}
        below = [name for name in self.content if name.startswith(path + "/")]
        return {name[len(path) + 1 :]: len(self.content[name]) for name in below}

    def rename(self, source: str, target: str) -> None:
        assert not self.exists(target), f"{target} is there"
        names = self.files(source)
        for name in names:
            text = self.content[_path(source, name)]
            for size in (len(text) // 2, len(text)):
                self._step()
                self.content[_path(target, name)] = text[:size]
        self._delete(source, names)

    def delete(self, path: str) -> None:
        self._delete(path, self.files(path))

    def read_text(self, path: str) -> str:
        return self.content[path]

    def write_text(self, path: str, text: str) -> None:
        self._step()
        self.content[path] = text

    def make_folder(self, path: str) -> None:
        """Nothing: such stores have no folders."""

    def _delete(self, path: str, names: dict[str, int]) -> None:
        for name in names:
            self._step()
            del self.content[_path(path, name)]

    def _step(self) -> None:
        if self.left == 0:
            raise CrashError
        self.left -= 1


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if name else folder


def published(store: CopyingStore, run_id: str, text: str) -> None:
    output = Output(store, OUT, run_id)
    for table, file in itertools.product(TABLES, FILES):
        store.content[f"{output.staged(table)}/{run_id}-{file}"] = f"{text} {table} {file}"
    output.publish(TABLES, text)


def crashed_after(steps: int) -> tuple[dict[str, str], bool]:
    """What is in the store after `new` was being published over `old`; and whether it came to an end."""
    store = CopyingStore()
    published(store, "run-1", "old")
    store.left = steps
    return store.content, not crashes(lambda: published(store, "run-2", "new"))


def crashes(action: Callable[[], object]) -> bool:
    try:
        action()
    except CrashError:
        return True
    return False


def whole(run_id: str, text: str) -> dict[str, str]:
    tables = {
        f"{OUT}/{table}/{run_id}-{file}": f"{text} {table} {file}" for table, file in itertools.product(TABLES, FILES)
    }
    return tables | {f"{OUT}/run.json": text}


def seen(store: Storage, content: dict[str, str]) -> dict[str, str]:
    """The tables as a reader finds them."""
    found: dict[str, str] = {}
    for entry in (*TABLES, "run.json"):
        place = locate(store, OUT, entry)
        found |= {_path(join(OUT, entry), name): content[_path(place, name)] for name in store.files(place)}
    return found


def states() -> list[dict[str, str]]:
    """The store after a crash at every step of publishing, the last one after none."""
    found: list[dict[str, str]] = []
    done = False
    while not done:
        content, done = crashed_after(len(found))
        found.append(content)
    return found


def test_a_crash_at_any_step_leaves_the_old_tables_or_the_new_ones_and_a_reader_sees_them() -> None:
    outcomes = []
    for content in states():
        read = seen(CopyingStore(content), content)
        recover(CopyingStore(content), OUT)
        outcomes.append(read)
        tables = {path: text for path, text in content.items() if "/_staging/" not in path}
        assert tables == read
    first_new = outcomes.index(whole("run-2", "new"))
    assert outcomes == [whole("run-1", "old")] * first_new + [whole("run-2", "new")] * (len(outcomes) - first_new)
    assert 3 < first_new < 10
    assert len(outcomes) > 50


def test_a_crash_at_any_step_of_the_recovery_loses_nothing_either() -> None:
    for content in states():
        expected = seen(CopyingStore(content), content)
        for steps in itertools.count():
            again = dict(content)
            crashed = crashes(lambda: recover(CopyingStore(again, survives=steps), OUT))  # noqa: B023
            assert seen(CopyingStore(again), again) == expected
            recover(CopyingStore(again), OUT)
            assert {path: text for path, text in again.items() if "/_staging/" not in path} == expected
            if not crashed:
                break


def test_what_is_whole_neither_here_nor_there_is_told_and_left_alone() -> None:
    content = next(
        content
        for content in states()
        if f"{OUT}/chunks/run-2-part-1" in content and f"{OUT}/_staging/run-2/chunks/run-2-part-0" not in content
    )
    del content[f"{OUT}/chunks/run-2-part-1"]
    before = dict(content)
    with pytest.raises(JobError, match=r"out/chunks: is not complete, and neither is its copy"):
        recover(CopyingStore(content), OUT)
    assert content == before
