"""Which gaps between words end a sentence.

A mark of the classes STOP and FULL_STOP does, closing quotes and brackets
behind it included. A period does too, but not after an abbreviation, an
initial or the number of a list item, and not where the text goes on in lower case.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from udfs.chunking.characters import CLOSER, FULL_STOP, LOWER, PERIOD, STOP
from udfs.chunking.slab import Gaps, Slab

Int64 = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]

# Written without the last period, in lower case. What follows one of these usually belongs to it.
ABBREVIATIONS = frozenset(
    # titles and names
    "mr mrs ms mx dr prof hon rev fr sr jr st mt ft gen col maj capt cmdr lt sgt gov sen rep pres messrs "
    "esq ph.d m.d b.a m.a "
    # places, firms, dates
    "ave blvd rd dept univ inc ltd co corp bros assn est jan feb mar apr jun jul aug sep sept oct nov dec "
    "mon tue tues wed thu thur thurs fri "
    # reference and measure
    "no nos vol vols fig figs eq eqs sec secs ch chap pp p ed eds ref refs cf al ca c etc vs viz approx "
    "min max avg e.g i.e a.k.a a.m p.m resp incl excl ibid op loc "
    # German, French, Spanish, Italian, Dutch
    "z.b d.h u.a o.\u00e4 bzw usw ggf evtl vgl nr str abs art bspw inkl zzgl ca hr hrn fr dipl ing "
    "m mm mme mlle mgr cie sra srta dra ud uds ee.uu p.ej \u00e1ng n\u00fam p\u00e1g tel sig dott ecc "
    "bijv enz o.a d.w.z dhr mevr".split()
)
_LONGEST = max(map(len, ABBREVIATIONS))
_LEADING = "([{\"'\u2018\u201c\u00ab\u201e"


def sentence_ends(slab: Slab, gaps: Gaps, breaks_line: Bool) -> Bool:
    """For each gap: does a sentence end before it.

    Args:
        slab: the documents.
        gaps: the gaps between words.
        breaks_line: for each gap, whether it holds a line break.
    """
    ends = np.zeros(len(gaps.start), dtype=np.bool_)
    mark = gaps.start - 1
    classes = slab.classes
    for _ in range(3):  # step back over closing quotes and brackets
        closers = np.flatnonzero(classes[mark] == CLOSER)
        if not len(closers):
            break
        mark[closers] -= 1
    kind = classes[mark]
    ends[(kind == STOP) | (kind == FULL_STOP)] = True
    periods = np.flatnonzero((kind == PERIOD) & (classes[gaps.end] != LOWER))
    ends[periods] = True
    word = np.concatenate(([0], gaps.end[:-1]))[periods]
    short = mark[periods] - word <= _LONGEST + 1
    starts_line = np.concatenate(([True], breaks_line[:-1]))[periods]
    candidates = periods[short]
    columns = (word[short], mark[candidates], starts_line[short])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    ends[candidates] = [not _goes_on(slab.text[begin:end], first) for begin, end, first in rows]
    return ends


@lru_cache(maxsize=1 << 16)  # words before periods recur; the cache is bounded, so is a worker's memory
def _goes_on(word: str, starts_line: bool) -> bool:
    """Whether the period behind `word` does not end a sentence.

    >>> [_goes_on(word, False) for word in ("Dr", "e.g", "J", "U.S", "end", "3.5", "2024")]
    [True, True, True, True, False, False, False]
    >>> _goes_on("12", True)
    True
    """
    word = word.lstrip(_LEADING)
    if starts_line and word.isdigit():
        return True
    if all(len(part) == 1 and part.isalpha() for part in word.split(".")):
        return True
    return word.lower() in ABBREVIATIONS
