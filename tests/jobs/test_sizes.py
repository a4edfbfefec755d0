"""`lakechunk sizes`: a look at a finished run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobs.cli import main
from jobs.errors import InputError
from jobs.exit_codes import ExitCode
from jobs.sizes import read_sizes
from jobs.storage import ArrowStorage
from tests.conftest import ROOT, Result


@pytest.fixture(scope="module")
def out(module_run: Callable[..., Result]) -> Result:
    return module_run([{"id": n, "text": "word " * (n + 1)} for n in range(20)], "profiles.default.size=8")


def test_the_rows_are_those_of_the_table_in_a_fixed_order(out: Result) -> None:
    rows = read_sizes(str(out.path))
    assert [(row["scope"], row["name"]) for row in rows] == [
        ("overall", None),
        ("profile", "default"),
        ("content_type", None),
    ]
    assert rows[0]["chunk_count"] == out.record["counts"]["chunks"]


def test_the_table_is_shown(out: Result, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sizes", "--output", str(out.path)]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert "profile default" in shown
    assert f"{out.record['counts']['chunks']:,}" in shown


def test_looking_at_local_parquet_starts_no_jvm(out: Result) -> None:
    code = (
        "import sys; from jobs.cli import main; code = main(['sizes', '--output', sys.argv[1]]); "
        "from pyspark import SparkContext; assert SparkContext._gateway is None; sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(out.path)], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_a_run_that_is_being_published_is_read_where_it_lies_and_nothing_is_moved(out: Result, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(out.path, copy)
    staged = copy / "_staging" / "r"
    staged.mkdir(parents=True)
    entries = {name: ArrowStorage(str(copy)).files(str(copy / name)) for name in ("sizes", "run.json")}
    for name in entries:
        (copy / name).rename(staged / name)
    (copy / "_publish.json").write_text(json.dumps({"run_id": "r", "entries": entries}))
    before = sorted(copy.rglob("*"))
    assert read_sizes(str(copy)) == read_sizes(str(out.path))
    assert sorted(copy.rglob("*")) == before


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no run of lakechunk") as raised:
        read_sizes(str(tmp_path))
    assert raised.value.exit_code == ExitCode.INPUT


def test_tables_of_another_format_are_read_with_spark(run: Callable[..., Result]) -> None:
    out = run([{"id": 1, "text": "word"}], "output.format=json")
    rows: list[dict[str, Any]] = read_sizes(str(out.path))
    assert rows[0]["chunk_count"] == 1


@pytest.mark.parametrize("scheme", ["file:", "file://"])
def test_a_local_path_may_have_its_scheme(out: Result, scheme: str) -> None:
    assert read_sizes(f"{scheme}{out.path}") == read_sizes(str(out.path))


def broken(out: Result, folder: Path, name: str, content: bytes) -> Path:
    """A copy of the output, in which one file has another content."""
    import shutil

    copy = folder / "copy"
    shutil.copytree(out.path, copy)
    file = next(copy.glob(name))
    file.write_bytes(content)
    return copy


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.json", b"{"),
        ("run.json", b"[]"),
        ("run.json", b"{}"),
        ("run.json", b"\xff"),
        ("run.json", b'{"settings": {"output": {"format": "nonesuch"}}}'),
        ("sizes/*.parquet", b"no Parquet"),
    ],
)
def test_an_output_that_is_damaged_is_told_in_a_line(
    out: Result, tmp_path: Path, name: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = broken(out, tmp_path, name, content)
    assert main(["sizes", "--output", str(copy)]) == ExitCode.INPUT
    shown = capsys.readouterr().err
    assert f"output.path = '{copy}': its tables cannot be read" in shown
    assert "Traceback" not in shown


def test_a_run_without_its_table_of_sizes_is_told(out: Result, tmp_path: Path) -> None:
    import shutil

    copy = broken(out, tmp_path, "run.json", (out.path / "run.json").read_bytes())
    shutil.rmtree(copy / "sizes")
    with pytest.raises(InputError, match="its tables cannot be read"):
        read_sizes(str(copy))


def test_a_store_that_does_not_exist_is_told() -> None:
    with pytest.raises(InputError, match=r"output.path = 'nosuch://lake/out': its tables cannot be read"):
        read_sizes("nosuch://lake/out")
