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
    mark, numbered = marks.mark[periods], next_class[periods] == DIGIT
    behind_digit = slab.classes[mark - 1] == DIGIT
    doubtful = np.flatnonzero(behind_digit | _may_be_short(slab, mark, numbered))
    if len(doubtful):
        rows = (column[doubtful].tolist() for column in (mark, behind_digit, numbered))
        ends[periods[doubtful]] = list(map(_Reader(slab).ends_at, *rows))
    return ends


class _Reader:
    """Reads the words before periods."""

    def __init__(self, slab: Slab) -> None:
        self._text = slab.text
        self._blank, self._classes = slab.blank_bytes, slab.class_bytes

    def ends_at(self, period: int, behind_digit: bool, before_number: bool) -> bool:
        """Whether the period ends a sentence."""
        begin = self._blank.rfind(1, max(period - _LONGEST - 2, 0), period) + 1
        if not begin:  # the word before it is longer than any abbreviation
            return True
        starts_line = behind_digit and self._begins_line(begin)
        return not _goes_on(self._text[begin:period], starts_line, before_number)

    def _begins_line(self, position: int) -> bool:
        position -= 1
        while 0 < self._classes[position] < LINE:
            position -= 1
        return LINE <= self._classes[position] <= PARAGRAPH


def _may_be_short(slab: Slab, mark: Int64, before_number: Bool) -> Bool:
    """Whether the code points before each mark may end an abbreviation or initial: a first, quick look at three."""
    ending, known = before_number.astype(np.int64), np.ones(len(mark), dtype=np.bool_)
    for back in (3, 2, 1):
        point = slab.points.take(np.maximum(mark - back, 0))
        known &= point < _ASCII
        ending = ending * _ASCII + np.minimum(point, _ASCII - 1)
    return ~known | _short_endings().take(ending)


@lru_cache(maxsize=1)
def _short_endings() -> Bool:
    """For three ASCII characters: may they end an abbreviation, or a word of one letter?

    Returns:
        bool array of shape (2 * 128 ** 3,): first for periods before any text, then for those before numbers.
    """
    endings = np.zeros((2, _ASCII, _ASCII, _ASCII), dtype=np.bool_)
    letters = [point for point in range(_ASCII) if chr(point).isalpha()]
    others = [point for point in range(_ASCII) if not chr(point).isalpha()]
    endings[:, :, np.array(others)[:, None], letters] = True
    for table, words in zip(endings, (ABBREVIATIONS, ABBREVIATIONS | BEFORE_NUMBER), strict=True):
        for word in filter(str.isascii, words):
            last = [[ord(letter), ord(letter.upper())] for letter in word[-3:]]
            table[np.ix_(*[others] * (3 - len(last)) + last)] = True
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
