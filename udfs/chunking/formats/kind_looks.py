r"""Looks at a text: does it look like HTML, source code, a table, Markdown, pages? If nothing is clear, it is prose.

A look takes the first code points and some from the middle, counts a few marks there, which costs
next to nothing, and reads single lines only where the counts ask for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from udfs.chunking.formats.kind_code import look_for_code
from udfs.chunking.formats.kind_names import Guess

# So many code points are looked at: from the beginning, and from the middle of what is longer.
HEAD = 4096
MIDDLE = 2048


class Sample(NamedTuple):
    """What is looked at of a text."""

    text: str  # begins with a line feed, so that every line begins behind one; line ends are line feeds
    head: str  # whole lines from the beginning
    where: str  # for people
    has_form_feed: bool  # anywhere in the text but around it


def look(text: str) -> Guess:
    r"""What a text seems to be.

    >>> look("name,age\nAda,36\nAlan,41\nGrace,85\n").why
    '4 lines with 2 cells, parted by commas'
    """
    sample = sample_of(text)
    for attempt in _LOOKS:
        if guess := attempt(sample):
            return guess
    return Guess("prose", f"no markup, code or columns in {sample.where}")


def sample_of(text: str) -> Sample:
    """What is looked at of a text, at most HEAD + MIDDLE code points."""
    head = text[:HEAD].lstrip("\ufeff")
    where = f"the first {len(head):,} characters"
    if len(text) > HEAD:
        head = head[: head.rfind("\n") + 1] or head
    parts = [head]
    if len(text) > HEAD + MIDDLE:
        middle = text[len(text) // 2 : len(text) // 2 + MIDDLE]
        parts.append(middle[middle.find("\n") + 1 : middle.rfind("\n") + 1])
        where += f" and {MIDDLE:,} in the middle"
    sample = "\n".join(["", *parts])
    if "\r" in sample:
        sample, head = (part.replace("\r\n", "\n").replace("\r", "\n") for part in (sample, head))
    return Sample(sample, head, where, has_form_feed="\f" in text and "\f" in text.strip())


# ---- HTML

_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,2000}-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(?:p|div|span|a|li|ul|ol|dl|table|tr|td|th|h[1-6]|br|img|b|i|em|strong|section|article|header|footer|nav|script|"
    r"style|meta|link|title)\b[^<>]{0,300}>",
    re.IGNORECASE,
)
_FEWEST_TAGS = 6
_MOST_BETWEEN_TAGS = 200  # code points, on average


def _html(sample: Sample) -> Guess | None:
    if "<" not in sample.text:
        return None
    if start := _HTML_START.match(sample.text):
        return Guess("html", f"begins with {start.group().rpartition('<')[2].join('<>').lower()}")
    if not sample.text.lstrip().startswith("<"):
        return None
    tags = len(_TAG.findall(sample.text))
    if tags < _FEWEST_TAGS or tags * _MOST_BETWEEN_TAGS < len(sample.text) or _markdown(sample):
        return None
    return Guess("html", f"{tags} HTML tags in {sample.where}")


# ---- Code

_FENCED = re.compile(r"\n(?:```|~~~).*?\n(?:```|~~~)", re.DOTALL)


def _code(sample: Sample) -> Guess | None:
    """Code that is not the example of a text about code."""
    return look_for_code(_without_fenced(sample.text), sample.where)


def _without_fenced(text: str) -> str:
    return _FENCED.sub("", text) if "\n```" in text or "\n~~~" in text else text


# ---- Tables

_QUOTED = re.compile(r'"[^"]*"')
_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}
_FEWEST_ROWS = 3
_MOST_ROWS = 40


def _table(sample: Sample) -> Guess | None:
    """Lines with equally many cells. In a text, a blank follows nearly every comma; in a table, nearly none."""
    first, _, rest = sample.head.lstrip("\n").partition("\n")
    if not rest or not any(delimiter in first for delimiter in _DELIMITERS) or first.startswith(("|", "<", "{")):
        return None
    lines = [line for line in _QUOTED.sub("Q", sample.head).split("\n", _MOST_ROWS)[:_MOST_ROWS] if line.strip()]
    for delimiter, name in _DELIMITERS.items():
        cells = lines[0].count(delimiter) + 1
        alike = sum(line.count(delimiter) + 1 == cells for line in lines)
        if cells > 1 and alike >= _FEWEST_ROWS and 20 * alike >= 19 * len(lines) and _are_rows(lines, delimiter, cells):
            return Guess("table", f"{alike} lines with {cells} cells, parted by {name}")
    return None


def _are_rows(lines: list[str], delimiter: str, cells: int) -> bool:
    """Whether lines with equally many delimiters are rows, and not verses or statements."""
    text = "\n".join(lines)
    marks = text.count(delimiter)
    at_end = text.count(f"{delimiter}\n") + text.endswith(delimiter)
    followed = text.count(f"{delimiter} ") + at_end
    if delimiter == "\t":
        return at_end * 2 <= len(lines) or cells > 2
    if delimiter == "|":
        return cells > 2 or followed * 2 <= marks
    return at_end * 2 <= len(lines) and (followed * 2 <= marks or len(lines) > 10)


# ---- Markdown

_HEADING = re.compile(r"\n\n(?:# +[^\n]+(?=\n\n)|##{1,5} +[^\n]+(?=\n))")
_COMMENT_OR_HEADING = re.compile(r"\n#")
_LINK = re.compile(r"\]\([^()\s]")
_REFERENCE = re.compile(r"\n\[[^\][\n]{1,300}\]: \S")
_FENCE = re.compile(r"\n {0,3}```|\n\n~~~(?=[^\n~]*\n)")  # below a line of text, ~~~ underlines a title elsewhere
_TABLE_RULE = re.compile(r"\n\|? *:?-{3,}:? *\|[ |:-]*(?=\n)")
_BOLD = re.compile(r"\*\*[^\s*][^*\n]{0,200}\*\*")
_ITEM = re.compile(r"\n *(?:[-*+]|\d{1,3}\.) +\S")
_SETTING = re.compile(r"\n[\w.-]+ *[:=]")


def _clear_markdown(sample: Sample) -> Guess | None:
    """Markdown beyond doubt, though there may be code in it: headings, and something else besides."""
    headings = _headings(sample.text)
    if not headings:
        return None
    fences = _fences(sample.text)
    links = 0 if fences else _links(sample.text)
    return _markdown_with(sample, heading=headings, fence=fences, link=links) if fences or links else None


def _markdown(sample: Sample) -> Guess | None:
    text = sample.text
    headings = _headings(text)
    tables = len(_TABLE_RULE.findall(text)) if "---|" in text or "--- |" in text else 0
    if _is_restructured(text) and not (headings and tables):
        return None
    fences, links = _fences(text), _links(text)
    if headings or fences >= 2 or links >= 2 or tables:
        return _markdown_with(sample, heading=headings, fence=fences, link=links, table=tables)
    if "**" in text and len(_BOLD.findall(text)) >= 2 and len(_ITEM.findall(text)) >= 2:
        return Guess("markdown", f"bold words and lists in {sample.where}")
    return None


def _markdown_with(sample: Sample, **found: int) -> Guess:
    words = [f"{count} {name}{'s' * (count > 1)}" for name, count in found.items() if count]
    listed = " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])
    return Guess("markdown", f"{listed} in {sample.where}")


def _fences(text: str) -> int:
    return len(_FENCE.findall(text)) if "```" in text or "~~~" in text else 0


def _links(text: str) -> int:
    links = len(_LINK.findall(text)) if "](" in text else 0
    return links + (len(_REFERENCE.findall(text)) if "]: " in text else 0)


def _headings(text: str) -> int:
    """Headings with # that are no comments: parted from the text by blank lines, and few other lines with # ..."""
    if "\n#" not in text:
        return 0
    headings = len(_HEADING.findall("\n" + text))
    if not headings:
        return 0
    text = _without_fenced(text)
    if 2 * headings < len(_COMMENT_OR_HEADING.findall(text)):
        return 0
    # ... and, if there is only one, no list of settings below.
    return headings if headings > 1 or len(_SETTING.findall(text)) < 3 else 0


def _is_restructured(text: str) -> bool:
    """Whether a text has marks of reStructuredText, which shares much with Markdown."""
    return "\n.. " in text or "::\n\n" in text or "`_" in text or (":`" in text and "``" in text)


# ---- Pages


def _pages(sample: Sample) -> Guess | None:
    return Guess("pages", "form feeds between pages") if sample.has_form_feed else None


_LOOKS: tuple[Callable[[Sample], Guess | None], ...] = (
    _html,
    _clear_markdown,
    _code,
    _markdown,
    _pages,
    _table,
)
