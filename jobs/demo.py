"""`lakechunk demo`: the main job on real documents, with nothing to prepare."""

from __future__ import annotations

import shlex
import shutil
import sys
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from jobs.options import SetOption
from jobs.screen import plain
from jobs.settings import load_settings
from udfs.chunking import SettingsError
from udfs.chunking.strategies import check_available

DEFAULT_FOLDER = Path("lakechunk-demo")
CONFIG = "demo.yaml"

# Profiles of the demo whose strategies need an extra that not everyone has.
NEEDS_EXTRA = {"code": "code", "rest": "auto"}


def command(
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="PATH", help="The folder to work in; made anew each time.")
    ] = DEFAULT_FOLDER,
    sets: SetOption = None,
) -> None:
    """Run the main job on real documents that are on every machine.

    Makes a Parquet data set of the READMEs of installed packages, source files and docstrings, adds a few broken
    rows, and runs the main job on it. Nothing is downloaded.
    """
    console = Console()
    sets = [*_without_extras(console), *(sets or ())]
    documents, tables = output / "documents", output / "tables"
    with resources.as_file(resources.files("conf").joinpath(CONFIG)) as config:
        # Read once before anything is written, so that a wrong --set stops here.
        settings = load_settings(config, sets)
        rows = _write_documents(documents, settings.input.max_document_bytes, console)
        told = f"{rows:,} documents of this machine are in {documents}/. Chunking them ..."
        console.print(plain(told), soft_wrap=True)
        _run(config, sets, documents, tables)
    _say_what_next(documents, tables, console)


def _without_extras(console: Console) -> list[str]:
    """Settings that let the demo run where an extra is not installed."""
    missing = {profile: why for profile, strategy in NEEDS_EXTRA.items() if (why := _why_not(strategy))}
    for profile, why in missing.items():
        console.print(plain(f"The profile {profile!r} cuts as prose is cut: {why}"), soft_wrap=True)
    return [f"profiles.{profile}.strategy=recursive" for profile in missing]


def _why_not(strategy: str) -> str | None:
    try:
        check_available(strategy)
    except SettingsError as error:
        return str(error)
    return None


def _write_documents(folder: Path, too_large: int, console: Console) -> int:
    from jobs.demo_corpus import gather, write_documents

    with console.status("Gathering READMEs, source files and docstrings ..."):
        return write_documents(gather(too_large), folder)


def _run(config: Path, sets: list[str], documents: Path, tables: Path) -> None:
    from jobs.run import command as run

    run(config=config, sets=sets, input_path=str(documents), output_path=str(tables))


def _say_what_next(documents: Path, tables: Path, console: Console) -> None:
    # As a command that can be copied: in an environment that is not active, it needs its path.
    lakechunk = "lakechunk" if shutil.which("lakechunk") else shlex.quote(sys.argv[0])
    source, target = shlex.quote(str(documents)), shlex.quote(str(tables))
    commands = {
        f"{lakechunk} sizes --output {target}": "the sizes again, with those by content type and source",
        f"{lakechunk} report --output {target}": "a page about the run",
        f"{lakechunk} preview README.md --profile markdown": "how one document is chunked",
        f"{lakechunk} demo --set profiles.default.size=256": "other settings, other sizes",
        f"{lakechunk} run --input {source} --output out --set input.columns.text=body": "the job itself",
        f"{lakechunk} config --schema": "all that can be set",
    }
    console.print("\nWhat to try next", style="bold")
    for command_line, what in commands.items():
        console.print(f"  {what}:", highlight=False)
        console.print(Text.assemble("    ", plain(command_line, "cyan")), soft_wrap=True)


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("demo"))
