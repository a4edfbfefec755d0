"""Real documents that are on every machine with Python, as a Parquet data set.

READMEs of the installed packages, source files of the standard library and of PySpark, and the docstrings of the
standard library, gathered without importing or running any of it. A few broken rows go with them, as in a real lake.
"""

from __future__ import annotations

import ast
import sysconfig
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

# Several files, so that Spark has something to share out.
FILES = 8

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("body", pa.string()),
        ("mime", pa.string()),
        ("title", pa.string()),
        ("url", pa.string()),
        ("tags", pa.list_(pa.string())),
        ("mtime", pa.timestamp("us", tz="UTC")),
    ]
)

# Tests and other packages are in the folder of the standard library, too, but are no part of it.
_NOT_LIBRARY = {"test", "tests", "idle_test", "lib2to3", "site-packages", "dist-packages", "__pycache__"}


@dataclass(frozen=True, slots=True)
class Document:
    """One row of the data set. Ids and urls are the same on every machine."""

    id: str | None
    body: str | None
    mime: str
    title: str
    url: str
    tags: list[str]
    mtime: datetime


def gather(too_large: int) -> list[Document]:
    """The documents of this machine in a fixed order, the broken ones last.

    Args:
        too_large: bytes that no document of the run may exceed; one broken row does.
    """
    documents = [*package_readmes(), *library_sources(), *library_docstrings(), *pyspark_sources()]
    return [*documents, *broken_rows(documents[0], too_large)]


def write_documents(documents: Sequence[Document], folder: Path) -> int:
    """Write documents as Parquet files, and one more row whose text is not UTF-8.

    Args:
        documents: the rows, in order.
        folder: made if missing; Parquet files of an earlier call are replaced, everything else is left alone.

    Returns:
        How many rows were written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("part-*.parquet"):
        old.unlink()
    rows = [asdict(document) for document in documents]
    for number in range(FILES):
        table = pa.Table.from_pylist(rows[number::FILES], schema=SCHEMA)
        if number == 0:
            table = pa.concat_tables([table, row_of_wrong_bytes()])
        pq.write_table(table, folder / f"part-{number}.parquet")
    return len(rows) + 1


def package_readmes() -> Iterator[Document]:
    """The long descriptions of the installed packages: Markdown or reStructuredText."""
    by_name = {found.metadata["Name"]: found for found in metadata.distributions() if found.metadata["Name"]}
    for name in sorted(by_name, key=str.lower):
        about: Any = by_name[name].metadata  # an email message; its body is the description
        body = about.get_payload() or about.get("Description")
        if not body:
            continue
        mime = (about.get("Description-Content-Type") or "text/x-rst").split(";")[0].strip()
        yield Document(
            id=f"package/{name}",
            body=str(body).encode("utf-8", "replace").decode("utf-8"),  # odd bytes come as lone surrogates
            mime=mime,
            title=f"{name} {by_name[name].version}",
            url=f"packages/{name}/METADATA",
            tags=["package", *(about.get("Keywords") or "").replace(",", " ").split()[:5]],
            mtime=_changed(Path(str(by_name[name].locate_file("")))),
        )


def library_sources() -> Iterator[Document]:
    """The source files of the standard library."""
    yield from _sources(_library(), "library", "")


def pyspark_sources() -> Iterator[Document]:
    """The source files of PySpark, if it is installed: more text, with longer docstrings."""
    for place in dict.fromkeys(sysconfig.get_paths()[kind] for kind in ("purelib", "platlib")):
        yield from _sources(Path(place) / "pyspark", "pyspark", "pyspark/")


def library_docstrings() -> Iterator[Document]:
    """What the modules of the standard library say about themselves: one document a module."""
    for source in library_sources():
        text = "\n\n".join(_docstrings(source.body or ""))
        if text:
            module = source.url.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            yield Document(
                id=f"manual/{module}",
                body=text,
                mime="text/plain",
                title=module,
                url=source.url,
                tags=["docstrings"],
                mtime=source.mtime,
            )


def broken_rows(sample: Document, too_large: int) -> Iterator[Document]:
    """One row for each thing that goes wrong in a real lake."""
    when = datetime(2024, 1, 31, tzinfo=timezone.utc)

    def row(name: str | None, body: str | None) -> Document:
        return Document(name, body, "text/plain", "A broken row", "broken", ["broken"], when)

    yield row(None, "A document without an id.")
    yield row("broken/no-text", None)
    yield row("broken/blank", " \n\t\n ")
    yield row("broken/too-large", "large " * (too_large // 6 + 1))
    yield row(sample.id, "Another document with the id of the first one.")


def row_of_wrong_bytes() -> pa.Table:
    """A row whose text is Latin-1 where UTF-8 is promised. Python text cannot hold it, so it is built from bytes."""
    texts = pa.array(["caf\xe9 au lait".encode("latin-1")], pa.binary()).view(pa.string())
    others = {
        "id": "broken/latin-1",
        "mime": "text/plain",
        "title": "A broken row",
        "url": "broken",
        "tags": ["broken"],
    }
    columns = {"body": texts, **{name: pa.array([value]) for name, value in others.items()}}
    columns["mtime"] = pa.array([datetime(2024, 1, 31, tzinfo=timezone.utc)], SCHEMA.field("mtime").type)
    return pa.table({name: columns[name] for name in SCHEMA.names}, schema=SCHEMA)


def _library() -> Path:
    return Path(sysconfig.get_paths()["stdlib"])


def _sources(root: Path, kind: str, prefix: str) -> Iterator[Document]:
    for path in sorted(root.rglob("*.py"), key=lambda found: found.relative_to(root).as_posix()):
        inner = path.relative_to(root)
        if _NOT_LIBRARY & set(inner.parts):
            continue
        try:
            body = path.read_bytes().decode("utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        url = prefix + inner.as_posix()
        tags = ["source", kind]
        yield Document(f"source/{url}", body, "text/x-python", path.name, url, tags, _changed(path))


def _docstrings(source: str) -> Iterator[str]:
    """The docstrings of a module, its classes and functions, each under its name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # old escapes in other people's text
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                name = getattr(node, "name", "")
                yield f"{name}\n{text}" if name else text


def _changed(path: Path) -> datetime:
    return datetime.fromtimestamp(int(path.stat().st_mtime), tz=timezone.utc)
