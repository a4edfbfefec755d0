"""Imports run one way: jobs -> schemas, jobs -> udfs -> udfs.chunking."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("jobs", "schemas", "udfs", "udfs.chunking")

# What the modules of a layer may import of ours.
ALLOWED = {
    "jobs": ("jobs", "schemas", "udfs", "udfs.chunking"),
    "schemas": ("schemas",),
    "udfs": ("udfs", "udfs.chunking"),
    "udfs.chunking": ("udfs.chunking",),
}

# What they must not import of others, and why.
BANNED = {
    "jobs": {"pandas": "tables stay in Spark; pandas is for the UDF layer"},
    "schemas": {"pandas": "schemas are Spark types and nothing else", "pyarrow": "as above"},
    "udfs": {"typer": "the UDF layer runs on executors", "rich": "as above", "yaml": "as above"},
    "udfs.chunking": {
        "pyspark": "the engine runs without Spark",
        "pandas": "the engine works on lists and numpy arrays",
        "pyarrow": "only the UDF layer knows Arrow",
        "typer": "the engine has no command line",
        "rich": "as above",
        "yaml": "as above",
    },
}


def layer_of(module: str) -> str | None:
    """The layer that a module belongs to, the innermost first."""
    for layer in reversed(LAYERS):
        if module == layer or module.startswith(layer + "."):
            return layer
    return None


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the product with its file."""
    for top in ("jobs", "schemas", "udfs"):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name.removesuffix(".__init__"), path


def imports_of(source: str) -> Iterator[str]:
    """Every module that the source imports, at any depth, also inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def faults_of(module: str, source: str) -> list[str]:
    """What the module imports against the rules."""
    layer = layer_of(module)
    assert layer is not None
    faults = []
    for name in imports_of(source):
        other = layer_of(name)
        if other is not None and other not in ALLOWED[layer] and name not in LAYERS:
            faults.append(f"{module} imports {name}: {layer} must not know {other}")
        reason = BANNED[layer].get(name.split(".")[0])
        if reason:
            faults.append(f"{module} imports {name}: {reason}")
        if name.split(".")[0] == "tests":
            faults.append(f"{module} imports {name}: no part of the product")
    return faults


def test_no_module_imports_against_the_layers() -> None:
    faults = [fault for name, path in modules() for fault in faults_of(name, path.read_text(encoding="utf-8"))]
    assert faults == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("udfs.chunking.pack", "import pandas as pd"),
        ("udfs.chunking.pack", "def f():\n    from pyspark.sql import Row"),
        ("udfs.chunking.pack", "from udfs.arrow import to_arrow"),
        ("udfs.arrow", "from jobs.settings import masked"),
        ("udfs.arrow", "from schemas.chunks import CHUNKS"),
        ("schemas.chunks", "from udfs.chunking import Chunk"),
        ("jobs.read", "import pandas"),
        ("jobs.read", "from tests.conftest import spark"),
    ],
)
def test_the_rule_sees_a_wrong_import(module: str, source: str) -> None:
    assert faults_of(module, source)


def test_the_engine_can_be_imported_without_spark_pandas_and_arrow() -> None:
    code = (
        "import sys, udfs.chunking as c; c.Chunker(size=5, overlap=0).chunk('one two three four five six seven');"
        "sys.exit([name for name in ('pyspark', 'pandas', 'pyarrow') if name in sys.modules] or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_job_is_named_like_a_module_of_python() -> None:
    # `python jobs/run.py` puts the folder jobs in front of the standard library.
    gone = {"chunk"}  # left Python with 3.13; only `wave` ever imported it
    names = {path.stem for path in (ROOT / "jobs").iterdir()} - {"__init__"} - gone
    assert names & sys.stdlib_module_names == set()


def test_every_package_is_in_the_distribution() -> None:
    tomllib = pytest.importorskip("tomllib", reason="came with Python 3.11")
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("conf", "jobs", "schemas", "udfs")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert sorted(listed) == sorted(found)
