from __future__ import annotations

from pathlib import Path

import pytest

from tests.udfs.chunking.semantic.chunkers import byte_model, word_model


@pytest.fixture(scope="session")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that knows three topics."""
    pytest.importorskip("model2vec", reason="static models need lakechunk[semantic]")
    return word_model(tmp_path_factory.mktemp("words"))


@pytest.fixture(scope="session")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that has a vector for every text."""
    pytest.importorskip("model2vec", reason="static models need lakechunk[semantic]")
    return byte_model(tmp_path_factory.mktemp("letters"))
