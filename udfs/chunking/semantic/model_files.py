"""Where a model lies, which files make it, and whether it may be loaded.

A model is a folder with weights as safetensors. Nothing of it is ever run: no pickle, no code of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from udfs.chunking.errors import SettingsError

Kind = Literal["model2vec", "sentence-transformers"]

# What a model is read from; its description, licence and weights in other formats are not.
_SUFFIXES = frozenset((".json", ".safetensors", ".txt", ".model"))
_MODULES = frozenset(("Transformer", "Pooling", "Dense", "Normalize"))
_LIBRARY, _ACTIVATIONS = "sentence_transformers.", "torch.nn."
_PICKLES = ("pytorch_model*.bin", "*.pkl", "*.pickle", "*.pt", "*.pth", "*.ckpt")


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model.

    Attributes:
        name: what the user called it.
        folder: where it lies.
        kind: which library reads it.
        sizes: bytes of each file, by its path within the folder, in order of these paths.
    """

    name: str
    folder: Path
    kind: Kind
    sizes: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """The bytes of all files."""
        return sum(size for _, size in self.sizes)

    def contents(self) -> tuple[tuple[str, bytes], ...]:
        """Each file's path within the folder, and what it holds."""
        return tuple((path, (self.folder / path).read_bytes()) for path, _ in self.sizes)

    def fingerprint(self) -> str:
        """SHA-256 (hex) over the content of all files, in order of their paths: the same wherever the model lies."""
        return _fingerprint(self.folder, self.sizes, max(map(_changed, self._paths())))

    def _paths(self) -> Iterator[Path]:
        return (self.folder / path for path, _ in self.sizes)


def find_model(name: str) -> ModelFiles:
    """The model in the folder `name`, or in the installed package of that name.

    Raises:
        SettingsError: there is none, or it may not be loaded; says what is allowed.
    """
    folder = _folder(name)
    found = [path for path in folder.rglob("*") if path.is_file() and not _hidden(path.relative_to(folder))]
    files = {path.relative_to(folder).as_posix(): path for path in found}
    kind = _kind(name, folder)
    _refuse_pickles(name, folder, list(files))
    if kind == "sentence-transformers":
        _refuse_foreign_modules(name, folder)
    kept = sorted(path for path in files if PurePosixPath(path).suffix in _SUFFIXES)
    return ModelFiles(name, folder, kind, tuple((path, files[path].stat().st_size) for path in kept))


def _folder(name: str) -> Path:
    """The folder of a model."""
    given = Path(name).expanduser()
    if given.is_dir():
        return given.resolve()
    package = name.replace("-", "_")
    spec = find_spec(package) if package.isidentifier() else None
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        if weights := sorted(Path(place).rglob("config.json"), key=lambda path: (len(path.parts), path)):
            return weights[0].parent.resolve()
    raise SettingsError(
        f"model = {name!r}: there is no such folder and no installed package of this name that holds a model; give the "
        "path of a folder (models are never downloaded)"
    )


def _kind(name: str, folder: Path) -> Kind:
    """Which library reads the model in a folder."""
    modules = _modules(folder)
    if _json(folder / "config.json").get("model_type") == "model2vec" or (
        modules and str(modules[0].get("type")).endswith(".StaticEmbedding")
    ):
        return "model2vec"
    if modules:
        return "sentence-transformers"
    raise SettingsError(
        f"model = {name!r}: {folder} holds neither a model2vec nor a sentence-transformers model (no modules.json, and "
        "no config.json that says model2vec)"
    )


def _refuse_pickles(name: str, folder: Path, files: list[str]) -> None:
    """Weights must be there as safetensors, also beside a pickle: what would be loaded in its place could run code."""
    safe = {PurePosixPath(path).parent for path in files if path.endswith(".safetensors")}
    for path in map(PurePosixPath, files):
        if any(path.match(pattern) for pattern in _PICKLES) and path.parent not in safe:
            raise SettingsError(
                f"model = {name!r}: {path} is a pickle, which can run code; only safetensors are read. Save the model "
                "with safe_serialization=True"
            )
    if not safe:
        raise SettingsError(f"model = {name!r}: {folder} holds no weights as safetensors")


def _refuse_foreign_modules(name: str, folder: Path) -> None:
    """Modules of a model are classes that are imported: only those of the library itself."""
    for module in _modules(folder):
        kind = str(module.get("type"))
        if not kind.startswith(_LIBRARY) or kind.rsplit(".", 1)[-1] not in _MODULES:
            raise SettingsError(
                f"model = {name!r}: its module {kind} is not supported; allowed: {', '.join(sorted(_MODULES))} of "
                "sentence-transformers (code that comes with a model is never run)"
            )
        activation = _json(folder / str(module.get("path", "")) / "config.json").get(
            "activation_function", _ACTIVATIONS
        )
        if kind.endswith(".Dense") and not str(activation).startswith(_ACTIVATIONS):
            raise SettingsError(f"model = {name!r}: its activation function {activation} is not one of torch.nn")


def _modules(folder: Path) -> list[dict[str, Any]]:
    modules = _json(folder / "modules.json", [])
    return [module for module in modules if isinstance(module, dict)] if isinstance(modules, list) else []


def _json(path: Path, default: Any = None) -> Any:
    """What a JSON file holds; the default, or else an empty object, where it is missing or damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    nothing: Any = {} if default is None else default
    return found if isinstance(found, type(nothing)) else nothing


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns


@lru_cache(maxsize=8)
def _fingerprint(folder: Path, sizes: tuple[tuple[str, int], ...], changed: int) -> str:  # noqa: ARG001 - a key
    return content_fingerprint((path, (folder / path).read_bytes()) for path, _ in sizes)


def content_fingerprint(files: Any) -> str:
    """SHA-256 (hex) over files, each a path and what it holds."""
    whole = hashlib.sha256()
    for path, content in files:
        whole.update(f"{path}\0{len(content)}\0".encode())
        whole.update(content)
    return whole.hexdigest()
