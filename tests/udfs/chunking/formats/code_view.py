"""How tests look at what the readers of code and delimited text found."""

from __future__ import annotations

from tests.udfs.chunking.formats.contract import check_structure
from udfs.chunking.chunk import CUTS, KINDS
from udfs.chunking.formats.code import read_code
from udfs.chunking.formats.structure import Structure


def read(text: str, language: str) -> Structure:
    structure = read_code(text, language)
    check_structure(text, structure)
    return structure


def qualified_names(text: str, language: str) -> list[str]:
    """The path of each function and type, as in `A.f`."""
    names: list[str] = []
    path: list[str] = []
    for section in read(text, language).sections:
        path = [*path[: section.level - 1], section.title]
        names.append(" > ".join(path))
    return names


def blocks(text: str, structure: Structure) -> list[tuple[int, str, str]]:
    """Depth, cut and text of each block."""
    found = structure.blocks
    result: list[tuple[int, str, str]] = []
    ends: list[int] = []
    for start, end, cut in zip(found.start.tolist(), found.end.tolist(), found.cut.tolist(), strict=True):
        while ends and start >= ends[-1]:
            ends.pop()
        result.append((len(ends), CUTS[cut], text[start:end]))
        ends.append(end)
    return result


def block_texts(text: str, language: str) -> list[str]:
    return [words for _, _, words in blocks(text, read(text, language))]


def repeats(text: str, structure: Structure) -> dict[str, str]:
    """What is repeated, and the first line of the stretch."""
    return {repeat.text: text[repeat.start : repeat.end].strip().partition("\n")[0] for repeat in structure.repeats}


def outline(text: str, structure: Structure) -> str:
    """A structure as indented lines, each block with its first and last line."""
    lines = ["SECTIONS"]
    lines += [f"{'  ' * level}{title}  [{start}-{end}]" for start, _, end, level, title in structure.sections]
    lines += ["", "BLOCKS"]
    kinds = structure.blocks.kind.tolist()
    for kind, (depth, cut, words) in zip(kinds, blocks(text, structure), strict=True):
        first, *rest = words.strip().split("\n")
        lines.append(f"{'  ' * depth}{KINDS[kind]}/{cut}: {first.strip()}{' ... ' + rest[-1].strip() if rest else ''}")
    lines += ["", "REPEATS"]
    for repeat in structure.repeats:
        lines.append(f"{repeat.text!r} before {repeat.start}-{repeat.end}")
    return "\n".join(lines) + "\n"
