"""`python -m tests.bench [FOLDER ...]`: speed, quality of cuts and memory, as tables."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tests.bench import corpora, engine, memory
from udfs.chunking import Chunker


def main(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Folders of text files; default: what is installed.")
    ] = None,
    strategy: Annotated[list[str] | None, typer.Option(help="Strategies to measure.")] = None,
    size: Annotated[int, typer.Option(help="Tokens a chunk.")] = 512,
    overlap: Annotated[int, typer.Option(help="Tokens that neighbours share.")] = 64,
    rounds: Annotated[int, typer.Option(help="How often each is timed.")] = 7,
    with_memory: Annotated[
        bool, typer.Option("--memory/--no-memory", help="Measure Python workers too (needs Spark).")
    ] = True,
) -> None:
    """Measure the engine on real text."""
    console = Console(width=160 if not sys.stdout.isatty() else None)
    console.print(f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    texts = [corpora.from_folder(folder) for folder in folders or ()] or corpora.of_every_machine()
    chunkers = [
        Chunker(strategy=name, size=size, overlap=overlap) for name in strategy or ("recursive", "sentence", "fixed")
    ]
    results = [engine.measure(corpus, chunker, rounds) for corpus in texts for chunker in chunkers]
    console.print(engine.speed_table(results))
    console.print(engine.quality_table(results))
    if with_memory:
        console.print(memory.memory_table())


typer.run(main)
