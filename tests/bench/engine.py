"""The engine beside one pass of tiktoken over the same text: what it costs merely to count the tokens.

Both run in turns, round after round, on one core; the multiple is the median of
the rounds' ratios, so a slow moment of the machine does not decide.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np
from rich.table import Table

from tests.bench.corpora import Corpus
from udfs.chunking import CUTS, ChunkBatch, Chunker
from udfs.chunking.tokenizers import reference_encoding

CUT_GROUPS = ("paragraph", "line", "sentence", "clause", "word", "grapheme")


@dataclass(frozen=True)
class Result:
    """One strategy on one corpus."""

    corpus: Corpus
    strategy: str
    yardstick: float  # MB/s of the tiktoken pass
    multiple: float  # how many times as fast the engine is
    chunks: ChunkBatch


def measure(corpus: Corpus, chunker: Chunker, rounds: int) -> Result:
    """Time both, in turns."""
    reference = reference_encoding(chunker.settings.tokenizer)
    batch = chunker.chunk_batch(corpus.documents)  # warm, and the result to judge

    def one_pass() -> None:
        for document in corpus.documents:
            reference.encode_ordinary(document)

    times = [(_seconds(one_pass), _seconds(lambda: chunker.chunk_batch(corpus.documents))) for _ in range(rounds)]
    return Result(
        corpus=corpus,
        strategy=chunker.settings.strategy,
        yardstick=corpus.megabytes / median(base for base, _ in times),
        multiple=median(base / ours for base, ours in times),
        chunks=batch,
    )


def speed_table(results: list[Result]) -> Table:
    """Speed of each strategy on each corpus."""
    table = Table(title="Speed, one core (MB/s of UTF-8; multiple of one tiktoken pass)")
    for heading in ("corpus", "MB", "strategy", "tiktoken MB/s", "lakechunk MB/s", "multiple"):
        table.add_column(heading, justify="left" if heading in ("corpus", "strategy") else "right")
    for found in results:
        ours = found.yardstick * found.multiple
        numbers = (f"{found.yardstick:.1f}", f"{ours:.1f}", f"[bold]{found.multiple:.2f}[/bold]")
        table.add_row(found.corpus.name, f"{found.corpus.megabytes:.1f}", found.strategy, *numbers)
    return table


def quality_table(results: list[Result]) -> Table:
    """How full the chunks are and where they end; the ends of documents are left out of the cuts."""
    table = Table(title="Quality (a crumb is under a tenth of the size in a document of several chunks)")
    for heading in ("corpus", "strategy", "chunks", "mean", "p95", "max", "over", "crumbs", *CUT_GROUPS):
        table.add_column(heading, justify="left" if heading in ("corpus", "strategy") else "right")
    for found in results:
        tokens = found.chunks.token_count
        sizes = (f"{tokens.mean():.0f}", f"{np.percentile(tokens, 95):.0f}", str(tokens.max()))
        over = int(found.chunks.oversize.sum())
        table.add_row(
            found.corpus.name, found.strategy, f"{len(tokens):,}", *sizes, str(over), str(_crumbs(found.chunks)),
            *_shares(found.chunks),
        )  # fmt: skip
    return table


def _shares(chunks: ChunkBatch) -> list[str]:
    counts = Counter(CUTS[cut] for cut in chunks.cut.tolist())
    inner = sum(counts[cut] for cut in CUT_GROUPS) or 1
    return [f"{counts[cut] / inner:.1%}" for cut in CUT_GROUPS]


def _crumbs(chunks: ChunkBatch) -> int:
    several = np.repeat(np.diff(chunks.offsets) > 1, np.diff(chunks.offsets))
    largest = int(chunks.token_count.max(initial=0))
    return int(((chunks.token_count < largest / 10) & several).sum())


def _seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin
