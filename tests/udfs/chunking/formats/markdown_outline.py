"""How tests look at what the Markdown reader found: in lists to compare, and as an outline to read."""

from __future__ import annotations

from tests.udfs.chunking.formats.contract import check_structure
from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats.markdown import read_markdown
from udfs.chunking.formats.structure import Structure

Block = tuple[int, str, str, str]


def read(text: str) -> Structure:
    structure = read_markdown(text)
    check_structure(text, structure)
    return structure


def blocks(text: str) -> list[Block]:
    """Depth, kind, cut and text of each block."""
    found = read(text).blocks
    result: list[Block] = []
    ends: list[int] = []
    columns = (found.start.tolist(), found.end.tolist(), found.kind.tolist(), found.cut.tolist())
    for start, end, kind, cut in zip(*columns, strict=True):
        while ends and start >= ends[-1]:
            ends.pop()
        result.append((len(ends), KINDS[kind], CUTS[cut], text[start:end]))
        ends.append(end)
    return result


def paths(text: str) -> dict[str, list[str]]:
    """The heading path of each line that is no heading."""
    sections = read(text).sections
    found = {}
    position = 0
    for line in text.splitlines(keepends=True):
        inside = [section for section in sections if section.start <= position < section.end]
        if line.strip() and not any(section.start <= position < section.body for section in inside):
            found[line.strip()] = [section.title for section in inside]
        position += len(line)
    return found


def titles(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in read(text).sections]


def repeats(text: str) -> list[tuple[str, str]]:
    """What is repeated, and the stretch before whose parts it stands."""
    return [(repeat.text, text[repeat.start : repeat.end]) for repeat in read(text).repeats]


def outline(text: str) -> str:
    """Sections, blocks and repeats of a document as indented lines, each with its first and last words."""
    structure = read(text)
    lines = [f"metadata {key}: {value}" for key, value in structure.metadata.items()]
    lines += [f"removed {removed.start}-{removed.end} {removed.reason}" for removed in structure.removed]
    lines += ["", "SECTIONS"]
    for section in structure.sections:
        lines.append(f"{'  ' * section.level}{section.title}  [{section.start}-{section.end}]")
    lines += ["", "BLOCKS"]
    lines += [f"{'  ' * depth}{kind}/{cut}: {glimpse(words)}" for depth, kind, cut, words in blocks(text)]
    lines += ["", "REPEATS"]
    for repeat in structure.repeats:
        lines.append(f"{repeat.text!r} before {glimpse(text[repeat.start : repeat.end])}")
    return "\n".join(lines) + "\n"


def glimpse(words: str) -> str:
    return repr(words if len(words) <= 64 else f"{words[:30]} ... {words[-28:]}")
