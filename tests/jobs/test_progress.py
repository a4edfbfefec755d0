"""What is logged and described while Spark works."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jobs.described import described
from jobs.errors import JobError
from jobs.progress import StageClock, progress_on
from jobs.run import run_job
from jobs.session import connect
from jobs.settings import load_settings
from udfs.chunking import SettingsError


@pytest.fixture(autouse=True)
def _logger_as_before() -> Iterator[None]:
    logger = logging.getLogger("lakechunk")
    before = (list(logger.handlers), logger.level, logger.propagate)
    yield
    logger.handlers[:], logger.level, logger.propagate = before


def lines(logged: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [json.loads(record.message) for record in logged.records if record.name == "lakechunk"]


def test_each_stage_is_one_log_line_with_its_facts(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lakechunk")
    clock = StageClock()
    with clock.stage("count") as facts:
        facts["rows"] = 3
    (line,) = lines(caplog)
    assert line.pop("time").endswith("+00:00")
    assert line == {"event": "stage", "stage": "count", "seconds": round(clock.timings["count"], 3), "rows": 3}


def test_a_stage_that_fails_is_logged_with_its_error_and_without_the_words_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "lakechunk")
    with pytest.raises(RuntimeError), StageClock().stage("count"):
        raise RuntimeError("password=hunter2")
    (line,) = lines(caplog)
    assert (line["event"], line["error"]) == ("stage_failed", "RuntimeError")
    assert "hunter2" not in caplog.text


def test_json_goes_where_the_lines_would_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    screen = Console(file=io.StringIO(), width=200)
    with progress_on(screen, quiet=False, log_format="json").stage("count") as facts:
        facts["name"] = "ein[red]s"
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    assert json.loads(shown)["name"] == "ein[red]s"
    assert shown.count("\n") == 1
    assert lines(caplog) == []


def test_nothing_is_logged_where_nobody_asked(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_on(Console(file=io.StringIO()), quiet=True).stage("count"):
        pass
    assert capsys.readouterr() == ("", "")


def test_a_run_logs_every_stage_with_run_id_and_counts(
    spark: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lakechunk")
    spark.createDataFrame([("a", "some words"), ("b", None)], ["id", "text"]).write.parquet(str(tmp_path / "in"))
    sets = ["spark={spark.hadoop.fs.s3a.secret.key: hunter2}"]
    settings = load_settings(None, sets, {"input.path": str(tmp_path / "in"), "output.path": str(tmp_path / "out")})
    report = run_job(settings, spark)
    logged = lines(caplog)
    assert [line["stage"] for line in logged] == ["start Spark", "read and check", "chunk", "write tables", "publish"]
    assert {line["run_id"] for line in logged} == {report.run_id}
    assert logged[1]["input_rows"] == 2
    assert (logged[3]["chunked"], logged[3]["rejected_by_reason"]) == (1, {"null_text": 1})
    assert "hunter2" not in caplog.text
    (slowest,) = json.loads((tmp_path / "out" / "run.json").read_text("utf-8"))["slowest"]
    assert (slowest["document_id"], slowest["profile"], slowest["char_count"]) == ("a", "default", 10)
    assert slowest["seconds"] > 0


def test_jobs_are_described_while_they_run_and_as_before_afterwards(spark: Any) -> None:
    def description() -> str | None:
        told: str | None = spark.sparkContext.getLocalProperty("spark.job.description")
        return told

    spark.sparkContext.setJobDescription("mine")
    with described(spark, "write the table chunks"):
        assert description() == "lakechunk: write the table chunks"
        with described(spark, "inner"):
            assert description() == "lakechunk: inner"
        assert description() == "lakechunk: write the table chunks"
    assert description() == "mine"
    spark.sparkContext.setLocalProperty("spark.job.description", None)
    with pytest.raises(RuntimeError), described(spark, "fails"):
        raise RuntimeError
    assert description() is None


@pytest.mark.parametrize("address", ["", "localhost:15002", "spark://host:7077", "sc://", "sc:///x"])
def test_an_address_that_is_not_one_of_spark_connect_is_refused_before_anything_is_done(address: str) -> None:
    with pytest.raises(SettingsError, match="sc://HOST:PORT"):
        connect(address)


def test_a_token_in_the_address_is_not_shown() -> None:
    with pytest.raises(SettingsError) as raised:
        connect("http://host:1/;token=hunter2")
    assert "hunter2" not in str(raised.value)


def test_a_server_that_does_not_answer_is_told_at_once_and_without_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.session.SparkSession.getActiveSession", lambda: None)
    with pytest.raises(JobError, match=r"answers at sc://127\.0\.0\.1:9") as raised:
        connect("sc://127.0.0.1:9/;token=hunter2")
    assert "hunter2" not in str(raised.value)


def test_a_remote_session_is_refused_where_another_would_be_used_instead(spark: Any) -> None:
    assert spark is not None
    with pytest.raises(SettingsError, match="there is a Spark session already"):
        connect("sc://127.0.0.1:9")


def test_a_stage_that_fails_says_of_which_run(spark: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lakechunk")
    spark.createDataFrame([("a", 1)], ["id", "body"]).write.parquet(str(tmp_path / "in"))
    settings = load_settings(None, (), {"input.path": str(tmp_path / "in"), "output.path": str(tmp_path / "out")})
    with pytest.raises(SettingsError):
        run_job(settings, spark)
    started, failed = lines(caplog)
    assert (failed["event"], failed["stage"]) == ("stage_failed", "read and check")
    assert failed["run_id"] == started["run_id"]
