"""How numbers are written for people."""

from __future__ import annotations


def percent(share: float | None) -> str:
    """A share from 0 to 1, with a digit more where it is small; never rounded to nothing, or to all.

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
