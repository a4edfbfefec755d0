"""A cluster for the tests of this folder, and documents for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cluster.standalone import Shipped, Standalone

ROOT = Path(__file__).parents[2]
FILES = 8
DOCUMENTS = 400


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "cluster" in getattr(item, "fixturenames", ()):
            item.add_marker("cluster")


@pytest.fixture(scope="session")
def shipped() -> Shipped:
    found = Shipped(Path(os.environ.get("DIST", ROOT / "dist")).resolve())
    if not list(found.folder.glob("*.pex")):
        told = f"nothing to submit in {found.folder}: `make test-cluster` makes it first"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(told)
    return found


@pytest.fixture(scope="session")
def cluster(shipped: Shipped, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    started = Standalone(tmp_path_factory.mktemp("cluster"), shipped)
    try:
        started.start()
        yield started
    finally:
        started.stop()


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents in several files: prose, Markdown, parents and chunks; empty, missing and repeated ones."""
    folder = tmp_path_factory.mktemp("documents")
    texts = [path.read_text("utf-8") for path in sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])]
    rows = [_row(number, texts[number % len(texts)]) for number in range(DOCUMENTS)]
    rows += [
        {"id": "empty", "text": " \n", "kind": "prose"},
        {"id": "missing", "text": None, "kind": "prose"},
        {"id": "document-7", "text": "an id that is taken", "kind": "prose"},
    ]
    for number in range(FILES):
        pq.write_table(pa.Table.from_pylist(rows[number::FILES]), folder / f"{number}.parquet")
    return folder


def _row(number: int, text: str) -> dict[str, Any]:
    start = number * 37 % 2000
    kind = ("prose", "markdown", "family")[number % 3]
    return {"id": f"document-{number}", "text": f"{number}. {text[start : start + 9000]}", "kind": kind}
