"""The engine beside one pass of tiktoken over the same text: what it costs merely to count the tokens.

All run in turns, round after round, on one core; a multiple is the median of the
rounds' ratios, so a slow moment of the machine does not decide.
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
from tests.bench.peers import Peer, ends_of
from udfs.chunking import CUTS, Chunker
from udfs.chunking.tokenizers import load_tokenizer, reference_encoding

CUT_GROUPS = ("paragraph", "line", "sentence", "clause", "word", "grapheme")


@dataclass(frozen=True)
class Quality:
    """What the chunks of a corpus are like."""

    tokens: np.ndarray[tuple[int], np.dtype[np.int32]]  # of each chunk
    several: np.ndarray[tuple[int], np.dtype[np.bool_]]  # whether its document has several chunks
    cuts: Counter[str]  # the ends of all chunks but those that end a document


@dataclass(frozen=True)
class Result:
    """One chunker on one corpus."""

    corpus: Corpus
    name: str
    yardstick: float  # MB/s of the tiktoken pass
    multiple: float  # how many times as fast the chunker is
    quality: Quality


def measure(corpus: Corpus, chunkers: list[Chunker], peers: list[Peer], rounds: int) -> list[Result]:
    """Time all of them, in turns; a peer takes part in the first rounds only, for most are slow."""
    reference = reference_encoding("cl100k_base")
    runs: dict[str, Callable[[], object]] = {
        "tiktoken": lambda: [reference.encode_ordinary(document) for document in corpus.documents],
        **{_name(chunker): _whole_batch(chunker, corpus) for chunker in chunkers},
        **{peer.name: _one_by_one(peer, corpus) for peer in peers},
    }
    slow = {peer.name for peer in peers}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name in list(runs)[:: 1 if number % 2 else -1]:  # whoever is next finds caches as the one before left them
            if number <= 2 or name not in slow:
                times[name].append(_seconds(runs[name]))
    qualities = {_name(chunker): _own_quality(chunker, corpus) for chunker in chunkers}
    qualities |= {peer.name: _peer_quality(peer, corpus) for peer in peers}
    base = times["tiktoken"][1:]  # the first round only warms up
    return [
        Result(
            corpus=corpus,
            name=name,
            yardstick=corpus.megabytes / median(base),
            multiple=median(yard / own for yard, own in zip(base, times[name][1:], strict=False)),
            quality=quality,
        )
        for name, quality in qualities.items()
    ]


def speed_table(results: list[Result]) -> Table:
    """Speed of each chunker on each corpus."""
    table = Table(title="Speed, one core (MB/s of UTF-8; multiple of one tiktoken pass)")
    for heading in ("corpus", "MB", "chunker", "tiktoken MB/s", "MB/s", "multiple"):
        table.add_column(heading, justify="left" if heading in ("corpus", "chunker") else "right")
    for found in results:
        speeds = (f"{found.yardstick:.1f}", f"{found.yardstick * found.multiple:.1f}", f"{found.multiple:.2f}")
        table.add_row(found.corpus.name, f"{found.corpus.megabytes:.1f}", found.name, *speeds)
    return table


def quality_table(results: list[Result], size: int) -> Table:
    """How full the chunks are and where they end; the ends of documents are left out of the cuts."""
    table = Table(title="Quality (a crumb is under a tenth of the size, in a document of several chunks)")
    for heading in ("corpus", "chunker", "chunks", "mean", "p95", "max", "over", "crumbs", *CUT_GROUPS):
        table.add_column(heading, justify="left" if heading in ("corpus", "chunker") else "right")
    for found in results:
        tokens = found.quality.tokens
        numbers = (f"{len(tokens):,}", f"{tokens.mean():.0f}", f"{np.percentile(tokens, 95):.0f}", str(tokens.max()))
        over, crumbs = int((tokens > size).sum()), int(((tokens < size / 10) & found.quality.several).sum())
        table.add_row(found.corpus.name, found.name, *numbers, str(over), str(crumbs), *_shares(found.quality.cuts))
    return table


def _name(chunker: Chunker) -> str:
    return f"lakechunk {chunker.settings.strategy}"


def _whole_batch(chunker: Chunker, corpus: Corpus) -> Callable[[], object]:
    return lambda: chunker.chunk_batch(corpus.documents)


def _one_by_one(peer: Peer, corpus: Corpus) -> Callable[[], object]:
    return lambda: [peer.split(document) for document in corpus.documents]


def _own_quality(chunker: Chunker, corpus: Corpus) -> Quality:
    batch = chunker.chunk_batch(corpus.documents)
    chunks = np.diff(batch.offsets)
    cuts = Counter(CUTS[cut] for cut in batch.cut.tolist())
    return Quality(batch.token_count, np.repeat(chunks > 1, chunks), cuts)


def _peer_quality(peer: Peer, corpus: Corpus) -> Quality:
    chunks = [peer.split(document) for document in corpus.documents]
    tokens = load_tokenizer("cl100k_base").count([text for texts in chunks for text in texts])
    cuts: Counter[str] = Counter()
    for document, texts in zip(corpus.documents, chunks, strict=True):
        cuts.update(CUTS[cut] for cut in ends_of(document, texts).tolist())
    return Quality(tokens, np.repeat([len(texts) > 1 for texts in chunks], [len(texts) for texts in chunks]), cuts)


def _shares(cuts: Counter[str]) -> list[str]:
    inner = sum(cuts[cut] for cut in CUT_GROUPS) or 1
    return [f"{cuts[cut] / inner:.1%}" for cut in CUT_GROUPS]


def _seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin
