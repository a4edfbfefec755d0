"""What `udfs.chunking.formats.structure` promises, checked for one document. Every reader's tests share it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from udfs.chunking.characters import is_blank
from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats.structure import Blocks, Repeat, Section, Structure


def check_structure(text: str, structure: Structure) -> None:
    """Raises AssertionError if the structure breaks the contract for this text."""
    length = len(text)
    check_sections(length, list(structure.sections))
    check_blocks(text, structure.blocks)
    check_repeats(length, list(structure.repeats))
    last = 0
    for removed in structure.removed:
        assert last <= removed.start < removed.end <= length, removed
        assert removed.reason
        last = removed.end
    assert all(type(item) is str for pair in structure.metadata.items() for item in pair)


def check_sections(length: int, sections: list[Section]) -> None:
    check_nested(((section.start, section.end) for section in sections), length)
    open_sections: list[Section] = []
    for section in sections:
        assert section.start < section.body <= section.end, section
        assert section.title == " ".join(section.title.split()), section
        assert not is_blank(section.title), section
        while open_sections and section.start >= open_sections[-1].end:
            open_sections.pop()
        assert section.level > (open_sections[-1].level if open_sections else 0), section
        open_sections.append(section)


def check_blocks(text: str, blocks: Blocks) -> None:
    columns = (blocks.start, blocks.end, blocks.kind, blocks.cut)
    assert [column.dtype for column in columns] == [np.int64, np.int64, np.uint8, np.uint8]
    assert {column.shape for column in columns} == {blocks.start.shape}
    assert blocks.start.ndim == 1
    check_nested(zip(blocks.start.tolist(), blocks.end.tolist(), strict=True), len(text))
    assert all(not is_blank(text[end - 1]) for end in blocks.end.tolist())
    assert all(blocks.kind < len(KINDS))
    assert all(blocks.cut < len(CUTS))


def check_repeats(length: int, repeats: list[Repeat]) -> None:
    check_nested(((repeat.start, repeat.end) for repeat in repeats), length)
    for repeat in repeats:
        assert not is_blank(repeat.text), repeat
        assert repeat.text[-1] not in "\r\n", repeat


def check_nested(stretches: Iterable[tuple[int, int]], length: int) -> None:
    """Nested or disjoint, in order of starts, the outer before the inner, not empty, inside the text."""
    open_ends: list[int] = []
    last = 0
    for start, end in stretches:
        assert last <= start < end <= length, (start, end)
        while open_ends and start >= open_ends[-1]:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1], (start, end)
        open_ends.append(end)
        last = start
