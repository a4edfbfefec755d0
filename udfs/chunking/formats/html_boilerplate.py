"""What of a page is not its content: menus, page headers and footers, cookie banners, skip links.

Tags and roles decide alone. Words in `class` and `id` only raise a suspicion: what
they name is dropped if it is short or consists of links, and kept if the page's main
content is inside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from udfs.chunking.formats.html_source import attributes

NAVIGATION, HEADER, FOOTER, BANNER = "navigation", "header", "footer", "banner"

# Suspects of at most so many code points go whatever they hold ...
SHORT = {NAVIGATION: 0, HEADER: 200, FOOTER: 1000, BANNER: 2000}
# ... longer ones if at least so much of their text is links.
LINK_SHARE = 0.5
# Suspects inside suspects are looked at so deep: each looks at all text in it.
MAX_DEPTH = 3

_TAGS = {"nav": NAVIGATION, "header": HEADER, "footer": FOOTER, "aside": NAVIGATION}
_ROLES = {
    "navigation": NAVIGATION,
    "menu": NAVIGATION,
    "menubar": NAVIGATION,
    "search": NAVIGATION,
    "banner": HEADER,
    "contentinfo": FOOTER,
    "complementary": NAVIGATION,
}
_CERTAIN_ROLES = ("navigation", "menu", "menubar", "search")
_WORDS = (
    (
        BANNER,
        r"(?:cookie|consent|gdpr|ccpa)s?[-_]?(?:banner|consent|notice|bar|popup|message|wall|overlay|modal"
        r"|dialog|box|container|alert|warning|prompt)|cookieconsent|cookiebanner|cookiebot|cybotcookiebotdialog"
        r"|onetrust[-_a-z]*|cc-window|didomi[-_a-z]*|ads?|advert|advertisement|sponsored|newsletter[-_]?signup",
    ),
    (
        NAVIGATION,
        r"(?:[a-z]+[-_])?(?:nav|navbar|navigation|menu|breadcrumbs?|sidebar|pagination|pager)(?:[-_][a-z]+)?"
        r"|docnav|topnav|sidenav|toolbar|skip[-_]?(?:link|nav|to[-_]content|to[-_]main)s?|skiplinks?|share|sharing"
        r"|social(?:[-_][a-z]+)?|(?:share|sharing)[-_][a-z]+|prev[-_]next|related(?:[-_][a-z]+)?|headerlink|permalink",
    ),
    (FOOTER, r"(?:(?:site|page|global|main)[-_])?footer|colophon|copyright"),
    (HEADER, r"(?:site|page|global|main|top)[-_]?header|masthead|topbar|banner|product[-_]?site"),
)
_SUSPICIOUS = re.compile(
    r"(?i)(?:class|id)\s*=\s*[\"']?(?:(?<=[\"'])[^\"'>]*?\s)?(?:"
    + "|".join(f"({words})" for _, words in _WORDS)
    + r")(?=[\s\"'>]|$)"
)
_SKIP_LINK = re.compile(r"(?i)\s*(?:skip|jump)\s+to\s+(?:the\s+)?(?:main|content|navigation|search|footer)\b")


class Suspicion(NamedTuple):
    """Why an element may have to go."""

    reason: str
    certain: bool


def suspicion(name: str, attribute_text: str) -> Suspicion | None:
    """What an element's name and attributes say against it.

    >>> suspicion("nav", ""), suspicion("div", ' class="site-footer"'), suspicion("div", ' class="text"')
    (Suspicion(reason='navigation', certain=True), Suspicion(reason='footer', certain=False), None)
    """
    if name in _TAGS:
        return Suspicion(_TAGS[name], certain=name == "nav")
    if not attribute_text:
        return None
    if "role" in attribute_text:
        role = attributes(attribute_text).get("role", "").lower()
        if role in _ROLES:
            return Suspicion(_ROLES[role], certain=role in _CERTAIN_ROLES)
    found = _SUSPICIOUS.search(attribute_text)
    return Suspicion(_WORDS[(found.lastindex or 1) - 1][0], certain=False) if found else None


def is_skip_link(attribute_text: str, text: str) -> bool:
    """Whether a link leads past the menus: `<a href="#main">Skip to content</a>`."""
    return "#" in attribute_text and bool(_SKIP_LINK.match(text))


def is_boilerplate(reason: str, length: int, tokens: Sequence[str], start: int, end: int) -> bool:
    """Whether a suspect has to go, by its length and its share of links.

    Args:
        reason: what it is suspected of.
        length: its text, code points.
        tokens: of the document, as `html_source.Source` has them.
        start: its tag.
        end: the tag behind it.
    """
    return length <= SHORT[reason] or link_share(tokens, start, end) >= LINK_SHARE


def link_share(tokens: Sequence[str], start: int, end: int) -> float:
    """How much of the text between two tags is links, from 0 to 1."""
    linked = total = 0
    in_link = False
    for token in range(start, min(end, len(tokens) - 2), 3):
        name, text = tokens[token], tokens[token + 2].strip()
        if name in ("a", "A"):
            in_link = True
        elif name in ("/a", "/A"):
            in_link = False
        total += len(text)
        linked += len(text) if in_link else 0
    return linked / total if total else 0.0
