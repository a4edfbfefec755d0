"""What of a page is not its content: menus, page headers and footers, cookie banners, skip links.

Tags and roles decide alone. Words in `class` and `id` only raise a suspicion: what
they name is dropped if it is short or consists of links, and kept if the page's main
content is inside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from udfs.chunking.formats.html_source import attributes

NAVIGATION, HEADER, FOOTER, BANNER = "navigation", "header", "footer", "banner"

# Suspects of at most so many code points go whatever they hold ...
SHORT = {NAVIGATION: 0, HEADER: 200, FOOTER: 1000, BANNER: 2000}
# ... longer ones if at least so much of their text is links.
LINK_SHARE = 0.5
# Suspects inside suspects are looked at so deep: each looks at all text in it.
MAX_DEPTH = 3
# Menus by their names may say as much besides their links: "Previous | The Handbook | Next".
SHORT_MENU = 100
# Longer attributes are not worth to be remembered (code points).
MAX_REMEMBERED = 300

TAGS = {"nav": NAVIGATION, "header": HEADER, "footer": FOOTER, "aside": NAVIGATION}
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
_WORDS = {
    BANNER: (
        r"(?:cookie|consent|gdpr|ccpa)s?[-_]?(?:banner|consent|notice|bar|popup|message|wall|overlay|modal"
        r"|dialog|box|container|alert|warning|prompt)|cookieconsent|cookiebanner|cookiebot|cybotcookiebotdialog"
        r"|onetrust[-_a-z]*|cc-window|didomi[-_a-z]*|ads?|advert|advertisement|sponsored|newsletter[-_]?signup"
    ),
    "menu": (
        r"(?:[a-z]+[-_])?(?:nav|navbar|navigation|breadcrumbs?|pagination|pager)(?:[-_][a-z]+)?"
        r"|docnav|topnav|sidenav|prev[-_]next"
    ),
    NAVIGATION: (
        r"(?:[a-z]+[-_])?(?:menu|sidebar)(?:[-_][a-z]+)?|toolbar|skip[-_]?(?:link|nav|to[-_]content|to[-_]main)s?|skiplinks?|share|sharing"
        r"|social(?:[-_][a-z]+)?|(?:share|sharing)[-_][a-z]+|related(?:[-_][a-z]+)?|headerlink|permalink"
    ),
    FOOTER: r"(?:(?:site|page|global|main)[-_])?footer|colophon|copyright",
    HEADER: r"(?:site|page|global|main|top)[-_]?header|masthead|topbar|banner|product[-_]?site",
}
_SUSPICIOUS = re.compile(
    r"(?i)(?:class|id)\s*=\s*[\"']?(?:(?<=[\"'])[^\"'>]*?\s)?(?:"
    + "|".join(f"(?P<{reason}>{words})" for reason, words in _WORDS.items())
    + r")(?=[\s\"'>]|$)"
)
# Whether what comes behind a tag is in a link.
_IN_LINK = {"a": True, "A": True, "/a": False, "/A": False}
_SKIP_LINK = re.compile(r"(?i)\s*(?:skip|jump)\s+to\s+(?:the\s+)?(?:main|content|navigation|search|footer)\b")


class Suspicion(NamedTuple):
    """Why an element may have to go.

    Attributes:
        reason: one of the reasons above.
        certain: it goes whatever it holds.
        short: it goes if it is no longer than this, if it links anywhere at all.
    """

    reason: str
    certain: bool
    short: int = 0


def suspicion(name: str, attribute_text: str) -> Suspicion | None:
    """What an element's name and attributes say against it.

    >>> suspicion("nav", ""), suspicion("div", ' class="text"')
    (Suspicion(reason='navigation', certain=True, short=0), None)
    """
    if not attribute_text or len(attribute_text) > MAX_REMEMBERED:
        return _suspicion(name, attribute_text)
    return _remembered_suspicion(name, attribute_text)


def _suspicion(name: str, attribute_text: str) -> Suspicion | None:
    if name in TAGS:
        return Suspicion(TAGS[name], certain=name == "nav")
    if not attribute_text:
        return None
    if "role" in attribute_text:
        role = attributes(attribute_text).get("role", "").lower()
        if role in _ROLES:
            return Suspicion(_ROLES[role], certain=role in _CERTAIN_ROLES)
    found = _SUSPICIOUS.search(attribute_text)
    if found is None:
        return None
    reason = found.lastgroup or NAVIGATION
    return (
        Suspicion(NAVIGATION, certain=False, short=SHORT_MENU) if reason == "menu" else Suspicion(reason, certain=False)
    )


# The pages of a site share their attributes.
_remembered_suspicion = lru_cache(maxsize=2048)(_suspicion)


def is_skip_link(attribute_text: str, text: str) -> bool:
    """Whether a link leads past the menus: `<a href="#main">Skip to content</a>`."""
    looks_so = text[:40].lstrip()[:4].lower() in ("skip", "jump")
    return looks_so and "#" in attribute_text and bool(_SKIP_LINK.match(text))


def is_boilerplate(found: Suspicion, length: int, tokens: Sequence[str]) -> bool:
    """Whether a suspect has to go, by its length and its share of links.

    Args:
        found: what it is suspected of.
        length: its text, code points.
        tokens: its tags and texts, as `html_source.Source` has them, from the name of its own tag on.
    """
    if length <= SHORT[found.reason]:
        return True
    share = link_share(tokens)
    return share >= LINK_SHARE or (length <= found.short and share > 0)


def link_share(tokens: Sequence[str]) -> float:
    """How much of the text behind each tag is links, from 0 to 1.

    >>> link_share(["p", "", "read ", "a", " href=x", "this", "/a", "", ""])
    0.5
    """
    linked = total = 0
    in_link = False
    for name, text in zip(tokens[::3], tokens[2::3], strict=False):
        in_link = _IN_LINK.get(name, in_link)
        if text:
            length = len(text.strip())
            total += length
            linked += length if in_link else 0
    return linked / total if total else 0.0
