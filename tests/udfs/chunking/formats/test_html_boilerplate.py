"""Menus, banners, headers and footers of HTML pages go; what only looks like them stays."""

from __future__ import annotations

import pytest

from tests.udfs.chunking.formats.html_outline import convert, text_of

PROSE = "The pump moves water from the lower to the upper basin, day and night. " * 6
CONTENT = f"<p>{PROSE}</p>"

MENU = "<ul{}><li><a href=/a>Start</a><li><a href=/b>Products</a></ul>"


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<nav>Start</nav>", "navigation"),
        ("<div role=navigation>Start</div>", "navigation"),
        (MENU.format(" class='main-menu top'"), "navigation"),
        ("<div class=breadcrumb><a href=/>Home</a> / <a href=/x>Shop</a> / Pumps</div>", "navigation"),
        ("<ul class=docnav><li><a href=a>Prev</a><li>The Handbook of Pumps<li><a href=b>Next</a></ul>", "navigation"),
        ("<a href='#main'>Skip to main content</a>", "navigation"),
        ("<aside><a href=/a>More about pumps</a> now</aside>", "navigation"),
        ("<div class=sidebar><h3>Links</h3><a href=/a>More about pumps</a></div>", "navigation"),
        ("<header>The Pump Company</header>", "header"),
        ("<div id=masthead>The Pump Company</div>", "header"),
        ("<footer>(c) The Pump Company</footer>", "footer"),
        ("<div class='site-footer'>(c) The Pump Company</div>", "footer"),
        ("<div role=contentinfo>(c) The Pump Company</div>", "footer"),
        ("<div id='onetrust-banner-sdk'><p>We value your privacy</p></div>", "banner"),
        ("<div class='x cookie-consent'><h2>Cookies</h2><p>We use them.</p></div>", "banner"),
    ],
)
def test_boilerplate_goes_and_is_counted(markup: str, reason: str) -> None:
    for source in (markup + CONTENT, CONTENT + markup):
        text, _, converted = convert(source)
        assert text == PROSE.strip()
        assert list(converted.removed) == [reason]
        assert converted.removed[reason] > 0
        assert len(text_of(source, drop=False)) > len(text)


@pytest.mark.parametrize(
    "markup",
    [
        "<article><header><h1>Pumps</h1></header><p>x</p><footer>by Anna</footer></article>",
        "<header><h1>Pumps</h1></header>",
        "<blockquote>Well said.<footer>Anna</footer></blockquote>",
        "<aside>A pump is no valve; see <a href=v>valves</a> for these.</aside>",
        "<div class=sidebar><p>A pump is no valve; see <a href=v>valves</a> for these.</p></div>",
        "<section id=cookies><h2>Cookies</h2><p>How the client keeps them.</p></section>",
        "<div class=menu-card>Soup, bread, cheese</div>",
        "<div class='layout with-sidebar'><main><a href=x>All of the content</a></main></div>",
        "<ul><li><a href=a>Paper one</a><li><a href=b>Paper two</a></ul>",
        "<p class=share-price>The share stands at 5.</p>",
        "<body class='nav menu'><a href=x>All</a> <a href=y>links</a>",
        "<div id=navigation-systems><p>Ships find their way by stars and by radio.</p></div>",
    ],
)
def test_what_only_looks_like_boilerplate_stays(markup: str) -> None:
    source = CONTENT + markup
    assert text_of(source) == text_of(source, drop=False)


def test_a_page_of_links_alone_is_its_own_content() -> None:
    source = f"<html><body><nav>{MENU.format('')}</nav><p>Hi</p></body></html>"
    assert text_of(source) == "- Start\n- Products\n\nHi"


def test_a_short_article_beside_a_long_menu_stays_alone() -> None:
    source = f"<nav>{MENU.format('') * 9}</nav><article>Hi</article>"
    assert text_of(source) == "Hi"


def test_a_menu_inside_an_item_leaves_no_bullet_behind() -> None:
    source = f"{CONTENT}<ul><li><div class=nav><a href=x>y</a></div><li>z</ul>"
    assert text_of(source) == f"{PROSE.strip()}\n\n- z"


def test_dropped_headings_and_lists_leave_no_structure() -> None:
    menu = "<div class=sidebar><h2>Menu</h2>See:<ul><li><a href=a>Valves</a><li><a href=b>Basins</a></ul></div>"
    assert len(convert(menu, drop=False)[1].repeats) == 1
    _, structure, _ = convert(menu + CONTENT)
    assert (structure.sections, structure.repeats, len(structure.blocks.start)) == ([], [], 0)


def test_links_of_headings_to_themselves_go() -> None:
    assert text_of("<h2>Pumps<a href='#pumps'>\u00b6</a></h2>x") == "Pumps\n\nx"
