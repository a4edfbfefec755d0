"""The histogram in the terminal."""

from __future__ import annotations

import itertools

import pytest

from jobs.bars import histogram_lines, near


def bins(*counts: int, step: int = 16) -> list[dict[str, int]]:
    """The first counts are of the first bins; bins without a chunk have no row."""
    return [
        {"bin_start": n * step, "bin_end": (n + 1) * step, "chunk_count": count}
        for n, count in enumerate(counts)
        if count
    ]


def test_a_bar_is_as_high_as_its_share_of_the_highest_and_never_nothing() -> None:
    lines = [line.plain for line in histogram_lines(bins(32, 0, 16, 1), None, "tokens", 80)]
    assert lines[:-1] == ["  █", "  █", "  █ █", "  █ █▁"]


@pytest.mark.parametrize("largest", [3, 4, 9])
def test_the_limit_is_marked_below_its_bin(largest: int) -> None:
    counts = [5] * largest
    lines = [line.plain for line in histogram_lines(bins(*counts), 64, "tokens", 80)]
    assert lines[-1] == "  0  \u250264 tokens: the limit"
    assert lines[-2] == "  " + "█" * largest


def test_without_a_limit_the_largest_size_stands_below() -> None:
    assert histogram_lines(bins(1, 1), None, "characters", 80)[-1].plain == "  0 32 characters"


@pytest.mark.parametrize(("width", "tail"), list(itertools.product((20, 80), (100, 10_000))))
def test_bins_are_joined_where_there_is_no_room_and_none_is_lost(width: int, tail: int) -> None:
    far = {"bin_start": tail * 16, "bin_end": tail * 16 + 16, "chunk_count": 7}
    lines = [line.plain for line in histogram_lines([*bins(7, 7), far], 32, "tokens", width)]
    assert all(len(line) <= width for line in lines[:-1])
    assert lines[-2].strip()[-1] != " "
    assert len(lines[-2].split()) == 2


def test_no_bins_no_lines() -> None:
    assert histogram_lines([], 512, "tokens", 80) == []


def test_a_terminal_without_block_characters_gets_ascii() -> None:
    lines = [line.plain for line in histogram_lines(bins(32, 0, 16, 1), 64, "tokens", 80, ascii_only=True)]
    assert lines == ["  #", "  #", "  # #", "  # #.", "  0  |64 tokens: the limit"]


def test_a_few_huge_chunks_are_counted_and_not_drawn() -> None:
    far = {"bin_start": 9984, "bin_end": 10_000, "chunk_count": 2}
    assert near([*bins(5, 5), far], 32, 31.0) == (bins(5, 5), 2)
    assert near([*bins(5, 5), far], None, 9_990.0) == ([*bins(5, 5), far], 0)


def test_in_a_narrow_terminal_the_limit_is_told_left_of_its_mark() -> None:
    line = histogram_lines(bins(*[1] * 32), 512, "tokens", 40)[-1].plain
    assert line == "  0" + "512 tokens: the limit".rjust(30) + "\u2502"
    assert len(line) <= 40
