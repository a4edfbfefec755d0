"""Files as documents: read as a run would read them, and said plainly where they cannot be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import InputError
from jobs.screen import visible
from jobs.settings import masked_text
from udfs.chunking.document import About

# What tells that a file holds no text, in its first bytes.
_HEAD = 8192
_WIDE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@dataclass(frozen=True, slots=True)
class Found:
    """What a directory holds.

    Attributes:
        files: of text, in order of their paths.
        hidden: how many files and directories were left out because their names begin with a dot.
        binary: how many files were left out because they hold no text.
        beyond: how many more files there are than were asked for.
    """

    files: list[Path]
    hidden: int
    binary: int
    beyond: int


def read_text(path: Path, max_bytes: int) -> str:
    """The text of a file.

    Args:
        path: of the file.
        max_bytes: the most that a run would take.

    Raises:
        InputError: it is missing, cannot be read, is larger, or is not UTF-8.
    """
    shown = masked_text(visible(path))
    try:
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise InputError(f"{shown}: no such file or directory (relative to {Path.cwd()}); check the path.") from None
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {error.strerror}; check its permissions.") from None
    if len(content) > max_bytes:
        raise InputError(
            f"{shown}: more than {max_bytes:,} bytes; a run would reject it as too_large. "
            "Raise --set input.max_document_bytes=... if it should be chunked."
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        guess = f"; it looks like {_WIDE[content[:2]]}" if content[:2] in _WIDE else ""
        raise InputError(
            f"{shown}: not UTF-8 (byte {error.start:,}){guess}; a run would reject it as invalid_utf8. "
            "Convert it to UTF-8 text first."
        ) from None


def about_file(path: Path) -> About:
    """What is known of a file: its name, from which the engine tells what it is.

    >>> about_file(Path("a.md")).source
    'a.md'
    """
    # No guess by `mimetypes`: what that knows differs by machine and version of Python.
    return About(source=str(path))


def find_files(folder: Path, most: int) -> Found:
    """The files of text below a directory. Links to directories are not followed.

    Args:
        folder: the directory.
        most: how many files to give at most.

    Raises:
        InputError: the directory cannot be read.
    """
    hidden = binary = beyond = 0
    files: list[Path] = []
    for path, seen in _walked(folder):
        if not seen:
            hidden += 1
        elif len(files) == most:
            beyond += 1
        elif _is_binary(path):
            binary += 1
        else:
            files.append(path)
    return Found(files, hidden, binary, beyond)


def _walked(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Every regular file, and what is hidden (of a hidden directory, only itself): path, and whether it is seen."""

    def refuse(error: OSError) -> None:
        if error.filename == str(folder):
            raise InputError(f"{visible(folder)}: cannot be read: {error.strerror}; check its permissions.")

    for place, folders, names in os.walk(folder, onerror=refuse):
        here = Path(place)
        for name in [name for name in (*folders, *names) if name.startswith(".")]:
            yield here / name, False
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and (here / name).is_file():
                yield here / name, True


def _is_binary(path: Path) -> bool:
    """Whether a file's head is no text. What cannot be read is not called binary: it is told of later."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    if b"\0" in head:
        return True
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start < len(head) - 3 or len(head) < _HEAD  # a character may be cut by the end of the head
    return False
