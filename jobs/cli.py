"""The `lakechunk` command: finds the sub-command, imports only that one, and turns errors into exit codes.

Each sub-command is a module `jobs.<name>` with a function `command` whose annotations typer reads. The module is
imported when its command is called, not before: `--help` and `config` must not wait for Spark.
"""

from __future__ import annotations

import functools
import importlib
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from jobs.exit_codes import ExitCode, exit_code_lines
from jobs.screen import visible_lines
from udfs.chunking import LakechunkError, SettingsError


@dataclass(frozen=True, slots=True)
class Command:
    """A sub-command: the module that holds it, its line in the overview, and examples of its use."""

    module: str
    summary: str
    examples: tuple[str, ...]


COMMANDS = {
    "run": Command(
        "jobs.run",
        "Chunk the documents and write the tables: the main job.",
        (
            "lakechunk run --input docs/ --output out/",
            "lakechunk run --config lake.yaml --set profiles.default.size=256",
        ),
    ),
    "sizes": Command(
        "jobs.sizes",
        "Show the size percentiles of a chunk table.",
        ("lakechunk sizes --output out/",),
    ),
    "report": Command(
        "jobs.report",
        "Write the report of a run: one HTML file.",
        ("lakechunk report --output out/", "lakechunk report --output s3a://lake/out/ --to report.html"),
    ),
    "preview": Command(
        "jobs.preview",
        "Show how a document is chunked: in the terminal, or as a page.",
        (
            "lakechunk preview README.md --profile markdown",
            "lakechunk preview README.md --html . --diff sentence",
            "lakechunk preview --output out/ --document ID",
        ),
    ),
    "config": Command(
        "jobs.config",
        "Show the effective settings, or what may be set.",
        ("lakechunk config --config lake.yaml", "lakechunk config --schema > lakechunk.schema.json"),
    ),
    "demo": Command(
        "jobs.demo",
        "Run the main job on real documents that are on every machine.",
        ("lakechunk demo", "lakechunk demo --output /tmp/demo"),
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `lakechunk` with these arguments (default: those of the process).

    Returns:
        The exit code; see `jobs.exit_codes`.
    """
    _show_what_can_be_shown()
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    chosen = next((argument for argument in arguments if not argument.startswith("-")), "")
    try:
        _application(chosen, debug=debug)(args=arguments, prog_name="lakechunk")
    except SystemExit as finished:
        return finished.code if isinstance(finished.code, int) else ExitCode.FAILURE
    except LakechunkError as error:  # the sub-command could not be loaded
        return report_error(error)
    return ExitCode.OK


def command_line() -> None:
    """The console script. Exits only with an error: a job service that calls it takes any exit for a failure."""
    if code := main():
        sys.exit(code)


def script(name: str) -> int:
    """Run one sub-command as a script: `spark-submit jobs/run.py --input ...`."""
    return main([name, *sys.argv[1:]])


def report_error(error: LakechunkError) -> ExitCode:
    """Say in one red message on stderr what is wrong, and give the exit code for it."""
    # Not wrapped: a message that is piped into a log or searched for stays on its line.
    # It may quote documents and paths, which must not steer the terminal.
    Console(stderr=True, soft_wrap=True).print(Text(visible_lines(f"Error: {error}"), style="bold red"))
    default = ExitCode.SETTINGS if isinstance(error, SettingsError) else ExitCode.FAILURE
    return ExitCode(getattr(error, "exit_code", default))


def _show_what_can_be_shown() -> None:
    """A terminal or log that cannot show a character gets an escape: no reason to stop."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _application(chosen: str, *, debug: bool) -> typer.Typer:
    """The command line, in which only the chosen sub-command has been imported."""
    application = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    codes = "Exit codes: " + "; ".join(exit_code_lines()) + "."
    application.callback(epilog=codes)(_top)
    for name, entry in COMMANDS.items():
        function = _guarded(_load(entry), debug=debug) if name == chosen else _not_loaded
        text = _help_text(function) if name == chosen else entry.summary
        application.command(name, help=text, short_help=entry.summary, epilog=_epilog(entry, codes))(function)
    return application


def _load(entry: Command) -> Callable[..., Any]:
    try:
        function: Callable[..., Any] = importlib.import_module(entry.module).command
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("pyspark", "py4j"):
            raise
        raise LakechunkError(
            "PySpark is not installed here. On a laptop: pip install 'lakechunk[spark]'. On a cluster: use the Python "
            "that Spark uses, or spark-submit."
        ) from None
    return function


def _guarded(function: Callable[..., Any], *, debug: bool) -> Callable[..., Any]:
    """The function, with errors raised on purpose turned into a message and an exit code."""

    @functools.wraps(function)  # typer reads the options from the function inside
    def guarded(*arguments: Any, **options: Any) -> None:
        try:
            function(*arguments, **options)
        except LakechunkError as error:
            if debug:
                from jobs.settings.masking import masked_text

                # The errors of Spark and of stores, which stand in it too, may quote addresses and keys.
                Console(stderr=True, soft_wrap=True).print(Text(visible_lines(masked_text(traceback.format_exc()))))
            raise typer.Exit(report_error(error)) from None
        except KeyboardInterrupt:
            Console(stderr=True).print("Interrupted.", style="yellow")
            raise typer.Exit(ExitCode.INTERRUPTED) from None

    return guarded


def _help_text(function: Callable[..., Any]) -> str:
    """The docstring up to its technical sections."""
    text = (function.__doc__ or "").strip()
    for section in ("Args:", "Returns:", "Raises:", "Example:", "Examples:"):
        text = text.split(f"\n\n    {section}", 1)[0]
    return text


def _epilog(entry: Command, codes: str) -> str:
    # Blank lines: typer joins the lines of a paragraph.
    examples = [f"  [cyan]{example}[/cyan]" for example in entry.examples]
    return "\n\n".join(["[bold]Examples[/bold]", *examples, codes])


def _not_loaded() -> None:
    """Stand in for a sub-command that was not called."""


def _version(wanted: bool) -> None:
    if not wanted:
        return
    try:
        typer.echo(f"lakechunk {version('lakechunk')}")
    except PackageNotFoundError:  # run from a checkout
        typer.echo("lakechunk (not installed)")
    raise typer.Exit


def _top(
    *,
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    _debug: Annotated[bool, typer.Option("--debug", help="Show where an error was raised, too.")] = False,
) -> None:
    """Turn the documents of a data lake into chunk tables that are ready to embed."""


if __name__ == "__main__":
    sys.exit(main())
