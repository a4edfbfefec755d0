"""From HTML source to a list of tags and the text between them, by the rules of HTML5's tokenizer.

Comments, scripts, styles and other elements without markup inside are taken out
first; what is left falls apart at one simple regular expression. Every step reads
the source a bounded number of times, whatever is in it.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, field

BLANKS = "".join(chr(point) for point in range(0x3100) if chr(point).isspace()) + "\u200b\u2060\ufeff"

# Elements whose content holds no tags, and what their content counts as when it is dropped.
RAW_REASONS = {
    "script": "script",
    "noscript": "script",
    "style": "style",
    "title": "head",
    "textarea": "form",
    "iframe": "media",
    "noembed": "media",
    "noframes": "media",
}
_SHOWN = ("xmp", "plaintext")  # hold no tags either, but are shown as they stand
_OPENER = re.compile(
    # Two letters sort out most tags, which is faster than to compare names whatever their case.
    r"<(?:[!?]|/(?![a-zA-Z])|(?=[sntixpSNTIXP][ctoiefmlCTOIEFML])"
    rf"(?i:({'|'.join((*RAW_REASONS, *_SHOWN))}))(?=[ \t\n\f/>]))"
)
_END = {name: re.compile(rf"</(?i:{name})(?=[ \t\n\f/>])") for name in (*RAW_REASONS, *_SHOWN)}
_SCRIPT_STEP = re.compile(r"<!--|-->|<(/?)(?i:script)(?=[ \t\n\f/>])")
_COMMENT_END = re.compile(r"--!?>")

_UNFINISHED = re.compile(r"<[a-zA-Z/!?]")
_TAG = re.compile(r"<(/?[a-zA-Z][^ \t\n\f/>]*)([^>]*)>")
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
# Always matches at its first try, so it never goes back; a tag of more attributes ends at its first ">".
_QUOTED_TAG = re.compile(
    r"<(?=/?[a-zA-Z])[^>=]*"
    r"""(?:=[ \t\n\f]*(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|(?!["' \t\n\f]))[^>=]*){0,1000}[^>]*(>|\Z)"""
)
_ATTRIBUTE = re.compile(r"""([^ \t\n\f/>=]+)(?:[ \t\n\f]*=[ \t\n\f]*(?:"([^"]*)"|'([^']*)'|([^ \t\n\f>]*)))?""")
_IRREGULAR = re.compile(r"[\t\n\r\f][ \t\n\r\f]*| [ \t\n\r\f]+")
_LONG_NUMBER = re.compile(r"&#[0-9]{8,}")


@dataclass
class Source:
    """The tags of a document and the text between them.

    Attributes:
        tokens: text, tag name (a slash before an end tag's), attributes, text, name, attributes, ..., text.
        attribute_texts: the different attributes among them.
        title: the content of the first `title` element, as it stands in the source.
        is_xml: the document begins as XML: `<div/>` has no content.
        removed: code points of text that were taken out, by reason.
    """

    tokens: list[str] = field(default_factory=list)
    attribute_texts: set[str] = field(default_factory=set)
    title: str = ""
    is_xml: bool = False
    removed: Counter[str] = field(default_factory=Counter)


def split_source(source: str) -> Source:
    """The tags of a document and the text between them.

    >>> split_source("a<b class=x>c</b><!-- d -->").tokens
    ['a', 'b', ' class=x', 'c', '/b', '', '']
    """
    result = Source(is_xml=source.lstrip(BLANKS).startswith("<?xml"))
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in source:
        result.removed["control"] = source.count("\0")
        source = source.replace("\0", "")
    markup = _without_unfinished_tag(_without_raw_text(source, result), result)
    result.tokens = _TAG.split(markup)
    result.attribute_texts = set(result.tokens[2::3])
    if any(map(_breaks_off_in_quotes, result.attribute_texts)):
        markup = _without_unfinished_tag(_QUOTED_TAG.sub(_escaped_tag, markup), result)
        result.tokens = _TAG.split(markup)
        result.attribute_texts = set(result.tokens[2::3])
    return result


def _breaks_off_in_quotes(attribute_text: str) -> bool:
    """Whether attributes end inside quotes: the tag did not end at its first ">"."""
    if "'" not in attribute_text:
        return attribute_text.count('"') % 2 == 1
    rest = _QUOTED.sub("", attribute_text)
    return "'" in rest or '"' in rest


def _without_raw_text(source: str, result: Source) -> str:
    """The source without comments and declarations, and without the content of raw elements."""
    kept: list[str] = []
    done = looked = 0
    in_tag = False
    opener = _OPENER.search(source)
    while opener:
        start = opener.start()
        in_tag = _ends_in_tag(source, looked, start, in_tag)
        looked = start
        if in_tag:  # it stands in a quoted attribute
            opener = _OPENER.search(source, start + 1)
            continue
        kept.append(source[done:start])
        done = looked = _take_raw(source, opener, kept, result)
        opener = _OPENER.search(source, done)
    kept.append(source[done:])
    return "".join(kept) if len(kept) > 1 else source


def _ends_in_tag(source: str, start: int, end: int, in_tag: bool) -> bool:
    """Whether a tag is open at `end`; `in_tag` says so for `start`."""
    opened = source.rfind("<", start, end)
    closed = source.rfind(">", start, end)
    if opened > closed:
        after = source[opened + 1 : opened + 2]
        return (after.isascii() and after.isalpha()) or after == "/"
    return in_tag and closed < 0


def _take_raw(source: str, opener: re.Match[str], kept: list[str], result: Source) -> int:
    """Take out what begins at an opener; where it ends."""
    name = (opener.group(1) or "").lower()
    if not name:
        inside, end = _comment(source, opener.start())
        result.removed["comment"] += len(inside)
        return end
    content = source.find(">", opener.end()) + 1 or len(source)
    if result.is_xml and source.endswith("/>", 0, content):
        return content
    stop = _script_end(source, content) if name == "script" else _raw_end(source, content, name)
    inside, end = source[content:stop], source.find(">", stop) + 1 or len(source)
    if name in _SHOWN:
        kept.append(f"<pre>{inside.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}</pre>")
        return end
    if name == "title" and not result.title and "<svg" not in source[:content]:
        result.title = inside
    result.removed[RAW_REASONS[name]] += len(inside.strip(BLANKS))
    return end


def _comment(source: str, start: int) -> tuple[str, int]:
    """What a comment or declaration says, and where it ends."""
    if not source.startswith("<!--", start):
        end = source.find(">", start) + 1 or len(source)
        is_declaration = source[start : start + 9].lower() == "<!doctype" or source.startswith("<?", start)
        return "" if is_declaration else source[start + 2 : end - 1], end
    if source.startswith((">", "->"), start + 4):
        return "", source.index(">", start) + 1
    stop = _COMMENT_END.search(source, start + 4)
    return (source[start + 4 : stop.start()], stop.end()) if stop else (source[start + 4 :], len(source))


def _raw_end(source: str, start: int, name: str) -> int:
    end = None if name == "plaintext" else _END[name].search(source, start)
    return end.start() if end else len(source)


def _script_end(source: str, start: int) -> int:
    """Where a script ends: in a script, `<!--` and `<script` together hide the first `</script>`."""
    in_comment = in_script = False
    for step in _SCRIPT_STEP.finditer(source, start):
        if step.group() == "<!--":
            in_comment = True
        elif step.group() == "-->":
            in_comment = in_script = False
        elif not step.group(1):
            in_script = in_comment
        elif in_script:
            in_script = False
        else:
            return step.start()
    return _raw_end(source, start, "script")


def _without_unfinished_tag(markup: str, result: Source) -> str:
    """The markup without a tag that the end of the text breaks off: after this, every tag has its ">"."""
    broken = _UNFINISHED.search(markup, markup.rfind(">") + 1)
    if not broken:
        return markup
    result.removed["unfinished"] += len(markup) - broken.start()
    return markup[: broken.start()]


def _escaped_tag(tag: re.Match[str]) -> str:
    text = tag.group()
    if not tag.group(1):
        return text  # a quote that never ends: better to end the tag at its first ">" than to lose the rest
    return f"<{text[1:-1].replace('<', '&lt;').replace('>', '&gt;')}>"


def attributes(text: str) -> dict[str, str]:
    """The attributes of a tag; of two of one name, the first.

    >>> attributes(' ID="a" hidden class=x')
    {'id': 'a', 'hidden': '', 'class': 'x'}
    """
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), double or single or bare)
    return {name: decode(value) for name, value in found.items()}


def decode(text: str) -> str:
    """Text with its character references replaced, once.

    >>> decode("&amp;lt; &euro;")
    '&lt; €'
    """
    if "&" not in text:
        return text
    if "&#" in text:  # Python refuses to read numbers of thousands of digits
        text = _LONG_NUMBER.sub(lambda found: f"&#{min(int(found.group()[2:].lstrip('0')[:8] or 0), 0x110000)}", text)
    return html.unescape(text)


def clean(text: str) -> str:
    r"""Text as it is shown in one line: references replaced, runs of white space made one blank, edges stripped.

    >>> clean("\n a &lt;\t b&nbsp;c ")
    'a < b\xa0c'
    """
    text = text.strip(BLANKS)
    if "&" in text:
        text = decode(text).strip(BLANKS)
        if "\r" in text:
            return _IRREGULAR.sub(" ", text)
    if "\n" in text or "  " in text or "\t" in text or "\f" in text:
        return _IRREGULAR.sub(" ", text)
    return text
