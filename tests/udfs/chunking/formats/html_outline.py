"""How tests look at what the HTML reader made: the text, lists to compare, and an outline to read."""

from __future__ import annotations

from tests.udfs.chunking.formats.contract import check_structure
from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats.html import read_html
from udfs.chunking.formats.structure import Converted, Structure


def convert(source: str, *, drop: bool = True) -> tuple[str, Structure, Converted]:
    """The canonical text, its structure, and all of the result, with the contract checked."""
    converted = read_html(source, drop_boilerplate=drop)
    assert converted.structure is not None
    check_structure(converted.text, converted.structure)
    return converted.text, converted.structure, converted


def text_of(source: str, *, drop: bool = True) -> str:
    return convert(source, drop=drop)[0]


def blocks_of(source: str) -> list[tuple[int, str, str, str]]:
    """Depth, kind, cut and text of each block."""
    text, structure, _ = convert(source)
    found = structure.blocks
    result: list[tuple[int, str, str, str]] = []
    ends: list[int] = []
    columns = (found.start.tolist(), found.end.tolist(), found.kind.tolist(), found.cut.tolist())
    for start, end, kind, cut in zip(*columns, strict=True):
        while ends and start >= ends[-1]:
            ends.pop()
        result.append((len(ends), KINDS[kind], CUTS[cut], text[start:end]))
        ends.append(end)
    return result


def repeats_of(source: str) -> list[tuple[str, str]]:
    """What is repeated, and the stretch before whose parts it stands."""
    text, structure, _ = convert(source)
    return [(repeat.text, text[repeat.start : repeat.end]) for repeat in structure.repeats]


def sections_of(source: str) -> list[tuple[int, str, str]]:
    """Level, title and text of each section."""
    text, structure, _ = convert(source)
    return [(section.level, section.title, text[section.start : section.end]) for section in structure.sections]


def outline(source: str) -> str:
    """Metadata, what was removed, sections, blocks and repeats as indented lines."""
    _, structure, converted = convert(source)
    lines = [f"metadata {key}: {value}" for key, value in structure.metadata.items()]
    lines += [f"removed {reason}: {count}" for reason, count in converted.removed.items()]
    lines += ["", "SECTIONS", *(f"{'  ' * section.level}{section.title}" for section in structure.sections)]
    lines += ["", "BLOCKS"]
    lines += [f"{'  ' * depth}{kind}/{cut}: {_glimpse(words)}" for depth, kind, cut, words in blocks_of(source)]
    lines += ["", "REPEATS", *(f"{words!r} before {_glimpse(stretch)}" for words, stretch in repeats_of(source))]
    return "\n".join(lines) + "\n"


def _glimpse(words: str) -> str:
    return repr(words if len(words) <= 64 else f"{words[:30]} ... {words[-28:]}")
