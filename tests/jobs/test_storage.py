"""File operations: the same through Arrow and through the JVM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyarrow import fs

from jobs.storage import ArrowStorage, HadoopStorage, Storage, join, open_storage


def exercise(storage: Storage, root: Path) -> None:
    """Every operation once, with what it must leave behind."""
    folder, other = str(root / "a" / "b"), str(root / "a" / "c")
    assert storage.list(folder) == []
    storage.make_folder(folder)
    storage.write_text(join(folder, "f.json"), "first version, longer")
    storage.write_text(join(folder, "f.json"), "z\u00fcrich \U0001f680")
    assert storage.read_text(join(folder, "f.json")) == "z\u00fcrich \U0001f680"
    storage.write_text(join(folder, "e"), "")
    assert storage.list(folder) == ["e", "f.json"]
    storage.make_folder(join(folder, "deep"))
    storage.write_text(join(folder, "deep", "er"), "abc")
    assert storage.files(folder) == storage.files(folder + "/") == {"deep/er": 3, "e": 0, "f.json": 12}
    assert storage.files(join(folder, "f.json")) == {"": 12}
    assert storage.files(join(folder, "nothing")) == {}
    storage.rename(folder, other)
    assert sorted(storage.files(other)) == ["deep/er", "e", "f.json"]
    assert not storage.exists(folder)
    assert storage.exists(other)
    assert (root / "a" / "c" / "f.json").read_text("utf-8") == "z\u00fcrich \U0001f680"
    storage.delete(join(other, "e"))
    storage.delete(other)
    storage.delete(other)
    assert storage.list(str(root / "a")) == []
    assert not [path for path in root.rglob("*") if path.name.endswith(".crc")]


def test_arrow_storage(tmp_path: Path) -> None:
    storage = open_storage(None, str(tmp_path))
    assert isinstance(storage, ArrowStorage)
    exercise(storage, tmp_path)


def test_arrow_storage_copies_folders_where_arrow_only_moves_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = fs.LocalFileSystem.move

    class OnlyFiles(fs.LocalFileSystem):  # type: ignore[misc]
        def move(self, source: str, target: str) -> None:
            assert Path(source).is_file()
            move(self, source, target)

    monkeypatch.setattr(fs, "LocalFileSystem", OnlyFiles)
    monkeypatch.setattr("jobs.storage._CAN_RENAME", ())
    exercise(ArrowStorage(f"file://{tmp_path}/a"), tmp_path)


def test_hadoop_storage(spark: Any, tmp_path: Path) -> None:
    storage = open_storage(spark, str(tmp_path))
    assert isinstance(storage, HadoopStorage)
    exercise(storage, tmp_path)


def test_a_rename_that_fails_is_an_error(spark: Any, tmp_path: Path) -> None:
    for storage in (open_storage(None, str(tmp_path)), open_storage(spark, str(tmp_path))):
        with pytest.raises(OSError, match="nothing-here"):
            storage.rename(str(tmp_path / "nothing-here"), str(tmp_path / "there"))


def test_relative_paths_and_file_uris_mean_the_same_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ArrowStorage("out").write_text("f", "x")
    assert ArrowStorage(f"file://{tmp_path}").read_text(f"file://{tmp_path}/f") == "x"
