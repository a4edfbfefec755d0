"""The manual says what the code does."""

from __future__ import annotations

import pytest
from pyspark.sql.types import StructType

from schemas import CHUNKS, DOCUMENTS, PARENTS, REASONS, REJECTS, SIZES
from tests.conftest import ROOT

TABLES = {"chunks": CHUNKS, "documents": DOCUMENTS, "rejects": REJECTS, "parents": PARENTS, "sizes": SIZES}


@pytest.mark.parametrize(("table", "schema"), TABLES.items())
def test_the_manual_has_every_column_with_its_type_and_comment(table: str, schema: StructType) -> None:
    manual = (ROOT / "docs" / "tables.md").read_text("utf-8")
    chapter = manual.split(f"\n## {table}\n")[1].split("\n## ")[0]
    rows = [line for line in chapter.splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{field.name}` | {field.dataType.simpleString()} | {field.metadata['comment']} |" for field in schema.fields
    ]


def test_the_manual_explains_every_reason() -> None:
    manual = (ROOT / "docs" / "bad-input.md").read_text("utf-8")
    assert [reason for reason in REASONS if f"`{reason}`" not in manual] == []
