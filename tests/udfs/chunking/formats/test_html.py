"""The text of HTML by hand: words, lines, code, lists, tables, and what is not shown; a whole golden page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.udfs.chunking.formats.html_outline import convert, outline, text_of

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>Water <strong>boils</strong> at <a href=u>x</a>.</p>", "Water boils at x."),
        ("un<b>believ</b>able, H<sub>2</sub>O", "unbelievable, H2O"),
        ("<p>a\n\t b <b> c</b></p>", "a b c"),
        ("a<p>b<div>c</div>d", "a\n\nb\n\nc\n\nd"),
        ("a<br>b<br/>\n<br>c", "a\nb\n\nc"),
        ("<div><div><p>a</p>\n\n</div></div>\n<p></p><p>&nbsp;</p>b", "a\n\nb"),
        ("5&nbsp;&euro; &#39;ok&#x27;", "5\u00a0\u20ac 'ok'"),
        ("<P>A</P><DIV>B</DIV>", "A\n\nB"),
        ("a<hr>b", "a\n\nb"),
        ("<img src=x alt='A cat &amp;amp; dog'> runs<img alt=''><img>", "A cat &amp; dog runs"),
        ("<details><summary>More</summary>Text</details>", "More\n\nText"),
        ("<figure><img alt=Cat><figcaption>Fig. 1</figcaption></figure>", "Cat\n\nFig. 1"),
        ("<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "\u6f22(kan)"),
    ],
)
def test_inline_elements_join_words_and_blocks_part_them(source: str, text: str) -> None:
    assert text_of(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Use &amp;lt;b&amp;gt; &amp; &lt;i&gt;", "Use &lt;b&gt; & <i>"),
        ("&copy &notit; &unknown; &#x110000; &#xD800; &#0; &", "\u00a9 \u00acit; &unknown; \ufffd \ufffd \ufffd &"),
        (f"a&#{'9' * 5000};b &#{'0' * 5000}65;", "a\ufffdb A"),
        ("a&#32;&#32;&#13;&#10;b", "a b"),
    ],
)
def test_entities_are_decoded_once(source: str, text: str) -> None:
    assert text_of(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<pre>\nif a &lt; b &amp;&amp; c:\n\n\n\n    <b>d</b>\n</pre>", "if a < b && c:\n\n\n\n    d"),
        ("x<pre>\n\n  indented\n\n</pre>y", "x\n\n  indented\n\ny"),
        ("<pre>a<br>b<div>c</div>d</pre>", "a\nb\nc\nd"),
        ("<pre><ol><li>a</li><li>b</li></ol></pre>", "a\nb"),
        ("<xmp><b>&amp;</xmp>", "<b>&amp;"),
        ("a<pre> \n </pre>b", "a\n\nb"),
        ("<pre>  <b>x</b></pre>", "  x"),
        ("<pre>a\tb  c\r\nd\re</pre>", "a\tb  c\nd\ne"),
    ],
)
def test_code_stands_as_it_is(source: str, text: str) -> None:
    assert text_of(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a</li><li>b</li></ol>c", "1. a\n2. b\n\nc"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<ol start=x><li>a</ol><ol start=-3><li>b</ol>", "1. a\n\n1. b"),
        ("<ul><li>a<ol><li>b<br>c<li>d</ol><li>e</ul>", "- a\n  1. b\n     c\n  2. d\n- e"),
        ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n- b"),
        ("<ul><li></li><li><ul><li>a</ul></ul>", "- - a"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul><li>a<li><br>b<li><p>c", "- a\n- b\n- c"),
        ("<ol><dt>T<dd>D<li>a</ol>", "T\n\nD\n- a"),
        ("<dl><dt>T<dd>D<dd>E<dt>U<dt>V<dd><p>F</p><p>G</p></dl>", "T\n: D\n: E\nU\nV\n: F\n\n  G"),
        ("<ul><li>a</ul></li></ul><p>b", "- a\n\nb"),
    ],
)
def test_lists_have_bullets_numbers_and_indentation(source: str, text: str) -> None:
    assert text_of(source) == text


HEAD = "| a | b |\n| --- | --- |\n"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", f"{HEAD}| 1 | 2 |"),
        ("<table><thead><tr><td>a<td>b<tbody><tr><td>1<br>2<td><p>x<p>y</table>", f"{HEAD}| 1 2 | x y |"),
        ("<table><caption>Cap</caption><tr><th>a<th>b<tr><td>1<td>2</table>z", f"Cap\n{HEAD}| 1 | 2 |\n\nz"),
        ("<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>", f"{HEAD}| 1 | 2 |\n| 1 | 3 |"),
        ("<table><tr><th>a<th>b<tr><td colspan=2>1</table>", f"{HEAD}| 1 |  |"),
        ("<table><tr><th>n<td>x<tr><th>m<td>y</table>", "| n | x |\n| m | y |"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "| a | b |\n| c | d |"),
        ("<table><tr><th>a<th>b<tr><td><td> <tr><td>1<td></table>", f"{HEAD}| 1 |  |"),
        ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
        ("<table><tr><td><h2>a</h2><td><p>b</table>", "a\n\nb"),
        ("<table><tr><td>x<td><table><tr><th>a<th>b<tr><td>1<td>2</table>", f"x\n\n{HEAD}| 1 | 2 |"),
        ("<td>a<td>b", "a\n\nb"),
        ("<div><table><tr><th>a<th>b<tr><td>1</div><td>2</table>", f"{HEAD}| 1 | 2 |"),
        ("<table>stray<tr><th>a<th>b<tr><td>1<td>2</table>", f"stray\n\n{HEAD}| 1 | 2 |"),
        ("<table><tr><th>a<th>b<tr><td>1</div></p></ul><td>2</table>", f"{HEAD}| 1 | 2 |"),
    ],
)
def test_tables_of_data_are_rows_and_other_tables_are_blocks(source: str, text: str) -> None:
    assert text_of(source) == text


@pytest.mark.parametrize(
    ("source", "text", "removed"),
    [
        ("a<script>if (a<b) '<p>'</script>b", "ab", {"script": 14}),
        ("a<script><!-- <script> x </script> --></script>b", "ab", {"script": 29}),
        ("a<style>p {}</style>b", "ab", {"style": 4}),
        ("a<!-- c -->b<!>c<!-->d<!---->e<!-- x --!>f", "abcdef", {"comment": 6}),
        ("<!DOCTYPE html><?xml version='1.0'?>a", "a", {}),
        ("a<noscript>on</noscript><template>t</template>b", "ab", {"script": 2, "hidden": 1}),
        ("a<span hidden>x<span>y</span>z</span>b", "ab", {"hidden": 3}),
        ("a<i aria-hidden='true'>x</i>b", "ab", {"hidden": 1}),
        ("a<p style='color:red; DISPLAY : none'>x<p>b", "a\n\nb", {"hidden": 1}),
        ("<div hidden><div>x</div>y</div>b", "b", {"hidden": 2}),
        ("a<i title='\u6f22' HIDDEN>x</i><i title=\ud800>b</i>", "ab", {"hidden": 1}),
        ("<table><tr><th>a<th>b<tr hidden><td>x<td>y<tr><td>1<td>2</table>", f"{HEAD}| 1 | 2 |", {"hidden": 2}),
        ("<ul><li hidden>x<li hidden>y<li>b</ul>", "- b", {"hidden": 2}),
        ("<div>a<span hidden>x</div>b", "a\n\nb", {"hidden": 1}),
        ("<form>Name <select><option>x</select><button>Go</button></form>", "Name", {"form": 3}),
        ("a<svg><title>t</title><text>x</text></svg>b<svg/>c", "abc", {"head": 1, "media": 1}),
        ("a\0b", "ab", {"control": 1}),
        ("a <b", "a", {"unfinished": 2}),
        ("<p hidden='until-found'>x</p>a<p class='hidden'>b</p><p data-hidden=1>c</p>", "a\n\nb\n\nc", {"hidden": 1}),
    ],
)
def test_what_is_not_shown_is_dropped_and_counted(source: str, text: str, removed: dict[str, int]) -> None:
    for drop in (True, False):
        found, _, converted = convert(source, drop=drop)
        assert (found, dict(converted.removed)) == (text, removed)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<a title='x > y' href=\"<b>\">t</a> 1 < 2 <3", "t 1 < 2 <3"),
        ('<a title="<!-- no comment -->">t</a>', "t"),
        ("<a title='<script>'>t</a>", "t"),
        ('<p>a<a href="x>b</p><p>c</p>', "ab\n\nc"),
        ("<b><p>a</b>b</p>c", "ab\n\nc"),
        ("<div>a</span></p></ul>b", "a\n\nb"),
        ("</p></div></table>a", "a"),
        ("<body hidden>a", "a"),
        ("<h2>Soup<p>Boil it.", "Soup\n\nBoil it."),
        ("<?xml version='1.0'?><html><script src=x /><div/><p>a</p></html>", "a"),
        ("\ufeff<p>a", "a"),
        ("", ""),
        (" \n ", ""),
        ("no markup", "no markup"),
        ("Caf\u00c3\u00a9 \ufffd\ufffd", "Caf\u00c3\u00a9 \ufffd\ufffd"),
    ],
)
def test_broken_markup_is_read_as_browsers_do(source: str, text: str) -> None:
    assert text_of(source) == text


def test_the_head_becomes_metadata() -> None:
    _, structure, converted = convert(
        "<html lang=de><head><title>Soup\n &amp; more</title><meta name=Description content=' all  of it '>"
        "<meta name=author content='A &lt; B'><meta property='article:published_time' content=2024-05-01>"
        "<meta property='og:title' content=other></head><body>x<svg><title>no</title></svg>"
    )
    assert structure.metadata == {
        "title": "Soup & more",
        "description": "all of it",
        "author": "A < B",
        "date": "2024-05-01",
        "language": "de",
    }
    assert converted.text == "x"


@pytest.mark.parametrize("wanted", ["txt", "outline.txt"])
def test_a_whole_page_is_the_golden_one(wanted: str) -> None:
    source = (GOLDEN / "html_manual.html").read_text(encoding="utf-8")
    found = outline(source) if wanted == "outline.txt" else text_of(source) + "\n"
    golden = GOLDEN / f"html_manual.{wanted}"
    if os.environ.get("LAKECHUNK_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
