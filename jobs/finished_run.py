"""A finished run, to be looked at: its record, and its tables where those that count lie.

Local Parquet is read without Spark, so that looking takes no longer than it should. Nothing is moved or mended.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds

from jobs.errors import InputError
from jobs.paths import local_path
from jobs.publish import RUN_FILE, locate
from jobs.settings import masked_text
from jobs.storage import Storage, open_storage
from udfs.chunking import ChunkSettings, LakechunkError, SettingsError, auto

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


# Where the record of a run does not say.
_DEFAULT_SIZE = int(ChunkSettings.model_fields["size"].default)


@dataclass(frozen=True)
class FinishedRun:
    """The output folder of a run.

    Args:
        path: the folder, as the user gave it.
        spark_settings: for a session, should one be needed.
    """

    path: str
    spark_settings: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def record(self) -> dict[str, Any]:
        """What `run.json` holds.

        Raises:
            InputError: there is no run in that folder, or it cannot be read.
        """
        with self.told_plainly():
            file = locate(self.storage, self.place, RUN_FILE)
            if not self.storage.exists(file):
                raise InputError(
                    f"output.path = {masked_text(self.path)!r}: holds no run of lakechunk (no {RUN_FILE}). Check "
                    "--output, or make one with lakechunk run."
                )
            record: dict[str, Any] = json.loads(self.storage.read_text(file))
            return record

    @property
    def profiles(self) -> dict[str, dict[str, Any]]:
        """The settings of each profile, as they were recorded."""
        with self.told_plainly():
            return {name: dict(profile) for name, profile in self.record["settings"]["profiles"].items()}

    @property
    def started(self) -> str:
        """When the run started."""
        with self.told_plainly():
            return str(self.record["started"])

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What the run had to say about its sizes; an older one has nothing."""
        with self.told_plainly():
            told = self.record.get("warnings", [])
            return [{name: one[name] for name in ("scope", "name", "message")} for one in told]

    @property
    def written_as(self) -> str:
        """The format of the tables."""
        with self.told_plainly():
            return str(self.record["settings"]["output"]["format"])

    @property
    def is_local_parquet(self) -> bool:
        """Whether the tables can be read without Spark."""
        return self._local is not None and self.written_as == "parquet"

    def dataset(self, table: str) -> ds.Dataset:
        """A table of a run that `is_local_parquet`."""
        with self.told_plainly():
            folder = Path(locate(self.storage, self.place, table))
            if not folder.is_dir():
                raise FileNotFoundError(f"it has no table {table}")
            files = sorted(str(file) for file in folder.glob("*.parquet") if not file.name.startswith((".", "_")))
            return ds.dataset(files, format="parquet")

    def frame(self, table: str, spark: SparkSession | None = None) -> DataFrame:
        """A table as a DataFrame, whatever its format and wherever it lies.

        Args:
            table: its name.
            spark: the session to read with; None: the active one, or a new one.
        """
        from jobs.session import get_session

        session = spark or get_session(self.spark_settings)
        return session.read.format(self.written_as).load(locate(self.storage, self.place, table))

    def has(self, table: str) -> bool:
        """Whether the run has this table; older ones lack some."""
        with self.told_plainly():
            return self.storage.exists(locate(self.storage, self.place, table))

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a small table, such as `sizes`; maps are dicts.

        Raises:
            InputError: it cannot be read.
        """
        with self.told_plainly():
            if self.is_local_parquet:
                return _dicts(self.dataset(table).to_table())
            return [_known(row.asDict(recursive=True)) for row in self.frame(table).collect()]  # a few rows

    @functools.cached_property
    def storage(self) -> Storage:
        """Where the output lies."""
        if self._local is not None:
            return open_storage(None, self.place)
        from jobs.session import get_session

        return open_storage(get_session(self.spark_settings), self.place)

    @property
    def place(self) -> str:
        """The folder as the storage knows it."""
        return self.path if self._local is None else str(self._local)

    @property
    def _local(self) -> Path | None:
        return local_path(self.path)

    @contextlib.contextmanager
    def told_plainly(self) -> Iterator[None]:
        """What cannot be read, in our words: files, Arrow, Spark and a broken record each fail in their own way."""
        try:
            yield
        except LakechunkError:
            raise
        except Exception as error:
            if not isinstance(error, _reading_errors()):
                raise
            from jobs.read import first_line

            raise InputError(
                f"output.path = {masked_text(self.path)!r}: its tables cannot be read: "
                f"{masked_text(first_line(error))}. Check --output, or make them anew with lakechunk run --overwrite "
                "(--debug shows where)."
            ) from error


def recorded_limit(profile: Mapping[str, Any], strategy: str | None = None) -> int:
    """The limit of a profile of `run.json`, in its unit.

    Args:
        profile: its settings.
        strategy: the one that `auto` chose for a document; None for the largest limit that a profile allows.

    >>> recorded_limit({"strategy": "fixed", "size": 512, "model_max_tokens": 256})
    256
    >>> recorded_limit({"strategy": "auto"}), recorded_limit({"strategy": "auto"}, "table")
    (512, 256)
    """
    try:
        settings = ChunkSettings.of(dict(profile))
        chosen = auto.limits(settings) if settings.strategy == "auto" else {}
        return chosen.get(strategy or "", settings.limit)
    except SettingsError:  # its tokenizer's file may be gone since, or its name be masked
        size = profile.get("size")
        return size if isinstance(size, int) else _DEFAULT_SIZE


def _reading_errors() -> tuple[type[Exception], ...]:
    """Imported only when something has gone wrong: a look at local tables does not need Spark."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return (OSError, ValueError, LookupError, TypeError, AttributeError, pa.ArrowException, PySparkException, Py4JError)


def _dicts(rows: pa.Table) -> list[dict[str, Any]]:
    """The rows; Arrow gives maps as lists of pairs."""
    maps = {column.name for column in rows.schema if pa.types.is_map(column.type)}
    return [
        {name: dict(value) if name in maps and value is not None else value for name, value in row.items()}
        for row in rows.to_pylist()
    ]


def _known(row: dict[str, Any]) -> dict[str, Any]:
    """The row without the empty fields that stand where a format (JSON) reads maps as structs."""
    return {
        name: {key: inner for key, inner in value.items() if inner is not None} if isinstance(value, dict) else value
        for name, value in row.items()
    }
