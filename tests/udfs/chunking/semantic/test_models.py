"""Which models are taken, and how they get to workers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from udfs.chunking import SettingsError
from udfs.chunking.semantic import models
from udfs.chunking.semantic.model_files import find_model
from udfs.chunking.semantic.models import (
    check_model,
    load_embedder,
    model_content,
    model_fingerprint,
    register_model,
)


@pytest.fixture(autouse=True)
def _nothing_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_registered", {})
    models._load.cache_clear()


def transformer(folder: Path, *types: str, **files: str) -> Path:
    """The outline of a sentence-transformers model; nothing that could be loaded."""
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": kind}
        for kind in types or ("sentence_transformers.models.Transformer",)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "model.safetensors").write_bytes(b"weights")
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content)
    return folder


def test_a_model_that_is_not_there_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"model = '.*nowhere'.*no such folder.*never downloaded"):
        check_model(str(tmp_path / "nowhere"))
    with pytest.raises(SettingsError, match="no installed package"):
        check_model("sentence-transformers/all-MiniLM-L6-v2")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="neither a model2vec nor a sentence-transformers model"):
        check_model(str(tmp_path))


@pytest.mark.parametrize("damaged", ["[", "{}", "[1]", "\x00"])
def test_a_damaged_modules_file_is_no_model(tmp_path: Path, damaged: str) -> None:
    (tmp_path / "modules.json").write_text(damaged)
    with pytest.raises(SettingsError, match="neither"):
        check_model(str(tmp_path))


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    folder = transformer(tmp_path, pytorch_model__bin="pickle")
    assert find_model(str(folder)).kind == "sentence-transformers"  # safetensors beside it are read instead
    (folder / "model.safetensors").unlink()
    with pytest.raises(SettingsError, match="is a pickle"):
        check_model(str(folder))


def test_a_pickle_of_one_module_is_refused(tmp_path: Path) -> None:
    folder = transformer(tmp_path)
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(SettingsError, match=r"2_Dense/pytorch_model\.bin is a pickle"):
        check_model(str(folder))


def test_weights_must_be_there(tmp_path: Path) -> None:
    folder = transformer(tmp_path)
    (folder / "model.safetensors").unlink()
    with pytest.raises(SettingsError, match="no weights as safetensors"):
        check_model(str(folder))


@pytest.mark.parametrize("kind", ["custom_code.Transformer", "sentence_transformers.models.CLIPModel", "os.system"])
def test_code_of_a_model_is_never_run(tmp_path: Path, kind: str) -> None:
    with pytest.raises(SettingsError, match="is not supported"):
        check_model(str(transformer(tmp_path, "sentence_transformers.models.Transformer", kind)))


def test_an_activation_function_from_elsewhere_is_refused(tmp_path: Path) -> None:
    folder = transformer(
        tmp_path, "sentence_transformers.models.Dense", config__json='{"activation_function": "os.system"}'
    )
    with pytest.raises(SettingsError, match="activation function"):
        check_model(str(folder))


def test_a_missing_package_is_named_with_the_line_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    with pytest.raises(SettingsError, match=r"torch.*pip install 'lakechunk\[semantic\]'"):
        check_model(str(transformer(tmp_path)))


def test_the_fingerprint_is_that_of_the_content(words: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(words, copy)
    assert model_fingerprint(str(copy)) == model_fingerprint(str(words))
    (copy / "README.md").write_text("Described in another way.")
    (copy / ".gitattributes").write_text("*.bin filter=lfs")
    assert model_fingerprint(str(copy)) == model_fingerprint(str(words))
    weights = bytearray((copy / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (copy / "model.safetensors").write_bytes(weights)
    assert model_fingerprint(str(copy)) != model_fingerprint(str(words))


def test_a_small_model_travels_whole(words: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(words, copy)
    content = model_content(str(copy))
    expected = load_embedder(str(words)).encode(["pump and cat"])
    shutil.rmtree(copy)  # a worker on another machine
    models._load.cache_clear()
    register_model(str(copy), content)
    check_model(str(copy))
    assert model_fingerprint(str(copy)) == content.fingerprint
    assert np.array_equal(load_embedder(str(copy)).encode(["pump and cat"]), expected)


def test_a_large_model_is_checked_on_the_worker(words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "MAX_TRAVELLING", 10)
    copy = tmp_path / "copy"
    shutil.copytree(words, copy)
    content = model_content(str(copy))
    assert content.files is None
    register_model(str(copy), content)
    load_embedder(str(copy))
    models._load.cache_clear()
    (copy / "config.json").write_text((copy / "config.json").read_text() + "\n")
    with pytest.raises(SettingsError, match="another model than where the job started"):
        load_embedder(str(copy))


def test_a_model_is_loaded_once(words: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(words, copy)
    assert load_embedder(str(words)) is load_embedder(str(words))
    assert load_embedder(str(copy)) is load_embedder(str(words))


def test_a_model_that_cannot_be_read_is_named(words: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(words, copy)
    (copy / "model.safetensors").write_bytes(b"none")
    with pytest.raises(SettingsError, match="cannot be loaded by model2vec"):
        load_embedder(str(copy))


def test_vectors_have_length_one_or_are_nothing(words: Path) -> None:
    vectors = load_embedder(str(words)).encode(["a pump", "nothing known", "cat pump"])
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 0, 1])
