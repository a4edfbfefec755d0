"""How large the files of the tables become: neither thousands of tiny ones, nor a few that nobody can read in parallel.

The working table is there already when the tables are written, so its bytes tell what to expect.
"""

from __future__ import annotations

from dataclasses import dataclass

# A task writes at least this share of a full file, where there is enough: much less, and its start costs more than its
# work; much more, and most cores would wait for a few.
LEAST_SHARE = 1 / 8

# The working table holds a text once that is also what is embedded; `chunks` holds it in two columns.
_TEXTS = 2

# What a row of `chunks` takes beside its texts, compressed: two hashes of its own, which do not compress.
_BYTES_A_CHUNK = 100


@dataclass(frozen=True, slots=True)
class FileLayout:
    """How a table is cut into files.

    Attributes:
        tasks: at most so many tasks write it, each at least one file.
        records: at most so many rows go into a file.
    """

    tasks: int
    records: int


def chunk_files(work_bytes: int, chunks: int, file_bytes: int) -> FileLayout:
    """The files of `chunks`, and of the tables that are written beside it.

    Args:
        work_bytes: of the working table, compressed.
        chunks: how many there are.
        file_bytes: about so large a file may be.

    Example:
        >>> chunk_files(work_bytes=5_000_000_000, chunks=10_000_000, file_bytes=110_000_000)
        FileLayout(tasks=800, records=100000)
        >>> chunk_files(work_bytes=1_000, chunks=10, file_bytes=110_000_000).tasks
        1
    """
    row = _TEXTS * work_bytes / max(chunks, 1) + _BYTES_A_CHUNK
    tasks = -(-round(row * chunks) // max(round(file_bytes * LEAST_SHARE), 1))
    return FileLayout(max(tasks, 1), max(round(file_bytes / row), 1))
