"""`python -m tests.bench [FOLDER ...]`: speed, quality of cuts, growth and memory, as tables."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tests.bench import corpora, engine, memory, shapes, spark, structure
from tests.bench.peers import installed_peers
from udfs.chunking import Chunker


def main(
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders of text; default: what is installed.")] = None,
    strategy: Annotated[list[str] | None, typer.Option(help="Strategies to measure.")] = None,
    size: Annotated[int, typer.Option(help="Tokens a chunk.")] = 512,
    overlap: Annotated[int, typer.Option(help="Tokens that neighbours share.")] = 64,
    rounds: Annotated[int, typer.Option(help="How often each is timed.")] = 5,
    largest: Annotated[int, typer.Option(help="Characters of the largest document of the growth table.")] = 1_000_000,
    with_spark: Annotated[bool, typer.Option("--spark/--no-spark", help="Measure jobs and Python workers too.")] = True,
) -> None:
    """Measure the engine on real text, beside other chunkers where they are installed."""
    console = Console(width=160 if not sys.stdout.isatty() else None)
    console.print(f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    texts = [corpora.from_folder(folder) for folder in folders or ()] or corpora.of_every_machine()
    names = strategy or ("recursive", "sentence", "fixed")
    chunkers = [Chunker(strategy=name, size=size, overlap=overlap) for name in names]
    peers = list(installed_peers(size, overlap))
    results = [found for corpus in texts for found in engine.measure(corpus, chunkers, peers, rounds)]
    console.print(engine.speed_table(results))
    console.print(engine.quality_table(results, size))
    console.print(structure.structure_table(texts, size, overlap, rounds))
    console.print(shapes.growth_table(largest, size))
    if with_spark:
        console.print(spark.spark_table(texts[0], size, overlap, min(rounds, 3)))
        console.print(memory.memory_table())


typer.run(main)
