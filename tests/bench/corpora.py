"""Real text to measure on: any folders, or what every machine has."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

# Larger corpora are cut off here, so that a round takes seconds.
MAX_BYTES = 8_000_000


@dataclass(frozen=True)
class Corpus:
    """Some documents of one kind."""

    name: str
    documents: list[str]

    @property
    def megabytes(self) -> float:
        """Size in UTF-8, in units of 1,000,000 bytes."""
        return sum(len(document.encode()) for document in self.documents) / 1e6


def from_folder(folder: Path) -> Corpus:
    """The UTF-8 files below a folder, by name; what is no text is left out."""
    return Corpus(folder.name, list(_up_to(MAX_BYTES, map(_read, sorted(folder.rglob("*"))))))


def of_every_machine() -> list[Corpus]:
    """The descriptions of installed packages (mostly Markdown), and the source of the standard library."""
    descriptions = (str(package.metadata.json.get("description", "")) for package in _packages())
    library = Path(sysconfig.get_paths()["stdlib"])
    return [
        Corpus("package READMEs", list(_up_to(MAX_BYTES, descriptions))),
        Corpus("Python source", list(_up_to(MAX_BYTES, map(_read, sorted(library.glob("*.py")))))),
    ]


def _packages() -> list[metadata.Distribution]:
    return sorted(metadata.distributions(), key=lambda package: str(package.metadata["Name"]).lower())


def _read(path: Path) -> str | None:
    if not path.is_file():
        return None
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def _up_to(limit: int, documents: Iterator[object]) -> Iterator[str]:
    total = 0
    for document in documents:
        if isinstance(document, str) and document.strip() and total < limit:
            total += len(document.encode())
            yield document
