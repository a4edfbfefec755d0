"""The session: whose it is, and what bounds a batch."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

from jobs import session as module
from jobs.session import QUERY_SETTINGS, get_session, is_remote
from tests.conftest import ROOT

OPENING = "spark.sql.files.openCostInBytes"


def test_an_active_session_is_used_and_not_changed(spark: Any) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "77")
    assert get_session({"spark.sql.execution.arrow.maxRecordsPerBatch": "1"}) is spark
    assert spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == "77"


def test_a_new_session_has_our_settings(spark: Any) -> None:
    found = {key: spark.conf.get(key) for key in QUERY_SETTINGS}
    # The tests themselves want a task for each file.
    assert found == QUERY_SETTINGS | {OPENING: found[OPENING]}
    assert not is_remote(spark)


def test_many_small_files_are_few_tasks(spark: Any, tmp_path: Path) -> None:
    spark.conf.set(OPENING, QUERY_SETTINGS[OPENING])
    for number in range(150):
        pq.write_table(pa.table({"text": [f"{number}"]}), tmp_path / f"{number}.parquet")
    tasks = spark.read.parquet(str(tmp_path)).select(F.spark_partition_id().alias("task")).distinct().count()
    assert tasks <= 4  # of 32 files each, there would be 5


@pytest.mark.skipif(not hasattr(F, "arrow_udf"), reason="before Spark 4.1 there are no Arrow UDFs to look into")
def test_arrow_batches_are_bounded_by_bytes(spark: Any) -> None:
    def bytes_in_batch(texts: pa.Array) -> pa.Array:
        return pa.array([texts.nbytes] * len(texts), pa.int64())

    documents = spark.range(12).select(F.expr("repeat('lorem ', 200000)").alias("text")).coalesce(1)
    arrow_udf: Any = getattr(F, "arrow_udf")  # noqa: B009 - its absence is what the skip is for
    sizes = documents.select(arrow_udf(bytes_in_batch, LongType())("text").alias("size"))
    bound = int(QUERY_SETTINGS["spark.sql.execution.arrow.maxBytesPerBatch"])
    # Spark closes a batch with the document that reaches the bound.
    assert bound / 2 < sizes.agg(F.max("size")).first()[0] < bound + 2_000_000


def java_in(folder: Path, script: str) -> str:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "bin" / "java").chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo 'openjdk version \"17.0.9\"' >&2", "though there is Java 17"),
        ("echo 'openjdk version \"21\" 2023' >&2", "though there is Java 21"),
        ("echo 'java version \"1.7.0_80\"' >&2", r"or later is needed, and .* is Java 7"),
        ("exit 1", "or later is needed, and there is none"),
    ],
)
def test_java_is_called_missing_only_where_none_can_be_used(
    script: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", java_in(tmp_path / "java", script))
    with pytest.raises(AssertionError, match=told):
        raise AssertionError(module._why_not(RuntimeError("[JAVA_GATEWAY_EXITED] Java gateway process exited")))


def test_without_any_java_the_message_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    message = module._why_not(FileNotFoundError("spark-submit"))
    assert "there is none on the PATH" in message
    assert "apt-get install openjdk-17-jre-headless" in message


def test_the_log_settings_of_an_installation_whose_path_has_a_blank_are_one_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b%'").mkdir()
    (tmp_path / "a b%'" / "log4j2.properties").write_text("")
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path / "a b%'")
    (options,) = module._log_settings().values()
    assert options == f"-Dlog4j2.configurationFile={tmp_path.as_uri()}/a%20b%25%27/log4j2.properties"


@pytest.mark.spark
def test_a_run_that_fails_leaves_only_its_message_on_stderr(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"id": ["a"], "text": ["x"]}), tmp_path / "in.parquet")
    wrong = 'routing=[{when: "titel = 1", profile: default}, {when: "count(1) > 2", profile: default}]'
    done = subprocess.run(
        [sys.executable, "-m", "jobs.cli", "run", "-q", "-i", tmp_path / "in.parquet", "-o", tmp_path / "out",
         "-s", wrong, "-s", "spark={spark.master: 'local[1]', spark.driver.memory: 1g}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith(_START_OF_THE_JVM)]
    assert lines[0].startswith("Error: routing.0.when")
    assert all(line.startswith("routing.") for line in lines[1:]), lines


_START_OF_THE_JVM = (
    "WARNING: Using incubator modules",
    "Setting default log level",
    "To adjust logging level",
    "Setting Spark log level",
    "Using Spark's default log4j profile",
    ":: loading settings",
    "Picked up JAVA_TOOL_OPTIONS",
)


def test_what_was_submitted_keeps_its_pages_log_and_memory_and_what_it_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    monkeypatch.setattr("jobs.session.SparkContext._ensure_initialized", lambda: None)
    told = [("spark.sql.session.timeZone", "Europe/Berlin")]
    monkeypatch.setattr("jobs.session.SparkConf.getAll", lambda _: told)
    settings = module._settings()
    not_ours = {"spark.ui.enabled", "spark.log.level", "spark.driver.memory", "spark.sql.session.timeZone"}
    assert not not_ours & set(settings)
    assert settings["spark.sql.adaptive.enabled"] == "true"


@pytest.mark.parametrize(
    "name",
    [
        "spark.hadoop.fs.s3a.secret.key",
        "spark.hadoop.fs.azure.account.key.lake.dfs.core.windows.net",
        "spark.hadoop.fs.azure.sas.docs.lake.blob.core.windows.net",
        "spark.hadoop.fs.s3a.encryption.key",
        "spark.hadoop.google.cloud.auth.service.account.private.key",
        "spark.ssl.keyPassword",
    ],
)
def test_spark_itself_does_not_show_secrets(name: str) -> None:
    assert re.search(module.START_SETTINGS["spark.redaction.regex"], name)


def test_what_is_no_secret_stays_readable_on_sparks_pages() -> None:
    for name in QUERY_SETTINGS:
        assert not re.search(module.START_SETTINGS["spark.redaction.regex"], name)
