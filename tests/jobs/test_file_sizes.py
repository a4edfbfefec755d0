"""How large the files of the tables become."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.file_sizes import chunk_files
from jobs.settings import load_settings
from udfs.chunking import SettingsError

MEGABYTE = 1024 * 1024


def files(table: Path) -> list[int]:
    return [path.stat().st_size for path in table.glob("*.parquet")]


def text_of(number: int, words: int) -> str:
    """Words that hardly compress."""
    letters = random.Random(number)
    return " ".join("".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(words))


def test_no_chunks_need_one_task_and_no_rule_divides_by_nothing() -> None:
    assert chunk_files(0, 0, MEGABYTE).tasks == 1
    assert chunk_files(0, 0, MEGABYTE).records >= 1


def test_a_task_writes_an_eighth_of_a_file_at_least_and_a_file_is_no_larger_than_wanted() -> None:
    layout = chunk_files(work_bytes=400 * MEGABYTE, chunks=1_000_000, file_bytes=80 * MEGABYTE)
    row = (2 * 400 * MEGABYTE + 1_000_000 * 100) / 1_000_000
    assert layout.tasks == pytest.approx(row * 1_000_000 / (10 * MEGABYTE), rel=0.02)
    assert layout.records * row == pytest.approx(80 * MEGABYTE, rel=0.01)


@pytest.mark.parametrize("value", ["0", "1000", "true", "-1"])
def test_files_that_would_be_tiny_are_refused(value: str) -> None:
    with pytest.raises(SettingsError, match=r"output\.file_bytes"):
        load_settings(None, [f"output.file_bytes={value}"], {})


def test_many_small_inputs_become_few_files(run: Any, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for number in range(12):
        pq.write_table(pa.Table.from_pylist([{"id": f"{number}", "text": "a few words"}]), source / f"{number}.parquet")
    out = run(source)
    assert len(out.rows("chunks")) == 12
    assert {len(files(out.path / table)) for table in ("chunks", "documents", "rejects", "parents")} == {1}


def test_a_file_is_about_as_large_as_it_may_be_unless_the_options_say_otherwise(run: Any) -> None:
    documents = [{"id": f"{number}", "text": text_of(number, 30_000)} for number in range(24)]
    sizes = files(run(documents, f"output.file_bytes={MEGABYTE}", name="small").path / "chunks")
    assert len(sizes) >= 5
    assert max(sizes) < 2 * MEGABYTE
    own = run(documents, "output.options={maxRecordsPerFile: 100000}", f"output.file_bytes={MEGABYTE}", name="own")
    assert max(files(own.path / "chunks")) > 2 * MEGABYTE
