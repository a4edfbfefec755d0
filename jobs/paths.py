"""Paths as users type them: what is local, and whether an output would become part of the input."""

from __future__ import annotations

import fnmatch
import os
import re
from pathlib import Path

from jobs.publish import TABLES
from jobs.settings import masked_text
from udfs.chunking import SettingsError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://([^/]*))?(/.*|$)")
# Several names of one store.
_SAME_STORE = {"s3": "s3a", "s3n": "s3a", "abfs": "abfss", "wasb": "wasbs"}
_BRACES = re.compile(r"(?<!\\)\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\(.)")


def local_path(path: str) -> Path | None:
    """The path on this machine's disk; None if it lies in another store.

    >>> local_path("file:///tmp/out").as_posix(), local_path("s3a://lake/out")
    ('/tmp/out', None)
    """
    scheme, _, inner = _split(path)
    return Path(inner) if scheme == "file" else None


def refuse_overlap(input_path: str, output_path: str) -> None:
    """Refuses an output whose tables lie at or below the input, or what its pattern matches.

    Raises:
        SettingsError: the next run would read the output as documents.
    """
    targets = [[*_parts(output_path), table] for table in TABLES]
    if any(_takes_in(_parts(path), target) for path in _alternatives(input_path) for target in targets):
        raise SettingsError(
            f"output.path = {masked_text(output_path)!r}: lies in input.path ({masked_text(input_path)!r}), so the "
            "next run would read it as documents. Give a folder outside the input."
        )


def _takes_in(source: list[str], target: list[str]) -> bool:
    """Whether the pattern `source` may match `target`, or something above or below it; the first part is the store."""
    if source[0] != target[0]:
        return False
    return all(fnmatch.fnmatchcase(name, _as_fnmatch(part)) for part, name in zip(source[1:], target[1:], strict=False))


def _parts(path: str) -> list[str]:
    scheme, authority, inner = _split(path)
    store = _SAME_STORE.get(scheme, scheme)
    if store == "s3a":
        authority = authority.rpartition("@")[2]  # there, what stands before @ is a key, elsewhere part of the name
    if store == "file":
        inner = os.path.realpath(inner)
    names = [name for name in os.path.normpath(inner).split("/") if name not in ("", ".")]
    return [f"{store}://{authority.lower()}", *names]


def _split(path: str) -> tuple[str, str, str]:
    """Scheme, authority and path; what has no scheme is taken for local."""
    found = _SCHEME.fullmatch(path)
    if found is None:
        return "file", "", path
    scheme, authority, inner = found.groups()
    return scheme.lower(), authority or "", inner or "/"


def _alternatives(path: str) -> list[str]:
    """The paths that `{a,b}` stands for."""
    found = _BRACES.search(path)
    if found is None:
        return [path]
    ends = (path[: found.start()], path[found.end() :])
    return [every for choice in found.group(1).split(",") for every in _alternatives(choice.join(ends))]


def _as_fnmatch(pattern: str) -> str:
    """Hadoop's pattern in the terms of `fnmatch`: `[^a]` is `[!a]`; a backslash takes the next character as it is."""
    return _ESCAPED.sub(r"[\1]", pattern).replace("[^", "[!")
