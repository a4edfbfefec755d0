"""SQL of several dialects by hand."""

from __future__ import annotations

import pytest

from tests.udfs.chunking.formats.code_view import block_texts, qualified_names, read, repeats

TABLE = "-- People.\nCREATE TABLE IF NOT EXISTS app.people (\n  id int, -- one; two\n  name text default 'a;''b'\n);"
DOLLAR = "CREATE OR REPLACE FUNCTION f(a int) RETURNS int AS $body$\nBEGIN\n  RETURN 1;\nEND;\n$body$ LANGUAGE plpgsql;"
ROUTINE = (
    "CREATE PROCEDURE p()\nBEGIN\n  IF x THEN\n    SELECT 1;\n  END IF;\n  SELECT CASE WHEN a THEN 1 END;\n"
    "  BEGIN SELECT 2; END;\n  CASE a WHEN 1 THEN SELECT 3; END CASE;\nEND;"
)
PROCEDURE = "CREATE PROC dbo.q AS\nSELECT 1\nSELECT 2"
INSERT = "INSERT INTO a VALUES (1),\n  (';'), (\";\"), (`;`);"
COMMENT = "/* one; two */\nDROP TABLE b;"


@pytest.mark.parametrize("statement", [TABLE, DOLLAR, ROUTINE, INSERT, COMMENT])
def test_a_statement_stays_whole_with_the_comment_above_it(statement: str) -> None:
    text = f"-- Script.\n\nSELECT 0;\n{statement}\nSELECT 9;\n"
    found = block_texts(text, "sql")
    assert found[1] == "SELECT 0;"
    assert statement in found
    assert found[-1] == "SELECT 9;"


def test_go_ends_a_batch() -> None:
    text = f"{PROCEDURE}\nGO\n{TABLE}\ngo\n"
    assert block_texts(text, "sql")[1:] == [PROCEDURE, TABLE]
    assert qualified_names(text, "sql") == ["dbo.q", "app.people"]


def test_a_transaction_is_no_routine() -> None:
    assert block_texts("BEGIN;\nSELECT 1;\nCOMMIT;\nEND;", "sql")[1:] == ["BEGIN;", "SELECT 1;", "COMMIT;", "END;"]


def test_what_is_created_has_a_name_and_its_first_line_is_repeated() -> None:
    text = f"{TABLE}\n{DOLLAR}\n{ROUTINE}\nCREATE UNIQUE INDEX CONCURRENTLY i ON a (b);\n"
    assert qualified_names(text, "sql") == ["app.people", "f", "p", "i"]
    assert repeats(text, read(text, "sql"))["CREATE TABLE IF NOT EXISTS app.people ("] == "id int, -- one; two"


def test_a_long_routine_is_parted_at_its_statements() -> None:
    body = "  INSERT INTO a\n    VALUES (1);\n"
    text = "CREATE FUNCTION f() RETURNS int\nBEGIN\n" + body * 3 + "END;\n"
    assert block_texts(text, "sql").count(body.rstrip()) == 2


@pytest.mark.parametrize("opened", ["'", '"', "`", "/*", "$x$", "$$"])
def test_what_is_never_closed_reaches_to_the_end(opened: str) -> None:
    text = f"SELECT 1;\nSELECT {opened} 2;\nSELECT 3;"
    assert block_texts(text, "sql")[1:] == ["SELECT 1;", text[10:]]


def test_semicolons_alone_are_no_statements() -> None:
    assert block_texts(";;;\nSELECT 1;;\n", "sql")[1:] == ["SELECT 1;"]
