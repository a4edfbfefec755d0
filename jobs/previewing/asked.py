"""What somebody wants to see, and whether that makes sense."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from jobs.errors import MissingExtraError
from jobs.screen import visible
from jobs.showing import can_show
from udfs.chunking import SettingsError

_PAGE_ENDINGS = (".html", ".htm")
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of `lakechunk preview`, as they were given.

    Attributes:
        path: a file or directory.
        output_path: of a finished run.
        document_id: of a document of that run.
        profile: a profile's name or a strategy's; None: not given.
        diff: another one to set beside it.
        html: where to write a page.
        limit: how many chunks are shown.
    """

    path: Path | None
    output_path: str | None
    document_id: str | None
    profile: str | None
    diff: str | None
    html: Path | None
    limit: int

    @property
    def page(self) -> Path | None:
        """The file to write; in a directory, it is called after the document."""
        if self.html is None or not self.html.is_dir():
            return self.html
        name = self.path.resolve().name if self.path is not None else _file_name(self.document_id or "")
        return self.html / f"{name or 'document'}.preview.html"


def _file_name(document_id: str) -> str:
    """The end of an id as the name of a file: nothing in it leads to another directory, or is hidden."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", document_id)[-_LONGEST_NAME:].lstrip("._-")


def check_asked(asked: Asked) -> None:
    """Refuses what cannot be shown, before anything is read.

    Raises:
        SettingsError: options that contradict each other, or a page that would take another file's place.
        MissingExtraError: a page needs packages that are not installed.
    """
    if asked.path is None and asked.document_id is None:
        raise SettingsError(
            "Nothing to preview: give a file or directory, or --output PATH --document ID for a document of a finished "
            "run."
        )
    if asked.path is not None and (asked.document_id is not None or asked.output_path is not None):
        raise SettingsError("Give either a path, or --output with --document: one of them is too many.")
    if asked.document_id is not None and (asked.profile is not None or asked.diff is not None):
        raise SettingsError(
            "--document shows what a run wrote, so --profile and --diff change nothing. To try other settings, "
            "preview the document's file."
        )
    if asked.diff is not None and asked.path is not None and asked.path.is_dir():
        raise SettingsError("--diff compares the chunks of one document: give a file, not a directory.")
    if asked.page is not None:
        _check_page(asked.page)
        if asked.path is not None and asked.page.resolve() == asked.path.resolve():
            raise SettingsError(
                f"--html {visible(asked.page)}: the page would replace the document; give another file."
            )


def _check_page(page: Path) -> None:
    if page.suffix.lower() not in _PAGE_ENDINGS:
        raise SettingsError(f"--html {visible(page)}: a page ends in .html; give such a name, or a directory.")
    if not page.parent.is_dir():
        raise SettingsError(f"--html {visible(page)}: there is no such directory; make it first.")
    if not can_show():
        raise MissingExtraError("An HTML page", "report")
