"""What a Python worker holds: bounded by the bytes of an Arrow batch, not by its rows.

Documents of 1.1 MB go through the chunk column with the session's own settings,
10 of them and then 160: with a bound in bytes the peak does not grow. The same 160
in a single batch, as Spark's default of 10,000 rows would have it, show the difference.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rich.table import Table

ROOT = Path(__file__).parents[2]
CASES = (
    ("10 documents of 1.1 MB, as shipped", 10, False),
    ("160 documents of 1.1 MB, as shipped", 160, False),
    ("160 documents of 1.1 MB, 10,000 rows a batch and no bound in bytes", 160, True),
)
UNBOUNDED = {
    "spark.sql.execution.arrow.maxBytesPerBatch": "2147483647",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
}


def peak_megabytes(documents: int, unbounded: bool) -> int:
    """Peak resident memory of the Python worker, measured in a session of its own, in MiB."""
    command = [sys.executable, "-m", "tests.bench.memory", str(documents), str(int(unbounded))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def memory_table() -> Table:
    """The peak of each case."""
    table = Table(title="Peak memory of a Python worker")
    table.add_column("case")
    table.add_column("MiB", justify="right")
    for name, documents, unbounded in CASES:
        table.add_row(name, f"{peak_megabytes(documents, unbounded):,}")
    return table


def _run(documents: int, unbounded: bool) -> int:
    from pyspark.sql import functions as F

    from jobs.session import get_session
    from udfs import chunk

    spark = get_session({"spark.master": "local[1]"} | (UNBOUNDED if unbounded else {}))
    text = F.expr("repeat(concat('lorem', lpad(cast(id AS string), 5, '0'), ' '), 100000)")
    chunks = spark.range(documents).coalesce(1).select(chunk(text, size=512, overlap=64).alias("chunks"))
    chunks.write.format("noop").mode("overwrite").save()
    return peak_of(b"pyspark.daemon")  # the worker is kept for the next query, so it can still be asked


def peak_of(command: bytes) -> int:
    """The peak of resident memory of the largest process with this in its command line, in MiB (Linux)."""
    return max(_peak(process, command) for process in Path("/proc").glob("[0-9]*"))


def _peak(process: Path, command: bytes) -> int:
    try:
        if command not in (process / "cmdline").read_bytes():
            return 0
        return int((process / "status").read_text().split("VmHWM:")[1].split()[0]) // 1024
    except (OSError, IndexError):  # it has just ended
        return 0


if __name__ == "__main__":
    sys.stdout.write(f"{_run(int(sys.argv[1]), bool(int(sys.argv[2])))}\n")
