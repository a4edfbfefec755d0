"""Rows of CSV and TSV: the contract, the rules of Python's csv module, and tables by hand."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.formats.code_view import blocks, outline
from tests.udfs.chunking.formats.contract import check_structure
from tests.udfs.chunking.nasty import NASTY
from udfs.chunking.formats.delimited import read_delimited, rows_as_pairs
from udfs.chunking.formats.delimited_rows import row_edges
from udfs.chunking.formats.delimited_sniff import Layout, cells_of, sniff
from udfs.chunking.formats.structure import Structure

GOLDEN = Path(__file__).parent / "golden"
CELL = st.text('ab1 ",;\n\r\t|\u00e9', max_size=6)


def read(text: str) -> Structure:
    structure = read_delimited(text)
    check_structure(text, structure)
    return structure


def rows(text: str, delimiter: str = ",") -> list[str]:
    starts, ends = row_edges(text, delimiter)
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def rows_of_csv(text: str, delimiter: str) -> list[str] | None:
    """The rows as csv.reader takes them; None if it refuses the text, or if a quote is open at its end."""
    lines = list(io.StringIO(text + "\n#", newline=""))
    reader = csv.reader(iter(lines), delimiter=delimiter)
    found: list[tuple[str, list[str]]] = []
    done = 0
    try:
        for cells in reader:
            found.append(("".join(lines[done : reader.line_num]), cells))
            done = reader.line_num
    except csv.Error:
        return None
    return [row.rstrip() for row, _ in found[:-1] if row.strip()] if found[-1][1] == ["#"] else None


@given(st.text('ab",;\n\r 1', max_size=30), st.sampled_from(",;"))
@settings(max_examples=1500, deadline=None)
def test_rows_end_where_the_csv_module_ends_them(text: str, delimiter: str) -> None:
    wanted = rows_of_csv(text, delimiter)
    if wanted is not None:
        assert rows(text, delimiter) == wanted


@given(
    st.lists(st.lists(CELL, min_size=2, max_size=4), max_size=6),
    st.sampled_from(",;|"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
@settings(max_examples=300, deadline=None)
def test_what_the_csv_module_writes_is_read_again(table: list[list[str]], delimiter: str, quoting: Any) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting).writerows(table)
    found = [cells_of(row, delimiter) for row in rows(out.getvalue(), delimiter)]
    assert [[cell.strip() for cell in row] for row in found] == [[cell.strip() for cell in row] for row in table]


@given(st.one_of(st.text('ab1,;\t|"\n\r\ufeff\u00e9 \U0001f680', max_size=60), st.sampled_from(NASTY)))
@settings(max_examples=400, deadline=None)
def test_the_contract_holds_for_any_text(text: str) -> None:
    read(text)
    converted = rows_as_pairs(text)
    assert converted.structure is not None
    check_structure(converted.text, converted.structure)


def test_the_first_block_of_a_table_holds_the_header_and_the_first_row() -> None:
    text = "name,price\npear,1\nplum,2\nfig,3\n"
    structure = read(text)
    assert blocks(text, structure) == [
        (0, "block", text.rstrip()),
        (1, "line", "name,price\npear,1"),
        (1, "line", "plum,2"),
        (1, "line", "fig,3"),
    ]
    assert [(repeat.text, text[repeat.start : repeat.end]) for repeat in structure.repeats] == [
        ("name,price", "pear,1\nplum,2\nfig,3")
    ]


def test_a_line_end_within_quotes_is_no_end_of_a_row() -> None:
    assert rows('a,"b\n\nc"\r\n"d\r\ne""\n",f\n') == ['a,"b\n\nc"', '"d\r\ne""\n",f']


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('5" pipe,x\n6" pipe,y\n', ['5" pipe,x', '6" pipe,y']),
        ('a,"never closed\nb,c\n', ['a,"never closed', "b,c"]),
        ('"a" b,"c\nd"\n', ['"a" b,"c\nd"']),
        ('\ufeff"a\nb",c\nd,e', ['\ufeff"a\nb",c', "d,e"]),
        ('x"\n"a\nb"\n', ['x"', '"a\nb"']),
    ],
)
def test_lone_quotes_do_no_harm(text: str, wanted: list[str]) -> None:
    assert rows(text) == wanted


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("a,b\n1,2\n", Layout(",", 0, True)),
        ("a;b\n1,5;2,5\n3,5;4,5\n", Layout(";", 0, True)),
        ("a\tb\nx, y\tz, w\n", Layout("\t", 0, True)),
        ("a|b\n1|2\n", Layout("|", 0, True)),
        ('"a;b;c",d\n"e;f;g",h\n', Layout(",", 0, True)),
        ("Report, 2024\n\na;b;c\n1;2;3\n4;5;6\n", Layout(";", 1, True)),
        ("Report; of May\n\na;b;c;d\n1;2;3;4\n", Layout(";", 1, True)),
        ("1,Ann,30\n2,Bo,40\n", Layout(",", 0, False)),
        ("Ann,30\nBo,40\n", Layout(",", 0, False)),
        ("country,2019,2020\nA,1,2\nB,3,4\n", Layout(",", 0, True)),
        ("name\npear\nplum\n", Layout(",", 0, True)),
        ("name,price\n", Layout(",", 0, True)),
        ("", Layout(",", 0, False)),
    ],
)
def test_the_layout_is_found_out(text: str, layout: Layout) -> None:
    assert sniff(text) == layout


def test_a_known_delimiter_is_believed() -> None:
    assert sniff("a,b;c\n1,2;3\n", ";").delimiter == ";"
    assert sniff("name\npear\n", "\t").delimiter == "\t"


def test_a_row_cut_off_at_the_end_of_the_sample_is_not_looked_at() -> None:
    text = "a,b\n" + "1,2\n" * 5 + 'x,"' + "y;" * 40_000 + '"\n'
    assert sniff(text) == Layout(",", 0, True)


def test_a_table_without_a_header_repeats_nothing() -> None:
    text = "1,Ann\n2,Bo\n3,Cy\n"
    structure = read(text)
    assert [words for _, _, words in blocks(text, structure)][1:] == ["1,Ann", "2,Bo", "3,Cy"]
    assert list(structure.repeats) == []


@pytest.mark.parametrize("text", ["", "\n\r\n \n", "\ufeff", "\ufeff\n"])
def test_a_blank_text_has_no_rows(text: str) -> None:
    assert len(read(text).blocks.start) == 0
    assert rows_as_pairs(text).text == ""


def test_a_header_alone_is_a_table() -> None:
    assert blocks("name,price\n", read("name,price\n")) == [(0, "block", "name,price")]
    assert rows_as_pairs("name,price\n").text == ""


def test_rows_become_pairs() -> None:
    converted = rows_as_pairs('id,name,note\n1,"Ann ""A""","two\nlines"\n2,,\n,,\n3,Bo,x,extra\n4\n')
    records = ['id: 1\nname: Ann "A"\nnote: two lines', "id: 2", "id: 3\nname: Bo\nnote: x\ncolumn 4: extra", "id: 4"]
    assert converted.text == "\n\n".join(records)
    assert converted.structure is not None
    assert [words for _, _, words in blocks(converted.text, converted.structure)][1:] == records


def test_pairs_of_a_table_without_a_header_are_numbered() -> None:
    assert rows_as_pairs("1,Ann\n2,Bo\n").text == "column 1: 1\ncolumn 2: Ann\n\ncolumn 1: 2\ncolumn 2: Bo"


def test_a_cell_beyond_the_limit_of_the_csv_module_is_read() -> None:
    large = "x" * (csv.field_size_limit() + 1)
    assert rows_as_pairs(f'a,b\n1,"{large}"\n').text.startswith('a: 1\nb: "xxx')


@pytest.mark.parametrize("unit", ['"', '",', ',"', 'a,"', '"a"b,', '""\n"', "\n", "\r", ",", '"x\n'])
def test_the_looks_at_quotes_grow_with_the_text(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from udfs.chunking.formats import delimited_rows

    original = delimited_rows._quoted_field

    def matches(size: int) -> int:
        looked_at = 0

        class Counting:
            def __init__(self, delimiter: str) -> None:
                self._pattern = original(delimiter)

            def finditer(self, text: str) -> list[object]:
                nonlocal looked_at
                found = list(self._pattern.finditer(text))
                looked_at += sum(match.end() - match.start() for match in found)
                return list(found)

        monkeypatch.setattr(delimited_rows, "_quoted_field", Counting)
        read(unit * size)
        return looked_at

    assert matches(20_000) <= 20_000 * len(unit) + 5 * 16 * 1024


def test_the_outline_of_a_whole_table_is_the_golden_one() -> None:
    text = (GOLDEN / "delimited_orders.csv.txt").read_text(encoding="utf-8")
    pairs = rows_as_pairs(text)
    assert pairs.structure is not None
    found = outline(text, read(text)) + "\nPAIRS\n" + pairs.text + "\n"
    golden = GOLDEN / "delimited_orders.outline.txt"
    if os.environ.get("LAKECHUNK_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_a_name_that_is_repeated_for_every_row_is_short() -> None:
    converted = rows_as_pairs("x" * 20_000 + ",y\n" + "a,b\n" * 2_000)
    assert len(converted.text) < 300_000
    assert converted.text.startswith("x" * 99 + "\u2026: a\ny: b\n\n")
