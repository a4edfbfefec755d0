"""What each code point means for cutting: one class a code point, in one table.

Classes are small numbers ordered so that ranges of them can be compared:
`SPACE` to `LAST_BLANK` are the blanks, from `LINE` on they break a line.
Looking a text up is one array access a code point.

Blank means: Python's `str.isspace`, and the three invisible marks U+200B,
U+2060 and U+FEFF. A chunk never consists of blanks alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import regex

UInt8 = npt.NDArray[np.uint8]

SPACE = 1  # blank, but no line break
CONTROL = 2  # the same, but joins no grapheme: tab, carriage return, the invisible marks
LINE = 3  # ends a line
PARAGRAPH = 4  # ends a paragraph by itself: form feed, U+2029
LAST_BLANK = PARAGRAPH

PERIOD = 5  # . ends a sentence where a blank follows, and often does not
STOP = 6  # ! ? and their like: end a sentence where a blank follows
FULL_STOP = 7  # ends a sentence whatever follows (CJK, Devanagari, Arabic ...)
CLAUSE = 8  # , ; : end a clause where a blank follows
FULL_CLAUSE = 9  # ends a clause whatever follows (CJK, Arabic)
CLOSER = 10  # closing quotes and brackets: stay with what they close
OPENER = 11
DIGIT = 12
LOWER = 13
UPPER = 14
IDEOGRAPH = 15  # Han: a text may be cut beside it without a blank
KANA = 16  # Hiragana: likewise, but better where Han begins
EXTEND = 17  # continues the grapheme before it
PREPEND = 18  # continues into the grapheme after it
NONSTARTER = 19  # CJK marks and small kana that must not begin a line (JIS X 4051)

# Letters and signs that may join their neighbour to one grapheme (UAX #29).
REGIONAL = 20  # flags are pairs of these
HANGUL_L, HANGUL_V, HANGUL_T, HANGUL_LV, HANGUL_LVT = 21, 22, 23, 24, 25
PICTOGRAPH = 26  # emoji
CONSONANT = 27  # of scripts with conjuncts (Devanagari ...)
OTHER = 0

_LITERALS = {
    PERIOD: ".",
    STOP: "!?\u2026\u203c\u2047\u2048\u2049\u203d",
    # CJK, halfwidth, Devanagari, Arabic, Armenian, Ethiopic, Khmer, Myanmar, Tibetan
    FULL_STOP: "\u3002\uff01\uff1f\uff61\ufe52\ufe57\ufe56\u0964\u0965\u061f\u06d4\u0589\u1362\u1367"
    "\u17d4\u17d5\u104a\u104b\u0f0d\u0f0e",
    CLAUSE: ",;:\u2013\u2014",
    FULL_CLAUSE: "\u3001\uff0c\uff1b\uff1a\uff64\ufe50\ufe51\ufe54\u060c\u061b\u1363\u1364\u1365",
    CLOSER: "\"'\u2019\u201d\u00bb\u203a",
    NONSTARTER: "\u30fc\u3005\u303b\u309d\u309e\u30fd\u30fe\u30fb\u2025"
    "\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e"
    "\u3095\u3096\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u30f5\u30f6",
    OPENER: "\u2018\u201c\u201e\u201a\u00ab\u2039",
}

_INVISIBLE = "\u200b\u2060\ufeff"
_LINE_BREAKS = "\n\x0b\x85\u2028\x1c\x1d\x1e"
_PARAGRAPH_BREAKS = "\x0c\u2029"


# The only code points that any of the classes has: planes 4 to 13 are empty, but for the beginning of 14; 15 and 16 are
# for private use. To look at all of them would take four times as long, at the start of every process.
_ASSIGNED = (range(0x40000), range(0xE0000, 0xE1000))


@lru_cache(maxsize=1)
def class_table() -> UInt8:
    """The class of every code point: uint8 array of shape (0x110000,)."""
    table = np.zeros(0x110000, dtype=np.uint8)
    assigned = "".join(map(chr, _ASSIGNED[0])), "".join(map(chr, _ASSIGNED[1]))
    for pattern, value in (
        (r"\p{Lowercase}", LOWER),
        (r"[\p{Uppercase}\p{Lt}]", UPPER),
        (r"\p{Nd}", DIGIT),
        (r"\p{Script=Han}", IDEOGRAPH),
        (r"[\u3041-\u3096\u309d\u309e]", KANA),
        (r"\p{Ps}", OPENER),
        (r"\p{Pe}", CLOSER),
        (r"\p{GCB=Prepend}", PREPEND),
        (r"\p{GCB=Regional_Indicator}", REGIONAL),
        (r"\p{GCB=L}", HANGUL_L),
        (r"\p{GCB=V}", HANGUL_V),
        (r"\p{GCB=T}", HANGUL_T),
        (r"\p{GCB=LV}", HANGUL_LV),
        (r"\p{GCB=LVT}", HANGUL_LVT),
        (r"\p{Extended_Pictographic}", PICTOGRAPH),
        (r"\p{InCB=Consonant}", CONSONANT),
        (r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]", EXTEND),
    ):
        run_of = regex.compile(f"{pattern}+")
        for points, characters in zip(_ASSIGNED, assigned, strict=True):
            for run in run_of.finditer(characters):
                table[points.start + run.start() : points.start + run.end()] = value
    for value, characters in _LITERALS.items():
        table[[ord(character) for character in characters]] = value
    table[[ord(character) for character in _BLANKS]] = SPACE
    table[[ord(character) for character in "\t\r" + _INVISIBLE]] = CONTROL
    table[[ord(character) for character in _LINE_BREAKS]] = LINE
    table[[ord(character) for character in _PARAGRAPH_BREAKS]] = PARAGRAPH
    return table


@lru_cache(maxsize=1)
def ascii_classes() -> bytes:
    """The classes of the first 256 code points, for `bytes.translate`."""
    return class_table()[:256].tobytes()


def code_points(text: str) -> npt.NDArray[Any]:
    """The code points of a text without lone surrogates: uint8 if all are ASCII, else uint32."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)


def is_blank(text: str) -> bool:
    r"""Whether a text holds nothing but blanks (the empty text included).

    >>> is_blank(" \u200b\n"), is_blank("a")
    (True, False)
    """
    return not text.strip(_BLANKS)


_BLANKS = "".join(chr(point) for point in range(0x3100) if chr(point).isspace()) + _INVISIBLE
