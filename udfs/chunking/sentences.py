"""Which marks end a sentence.

A mark of the classes STOP and FULL_STOP does, closing quotes and brackets
behind it included. A period does too, but not after an abbreviation, an
initial or the number of a list item, and not where the text goes on in lower case.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import DIGIT, FULL_STOP, LINE, LOWER, PARAGRAPH, PERIOD, STOP
from udfs.chunking.marks import Marks
from udfs.chunking.slab import Slab

Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
Bool = npt.NDArray[np.bool_]

# Written without the last period, in lower case. What follows one of these belongs to it.
ABBREVIATIONS = frozenset(
    # titles and names
    "mr mrs ms mx dr prof hon rev fr sr jr st mt ft gen col maj capt cmdr lt sgt gov sen rep pres messrs "
    "esq ph.d m.d b.a m.a "
    # places, firms
    "ave blvd rd dept univ inc ltd corp bros assn "
    # reference and measure
    "cf al etc vs viz approx avg e.g i.e a.k.a resp incl excl ibid op "
    # German, French, Spanish, Italian, Dutch
    "z.b d.h u.a o.\u00e4 bzw usw ggf evtl vgl str bspw inkl zzgl ca hr hrn dipl ing "
    "mm mme mlle mgr cie sra srta dra ud uds ee.uu p.ej sig dott ecc "
    "bijv enz o.a d.w.z dhr mevr".split()
)
# These are words of their own as well, or end a sentence as often; they only belong to a number behind them.
BEFORE_NUMBER = frozenset(
    "no nos vol vols fig figs eq eqs sec secs ch chap art pp p ed eds ref refs c est min max co "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun "
    "nr abs tel \u00e1ng n\u00fam p\u00e1g m".split()
)
# Both have a period of their own inside, but a sentence may well end with them.
_TIME_OF_DAY = ("a.m", "p.m")
_LONGEST = max(map(len, ABBREVIATIONS | BEFORE_NUMBER))
_ASCII = 128
_LEADING = "([{\"'\u2018\u201c\u00ab\u201e"


def ends_sentence(slab: Slab, marks: Marks) -> Bool:
    """For each mark: does it end a sentence."""
    ends: Bool = (marks.kind == STOP) | (marks.kind == FULL_STOP)
    next_class = slab.classes[marks.gap_end]
    periods = np.flatnonzero((marks.kind == PERIOD) & (next_class != LOWER))
    ends[periods] = True
    mark = marks.mark[periods]
    doubtful = (slab.classes[mark - 1] == DIGIT) | _may_be_short(slab, mark)
    periods, mark = periods[doubtful], mark[doubtful]
    ends[periods] = list(map(_Reader(slab).ends_at, mark.tolist(), (next_class[periods] == DIGIT).tolist()))
    return ends


class _Reader:
    """Reads the words before periods."""

    def __init__(self, slab: Slab) -> None:
        self._text = slab.text
        self._blank, self._classes = slab.blank_bytes, slab.class_bytes

    def ends_at(self, period: int, before_number: bool) -> bool:
        """Whether the period ends a sentence."""
        begin = self._blank.rfind(1, max(period - _LONGEST - 2, 0), period) + 1
        if not begin:  # the word before it is longer than any abbreviation
            return True
        word = self._text[begin:period]
        return not _goes_on(word, word[-1:].isdigit() and self._begins_line(begin), before_number)

    def _begins_line(self, position: int) -> bool:
        position -= 1
        while 0 < self._classes[position] < LINE:
            position -= 1
        return LINE <= self._classes[position] <= PARAGRAPH


def _may_be_short(slab: Slab, mark: Int64) -> Bool:
    """Whether the two code points before each mark may end an abbreviation or initial: a first, quick look."""
    last, second = slab.points[mark - 1].astype(np.int64), slab.points[mark - 2].astype(np.int64)
    known = (last < _ASCII) & (second < _ASCII)
    return ~known | _short_endings()[np.where(known, second * _ASCII + last, 0)]


@lru_cache(maxsize=1)
def _short_endings() -> Bool:
    """For each pair of ASCII characters: may it end an abbreviation, or a word of one letter?"""
    endings = np.zeros((_ASCII, _ASCII), dtype=np.bool_)
    for second, last in ((f" {word}"[-2], word[-1]) for word in ABBREVIATIONS | BEFORE_NUMBER if word.isascii()):
        for one in {second, second.upper()}:
            for other in {last, last.upper()}:
                endings[ord(one), ord(other)] = True
    letters = [point for point in range(_ASCII) if chr(point).isalpha()]
    others = [point for point in range(_ASCII) if not chr(point).isalpha()]
    endings[np.ix_(others, letters)] = True
    return endings.ravel()


@lru_cache(maxsize=1 << 16)  # words before periods recur; the cache is bounded, so is a worker's memory
def _goes_on(word: str, starts_line: bool, before_number: bool) -> bool:
    """Whether the period behind `word` does not end a sentence.

    >>> [_goes_on(word, False, False) for word in ("Dr", "e.g", "J", "U.S", "end", "3.5", "2024", "no", "p.m")]
    [True, True, True, True, False, False, False, False, False]
    >>> _goes_on("No", False, True), _goes_on("12", True, False)
    (True, True)
    """
    word = word.lstrip(_LEADING).lower()
    if starts_line and word.isdigit():
        return True
    if all(len(part) == 1 and part.isalpha() for part in word.split(".")):
        return word not in _TIME_OF_DAY
    return word in ABBREVIATIONS or (before_number and word in BEFORE_NUMBER)
