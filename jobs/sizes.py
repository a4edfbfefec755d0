"""`lakechunk sizes`: the size percentiles of a chunk table, on screen.

Local Parquet is read without Spark, so that looking takes no longer than it should.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from jobs.errors import InputError
from jobs.options import ConfigOption, OutputOption, SetOption
from jobs.paths import local_path
from jobs.publish import RUN_FILE, locate
from jobs.read import first_line
from jobs.settings import load_settings, masked_text
from jobs.storage import Storage, open_storage
from jobs.summary import sizes_table, summary_console
from schemas import SCOPES
from udfs.chunking import LakechunkError


def command(*, output_path: OutputOption = None, config: ConfigOption = None, sets: SetOption = None) -> None:
    """Show how large the chunks of a run came out: for all, by profile and by content type.

    Shown are tokens: mean, smallest, percentiles, largest; how much of the limit is used; chunks over the limit
    (must be 0); and tiny ones, under a tenth of the limit. The table `sizes` in the output folder holds more.
    """
    settings = load_settings(config, sets or (), {"output.path": output_path}, needs=("output.path",))
    rows = read_sizes(settings.output.path, dict(settings.spark))
    console = summary_console()
    if rows:
        console.print(sizes_table("Chunk sizes in tokens", rows, console.width))
    else:
        console.print("The run has no chunks, so there are no sizes.")


def read_sizes(path: str, spark_settings: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """The rows of the table `sizes`: overall first, then by profile, then by content type.

    Args:
        path: the output folder of a run.
        spark_settings: for a session, should one be needed.

    Raises:
        InputError: there is no run in that folder, or it cannot be read.
    """
    with _told_plainly(path):
        rows = _read(path, spark_settings)
    return sorted(rows, key=lambda row: (SCOPES.index(row["scope"]), row["name"] or ""))


@contextlib.contextmanager
def _told_plainly(path: str) -> Iterator[None]:
    """What cannot be read, in our words: files, Arrow, Spark and a broken record each fail in their own way."""
    try:
        yield
    except LakechunkError:
        raise
    except (OSError, ValueError, LookupError, TypeError, pa.ArrowException, PySparkException, Py4JError) as error:
        raise InputError(
            f"output.path = {masked_text(path)!r}: its tables cannot be read: {masked_text(first_line(error))}. Check "
            "--output, or make them anew with lakechunk run --overwrite (--debug shows where)."
        ) from error


def _read(path: str, spark_settings: dict[str, str] | None) -> list[dict[str, Any]]:
    local = local_path(path)
    if local is not None:
        path = str(local)
    storage = _spark_storage(path, spark_settings) if local is None else open_storage(None, path)
    written_as = _format_of(storage, path)
    table = locate(storage, path, "sizes")
    if local is not None and written_as == "parquet":
        return _read_parquet(Path(table))
    return _read_with_spark(table, written_as, spark_settings)


def _format_of(storage: Storage, path: str) -> str:
    """The format that the run wrote its tables in."""
    record_file = locate(storage, path, RUN_FILE)
    if not storage.exists(record_file):
        raise InputError(
            f"output.path = {masked_text(path)!r}: holds no run of lakechunk (no {RUN_FILE}). Check --output, or make "
            "one with lakechunk run."
        )
    record = json.loads(storage.read_text(record_file))
    return str(record["settings"]["output"]["format"])


def _read_parquet(folder: Path) -> list[dict[str, Any]]:
    files = sorted(file for file in folder.glob("*.parquet") if not file.name.startswith((".", "_")))
    rows = pa.concat_tables(pq.read_table(file) for file in files).to_pylist()
    return [{**row, "cut_shares": dict(row["cut_shares"] or ())} for row in rows]


def _read_with_spark(path: str, written_as: str, spark_settings: dict[str, str] | None) -> list[dict[str, Any]]:
    from jobs.session import get_session

    rows = get_session(spark_settings).read.format(written_as).load(path).collect()  # a row a profile and content type
    return [row.asDict() for row in rows]


def _spark_storage(path: str, spark_settings: dict[str, str] | None) -> Storage:
    from jobs.session import get_session

    return open_storage(get_session(spark_settings), path)


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("sizes"))
