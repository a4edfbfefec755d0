"""What HTML's elements are to a reader of text: which are blocks, which are dropped, which end which."""

from __future__ import annotations

HEADINGS = {f"h{level}": level for level in range(1, 7)}
LISTS = ("ul", "ol", "menu", "dir")
ITEMS = ("li", "dt", "dd")
CELLS = ("td", "th")
ROW_GROUPS = ("thead", "tbody", "tfoot")
CODE = ("pre", "listing")
MAIN = ("article", "main")
QUOTES = ("blockquote", "figure")
BOXES = (
    *"div section article main header footer nav aside address center details summary fieldset legend form".split(),
    *"hgroup search figcaption dialog optgroup".split(),
)
VOID = frozenset("area base br col embed hr img input link meta param source track wbr basefont bgsound frame".split())

# Elements whose text is no part of the page's text, and why.
DROPPED = {
    **dict.fromkeys(("select", "datalist", "button"), "form"),
    **dict.fromkeys(("svg", "object", "video", "audio", "canvas", "applet"), "media"),
    **dict.fromkeys(("template", "annotation", "annotation-xml"), "hidden"),
}

# One name for elements that end one another.
ALIASES = {
    **dict.fromkeys(HEADINGS, "h1"),
    "th": "td",
    "dt": "dd",
    **dict.fromkeys(ROW_GROUPS, "tbody"),
}

# Elements that start on a line of their own.
BLOCKS = frozenset(
    (*HEADINGS, *LISTS, *ITEMS, *CODE, *QUOTES, *BOXES, "p", "dl", "hr", "table", "caption", *CELLS, "tr")
)
# Elements that are tracked while they are open; of the others, only hidden ones.
TRACKED = frozenset((*HEADINGS, *LISTS, *ITEMS, *CODE, *QUOTES, *BOXES, "dl", "table", "caption", *CELLS, *DROPPED))

# Elements that hold blocks together: of two that are nested, the inner one's blocks are not the outer one's.
HOLDERS = frozenset((*LISTS, *ITEMS, *QUOTES, "dl", "td", "table"))

# A new one of these ends an open one of the same kind, unless one of the second stands between.
ENDS_ITSELF = {"li": LISTS, "dd": ("dl",), "option": ("select", "datalist")}
# What ends when a part of a table begins: in a table, from the outside in.
TABLE_PARTS = {
    "td": ("caption", "td"),
    "tr": ("caption", "tr", "td"),
    "tbody": ("caption", "tbody", "tr", "td"),
    "caption": ("caption", "tbody", "tr", "td"),
}
