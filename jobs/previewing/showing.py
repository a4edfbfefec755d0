"""From what was asked for to what is shown: reads, chunks, and prints or writes a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from jobs.errors import InputError
from jobs.previewing.asked import Asked
from jobs.previewing.comparison import compare
from jobs.previewing.directory import chunk_directory
from jobs.previewing.files import about_file, read_text
from jobs.previewing.subject import Subject, chunk_text, find_profile
from jobs.previewing.tables import print_comparison, print_directory
from jobs.previewing.terminal import print_figures, print_subject, print_title
from jobs.screen import result_console, visible
from jobs.settings import JobSettings, load_settings, masked_text
from udfs.chunking import SettingsError

DEFAULT = "default"

# Settings that decide how documents are chunked.
_OF_CHUNKING = ("profiles.", "routing.", "input.")


def show(asked: Asked, config: Path | None, sets: Sequence[str]) -> None:
    """Show what was asked for: on standard output, or as a page.

    Raises:
        SettingsError: settings that cannot be, or that change nothing.
        InputError: what should be shown is missing, or cannot be read.
    """
    _check_sets(asked, sets)
    console = result_console(highlight=False)
    needs = () if asked.document_id is None else ("output.path",)
    settings = load_settings(config, sets, {"output.path": asked.output_path}, needs=needs)
    if asked.document_id is not None:
        _show_document(_stored(settings, asked.document_id), asked, console)
    elif asked.path is not None and asked.path.is_dir():
        _show_directory(asked.path, asked, settings, console)
    elif asked.path is not None and asked.diff is not None:
        _show_comparison(asked.path, asked.diff, asked, settings, console)
    elif asked.path is not None:
        _show_document(_chunked(asked.path, asked.profile or DEFAULT, settings), asked, console)


def _check_sets(asked: Asked, sets: Sequence[str]) -> None:
    """What a run has chunked stays as it is; only where and how it is read can be set."""
    if asked.document_id is not None and (idle := [one for one in sets if one.startswith(_OF_CHUNKING)]):
        raise SettingsError(
            f"--document shows what a run wrote, so --set {visible(masked_text(idle[0]))} changes nothing. To try "
            "other settings, preview the document's file."
        )


def _stored(settings: JobSettings, document_id: str) -> Subject:
    from jobs.finished_run import FinishedRun
    from jobs.previewing.stored import stored_document

    return stored_document(FinishedRun(settings.output.path, dict(settings.spark)), document_id)


def _chunked(path: Path, profile: str, settings: JobSettings) -> Subject:
    chosen = find_profile(settings, profile)
    text = read_text(path, settings.input.max_document_bytes)
    return chunk_text(str(path), text, about_file(path), profile, chosen)


def _show_document(subject: Subject, asked: Asked, console: Console) -> None:
    if asked.page is None:
        print_subject(subject, asked.limit, console)
        return
    from jobs.previewing.page import document_page

    print_title(subject.document, console)
    print_figures(subject, console)
    _write(asked.page, document_page(subject), console)


def _show_directory(folder: Path, asked: Asked, settings: JobSettings, console: Console) -> None:
    profile = asked.profile or DEFAULT
    chosen = find_profile(settings, profile)
    directory = chunk_directory(folder, profile, chosen, settings.input.max_document_bytes, asked.limit)
    print_directory(directory, console)
    if asked.page is not None:
        from jobs.previewing.page import directory_page

        _write(asked.page, directory_page(directory), console)
        return
    left = asked.limit
    for subject in directory.first:
        if left > 0:
            console.print()
            left -= print_subject(subject, left, console)


def _show_comparison(path: Path, other: str, asked: Asked, settings: JobSettings, console: Console) -> None:
    one = _chunked(path, asked.profile or DEFAULT, settings)
    comparison = compare(one, _chunked(path, other, settings))
    print_comparison(comparison, asked.limit if asked.page is None else 0, console)
    if asked.page is not None:
        from jobs.previewing.page import comparison_page

        _write(asked.page, comparison_page(comparison), console)


def _write(page: Path, content: str, console: Console) -> None:
    try:
        page.write_bytes(content.encode("utf-8"))
    except OSError as error:
        raise InputError(f"--html {visible(page)}: cannot be written: {error.strerror}; give another file.") from None
    console.print(Text.assemble("Page: ", (visible(page), "bold")), soft_wrap=True)
