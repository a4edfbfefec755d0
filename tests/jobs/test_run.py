"""The main job, end to end, on a small lake."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql.types import LongType, StructField, StructType

from jobs.cli import main
from jobs.errors import ContractError, JobError, OutputExistsError
from jobs.exit_codes import ExitCode
from jobs.measuring.findings import FailedChecksError
from jobs.publish import TABLES, Output
from jobs.settings import OutputSettings
from jobs.staging import Staging
from jobs.storage import HadoopStorage, open_storage
from schemas import CHUNKS, DOCUMENTS, HISTOGRAMS, PARENTS, REJECTS, SIZES
from udfs.chunking import Chunker, ChunkSettings, SettingsError

SMALL = ("profiles.default.strategy=fixed", "profiles.default.size=4", "profiles.default.unit=characters",
         "profiles.default.overlap=0")  # fmt: skip


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_chunks_carry_text_positions_hashes_and_ids(run: Any) -> None:
    out = run([{"id": 7, "text": "abcdabcd"}], *SMALL)
    first, second = out.rows("chunks")
    assert [(c["text"], c["char_start"], c["char_end"], c["cut"]) for c in (first, second)] == [
        ("abcd", 0, 4, first["cut"]),
        ("abcd", 4, 8, "end"),
    ]
    assert first["document_id"] == "7"
    assert first["embed_text"] == "abcd"
    assert first["content_hash"] == second["content_hash"] == sha("abcd")
    assert first["document_hash"] == sha("abcdabcd")
    assert first["chunk_id"] == sha(f"7\x1f{sha('abcd')}\x1f0")
    assert second["chunk_id"] == sha(f"7\x1f{sha('abcd')}\x1f1")
    settings = ChunkSettings(strategy="fixed", size=4, unit="characters", overlap=0)
    assert first["config_hash"] == settings.config_hash()
    assert (first["profile"], first["strategy"], first["parent_id"], first["duplicate_of"]) == (
        "default",
        "fixed",
        None,
        None,
    )


def test_each_document_is_chunked_as_the_engine_does_under_its_profile(run: Any) -> None:
    texts = {"md": "# T\n\nOne sentence here. Another one there.\n" * 20, "txt": "word " * 300}
    documents = [{"id": key, "text": text, "mime": f"text/{key}"} for key, text in texts.items()]
    out = run(
        documents,
        "input.columns.content_type=mime",
        "profiles.default.size=20",
        "profiles.other={strategy: sentence, size: 30, overlap: 5}",
        "routing=[{when: \"content_type = 'text/md'\", profile: other}, {profile: default}]",
    )
    profiles = {
        "md": Chunker(strategy="sentence", size=30, overlap=5),
        "txt": Chunker(strategy="recursive", size=20),
    }
    for key, chunker in profiles.items():
        found = [row for row in out.rows("chunks") if row["document_id"] == key]
        wanted = chunker.chunk(texts[key])
        assert [(c["text"], c["char_start"], c["token_count"], c["cut"], c["kind"]) for c in found] == [
            (c.text, c.char_start, c.token_count, c.cut, c.kind) for c in wanted
        ]


def test_mapped_and_carried_columns_of_any_type_come_out_as_they_went_in(run: Any) -> None:
    carried = {
        "acl": [["a", "b"], []],
        "owner": [{"name": "x", "level": 3}, None],
        "seen": [datetime(2024, 2, 29, 12, 30, tzinfo=timezone.utc), None],
        "price": [Decimal("12.34"), Decimal("0.01")],
        "labels": [[("k", 1)], []],
    }
    types = {
        "acl": pa.list_(pa.string()),
        "owner": pa.struct({"name": pa.string(), "level": pa.int64()}),
        "seen": pa.timestamp("us", tz="UTC"),
        "price": pa.decimal128(10, 2),
        "labels": pa.map_(pa.string(), pa.int32()),
    }
    table = pa.table(
        {
            "key": ["a", "b"],
            "body": ["some text", "more text"],
            "name": ["Title A", None],
            "url": ["s3://x/a", "s3://x/b"],
            **{name: pa.array(values, types[name]) for name, values in carried.items()},
        }
    )
    out = run(
        table,
        "input.columns={document_id: key, text: body, title: name, source: url}",
        f"input.carry=[{', '.join(carried)}]",
    )
    rows = out.rows("chunks")
    assert [(row["title"], row["source"], row["content_type"]) for row in rows] == [
        ("Title A", "s3://x/a", None),
        (None, "s3://x/b", None),
    ]
    for name, values in carried.items():
        assert [row[name] for row in rows] == values


def test_every_table_has_its_columns_in_order_with_their_comments(run: Any, spark: Any) -> None:
    out = run([{"id": "a", "text": "some text", "tenant": 5}], "input.carry=[tenant]")
    schemas = {
        "chunks": CHUNKS,
        "documents": DOCUMENTS,
        "rejects": REJECTS,
        "parents": PARENTS,
        "sizes": SIZES,
        "histograms": HISTOGRAMS,
    }
    assert set(schemas) == set(TABLES)
    for table, schema in schemas.items():
        found = spark.read.parquet(str(out.path / table)).schema
        names = [*schema.names, "tenant"] if table == "chunks" else schema.names
        assert found.names == names
        assert [field.dataType for field in found.fields[: len(schema)]] == [field.dataType for field in schema.fields]
        assert [field.metadata for field in found.fields[: len(schema)]] == [field.metadata for field in schema.fields]


def test_the_record_tells_settings_versions_counts_and_times(run: Any) -> None:
    out = run(
        [{"id": "a", "text": "one two"}, {"id": "b", "text": " "}, {"id": None, "text": "lost"}],
        "input.options.password=hunter2",
    )
    record = out.record
    assert record["counts"] == {
        "input_rows": 3,
        "chunked": 1,
        "empty": 1,
        "rejected": 1,
        "unchanged": 0,
        "rejected_by_reason": {"missing_id": 1},
        "chunks": 1,
        "tokens": 2,
        "characters": 8,
        "text_bytes": 8,
        "removed": {},
    }
    assert record["balanced"] is True
    assert record["versions"]["spark"].count(".") == 2
    assert record["profiles"]["default"]["tokenizer"] == "cl100k_base"
    assert len(record["profiles"]["default"]["tokenizer_fingerprint"]) == 64
    assert {"read and check", "chunk", "write tables"} <= set(record["timings_seconds"])
    assert "hunter2" not in json.dumps(record)


def test_documents_tell_what_became_of_each(run: Any) -> None:
    out = run([{"id": "a", "text": "abcdefgh"}, {"id": "b", "text": "\n"}, {"id": "c", "text": None}], *SMALL)
    told = [
        (row["document_id"], row["status"], row["chunk_count"], row["char_count"], row["text"])
        for row in out.rows("documents")
    ]
    assert told == [("a", "chunked", 2, 8, None), ("b", "empty", 0, 1, None), ("c", "rejected", 0, None, None)]
    assert [row["document_hash"] for row in out.rows("documents")] == [sha("abcdefgh"), sha("\n"), None]


def test_the_working_files_are_gone_afterwards(run: Any) -> None:
    out = run([{"id": "a", "text": "x"}])
    assert sorted(path.name for path in out.path.iterdir()) == sorted([*TABLES, "run.json"])


def test_a_filled_output_is_refused_and_overwrite_replaces_it(run: Any) -> None:
    out = run([{"id": "a", "text": "old"}])
    with pytest.raises(OutputExistsError, match=r"output.mode=overwrite"):
        run([{"id": "b", "text": "new"}])
    assert [row["text"] for row in out.rows("chunks")] == ["old"]
    run([{"id": "b", "text": "new"}], "output.mode=overwrite")
    assert [row["text"] for row in out.rows("chunks")] == ["new"]


def test_an_output_inside_the_input_is_refused(run: Any, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"output.path = .* lies in input.path"):
        run(tmp_path)


@pytest.mark.parametrize("written_as", ["orc", "json"])
def test_tables_are_written_in_the_format_that_was_asked_for(run: Any, spark: Any, written_as: str) -> None:
    out = run([{"id": "a", "text": "some text"}, {"id": None, "text": "x"}], f"output.format={written_as}")
    assert not list(out.path.glob("*/*.parquet"))
    read = spark.read.format(written_as)
    assert [row["text"] for row in read.load(str(out.path / "chunks")).collect()] == ["some text"]
    assert [row["reason"] for row in read.load(str(out.path / "rejects")).collect()] == ["missing_id"]


def test_a_folder_a_glob_and_a_partitioned_folder_are_read(run: Any, tmp_path: Path) -> None:
    for year in (2023, 2024):
        folder = tmp_path / "lake" / f"year={year}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"id": [f"d{year}"], "text": [f"text of {year}"]}), folder / "part.parquet")
    rule = "routing=[{when: year = 2024, profile: whole}, {profile: default}]"
    whole = run(tmp_path / "lake", "input.carry=[year]", rule, name="all").rows("chunks")
    assert [(row["document_id"], row["year"], row["profile"]) for row in whole] == [
        ("d2023", "2023", "default"),
        ("d2024", "2024", "whole"),
    ]
    part = run(tmp_path / "lake" / "year=*" / "*.parquet", name="glob").rows("chunks")
    assert [row["document_id"] for row in part] == ["d2023", "d2024"]


def test_json_and_plain_text_files_are_read(run: Any, tmp_path: Path) -> None:
    (tmp_path / "docs.json").write_text('{"id": 1, "text": "eins"}\n{"id": 2, "text": "zwei"}\n')
    rows = run(tmp_path / "docs.json", "input.format=json", name="json").rows("chunks")
    assert [(row["document_id"], row["text"]) for row in rows] == [("1", "eins"), ("2", "zwei")]
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("first line\nsecond line\n")
    rows = run(tmp_path / "texts", "input.format=text", name="text").rows("chunks")
    assert [row["text"].strip() for row in rows] == ["first line\nsecond line"]
    assert rows[0]["document_id"].endswith("/texts/a.txt")


def test_what_spark_or_the_file_system_cannot_do_is_told_in_a_line(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a-file").write_text("x")
    with pytest.raises(JobError, match="published nothing") as raised:
        run([{"id": "a", "text": "x"}], name="a-file/out")
    assert "\n" not in str(raised.value)
    assert not list((tmp_path / "out").glob("*"))


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("output.format=parkett", "parkett"),
        ("output.format=csv", "ARRAY"),
        ("output.format=text", "output.format = 'text'"),
        ("output.options={compression: zipp, password: hunter2}", "zipp"),
        ("output.options={maxRecordsPerFile: many}", "many"),
    ],
)
def test_an_output_that_cannot_be_written_stops_the_job_before_any_document_is_read(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, reason: str
) -> None:
    monkeypatch.setattr("jobs.run.count_rows", lambda *_: pytest.fail("the documents were read"))
    with pytest.raises(SettingsError, match=r"^output\.format = '\w+'.*: the chunk table cannot be written") as raised:
        run([{"id": "a", "text": "x"}], setting)
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "hunter2" not in str(raised.value)
    assert not list((tmp_path / "out").glob("*"))


def test_a_format_that_loses_a_table_when_it_is_moved_is_found_out(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = Output(open_storage(spark, str(tmp_path)), str(tmp_path), "r")
    staging = Staging(spark, output, OutputSettings(path=str(tmp_path)))
    staging.try_out(CHUNKS)
    assert not list(tmp_path.glob("_staging/r/*"))
    monkeypatch.setattr(Staging, "read", lambda *_: spark.range(0))
    with pytest.raises(SettingsError, match="of a table of one row, 0 could be read"):
        staging.try_out(CHUNKS)


def test_a_table_without_its_promised_columns_is_an_error_with_an_exit_code(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = StructType([*DOCUMENTS.fields, StructField("pages", LongType())])
    monkeypatch.setattr("jobs.tables.DOCUMENTS", wrong)
    with pytest.raises(ContractError, match=r"documents: 1 column.s. differ(.|\n)*pages(.|\n)*published") as raised:
        run([{"id": "a", "text": "x"}])
    assert raised.value.exit_code == ExitCode.CHECK
    assert not list((tmp_path / "out").glob("*"))


def test_a_run_that_counts_is_not_called_unpublished(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = HadoopStorage.rename

    def no_rejects(self: HadoopStorage, source: str, target: str) -> None:
        if source.endswith("/rejects"):
            raise OSError("disk on fire")
        moves(self, source, target)

    monkeypatch.setattr(HadoopStorage, "rename", no_rejects)
    with pytest.raises(JobError, match=r"is complete and counts.*disk on fire") as raised:
        run([{"id": "a", "text": "x"}])
    assert "published nothing" not in str(raised.value)
    monkeypatch.undo()
    with pytest.raises(OutputExistsError, match="has just been finished"):
        run([{"id": "a", "text": "x"}])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted([*TABLES, "run.json"])


def test_a_failed_check_publishes_nothing_and_keeps_what_was_there(run: Any, tmp_path: Path) -> None:
    before = run([{"id": "a", "text": "some text"}]).record
    with pytest.raises(FailedChecksError, match=r"max_duplicates = 0.1, found 0.5 \(profile default\): 50 %"):
        run(
            [{"id": "a", "text": "same"}, {"id": "b", "text": "same"}],
            "checks.max_duplicates=0.1",
            "output.mode=overwrite",
        )
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted([*TABLES, "run.json"])
    assert json.loads((tmp_path / "out" / "run.json").read_text("utf-8")) == before


def test_after_a_failed_check_the_sizes_are_shown_and_the_exit_code_says_so(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spark.createDataFrame([("a", "same"), ("b", "same")], "id string, text string").write.parquet(str(tmp_path / "in"))
    options = ["--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--set", "checks.max_duplicates=0"]
    assert main(["run", *options]) == ExitCode.CHECK
    shown = capsys.readouterr()
    assert "profile default" in shown.out
    assert "2 checks have failed. Nothing was published." in shown.err
    assert not (tmp_path / "out" / "run.json").exists()
