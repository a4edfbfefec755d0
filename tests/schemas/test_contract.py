"""The contract between code and tables."""

from __future__ import annotations

import pytest
from pyspark.sql.types import ArrayType, IntegerType, LongType, MapType, StringType, StructType

from schemas import CHUNKS, DOCUMENTS, PARENTS, REASONS, REJECTS, SIZES, SchemaMismatchError, check_schema, chunks_with
from schemas.fields import column


@pytest.mark.parametrize("schema", [CHUNKS, DOCUMENTS, PARENTS, REJECTS, SIZES])
def test_every_column_has_a_comment_of_its_own(schema: StructType) -> None:
    comments = [field.metadata["comment"] for field in schema.fields]
    assert all(comment.endswith(".") and len(comment) > 10 for comment in comments)


def test_the_chunk_table_has_the_columns_of_the_design_in_order() -> None:
    names = (
        "chunk_id document_id chunk_index text embed_text token_count char_start char_end page_start page_end section "
        "kind cut oversize parent_id content_hash document_hash config_hash duplicate_of profile strategy content_type "
        "title source"
    )
    assert CHUNKS.names == names.split()


def test_carried_columns_stand_behind_the_fixed_ones() -> None:
    carried = StructType().add("tags", ArrayType(StringType()))
    assert chunks_with(carried.fields).names == [*CHUNKS.names, "tags"]


def test_a_table_that_keeps_the_contract_passes() -> None:
    check_schema("rejects", REJECTS, REJECTS)


def test_all_differences_are_told_at_once_and_nested_ones_by_path() -> None:
    inner = StructType().add("a", IntegerType()).add("b", StringType())
    expected = (
        StructType().add("x", ArrayType(inner)).add("y", MapType(StringType(), LongType())).add("z", StringType())
    )
    changed = StructType().add("a", LongType())
    found = (
        StructType().add("x", ArrayType(changed)).add("y", MapType(StringType(), StringType())).add("w", StringType())
    )
    with pytest.raises(SchemaMismatchError) as raised:
        check_schema("t", found, expected)
    told = {(d.column, d.reason) for d in raised.value.differences}
    assert told == {
        ("x.element.a", "type differs"),
        ("x.element.b", "missing"),
        ("y.value", "type differs"),
        ("z", "missing"),
        ("w", "not in the contract"),
    }
    assert "x.element.a | int      | bigint | type differs" in str(raised.value)


def test_columns_in_another_order_are_a_difference() -> None:
    with pytest.raises(SchemaMismatchError, match="order differs"):
        check_schema("rejects", StructType(REJECTS.fields[::-1]), REJECTS)


def test_the_comment_on_reason_names_every_reason() -> None:
    assert all(reason in REJECTS["reason"].metadata["comment"] for reason in REASONS)


def test_a_comment_travels_as_metadata() -> None:
    assert column("n", IntegerType(), "How many.").metadata == {"comment": "How many."}
