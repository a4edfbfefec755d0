"""`lakechunk preview`: how one document is chunked, in the terminal and as an HTML page.

For a file, and for a finished run in local Parquet, no JVM starts: looking takes no longer than it should.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jobs.options import ConfigOption, OutputOption, SetOption
from jobs.previewing.asked import Asked, check_asked
from jobs.previewing.showing import show


def command(
    *,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", show_default=False, help="A file, or a directory of files."),
    ] = None,
    output_path: OutputOption = None,
    document_id: Annotated[
        str | None,
        typer.Option("--document", "-d", metavar="ID", show_default=False, help="A document of the run in --output."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            "-p",
            metavar="NAME",
            show_default=False,
            help="A profile's name, or a strategy's; if left out, the profile named default.",
        ),
    ] = None,
    diff: Annotated[
        str | None,
        typer.Option(
            "--diff", metavar="NAME", show_default=False, help="Another profile or strategy to set beside it."
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", show_default=False, help="Write an HTML page; into a directory: by name."
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, metavar="N", help="Chunks shown; the rest is counted.")
    ] = 50,
    config: ConfigOption = None,
    sets: SetOption = None,
) -> None:
    """Show how a document is chunked: each chunk with its size, place, section, kind and cut, overlaps marked.

    PATH is a file, or a directory: then a table of its files, and the first of them. With --output and --document, a
    document of a finished run as it stands there. Give --profile or --set to try other settings, --diff to set two
    profiles side by side, --html for a page with a chart.
    """
    asked = Asked(path, output_path, document_id, profile, diff, html, limit)
    check_asked(asked)
    show(asked, config, sets or ())


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("preview"))
