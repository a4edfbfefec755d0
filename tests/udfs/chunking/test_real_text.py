"""The laws on real documents: what every machine has, and any folder of text that LAKECHUNK_CORPORA names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bench.corpora import Corpus, from_folder, of_every_machine
from tests.udfs.chunking.laws import check_document
from tests.udfs.chunking.test_laws import STRATEGIES
from udfs.chunking import Chunker, ChunkSettings

# Some documents of each corpus are enough: every chunk of them is counted anew by the reference.
DOCUMENTS = 12
FOLDERS = [Path(folder) for folder in os.environ.get("LAKECHUNK_CORPORA", "").split(os.pathsep) if folder]


def some(corpus: Corpus) -> list[str]:
    step = max(1, len(corpus.documents) // DOCUMENTS)
    return [document[:60_000] for document in corpus.documents[::step]][:DOCUMENTS]


@pytest.fixture(scope="module")
def corpora() -> list[Corpus]:
    return of_every_machine()


def check(documents: list[str], strategy: str) -> None:
    for encoding, size, overlap in (("cl100k_base", 512, 64), ("o200k_base", 100, 20)):
        chosen = ChunkSettings(strategy=strategy, size=size, overlap=overlap, tokenizer=encoding)
        chunker = Chunker(chosen)
        batch = chunker.chunk_batch(documents)
        for index, document in enumerate(documents):
            check_document(chunker, document, batch.document(index))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_laws_hold_on_what_every_machine_has(corpora: list[Corpus], strategy: str) -> None:
    for corpus in corpora:
        check(some(corpus), strategy)


@pytest.mark.skipif(not FOLDERS, reason="LAKECHUNK_CORPORA names no folders of text")
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_laws_hold_on_the_given_corpora(folder: Path, strategy: str) -> None:
    check(some(from_folder(folder)), strategy)
