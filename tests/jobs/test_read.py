"""Reading: which column plays which role, and what becomes of the names of folders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.columns import with_document_columns
from jobs.settings import InputSettings
from tests.conftest import Result
from udfs.chunking import SettingsError
from udfs.chunking.characters import is_blank

INFERENCE = "spark.sql.sources.partitionColumnTypeInference.enabled"
Run = Callable[..., Result]


@pytest.fixture
def case_sensitive(spark: Any) -> Iterator[None]:
    spark.conf.set("spark.sql.caseSensitive", "true")
    yield
    spark.conf.unset("spark.sql.caseSensitive")


def partitioned(folder: Path, name: str, *values: str) -> Path:
    for value in values:
        inner = folder / "lake" / f"{name}={value}"
        inner.mkdir(parents=True)
        pq.write_table(pa.table({"text": [f"text of {value}"], "key": [value]}), inner / "part.parquet")
    return folder / "lake"


def test_ids_in_the_names_of_folders_stay_as_they_are_written(run: Run, spark: Any, tmp_path: Path) -> None:
    before = spark.conf.get(INFERENCE)
    out = run(partitioned(tmp_path, "id", "001", "1", "1.0", "2024-01-01"))
    assert set(out.status()) == {"001", "1", "1.0", "2024-01-01"}
    assert out.reasons() == []
    assert spark.conf.get(INFERENCE) == before


def test_carried_values_in_the_names_of_folders_stay_as_they_are_written(run: Run, tmp_path: Path) -> None:
    lake = partitioned(tmp_path, "tenant", "001", "002")
    rule = "routing=[{when: \"tenant = '001'\", profile: whole}, {profile: default}]"
    rows = run(lake, "input.columns.document_id=key", "input.carry=[tenant]", rule).rows("chunks")
    assert [(row["document_id"], row["tenant"], row["profile"]) for row in rows] == [
        ("001", "001", "whole"),
        ("002", "002", "default"),
    ]


def test_a_predicate_may_ask_for_the_path_of_the_file(run: Run, tmp_path: Path) -> None:
    lake = partitioned(tmp_path, "n", "1", "2")
    rule = "routing=[{when: \"_metadata.file_path like '%/n=2/%'\", profile: whole}, {profile: default}]"
    rows = run(lake, "input.columns.document_id=key", rule).rows("chunks")
    assert [row["profile"] for row in rows] == ["default", "whole"]


def test_the_session_gets_its_setting_back_also_after_a_failure(run: Run, spark: Any, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="does not exist"):
        run(tmp_path / "nowhere")
    assert spark.conf.get(INFERENCE) == "true"


def test_a_column_with_the_name_of_a_role_serves_without_being_mapped(run: Run) -> None:
    documents = [{"id": "a", "text": "x", "Content_Type": "text/x", "title": 7, "source": {"path": "p"}}]
    rules = "routing=[{when: \"content_type = 'text/x' and title = 7 and source.path = 'p'\", profile: whole}]"
    (row,) = run(documents, rules).rows("chunks")
    assert (row["content_type"], row["title"], row["source"], row["profile"]) == ("text/x", "7", None, "whole")


def test_what_is_mapped_counts_more_than_the_name(run: Run) -> None:
    (row,) = run([{"id": "a", "text": "x", "title": "no", "name": "yes"}], "input.columns.title=name").rows("chunks")
    assert row["title"] == "yes"


def test_a_predicate_on_what_the_input_lacks_names_the_setting(run: Run) -> None:
    with pytest.raises(SettingsError, match=r"uses content_type, .* Set input\.columns\.content_type"):
        run([{"id": "a", "text": "x"}], "routing=[{when: \"content_type = 'x'\", profile: default}]")


@pytest.mark.usefixtures("case_sensitive")
def test_a_session_that_tells_cases_apart_is_obeyed(run: Run) -> None:
    documents = pa.table({"id": ["a"], "text": ["x"], "tenant": ["t"], "Tenant": ["T"], "Title": ["no title"]})
    (row,) = run(documents, "input.carry=[tenant, Tenant]").rows("chunks")
    assert (row["tenant"], row["Tenant"], row["title"]) == ("t", "T", None)
    with pytest.raises(SettingsError, match=r"input.columns.text = 'Text': unknown"):
        run(documents, "input.columns.text=Text", name="other")


def test_a_column_carried_under_two_spellings_is_refused(run: Run) -> None:
    with pytest.raises(SettingsError, match=r"input.carry = 'Tenant': is the same column as 'tenant'"):
        run([{"id": "a", "text": "x", "tenant": "t"}], "input.carry=[tenant, Tenant]")


def test_carried_columns_may_have_any_name(run: Run) -> None:
    names = ["__carried", "carried", "a.b", "reason", "later", "piece"]
    (row,) = run([{"id": "a", "text": "x", **{name: name for name in names}}], f"input.carry={names}").rows("chunks")
    assert [row[name] for name in names] == names


def test_an_id_is_blank_exactly_where_the_engine_calls_a_text_blank(spark: Any) -> None:
    points = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    documents = spark.createDataFrame(pa.table({"id": points, "text": points}).to_pandas())
    found = with_document_columns(documents, InputSettings(), str.lower).where("document_id is null")
    assert {row["text"] for row in found.select("text").collect()} == {point for point in points if is_blank(point)}


def test_blanks_around_an_id_belong_to_it(run: Run) -> None:
    out = run([{"id": "\u200b\u00a0", "text": "x"}, {"id": " a\u2003", "text": "y"}])
    assert out.reasons() == [(None, "missing_id")]
    assert list(out.status()) == [" a\u2003"]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    for folder in ("id=007", "id=7"):
        (tmp_path / "texts" / "a b.c=x" / folder).mkdir(parents=True)
        (tmp_path / "texts" / "a b.c=x" / folder / "doc.txt").write_text(folder)
    (tmp_path / "texts" / "a b.c=x" / "id=7" / "empty.txt").write_text("")
    return tmp_path / "texts"


def test_a_folder_that_is_called_like_the_id_of_a_text_file_is_told(run: Run, texts: Path) -> None:
    with pytest.raises(SettingsError, match=r"input.columns.document_id = 'id': folders .*document_id=file_id"):
        run(texts, "input.format=text")
    rows = run(texts, "input.format=text", "input.columns.document_id=path", "input.carry=[id, a b.c]").rows("chunks")
    assert [(row["text"], row["id"], row["a b.c"]) for row in rows] == [("id=007", "007", "x"), ("id=7", "7", "x")]


def test_a_folder_called_value_does_not_take_the_place_of_the_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "texts" / "value=9").mkdir(parents=True)
    (tmp_path / "texts" / "value=9" / "doc.txt").write_text("the text")
    assert [row["text"] for row in run(tmp_path / "texts", "input.format=text").rows("chunks")] == ["the text"]
