"""A histogram of sizes in block characters, for the terminal."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

_BLOCKS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
_PLAIN_BLOCKS = " .,:;=*%#"
_ROWS = 4
_MOST_COLUMNS = 64
_MARGIN = 2
# Of the limit, or of nearly all chunks, whichever is larger.
_REACH = 1.25


def histogram_lines(
    bins: Sequence[Mapping[str, Any]], limit: int | None, unit: str, width: int, *, ascii_only: bool = False
) -> list[Text]:
    """The bins of one scope and unit as bars, with the limit marked below.

    Args:
        bins: rows of the table `histograms`, of one scope and name, and of one unit.
        limit: the size that is allowed; None: not marked.
        unit: of the bins.
        width: of the terminal, in columns.
        ascii_only: the terminal has no block characters.

    Example:
        >>> bins = [{"bin_start": 0, "bin_end": 4, "chunk_count": 1}, {"bin_start": 4, "bin_end": 8, "chunk_count": 2}]
        >>> for line in histogram_lines(bins, 8, "tokens", 80)[-2:]:
        ...     print(line)
          ██
          0│8 tokens: the limit
    """
    if not bins:
        return []
    largest = max(bin_["bin_end"] for bin_ in bins)
    step = _step(bins, largest, limit or 0, min(_MOST_COLUMNS, width - _MARGIN))
    counts = [0] * -(-max(largest, limit or 0) // step)
    for bin_ in bins:
        counts[(bin_["bin_end"] - 1) // step] += bin_["chunk_count"]
    margin = " " * _MARGIN
    lines = [
        Text(margin + line.rstrip(), style="cyan") for line in _bars(counts, _PLAIN_BLOCKS if ascii_only else _BLOCKS)
    ]
    axis = _axis(len(counts), step, limit, largest, unit, width)
    return [*lines, Text(axis.plain.replace("\u2502", "|")) if ascii_only else axis]


def _step(bins: Sequence[Mapping[str, Any]], largest: int, limit: int, columns: int) -> int:
    """How many units a column of the terminal stands for: a bin, or several where there is no room."""
    widest: int = max(bin_["bin_end"] - bin_["bin_start"] for bin_ in bins)
    return max(widest, -(-max(largest, limit) // max(columns, 1)))


def _bars(counts: Sequence[int], blocks: str) -> list[str]:
    """Lines from the top; whatever is there at all has at least the smallest block."""
    full = _ROWS * (len(blocks) - 1)
    highest = max(counts)
    eighths = [max(1, round(count / highest * full)) if count else 0 for count in counts]
    lines = []
    for row in range(_ROWS - 1, -1, -1):
        low = row * (len(blocks) - 1)
        lines.append("".join(blocks[min(max(height - low, 0), len(blocks) - 1)] for height in eighths))
    return list(itertools.dropwhile(lambda line: not line.strip(), lines))


def _axis(columns: int, step: int, limit: int | None, largest: int, unit: str, width: int) -> Text:
    margin = " " * _MARGIN
    if limit is None:
        return Text(f"{margin}0{' ' * max(columns - 1, 1)}{largest:,} {unit}", style="dim")
    place = (limit - 1) // step
    label, mark = f"{limit:,} {unit}: the limit", ("\u2502", "bold")
    before = max(place - 1, 0)
    if _MARGIN + 1 + place + len(label) > width and before > len(label):
        return Text.assemble(f"{margin}0{label:>{before}}", mark, style="dim")
    return Text.assemble(f"{margin}0{' ' * before}", mark, label, style="dim")


def near(bins: Sequence[Mapping[str, Any]], limit: int | None, p99: float) -> tuple[list[Mapping[str, Any]], int]:
    """The bins that are worth their room, and how many chunks are in the others.

    A few huge chunks would flatten all that is there to be seen.

    Args:
        bins: as of `histogram_lines`.
        limit: the size that is allowed, if there is one.
        p99: the 99th percentile.
    """
    reach = _REACH * max(limit or 0, p99)
    far = sum(bin_["chunk_count"] for bin_ in bins if bin_["bin_start"] >= reach)
    return [bin_ for bin_ in bins if bin_["bin_start"] < reach], far
