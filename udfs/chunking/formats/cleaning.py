r"""Cleaning: what harms chunks or their embeddings is taken out of a text, and counted.

By default only what nobody reads and what does damage goes: a byte order mark hides the
first heading, NUL stops many stores, a soft hyphen parts a word in two for the tokenizer.
Line ends, blank lines and Unicode forms stay as they are, because the engine copes with
all of them and positions should refer to the source wherever they can.

    "\ufeffPlan\x00 B: co\u00adoperate"  ->  "Plan B: cooperate", {"byte_order_mark": 1, "control": 1, "soft_hyphen": 1}

A text that needs nothing comes back as the same object after a look that costs well under a
nanosecond a byte: `in` for each unwanted character beats any regular expression.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

import regex
from pydantic import BaseModel, ConfigDict, Field

BYTE_ORDER_MARK = "\ufeff"
SOFT_HYPHEN = "\u00ad"


class Cleaning(BaseModel):
    """What is cleaned. The defaults remove only what does harm.

    Example:
        >>> Cleaning(line_ends="unix").line_ends
        'unix'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    line_ends: Literal["keep", "unix"] = Field(
        default="keep", description="unix: CRLF and lone carriage returns become line feeds."
    )
    byte_order_mark: bool = Field(default=True, description="Drop byte order marks (U+FEFF) at the start of the text.")
    control: bool = Field(
        default=True,
        description="Drop NUL, other C0 and C1 controls and terminal colours; not tab and what parts lines or pages.",
    )
    soft_hyphen: bool = Field(default=True, description="Drop soft hyphens (U+00AD), which part words invisibly.")
    nfc: bool = Field(default=False, description="Compose letters and their marks: Unicode normalization form C.")
    blank_lines: int | None = Field(
        default=None, ge=0, le=1000, description="Shorten runs of more blank lines than this. Default: keep all."
    )


def clean(text: str, options: Cleaning) -> tuple[str, dict[str, int]]:
    r"""The text without what `options` drop, and how many code points went, by reason.

    Args:
        text: any text, lone surrogates included.
        options: what to drop.

    Returns:
        The cleaned text, the same object if nothing had to change; and the counts, only those above 0. The counts of
        `byte_order_mark`, `control`, `soft_hyphen`, `line_ends` (the carriage returns of CRLF) and `blank_lines`
        add up to how much shorter the text is; `nfc` counts the code points of the graphemes that changed.

    Example:
        >>> clean("a\r\nb\x00", Cleaning(line_ends="unix"))
        ('a\nb', {'control': 1, 'line_ends': 1})
    """
    removed: dict[str, int] = {}
    # In this order one pass is enough: nothing that a later step does gives an earlier one new work.
    if options.control or options.soft_hyphen:
        text = _without_unseen(text, options, removed)
    if options.byte_order_mark and text.startswith(BYTE_ORDER_MARK):
        text = _noted(text, text.lstrip(BYTE_ORDER_MARK), "byte_order_mark", removed)
    if options.line_ends == "unix" and "\r" in text:
        text = _noted(text, text.replace("\r\n", "\n").replace("\r", "\n"), "line_ends", removed)
    if options.blank_lines is not None:
        text = _noted(text, _with_few_blank_lines(text, options.blank_lines), "blank_lines", removed)
    if options.nfc and not unicodedata.is_normalized("NFC", text):
        removed["nfc"] = _changed_by_nfc(text)
        text = unicodedata.normalize("NFC", text)
    return text, removed


def _noted(before: str, after: str, reason: str, removed: dict[str, int]) -> str:
    if len(after) < len(before):
        removed[reason] = len(before) - len(after)
    return after


# ---- Control characters and soft hyphens

# Tab, line feed, vertical tab, form feed, carriage return, the separators U+001C to U+001F, and U+0085 stay: they part
# words, lines or pages, and without them words would run together.
_CONTROLS_ASCII = tuple(map(chr, (*range(9), *range(0x0E, 0x1C), 0x7F)))
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
# A terminal's colour is an escape character and a few more, which would be left over as "[31m".
_TERMINAL = r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]"
_CONTROL_RUN = re.compile(f"(?:{_TERMINAL}|[{_CONTROLS}])+")

# In UTF-8, what lies in U+0080 to U+00BF begins with C2: one look for all C1 controls and the soft hyphen.
_LATIN_BYTE = b"\xc2"
_C1_BYTES = re.compile(rb"\xc2[\x80-\x84\x86-\x9f]")


def _without_unseen(text: str, options: Cleaning, removed: dict[str, int]) -> str:
    encoded = b"" if text.isascii() else text.encode("utf-8", "surrogatepass")
    beyond_ascii = _LATIN_BYTE in encoded
    if options.control and (_has_ascii_control(encoded or text) or (beyond_ascii and _C1_BYTES.search(encoded))):
        text = _noted(text, _CONTROL_RUN.sub("", text), "control", removed)
    if options.soft_hyphen and beyond_ascii and SOFT_HYPHEN in text:
        text = _noted(text, text.replace(SOFT_HYPHEN, ""), "soft_hyphen", removed)
    return text


_CONTROLS_BYTES = tuple(control.encode() for control in _CONTROLS_ASCII)
_CONTROL_ASCII = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_SHORT = 1000  # code points up to which one regular expression is faster than 28 looks


def _has_ascii_control(text: str | bytes) -> bool:
    if isinstance(text, str):
        if len(text) < _SHORT:
            return _CONTROL_ASCII.search(text) is not None
        return any(control in text for control in _CONTROLS_ASCII)
    return any(control in text for control in _CONTROLS_BYTES)


# ---- Blank lines

# From a line break to the last one before something that is not blank.
_BREAKS = re.compile(r"[\r\n][ \t\r\n]*[\r\n]")
_BREAK = re.compile(r"\r\n|\r|\n")


def _with_few_blank_lines(text: str, most: int) -> str:
    """The first `most` blank lines of each run stay as they are; page breaks (form feeds) end a run."""

    def shortened(run: re.Match[str]) -> str:
        breaks = run.group()
        if len(breaks) <= most + 1:
            return breaks
        for number, found in enumerate(_BREAK.finditer(breaks)):
            if number == most:
                return breaks[: found.end()]
        return breaks

    result = _BREAKS.sub(shortened, text)
    return result if len(result) < len(text) else text


# ---- Unicode normalization

_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")  # the letter before may take a mark
_GRAPHEME = regex.compile(r"\X")


def _changed_by_nfc(text: str) -> int:
    """How many code points belong to graphemes that normalization changes; at least 1."""
    changed = 0
    for run in _BEYOND_ASCII.findall(text):
        if not unicodedata.is_normalized("NFC", run):
            graphemes = _GRAPHEME.findall(run)
            changed += sum(len(grapheme) for grapheme in graphemes if not unicodedata.is_normalized("NFC", grapheme))
    return max(changed, 1)
