"""The few file operations that publishing needs, on whatever file system the output lies.

Paths are as the user gave them: relative, absolute, or URIs such as `s3a://bucket/folder`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from py4j.protocol import Py4JJavaError
from pyarrow import fs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Storage(Protocol):
    """File operations. All of them work on files and folders alike."""

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder of this path."""

    def list(self, path: str) -> list[str]:
        """The names in a folder, sorted; empty if the folder does not exist."""

    def files(self, path: str) -> dict[str, int]:
        """All files below a folder, at any depth, each with its bytes.

        Names are relative to the folder, with `/` between; a file given as the path has the name "". Empty if there is
        nothing of this path.
        """

    def rename(self, source: str, target: str) -> None:
        """Moves a file or folder; the target does not exist, its folder does.

        Not always in one step: some stores copy every file, then delete every file.
        """

    def delete(self, path: str) -> None:
        """Deletes a file, or a folder with all that is in it; nothing happens if there is none."""

    def read_text(self, path: str) -> str:
        """The content of a UTF-8 file."""

    def write_text(self, path: str, text: str) -> None:
        """Writes a UTF-8 file; one that is there is replaced, and folders above it are made."""

    def make_folder(self, path: str) -> None:
        """Makes a folder and those above it."""


# File systems on which Arrow moves a folder as it is; on S3 and the like it only moves files.
_CAN_RENAME = ("local", "hdfs")


def open_storage(spark: SparkSession | None, path: str) -> Storage:
    """Through the session's JVM where there is one, so that every file system Spark knows works; else through Arrow."""
    if spark is None:
        return ArrowStorage(path)
    from jobs.session import is_remote

    return ArrowStorage(path) if is_remote(spark) else HadoopStorage(spark, path)


def join(*parts: str) -> str:
    """A path from its parts.

    >>> join("s3a://lake/out/", "chunks")
    's3a://lake/out/chunks'
    """
    return "/".join([*(part.rstrip("/") for part in parts[:-1]), parts[-1]])


class ArrowStorage:
    """Storage without a JVM: local paths and the URIs that Arrow knows."""

    def __init__(self, path: str) -> None:
        self._files, self._root = _arrow_location(path)
        self._path = path.rstrip("/")

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder of this path."""
        return bool(self._info(path).type != fs.FileType.NotFound)

    def list(self, path: str) -> list[str]:
        """The names in a folder, sorted."""
        found = self._files.get_file_info(fs.FileSelector(self._inner(path), allow_not_found=True))
        return sorted(info.base_name for info in found)

    def files(self, path: str) -> dict[str, int]:
        """All files below a folder, each with its bytes."""
        inner, own = self._inner(path), self._info(path)
        if own.type == fs.FileType.File:
            return {"": own.size}
        found = self._files.get_file_info(fs.FileSelector(inner, allow_not_found=True, recursive=True))
        return {info.path[len(inner) + 1 :]: info.size for info in found if info.type == fs.FileType.File}

    def rename(self, source: str, target: str) -> None:
        """Moves a file or folder."""
        if self._files.type_name in _CAN_RENAME or self._info(source).type != fs.FileType.Directory:
            self._files.move(self._inner(source), self._inner(target))
        else:
            self._copy(source, target)
            self.delete(source)

    def delete(self, path: str) -> None:
        """Deletes a file or folder."""
        kind = self._info(path).type
        if kind == fs.FileType.Directory:
            self._files.delete_dir(self._inner(path))
        elif kind != fs.FileType.NotFound:
            self._files.delete_file(self._inner(path))

    def read_text(self, path: str) -> str:
        """The content of a UTF-8 file."""
        with self._files.open_input_stream(self._inner(path)) as stream:
            return str(stream.read().decode("utf-8"))

    def write_text(self, path: str, text: str) -> None:
        """Writes a UTF-8 file, in a folder that is made if need be."""
        if self._files.type_name in _CAN_RENAME:  # the others have no folders
            self._files.create_dir(self._inner(path).rpartition("/")[0], recursive=True)
        with self._files.open_output_stream(self._inner(path)) as stream:
            stream.write(text.encode("utf-8"))

    def make_folder(self, path: str) -> None:
        """Makes a folder and those above it."""
        self._files.create_dir(self._inner(path), recursive=True)

    def _copy(self, source: str, target: str) -> None:
        for name in self.files(source):
            copy = self._inner(join(target, name))
            self._files.create_dir(copy.rpartition("/")[0], recursive=True)
            self._files.copy_file(self._inner(join(source, name)), copy)

    def _info(self, path: str) -> fs.FileInfo:
        return self._files.get_file_info(self._inner(path))

    def _inner(self, path: str) -> str:
        if path.startswith(self._path + "/") or path == self._path:
            # Asking Arrow again would connect again.
            return self._root + path[len(self._path) :].rstrip("/")
        return _arrow_location(path)[1]


class HadoopStorage:
    """Storage through Hadoop's file systems in the JVM of a classic session."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self._jvm: Any = spark._jvm  # noqa: SLF001 - the only way to Hadoop's file systems
        self._conf = spark.sparkContext._jsc.hadoopConfiguration()  # noqa: SLF001
        files = self._path(path).getFileSystem(self._conf)
        # The local file system keeps checksums in hidden files; the raw one beneath it does not.
        self._files = files.getRawFileSystem() if hasattr(files, "getRawFileSystem") and _is_local(files) else files

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder of this path."""
        with _java_errors():
            return bool(self._files.exists(self._path(path)))

    def list(self, path: str) -> list[str]:
        """The names in a folder, sorted."""
        if not self.exists(path):
            return []
        with _java_errors():
            return sorted(str(status.getPath().getName()) for status in self._files.listStatus(self._path(path)))

    def files(self, path: str) -> dict[str, int]:
        """All files below a folder, each with its bytes."""
        if not self.exists(path):
            return {}
        found = {}
        with _java_errors():
            base = self._files.makeQualified(self._path(path)).toUri().getPath()
            listing = self._files.listFiles(self._path(path), True)
            while listing.hasNext():
                status = listing.next()
                found[str(status.getPath().toUri().getPath())[len(base) + 1 :]] = int(status.getLen())
        return found

    def rename(self, source: str, target: str) -> None:
        """Moves a file or folder."""
        with _java_errors():
            if not self._files.rename(self._path(source), self._path(target)):
                raise OSError(f"{source} could not be renamed to {target}")

    def delete(self, path: str) -> None:
        """Deletes a file or folder."""
        with _java_errors():
            if not self._files.delete(self._path(path), True) and self.exists(path):
                raise OSError(f"{path} could not be deleted")

    def read_text(self, path: str) -> str:
        """The content of a UTF-8 file."""
        with _java_errors(), contextlib.closing(self._files.open(self._path(path))) as stream:
            return bytes(stream.readAllBytes()).decode("utf-8")

    def write_text(self, path: str, text: str) -> None:
        """Writes a UTF-8 file."""
        with _java_errors(), contextlib.closing(self._files.create(self._path(path), True)) as stream:
            stream.write(bytearray(text.encode("utf-8")))

    def make_folder(self, path: str) -> None:
        """Makes a folder and those above it."""
        with _java_errors():
            self._files.mkdirs(self._path(path))

    def _path(self, path: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(path)


@contextlib.contextmanager
def _java_errors() -> Iterator[None]:
    """What goes wrong in Java goes wrong as it does in Python."""
    try:
        yield
    except Py4JJavaError as error:
        raise OSError(str(error.java_exception.getMessage())) from error


def _is_local(files: Any) -> bool:
    return str(files.getUri().getScheme()) == "file"


def _arrow_location(path: str) -> tuple[fs.FileSystem, str]:
    if "://" in path and not path.startswith("file:"):
        files, inner = fs.FileSystem.from_uri(path)
        return files, inner.rstrip("/")
    return fs.LocalFileSystem(), str(Path(path.removeprefix("file://").removeprefix("file:")).absolute())
