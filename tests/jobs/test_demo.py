"""`lakechunk demo`: documents, tables and a summary, in one command."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs import demo_corpus
from jobs.cli import main


@pytest.fixture
def few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo with a few READMEs, so that the test is quick."""

    def gather(too_large: int) -> list[demo_corpus.Document]:
        documents = list(demo_corpus.package_readmes())[:5]
        return [*documents, *demo_corpus.broken_rows(documents[0], too_large)]

    monkeypatch.setattr(demo_corpus, "gather", gather)


def test_a_wrong_setting_stops_the_demo_before_it_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--output", str(tmp_path / "demo"), "--set", "profiles.default.siz=1"]) == 2
    assert "did you mean 'size'?" in capsys.readouterr().err
    assert not (tmp_path / "demo").exists()


@pytest.mark.spark
@pytest.mark.usefixtures("spark", "few_documents")
def test_the_demo_runs_twice_and_accounts_for_every_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["demo", "--output", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "What to try next" in shown
    for reason in ("missing_id", "duplicate_id", "too_large", "invalid_utf8"):
        assert reason in shown
    chunks = pq.read_table(tmp_path / "tables" / "chunks")
    assert {"tags", "mtime"} <= set(chunks.column_names)
    assert json.loads((tmp_path / "tables" / "run.json").read_text())["counts"]["input_rows"] == 11
