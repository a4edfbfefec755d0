"""Chunkers with tiny models that are made here, the same on every machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from udfs.chunking import Chunker, ChunkSettings
from udfs.chunking.semantic.settings import SemanticSettings

TOPICS = {
    "pumps": "pump water valve pipe flow lift pressure tank",
    "cats": "cat kitten purr paw fur whisker mouse tail",
    "taxes": "tax income form rate levy deduct refund audit",
}


def byte_model(folder: Path) -> Path:
    """A model2vec model with a vector for each byte of UTF-8: every text has a vector, and nobody can say which."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    vectors = np.random.default_rng(7).normal(size=(len(letters), 8)).astype(np.float32)
    return _saved(folder, vectors, tokenizer)


def word_model(folder: Path) -> Path:
    """A model2vec model that knows three topics of eight words each: a word is mostly its topic, a little itself."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    words = [(topic, word) for topic, names in enumerate(TOPICS.values()) for word in names.split()]
    vectors = np.zeros((len(words) + 1, len(TOPICS) + len(words)), dtype=np.float32)
    for row, (topic, _) in enumerate(words, start=1):
        vectors[row, topic], vectors[row, len(TOPICS) + row - 1] = 1, 0.5
    vocabulary = {"[UNK]": 0} | {word: row for row, (_, word) in enumerate(words, start=1)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return _saved(folder, vectors, tokenizer)


def semantic_chunker(model: Path | str, *, own: dict[str, Any] | None = None, **settings: Any) -> Chunker:
    """A chunker of the strategy `semantic`; `own` are the settings of that strategy."""
    return Chunker(semantic_settings(model, own=own, **settings))


def semantic_settings(model: Path | str, *, own: dict[str, Any] | None = None, **settings: Any) -> ChunkSettings:
    """The settings of such a chunker."""
    own = dict(own or {})
    if "min_size" in own:  # of any size that is asked for
        own["min_size"] = min(own["min_size"], settings.get("size", 512) - 1)
    given = SemanticSettings(model=str(model), **own)
    return ChunkSettings(**{"strategy": "semantic", "semantic": given, **settings})


def _saved(folder: Path, vectors: np.ndarray, tokenizer: Any) -> Path:
    from model2vec import StaticModel

    StaticModel(vectors, tokenizer, normalize=True).save_pretrained(folder)
    return folder
