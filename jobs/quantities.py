"""How numbers are written for people."""

from __future__ import annotations

# In a table, what an output of an older version does not tell.
UNKNOWN = "-"


def percent(share: float | None) -> str:
    """A share from 0 to 1 in a sentence, with a digit more where it is small; never rounded to nothing, or to all.

    >>> percent(0.12), percent(0.0312), percent(0.00004), percent(0.9999), percent(None)
    ('12 %', '3.1 %', 'under 0.1 %', 'over 99.9 %', 'unknown')
    """
    if share is None:
        return "unknown"
    if 0 < share < 0.001:  # noqa: PLR2004
        return "under 0.1 %"
    if 0.999 < share < 1:  # noqa: PLR2004
        return "over 99.9 %"
    hundredths = share * 100
    digits = 0 if hundredths == round(hundredths) or 10 <= hundredths < 99 else 1  # noqa: PLR2004
    return f"{hundredths:.{digits}f} %"


def share_told(share: float | None) -> str:
    """A share of chunks in a table; never rounded to nothing, or to all.

    >>> share_told(0.5), share_told(0.0001), share_told(0.9999), share_told(1), share_told(None)
    ('50.0%', '<0.1%', '>99.9%', '100%', '-')
    """
    if share is None:
        return UNKNOWN
    if share in (0, 1):
        return f"{share:.0%}"
    if share < 0.001:  # noqa: PLR2004
        return "<0.1%"
    return ">99.9%" if share > 0.999 else f"{share:.1%}"  # noqa: PLR2004
