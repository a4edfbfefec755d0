"""Bad input: every odd row has a defined outcome, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.errors import InputError
from jobs.exit_codes import ExitCode
from jobs.read import read_documents
from jobs.settings import InputSettings
from udfs.chunking import SettingsError

LIMIT = 1000
ZURICH = b"Z\xfcrich"  # Latin-1 in a column of UTF-8
SURROGATE = b"a\xed\xa0\x80b"  # a lone surrogate, as some writers encode it

ROWS: list[tuple[bytes | None, bytes | None]] = [
    (b"good", b"A good document. It has two sentences."),
    (None, b"no id"),
    (b"  ", b"blank id"),
    (b"null-text", None),
    (b"no-text", b""),
    (b"blank-text", " \n\t\u00a0\u2003".encode()),
    (b"nan", b"nan"),
    (b"None", b"None"),
    (b"nul", b"before\x00after"),
    (b"latin-1", ZURICH),
    (b"surrogate", SURROGATE),
    (b"id-\xff", b"an id that is no text"),
    (b"large", b"x" * (LIMIT + 1)),
    (b"just-fits", b"y" * LIMIT),
    (b"twice", b"second in the order of hashes"),
    (b"twice", b"first in the order of hashes"),
    (b"copy", b"the same row"),
    (b"copy", b"the same row"),
    (b"copy", b"the same row"),
    (b"half-good", None),
    (b"half-good", b"has a text"),
    (b"special", b"Docs say <|endoftext|> ends a text."),
]


def table(rows: list[tuple[bytes | None, bytes | None]]) -> pa.Table:
    """Rows whose strings may hold any bytes, as Spark allows."""
    columns = [pa.array(column, pa.binary()).view(pa.string()) for column in zip(*rows, strict=True)]
    return pa.table(columns, names=["id", "text"])


@pytest.fixture(scope="module")
def out(module_run: Callable[..., Any]) -> Any:
    return module_run(table(ROWS), f"input.max_document_bytes={LIMIT}")


def test_every_row_of_the_input_is_accounted_for(out: Any) -> None:
    counts = out.record["counts"]
    assert counts["input_rows"] == len(ROWS)
    assert counts["input_rows"] == sum(counts[status] for status in ("chunked", "empty", "rejected", "unchanged"))
    assert counts["rejected"] == len(out.rows("rejects"))
    assert counts["chunked"] == len({row["document_id"] for row in out.rows("chunks")})


def test_each_reject_has_its_reason(out: Any) -> None:
    assert sorted(out.reasons(), key=str) == sorted(
        [
            (None, "missing_id"),
            (None, "missing_id"),
            (None, "invalid_utf8"),
            ("copy", "duplicate_id"),
            ("copy", "duplicate_id"),
            ("half-good", "duplicate_id"),
            ("large", "too_large"),
            ("latin-1", "invalid_utf8"),
            ("null-text", "null_text"),
            ("surrogate", "invalid_utf8"),
            ("twice", "duplicate_id"),
        ],
        key=str,
    )


def test_details_give_the_facts_of_the_case(out: Any) -> None:
    details = {(row["document_id"], row["reason"]): row["detail"] for row in out.rows("rejects")}
    assert details["large", "too_large"] == f"{LIMIT + 1} bytes; input.max_document_bytes is {LIMIT}"
    assert details[None, "invalid_utf8"].startswith("the id is not valid UTF-8: id-")


def test_each_document_has_its_status(out: Any) -> None:
    chunked = ["good", "nan", "None", "nul", "just-fits", "twice", "copy", "half-good", "special"]
    rejected = ["null-text", "latin-1", "surrogate", "large"]
    assert out.status() == {
        **dict.fromkeys(chunked, "chunked"),
        **dict.fromkeys(["no-text", "blank-text"], "empty"),
        **dict.fromkeys(rejected, "rejected"),
    }


def test_documents_has_one_row_an_id(out: Any) -> None:
    ids = [row["document_id"] for row in out.rows("documents")]
    assert len(ids) == len(set(ids))


def test_texts_come_through_letter_by_letter(out: Any) -> None:
    texts = {row["document_id"]: row["text"] for row in out.rows("chunks") if row["document_id"] != "just-fits"}
    assert texts["nan"] == "nan"
    assert texts["None"] == "None"
    assert texts["nul"] == "beforeafter"
    assert texts["half-good"] == "has a text"
    assert texts["special"] == "Docs say <|endoftext|> ends a text."
    assert not any("\ufffd" in text for text in texts.values())


def test_what_was_removed_from_a_text_is_counted_and_the_rest_stored(out: Any) -> None:
    rows = {row["document_id"]: row for row in out.rows("documents")}
    assert rows["nul"]["text"] == "beforeafter"
    assert rows["nul"]["removed"] == [("control", 1)]
    assert (rows["good"]["text"], rows["good"]["removed"]) == (None, [])
    assert rows["large"]["removed"] is None
    assert out.record["counts"]["removed"] == {"control": 1}


def test_the_neighbours_of_odd_documents_are_chunked_as_when_alone(out: Any, module_run: Callable[..., Any]) -> None:
    alone = module_run(table(ROWS[:1]), name="alone").rows("chunks")
    assert [row for row in out.rows("chunks") if row["document_id"] == "good"] == alone


def test_which_duplicate_is_kept_does_not_depend_on_the_order_of_the_rows(
    out: Any, module_run: Callable[..., Any]
) -> None:
    turned = module_run(table(ROWS[::-1]), f"input.max_document_bytes={LIMIT}", name="turned")
    for name in ("chunks", "documents"):
        assert turned.rows(name) == out.rows(name)
    assert sorted(turned.reasons(), key=str) == sorted(out.reasons(), key=str)


def test_an_input_without_rows_gives_empty_tables_and_a_balanced_record(run: Callable[..., Any]) -> None:
    out = run(table(ROWS).slice(0, 0))
    assert [len(out.rows(name)) for name in ("chunks", "documents", "rejects", "sizes")] == [0, 0, 0, 0]
    assert out.record["counts"]["input_rows"] == 0
    assert out.record["balanced"] is True


def test_a_document_that_no_rule_takes_is_rejected(run: Callable[..., Any]) -> None:
    rows: list[tuple[bytes | None, bytes | None]] = [(b"a", b"x"), (b"b", b"long enough")]
    out = run(table(rows), 'routing=[{when: "length(text) > 5", profile: default}]')
    assert out.reasons() == [("a", "no_profile")]
    assert out.status() == {"a": "rejected", "b": "chunked"}


def test_bytes_that_are_no_text_in_what_is_only_shown_are_replaced(run: Callable[..., Any]) -> None:
    source = table([(b"a", b"x")]).append_column("mime", pa.array([ZURICH], pa.binary()).view(pa.string()))
    out = run(source, "input.columns.content_type=mime")
    assert [row["content_type"] for row in out.rows("chunks")] == ["Z\ufffdrich"]
    assert {row["name"] for row in out.rows("sizes") if row["scope"] == "content_type"} == {"Z\ufffdrich"}


def test_a_missing_path_is_told_before_any_work(run: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"input.path = .*nowhere.*does not exist") as raised:
        run(tmp_path / "nowhere")
    assert raised.value.exit_code == ExitCode.INPUT


def test_a_folder_without_files_is_told(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(InputError, match="holds no parquet files"):
        run(tmp_path / "nothing")


def test_a_format_that_spark_does_not_know_is_told(run: Callable[..., Any]) -> None:
    with pytest.raises(SettingsError, match=r"input.format = 'parkett'"):
        run(table(ROWS), "input.format=parkett")


def test_a_file_that_is_no_parquet_is_named(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "fake.parquet").write_bytes(b"PAR1 this is no Parquet PAR1")
    with pytest.raises(InputError, match=r"fake.parquet.* cannot be read as parquet"):
        run(tmp_path / "fake.parquet")


def test_a_damaged_page_is_told_with_its_file_and_leaves_the_old_output(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    old = run(table(ROWS[:1]))
    lake = tmp_path / "lake"
    lake.mkdir()
    pq.write_table(table(ROWS[:1]), lake / "sound.parquet")
    damaged = lake / "damaged.parquet"
    pq.write_table(pa.table({"id": ["a"], "text": ["some words " * 500]}), damaged, compression="snappy")
    content = bytearray(damaged.read_bytes())
    place = content.index(b"some words")
    content[place - 40 : place + 200] = b"\xff" * 240
    damaged.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged.parquet.* cannot be read") as raised:
        run(lake, "output.mode=overwrite")
    assert raised.value.exit_code == ExitCode.INPUT
    assert [row["document_id"] for row in old.rows("chunks")] == ["good"]
    assert not list(old.path.glob("_*"))


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (pa.array([b"bytes"], pa.binary()), "type binary; the text must be a string"),
        (pa.array([5], pa.int64()), "type bigint; the text must be a string"),
        (pa.array([["a"]], pa.list_(pa.string())), "type array<string>; the text must be a string"),
    ],
)
def test_a_text_column_of_the_wrong_type_is_told_with_what_to_do(
    run: Callable[..., Any], column: pa.Array, told: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        run(pa.table({"id": ["a"], "text": column}))
    assert told in str(raised.value)
    assert "input.columns.text = 'text'" in str(raised.value)


def test_all_wrong_columns_are_told_at_once_with_the_nearest_name(run: Callable[..., Any]) -> None:
    source = pa.table({"id": pa.array([{"a": 1}]), "body": ["x"], "chunk_index": [1], "ratio": [0.5]})
    with pytest.raises(SettingsError) as raised:
        run(source, "input.columns.text=bdy", "input.carry=[chunk_index, tenant]", "input.columns.title=id")
    message = str(raised.value)
    assert "input.columns.text = 'bdy': unknown; did you mean 'body'?" in message
    assert "input.columns.document_id = 'id': has the type struct<a:bigint>" in message
    assert "input.columns.title = 'id'" in message
    assert "input.carry = 'chunk_index': the chunk table has a column of this name" in message
    assert "input.carry = 'tenant': unknown" in message


def test_simple_ids_become_strings(spark: Any, tmp_path: Path) -> None:
    ids = {"long": pa.array([9007199254740993], pa.int64()), "flag": pa.array([True]), "none": pa.nulls(1, pa.int32())}
    pq.write_table(pa.table({"text": ["x"], **ids}), tmp_path / "in.parquet")
    found = []
    for column in ids:
        columns = {"document_id": column, "text": "text"}
        settings = InputSettings.model_validate({"path": str(tmp_path / "in.parquet"), "columns": columns})
        found.append(read_documents(spark, settings).collect()[0]["document_id"])
    assert found == ["9007199254740993", "true", None]


def test_ids_that_are_floats_are_refused(run: Callable[..., Any]) -> None:
    with pytest.raises(SettingsError, match="not exact"):
        run(pa.table({"id": [1.5], "text": ["x"]}))


def test_ids_that_depend_on_the_time_zone_are_refused(run: Callable[..., Any]) -> None:
    with pytest.raises(SettingsError, match="reads differently in each time zone"):
        run(pa.table({"id": pa.array([0], pa.timestamp("us", "UTC")), "text": ["x"]}))
