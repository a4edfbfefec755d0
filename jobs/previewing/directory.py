"""A directory of files: each chunked, the first ones kept to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jobs.errors import InputError
from jobs.previewing.files import Found, about_file, find_files, read_text
from jobs.previewing.subject import Figures, Subject, chunk_text
from udfs.chunking import ChunkSettings

# A preview is a look, not a run.
_MOST_FILES = 1000
_MOST_CHARACTERS = 20_000_000


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file of the directory: its name below it, and what cut it into what, or why nothing did."""

    name: str
    figures: Figures | None
    strategy: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Directory:
    """What chunking a directory gave.

    Attributes:
        name: of the directory.
        lines: one for each file of text, in order of their paths.
        total: the figures of all chunks.
        first: the first documents that have chunks.
        hidden, binary: how many files were left out because they are.
        beyond: how many files were not looked at, for there are too many.
    """

    name: str
    lines: list[FileLine]
    total: Figures
    first: list[Subject]
    hidden: int
    binary: int
    beyond: int


def chunk_directory(folder: Path, profile: str, settings: ChunkSettings, max_bytes: int, keep: int) -> Directory:
    """Chunk the files of a directory.

    Args:
        folder: the directory.
        profile: the profile's name.
        settings: the profile.
        max_bytes: the most bytes of a file.
        keep: documents are kept until they have so many chunks.

    Raises:
        InputError: the directory cannot be read, or holds no file of text.
    """
    found = find_files(folder, _MOST_FILES)
    if not found.files:
        raise InputError(f"{folder}: holds no file of text{_left_out(found)}; give another directory, or a file.")
    lines: list[FileLine] = []
    first: list[Subject] = []
    counts: list[int] = []
    cuts: list[str] = []
    characters = 0
    for path in found.files:
        if characters > _MOST_CHARACTERS:
            break
        line, subject = _chunked(path, path.relative_to(folder).as_posix(), profile, settings, max_bytes)
        lines.append(line)
        if subject is None:
            continue
        characters += subject.characters or 0
        if subject.document.chunks and sum(len(one.document.chunks) for one in first) < keep:
            first.append(subject)
        counts += [chunk.token_count for chunk in subject.document.chunks]
        cuts += [chunk.cut for chunk in subject.document.chunks]
    beyond = found.beyond + len(found.files) - len(lines)
    total = Figures.measured(counts, cuts)
    return Directory(str(folder), lines, total, first, found.hidden, found.binary, beyond)


def left_out_line(hidden: int, binary: int, beyond: int) -> str:
    """What of a directory was not looked at; empty if nothing was left out.

    >>> left_out_line(1, 2, 0)
    'Left out: 1 hidden, 2 binary'
    """
    parts = ((hidden, "hidden"), (binary, "binary"), (beyond, "beyond what a preview looks at"))
    told = ", ".join(f"{count:,} {name}" for count, name in parts if count)
    return f"Left out: {told}" if told else ""


def _left_out(found: Found) -> str:
    told = left_out_line(found.hidden, found.binary, found.beyond)
    return f" ({told[0].lower()}{told[1:]})" if told else ""


def _chunked(
    path: Path, name: str, profile: str, settings: ChunkSettings, max_bytes: int
) -> tuple[FileLine, Subject | None]:
    try:
        text = read_text(path, max_bytes)
    except InputError as error:
        return FileLine(name, None, trouble=str(error).removeprefix(f"{path}: ")), None
    subject = chunk_text(name, text, about_file(path), profile, settings)
    return FileLine(name, subject.figures, subject.document.strategy), subject
