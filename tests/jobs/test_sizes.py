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


def test_sources_stand_in_the_order_of_their_chunks(run: Callable[..., Result]) -> None:
    sources = ["a", "c", "b", "c", "b", "c"]
    out = run([{"id": n, "text": "word", "source": source} for n, source in enumerate(sources)])
    rows = read_sizes(str(out.path))
    assert [row["name"] for row in rows if row["scope"] == "source"] == ["c", "b", "a"]


def test_the_table_is_shown(out: Result, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sizes", "--output", str(out.path)]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert "profile default" in shown
    assert f"{out.record['counts']['chunks']:,}" in shown


def test_the_histogram_is_shown_with_the_limit_below(out: Result, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sizes", "--output", str(out.path)]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert "8 tokens: the limit" in shown
    assert "\u2588" in shown


def test_sizes_can_be_shown_in_characters(out: Result, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sizes", "--output", str(out.path), "--unit", "characters"]) == ExitCode.OK
    shown = capsys.readouterr().out
    largest = read_sizes(str(out.path))[0]["char_max"]
    assert f"{largest} characters" in shown
    assert "the limit" not in shown  # it is one of tokens


def test_warnings_of_the_run_are_told_again(out: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = out.record | {"warnings": [{"scope": "source", "name": "x\x1b[2J", "message": "look here"}]}
    copy = broken(out, tmp_path, "run.json", json.dumps(record).encode())
    assert main(["sizes", "--output", str(copy)]) == ExitCode.OK
    assert "Warning   source x\\x1b[2J: look here\n" in capsys.readouterr().out


def as_before(out: Result, folder: Path) -> Path:
    """A copy of the output as an older version would have written it."""
    import shutil

    import pyarrow.parquet as pq

    record = {key: value for key, value in out.record.items() if key != "warnings"}
    copy = broken(out, folder, "run.json", json.dumps(record).encode())
    shutil.rmtree(copy / "histograms")
    for file in (copy / "sizes").glob("*.parquet"):
        table = pq.read_table(file).drop_columns(["forced_cuts", "duplicates", "most_repeated"])
        pq.write_table(table, file)
        file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    return copy


def test_an_output_of_an_older_version_is_shown_with_dashes(
    out: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = as_before(out, tmp_path)
    assert main(["sizes", "--output", str(copy)]) == ExitCode.OK
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "all chunks" in line)
    assert line.split()[-2:] == ["-", "-"]
    assert main(["sizes", "--output", str(out.path), "--compare", str(copy)]) == ExitCode.OK
    assert "other" in capsys.readouterr().out


def test_two_runs_are_shown_side_by_side(
    out: Result, module_run: Callable[..., Result], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": n, "text": "word " * (n + 1)} for n in range(20)]
    other = module_run(rows, "profiles.default.size=4", "profiles.default.overlap=0", name="other")
    assert main(["sizes", "--output", str(out.path), "--compare", str(other.path)]) == ExitCode.OK
    shown = capsys.readouterr().out
    lines = [line.split() for line in shown.splitlines()]
    this, that = (read_sizes(str(result.path))[0] for result in (out, other))
    place = next(n for n, line in enumerate(lines) if line[:2] == ["all", "chunks"])
    assert lines[place][2:4] == ["this", f"{this['chunk_count']}"]
    assert lines[place + 1][:2] == ["other", f"{that['chunk_count']}"]
    assert lines[place + 2][:2] == ["change", f"{this['chunk_count'] / that['chunk_count'] - 1:+.1%}"]
    assert ["default.size", "8", "4"] in lines
    assert f"other  {other.path}" in shown


def test_a_folder_to_compare_with_that_holds_no_run_is_told(
    out: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sizes", "--output", str(out.path), "--compare", str(tmp_path)]) == ExitCode.INPUT
    assert f"{tmp_path}" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    "damage",
    [{"settings": {"output": {"format": "parquet"}}}, {"warnings": ["x"]}, {"warnings": [{"scope": "overall"}]}],
)
def test_a_record_in_which_something_is_missing_is_told_in_a_line(
    out: Result, tmp_path: Path, damage: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    copy = broken(out, tmp_path, "run.json", json.dumps(out.record | damage).encode())
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


def test_of_very_many_content_types_those_with_the_most_chunks_are_shown_and_the_others_counted(
    monkeypatch: pytest.MonkeyPatch, out: Result, capsys: pytest.CaptureFixture[str]
) -> None:
    row = next(row for row in read_sizes(str(out.path)) if row["scope"] == "overall")
    types = [row | {"scope": "content_type", "name": f"type/{n:03}", "chunk_count": 1000 + n} for n in range(100)]
    monkeypatch.setattr("jobs.sizes.sizes_of", lambda _: [row, *types])
    assert main(["sizes", "--output", str(out.path)]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert "type/060" in shown
    assert "type/059" not in shown
    assert "\n60 more content types are in the table sizes." in shown
    assert main(["sizes", "--output", str(out.path), "--compare", str(out.path)]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert "type/060" in shown
    assert "type/059" not in shown
    assert "\n60 more content types" in shown


def test_the_limit_is_that_of_the_profiles_with_chunks_and_of_the_model(
    run: Callable[..., Result], capsys: pytest.CaptureFixture[str]
) -> None:
    sets = ("profiles.default.size=50", "profiles.default.model_max_tokens=20", "profiles.unused={size: 99}")
    out = run([{"id": 1, "text": "word " * 100}], *sets)
    assert main(["sizes", "--output", str(out.path)]) == ExitCode.OK
    assert "20 tokens: the limit" in capsys.readouterr().out


def test_a_blank_name_is_told(run: Callable[..., Result], capsys: pytest.CaptureFixture[str]) -> None:
    out = run([{"id": 1, "text": "word", "source": ""}])
    assert main(["sizes", "--output", str(out.path)]) == ExitCode.OK
    assert " (blank) " in capsys.readouterr().out


def test_a_console_without_unicode_gets_ascii(run: Callable[..., Result]) -> None:
    out = run([{"id": 1, "text": "word", "source": "\u00fc" * 200}])
    command = [sys.executable, "-m", "jobs.cli", "sizes", "--output", str(out.path)]
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout.isascii()
    assert b"all chunks" in done.stdout
