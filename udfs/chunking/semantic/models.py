"""Models by folder or package name: found and checked where the job starts, loaded once in each Python worker.

A small model travels with the settings, so that workers read no file: `model_content` where the job starts,
`register_model` in the worker. A large one must be readable under its name on every worker; whether it is the same
one is checked there by its fingerprint.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from udfs.chunking.errors import SettingsError
from udfs.chunking.semantic.embedder import Embedder
from udfs.chunking.semantic.model_files import Kind, ModelFiles, find_model
from udfs.chunking.semantic.static_model import StaticEmbedder
from udfs.chunking.semantic.transformer_model import TransformerEmbedder

# A model of at most so many bytes travels with the job.
MAX_TRAVELLING = 64 << 20
_PACKAGES: dict[Kind, tuple[str, ...]] = {
    "model2vec": ("model2vec",),
    "sentence-transformers": ("torch", "sentence_transformers"),
}


class ModelContent(NamedTuple):
    """What a worker needs to have a model.

    Attributes:
        fingerprint: SHA-256 (hex) of the model's files.
        kind: which library reads it.
        files: path and content of each file; None for a large model, which the worker reads itself.
    """

    fingerprint: str
    kind: Kind
    files: tuple[tuple[str, bytes], ...] | None


_registered: dict[str, ModelContent] = {}  # by name or path


def register_model(name: str, content: ModelContent) -> None:
    """Make a model known under its name, so that it need not be looked for, or must be the one that is found."""
    _registered[name] = content


def model_content(name: str) -> ModelContent:
    """What has to travel to the workers for a model.

    Raises:
        SettingsError: there is no such model, or it may not be loaded.
    """
    if name in _registered:
        return _registered[name]
    files = find_model(name)
    small = files.total <= MAX_TRAVELLING
    return ModelContent(files.fingerprint(), files.kind, files.contents() if small else None)


def check_model(name: str) -> None:
    """Refuse a model that cannot be used. Loads nothing, so it is quick.

    Raises:
        SettingsError: there is no such model, it may not be loaded, or the package that reads it is not installed.
    """
    kind = _registered[name].kind if name in _registered else find_model(name).kind
    for package in _PACKAGES[kind]:
        if find_spec(package) is None:
            raise SettingsError(
                f"model = {name!r}: needs the package {package.replace('_', '-')}, which is not installed; install it "
                "here and on all workers with: pip install 'lakechunk[semantic]'"
            )


def model_fingerprint(name: str) -> str:
    """SHA-256 (hex) of a model's files: what vectors depend on, wherever the model lies."""
    return _registered[name].fingerprint if name in _registered else find_model(name).fingerprint()


def load_embedder(name: str, threads: int = 1) -> Embedder:
    """The model of that name, loaded once a process.

    Args:
        name: a folder, or an installed package.
        threads: CPU threads that it may use.

    Raises:
        SettingsError: it cannot be used, or is another than where the job started.
    """
    if name in _registered:
        return _load(_Source(name, _registered[name]), threads)
    files = find_model(name)
    return _load(_Source(name, ModelContent(files.fingerprint(), files.kind, None)), threads)


class _Source:
    """Where a model is loaded from. Equal if the content is, so that it is loaded once."""

    def __init__(self, name: str, content: ModelContent) -> None:
        self.name, self.content = name, content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source) and self.content.fingerprint == other.content.fingerprint

    def __hash__(self) -> int:
        return hash(self.content.fingerprint)


@lru_cache(maxsize=2)
def _load(source: _Source, threads: int) -> Embedder:
    name, content = source.name, source.content
    if content.files is None:
        files = find_model(name)
        _check_same(files, content)
        return _read(files.folder, name, content.kind, threads)
    with TemporaryDirectory(prefix="lakechunk-model-") as folder:
        for path, written in content.files:
            place = Path(folder) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(written)
        return _read(Path(folder), name, content.kind, threads)


def _check_same(files: ModelFiles, content: ModelContent) -> None:
    if files.fingerprint() != content.fingerprint:
        raise SettingsError(
            f"model = {files.name!r}: {files.folder} on this worker is another model than where the job started "
            f"(SHA-256 {files.fingerprint()[:12]} and {content.fingerprint[:12]}); put the same files on all machines"
        )


def _read(folder: Path, name: str, kind: Kind, threads: int) -> Embedder:
    if kind == "model2vec":
        return StaticEmbedder(folder, name)
    return TransformerEmbedder(folder, name, threads)
