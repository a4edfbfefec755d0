"""Sections, blocks and repeats of HTML by hand."""

from __future__ import annotations

from tests.udfs.chunking.formats.html_outline import blocks_of, convert, repeats_of, sections_of


def test_sections_nest_by_level_even_where_levels_jump() -> None:
    source = "<h1>A</h1>a<h3>B</h3>b<h3>C</h3><h2>D</h2>d<h1>E</h1>"
    assert sections_of(source) == [
        (1, "A", "A\n\na\n\nB\n\nb\n\nC\n\nD\n\nd\n\n"),
        (3, "B", "B\n\nb\n\n"),
        (3, "C", "C\n\n"),
        (2, "D", "D\n\nd\n\n"),
        (1, "E", "E"),
    ]


def test_titles_are_one_line_without_markup() -> None:
    source = "<h2> 6.2.&nbsp;<code>apt</code><br>\n and <div>more</div></h2><h3></h3><h3> &nbsp;</h3>"
    assert [title for _, title, _ in sections_of(source)] == ["6.2. apt and more"]


def test_a_heading_that_nobody_closed_is_a_paragraph() -> None:
    assert sections_of("<h1>" + "Long words. " * 40) == []


def test_code_stays_with_the_sentence_that_introduces_it() -> None:
    assert blocks_of("<p>Run this.</p><pre>a\nb</pre>x") == [
        (0, "code", "block", "Run this.\n\na\nb"),
        (1, "code", "line", "a\nb"),
    ]
    assert blocks_of("<p>It ran. It stopped.</p><pre>a</pre>") == [(0, "code", "block", "a")]
    assert blocks_of("<p>It ran. It said:</p><pre>a</pre>")[0][3] == "It ran. It said:\n\na"
    assert blocks_of("<h1>Run</h1><pre>a</pre>") == [(0, "code", "block", "a")]


def test_the_last_sentence_of_a_long_paragraph_introduces() -> None:
    long = "Water runs. " * 40
    assert blocks_of(f"<p>{long}Steps:</p><ul><li>a<li>b</ul>")[0][3] == "Steps:\n\n- a\n- b"


def test_a_list_goes_with_its_introduction_and_its_items_repeat_it() -> None:
    source = "<p>You need:</p><ol><li>one<ul><li>x<li>y</ul><li>two</ol><p>end"
    assert blocks_of(source) == [
        (0, "list", "block", "You need:\n\n1. one\n   - x\n   - y\n2. two"),
        (1, "list", "line", "You need:\n\n1. one\n   - x\n   - y"),
        (2, "list", "line", "   - x\n   - y"),
        (3, "list", "line", "   - x"),
        (3, "list", "line", "   - y"),
        (1, "list", "line", "2. two"),
    ]
    assert repeats_of(source) == [("You need:", "2. two")]
    assert repeats_of("<p>No colon</p><ul><li>a<li>b</ul>") == []


def test_an_item_introduces_the_list_inside_it() -> None:
    source = "<ul><li>any of these:<ul><li>x<li>y</ul><li>b</ul>"
    assert repeats_of(source) == [("any of these:", "  - y")]
    assert (1, "list", "line", "- any of these:\n  - x\n  - y") in blocks_of(source)


def test_items_of_loose_lists_are_paragraphs() -> None:
    cuts = [(cut, text) for _, _, cut, text in blocks_of("<ul><li><p>a</p><p>b</p><li>c</ul>")]
    assert cuts == [("block", "- a\n\n  b\n\n- c"), ("line", "- a\n\n  b"), ("paragraph", "- c")]


def test_a_term_goes_with_its_definitions() -> None:
    assert blocks_of("<dl><div><dt>T<dd>D</div><dt>U<dt>V<dd>W</dl>") == [
        (0, "list", "block", "T\n: D\nU\nV\n: W"),
        (1, "list", "line", "T\n: D"),
        (1, "list", "line", "U\nV\n: W"),
    ]


def test_the_first_row_goes_with_caption_and_header_which_later_rows_repeat() -> None:
    source = "<table><caption>C</caption><tr><th>a<th>b<tr><th>i<th>j<tr><td>1<td>2<tr><td>3<td>4</table>"
    header = "| a | b |\n| i | j |\n| --- | --- |"
    assert blocks_of(source) == [
        (0, "table", "block", f"C\n{header}\n| 1 | 2 |\n| 3 | 4 |"),
        (1, "table", "line", f"C\n{header}\n| 1 | 2 |"),
        (1, "table", "line", "| 3 | 4 |"),
    ]
    assert repeats_of(source) == [(header, "| 3 | 4 |")]


def test_a_table_without_header_repeats_nothing() -> None:
    assert repeats_of("<table><tr><td>a<td>b<tr><td>c<td>d</table>") == []


def test_a_table_in_an_item_lies_inside_it() -> None:
    source = "<ul><li>x:<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table><li>y</ul>"
    assert [depth for depth, kind, _, _ in blocks_of(source) if kind == "table"] == [2, 3, 3]


def test_quotes_and_figures_stay_whole() -> None:
    source = "<blockquote><p>a<p>b</blockquote>c<figure><img alt=d><figcaption>e</figcaption></figure>"
    assert blocks_of(source) == [(0, "prose", "block", "a\n\nb"), (0, "prose", "block", "d\n\ne")]


def test_words_keep_their_order_and_their_headings() -> None:
    source = "<h1>Handbook</h1><p>Water <strong>boils</strong> at <em>100</em>.</p><h2>Limits</h2>" + "".join(
        f"<p>Line{number}</p>" for number in range(1, 15)
    )
    text, structure, _ = convert(source)
    assert [word for word in text.split() if word.startswith("Line")] == [f"Line{number}" for number in range(1, 15)]
    position = text.index("Line14")
    assert [s.title for s in structure.sections if s.start <= position < s.end] == ["Handbook", "Limits"]
