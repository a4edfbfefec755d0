"""Paths: which outputs would become part of the input."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.paths import local_path, refuse_overlap
from jobs.settings import load_settings
from udfs.chunking import SettingsError


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("docs", "docs"),
        ("docs/", "docs/out"),
        ("docs", "docs/../docs/out"),
        ("file:/docs", "/docs/out"),
        ("/docs", "file:///docs/out"),
        ("file:///docs/", "/docs//out"),
        ("docs/*", "docs/out"),
        ("docs/*/*", "docs/out"),
        ("docs/*/*/*.parquet", "docs/out"),
        ("docs/{a,o*}", "docs/out/tables"),
        ("{docs,more/docs}", "more/docs/out"),
        ("docs/[^a]ut", "docs/out"),
        ("docs/o?t", "docs/out/deep/er"),
        ("s3a://lake/docs", "s3://lake/docs/out"),
        ("s3a://key:secret@lake/docs", "s3a://lake/docs/out"),
        ("hdfs://NN:8020/docs", "hdfs://nn:8020/docs/out"),
        ("/docs/out/documents", "/docs/out"),
        ("/", "/out"),
    ],
)
def test_an_output_that_the_next_run_would_read_is_refused(source: str, target: str) -> None:
    with pytest.raises(SettingsError, match=r"output\.path = .*lies in input\.path") as raised:
        refuse_overlap(source, target)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("docs", "out"),
        ("docs", "docs2"),
        ("docs/*.parquet", "docs/out"),
        ("docs/*/*.parquet", "docs/out"),
        ("docs/[^o]*", "docs/out"),
        (r"docs/\*", "docs/out"),
        ("docs/a.parquet", "docs"),
        ("s3a://lake/docs", "s3a://other/docs/out"),
        ("s3a://lake/docs", "/docs/out"),
        ("abfss://a@lake/docs", "abfss://b@lake/docs/out"),
    ],
)
def test_an_output_that_no_run_reads_is_fine(source: str, target: str) -> None:
    refuse_overlap(source, target)


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "docs")
    with pytest.raises(SettingsError):
        refuse_overlap(str(tmp_path / "docs"), str(tmp_path / "link" / "out"))


@pytest.mark.parametrize(
    ("path", "local"), [("out", "out"), ("file:/a/b", "/a/b"), ("file:///a", "/a"), ("s3://a", "")]
)
def test_a_local_path_is_known_with_and_without_its_scheme(path: str, local: str) -> None:
    assert local_path(path) == (Path(local) if local else None)


@pytest.mark.parametrize("sign", ["*", "?", "[x]", "{a,b}", "\\"])
def test_an_output_path_that_spark_would_read_as_a_pattern_is_refused(sign: str) -> None:
    with pytest.raises(SettingsError, match=r"output\.path = .*name one folder, without"):
        load_settings(overrides={"output.path": f"lake/out{sign}"})
