"""Chunking as a Spark column, in other people's pipelines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chispa import assert_df_equality
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType

from tests.udfs.chunking.hub_tokenizers import save
from udfs import CHUNK, chunk, join_pages
from udfs.arrow import CHUNK_FIELDS
from udfs.chunking import Chunker, ChunkSettings, SettingsError
from udfs.chunking.chunk import CHUNK_FIELDS as ENGINE_FIELDS
from udfs.chunking.document import About
from udfs.column import _portable

SETTINGS: dict[str, Any] = {"strategy": "fixed", "size": 4, "overlap": 2, "unit": "characters"}
TEXTS = [
    "0123456789",
    None,
    "",
    " \n ",
    "nan",
    "None",
    "na\u00efve \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f680!",
    "x\x00y",
]


def test_the_first_row_has_the_type_that_was_promised(spark: Any) -> None:
    rows = spark.createDataFrame([("0123456789",)], "text string").select(chunk("text", **SETTINGS).alias("chunks"))
    assert rows.schema["chunks"].dataType == ArrayType(CHUNK)
    assert [c["text"] for c in rows.first()["chunks"]] == ["0123", "2345", "4567", "6789"]


def test_the_spark_struct_has_the_fields_of_the_engines_chunk_in_order() -> None:
    assert tuple(CHUNK.names) == ENGINE_FIELDS


def test_the_spark_and_the_arrow_struct_have_the_same_types() -> None:
    from pyspark.sql.pandas.types import from_arrow_type

    assert [field.dataType for field in CHUNK.fields] == [from_arrow_type(field.type) for field in CHUNK_FIELDS]


@pytest.mark.parametrize(
    "conf",
    [
        {"spark.sql.execution.arrow.maxRecordsPerBatch": "1"},
        {"spark.sql.execution.arrow.maxRecordsPerBatch": "3"},
        {"spark.sql.execution.arrow.maxRecordsPerBatch": "10000"},
        {"spark.sql.execution.arrow.maxBytesPerBatch": "20"},
        {"spark.sql.execution.arrow.useLargeVarTypes": "true"},
    ],
    ids=lambda conf: "-".join(f"{key.rsplit('.', 1)[1]}-{value}" for key, value in conf.items()),
)
def test_chunks_are_those_of_the_engine_whatever_the_arrow_batches(spark: Any, conf: dict[str, str]) -> None:
    for key, value in conf.items():
        spark.conf.set(key, value)
    rows = spark.createDataFrame(list(enumerate(TEXTS)), "n int, text string").repartition(3, "n")
    found = {row["n"]: row["c"] for row in rows.select("n", chunk("text", **SETTINGS).alias("c")).collect()}
    engine = Chunker(**SETTINGS)
    for n, text in enumerate(TEXTS):
        wanted = [] if text is None else engine.chunk(text)
        assert [tuple(c) for c in found[n]] == [
            tuple(list(v) if isinstance(v := getattr(c, name), tuple) else v for name in ENGINE_FIELDS) for c in wanted
        ]


def test_empty_partitions_and_batches_of_nulls_are_no_trouble(spark: Any) -> None:
    rows = spark.createDataFrame([(n, "ab" if n == 7 else None) for n in range(8)], "n int, text string")
    many = rows.repartition(16, "n").select("n", F.size(chunk("text", **SETTINGS)).alias("chunks"))
    wanted = spark.createDataFrame([(n, 1 if n == 7 else 0) for n in range(8)], "n int, chunks int")
    assert_df_equality(many, wanted, ignore_row_order=True, ignore_nullable=True)


def test_a_data_frame_without_rows_gives_none(spark: Any) -> None:
    rows = spark.createDataFrame([], "text string").select(chunk("text", **SETTINGS).alias("c"))
    assert rows.collect() == []


def test_bytes_that_are_no_text_give_null_and_leave_the_neighbours_alone(spark: Any) -> None:
    rows = spark.sql("SELECT 1 AS n, CAST(X'5AFC72696368' AS STRING) AS text UNION ALL SELECT 2, 'ok'").coalesce(1)
    found = dict(rows.select("n", chunk("text", **SETTINGS).alias("c")).collect())
    assert found[1] is None
    assert [c["text"] for c in found[2]] == ["ok"]


def test_long_ids_beside_null_texts_stay_exact(spark: Any) -> None:
    rows = spark.createDataFrame([(9007199254740993, "first text"), (12, None)], "id long, text string").coalesce(1)
    found = rows.select("id", F.explode(chunk("text", size=50)).alias("c")).select("id", "c.*").collect()
    assert [(row["id"], row["text"], row["chunk_index"]) for row in found] == [(9007199254740993, "first text", 0)]


def test_spark_substring_and_python_slicing_agree_on_emoji(spark: Any) -> None:
    text = "\U0001f680 a\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467 \u00e9t\u00e9 \U0001f1eb\U0001f1f7 end"
    rows = spark.createDataFrame([(text,)], "text string")
    chunks = rows.select("text", F.explode(chunk("text", strategy="fixed", size=5, unit="characters")).alias("c"))
    sliced = chunks.select(
        F.col("c.text").alias("chunk"),
        F.expr("substring(text, c.char_start + 1, c.char_end - c.char_start)").alias("slice"),
        F.expr("length(c.text) = c.char_end - c.char_start").alias("long_enough"),
    ).collect()
    assert len(sliced) > 3
    assert all(row["chunk"] == row["slice"] and row["long_enough"] for row in sliced)


def test_a_column_is_taken_as_well_as_a_name(spark: Any) -> None:
    rows = spark.createDataFrame([("ab", "cd")], "a string, b string")
    found = rows.select(chunk(F.concat("a", "b"), **SETTINGS).alias("c")).first()["c"]
    assert [c["text"] for c in found] == ["abcd"]


@pytest.mark.usefixtures("spark")
def test_a_wrong_setting_is_told_at_the_call() -> None:
    with pytest.raises(SettingsError, match="strateg"):
        chunk("text", strateggy="fixed")
    with pytest.raises(SettingsError, match="overlap"):
        chunk("text", size=4, overlap=4)


def test_two_chunkings_in_one_query_do_not_mix(spark: Any) -> None:
    rows = spark.createDataFrame([("0123456789",)], "text string")
    sizes = [F.size(chunk("text", strategy="fixed", size=n, overlap=0, unit="characters")) for n in (2, 5)]
    assert tuple(rows.select(*sizes).first()) == (5, 2)


def test_a_tokenizer_file_travels_with_the_column(spark: Any, tmp_path: Path) -> None:
    path = Path(save("bpe", tmp_path))
    settings: dict[str, Any] = {"size": 5, "overlap": 0, "tokenizer": str(path)}
    expected = [c.token_count for c in Chunker(**settings).chunk("the quick brown fox jumps over the lazy dog")]
    rows = spark.createDataFrame([("the quick brown fox jumps over the lazy dog",)], "text string")
    column = chunk("text", **settings).alias("chunks")
    path.unlink()  # no executor may need the file
    assert [c["token_count"] for c in rows.select(column).first()["chunks"]] == expected


@pytest.fixture(params=["arrow", "pandas"])
def either_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both kinds of functions, whatever this version of Spark would choose."""
    if request.param == "pandas":
        monkeypatch.setattr("udfs.evaluation._arrow_udf", None)


def engine_rows(text: str, about: About, **settings: Any) -> list[tuple[Any, ...]]:
    chunks = Chunker(**settings).chunk(text, about)
    return [tuple(list(v) if isinstance(v := getattr(c, name), tuple) else v for name in ENGINE_FIELDS) for c in chunks]


@pytest.mark.usefixtures("either_kind")
def test_what_is_known_of_a_document_goes_with_its_text(spark: Any) -> None:
    settings: dict[str, Any] = {"strategy": "auto", "size": 24, "overlap": 0, "context": "auto", "whole_below": 0}
    documents: list[tuple[Any, ...]] = [
        ("# A\n\nSome words of text.\n\n## B\n\nMore words.", "First", "text/markdown", None, None),
        ("def f(x):\n    return x + 1\n" * 9, None, None, "f.py", None),
        ("one two three four. " * 9, "Third", None, None, [0, 40, 100]),
        (None, "no text", None, None, [0]),
        ("plain words", None, None, None, None),
    ]
    rows = spark.createDataFrame(
        [(n, *document) for n, document in enumerate(documents)],
        "n int, text string, title string, mime string, url string, pages array<int>",
    )
    column = chunk("text", title="title", content_type=F.col("mime"), source="url", pages="pages", **settings)
    found = dict(rows.coalesce(1).select("n", column.alias("c")).collect())
    for n, (text, *about) in enumerate(documents):
        wanted = [] if text is None else engine_rows(text, About(*about), **settings)
        assert [tuple(c) for c in found[n]] == wanted
    assert {c["kind"] for c in found[1]} == {"code"}
    assert found[2][0]["embed_text"].startswith("Third\n")
    assert found[2][-1]["page_end"] == 3


@pytest.mark.usefixtures("either_kind")
def test_offsets_that_do_not_fit_give_null_and_leave_the_neighbours_alone(spark: Any) -> None:
    rows = spark.createDataFrame(
        [(1, "abcd", [0, 2]), (2, "abcd", [0, 5]), (3, "abcd", [0, None]), (4, "abcd", None), (5, "abcd", [])],
        "n int, text string, pages array<long>",
    ).coalesce(1)
    found = dict(rows.select("n", chunk("text", pages="pages", **SETTINGS).alias("c")).collect())
    assert (found[2], found[3]) == (None, None)
    assert [(c["page_start"], c["page_end"]) for n in (1, 4, 5) for c in found[n]] == [
        (1, 2),
        (None, None),
        (None, None),
    ]


@pytest.mark.usefixtures("either_kind")
def test_pages_that_are_no_offsets_end_the_query_with_what_to_do(spark: Any) -> None:
    rows = spark.createDataFrame([("abcd", ["ab", "cd"])], "text string, pages array<string>")
    with pytest.raises(Exception, match=r"must be array<int> or array<bigint>.*chunk\(join_pages\(...\)\)"):
        rows.select(chunk("text", pages="pages", **SETTINGS)).collect()


@pytest.mark.usefixtures("either_kind")
def test_a_title_that_is_no_text_is_mended(spark: Any) -> None:
    rows = spark.sql("SELECT 'words' AS text, CAST(X'5AFC' AS STRING) AS title UNION ALL SELECT 'more', 'T'").coalesce(
        1
    )
    column = chunk("text", strategy="markdown", title="title")
    assert [r["c"][0]["embed_text"] for r in rows.select(column.alias("c")).collect()] == ["Z\ufffd\nwords", "T\nmore"]


@pytest.mark.usefixtures("either_kind")
def test_pages_are_joined_by_form_feeds_and_counted(spark: Any) -> None:
    pages = [["one", "two\fmore", None, "four"], ["only"], [], None, [""]]
    rows = spark.createDataFrame([(n, texts) for n, texts in enumerate(pages)], "n int, pages array<string>")
    joined = dict(rows.select("n", join_pages("pages")).collect())
    assert joined == {0: "one\ftwo\nmore\f\ffour\f", 1: "only\f", 2: "", 3: None, 4: "\f"}
    column = chunk(join_pages("pages"), size=2, overlap=0)
    found = {
        row["n"]: [(c["text"].strip(), c["page_start"]) for c in row["c"]]
        for row in rows.select("n", column.alias("c")).collect()
    }
    assert found == {0: [("one", 1), ("two", 2), ("more", 2), ("four", 4)], 1: [("only", 1)], 2: [], 3: [], 4: []}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"strategy": "sliding_window", "size": 10, "stride": 4},
        {"strategy": "auto", "whole_below": 5},
        {"strategy": "recursive", "separators": ["\n", {"pattern": "x+"}], "overlap": None},
        {"strategy": "markdown", "clean": {"nfc": True}, "context": "title", "keep_apart": 2},
        {"strategy": "code", "language": "PY"},
    ],
)
def test_a_worker_builds_the_settings_that_were_given_and_no_others(settings: dict[str, Any]) -> None:
    here = ChunkSettings.of(settings)
    there = ChunkSettings.model_validate_json(_portable(here).settings)
    assert there == here
    assert there.model_fields_set == set(settings)
    assert there.config_hash() == here.config_hash()
