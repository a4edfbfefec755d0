"""The strategies that know structure, beside one pass of tiktoken over the same text."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from statistics import median

from rich.table import Table

from tests.bench.corpora import Corpus
from udfs.chunking import Chunker
from udfs.chunking.document import About
from udfs.chunking.formats.kind import kind_of
from udfs.chunking.tokenizers import reference_encoding

STRUCTURED = ("markdown", "html", "code", "table")


def structure_table(corpora: list[Corpus], size: int, overlap: int, rounds: int) -> Table:
    """Each corpus that most of whose documents have structure, by the strategy that suits it."""
    table = Table(title=f"Structure, one core, {size}/{overlap}")
    for heading in ("corpus", "strategy", "MB", "of one tiktoken pass", "of one over the canonical text", "crumbs"):
        table.add_column(heading, justify="left" if heading in ("corpus", "strategy") else "right")
    for corpus in corpora:
        strategy, language = _suited(corpus)
        if strategy in STRUCTURED:
            chunker = Chunker(strategy=strategy, size=size, overlap=overlap, language=language)
            table.add_row(corpus.name, strategy, f"{corpus.megabytes:.1f}", *_measured(corpus, chunker, rounds))
    return table


def _suited(corpus: Corpus) -> tuple[str, str | None]:
    """The kind of most documents; and the language, if it is code."""
    guesses = Counter((found.kind, found.language) for found in map(kind_of, corpus.documents))
    (kind, language), _ = guesses.most_common(1)[0]
    return kind, language


def _measured(corpus: Corpus, chunker: Chunker, rounds: int) -> tuple[str, str, str]:
    reference = reference_encoding("cl100k_base")
    canonical = [chunker.canonical(document, About()) for document in corpus.documents]
    runs: list[Callable[[], object]] = [
        lambda: [reference.encode_ordinary(document) for document in corpus.documents],
        lambda: [reference.encode_ordinary(text) for text in canonical],
        lambda: chunker.chunk_batch(corpus.documents),
    ]
    times: list[list[float]] = [[] for _ in runs]
    for number in range(rounds + 1):
        for run, taken in zip(runs, times, strict=True):
            begin = time.perf_counter()
            run()
            if number:  # the first round only warms up
                taken.append(time.perf_counter() - begin)
    multiples = [median(yard / own for yard, own in zip(times[row], times[2], strict=True)) for row in (0, 1)]
    batch = chunker.chunk_batch(corpus.documents)
    crumbs = sum(
        int((batch.token_count[low:high] < chunker.settings.limit / 10).sum())
        for low, high in zip(batch.offsets[:-1].tolist(), batch.offsets[1:].tolist(), strict=True)
        if high - low > 1
    )
    return f"{multiples[0]:.2f}", f"{multiples[1]:.2f}", f"{crumbs} of {len(batch)}"
