"""Options that several sub-commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

InputOption = Annotated[
    str | None,
    typer.Option(
        "--input", "-i", metavar="PATH", show_default=False, help="The documents: a file, a directory or a glob."
    ),
]
OutputOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="PATH", show_default=False, help="The folder of the tables."),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        show_default=False,
        help="Settings as YAML; they go on top of the built-in ones.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="KEY=VALUE",
        show_default=False,
        help="One setting, such as profiles.default.size=256. May be repeated; the last one wins.",
    ),
]
RemoteOption = Annotated[
    str | None,
    typer.Option(
        "--remote",
        metavar="sc://HOST:PORT",
        show_default=False,
        help="A Spark Connect server to run on; it needs lakechunk in its Python, too.",
    ),
]
