"""Faults that the tests put into Python workers: this folder on PYTHONPATH, and LAKECHUNK_TEST_FAULT says which.

Python imports a module of this name at its start. What is shipped knows nothing of it.
"""

import importlib
import os
import time
from pathlib import Path
from typing import Any

# The task that is struck: the first one, so that the others go on beside it.
STRUCK = 0


def fail_twice(attempt: int) -> None:
    """The worker dies, then the function raises, then all is well."""
    if attempt == 0:
        os._exit(17)
    if attempt == 1:
        raise RuntimeError("the second attempt fails, too")


def hang_once(attempt: int) -> None:
    """Tells who hangs, and waits to be killed."""
    told = Path(os.environ["LAKECHUNK_TEST_TOLD"])
    if attempt > 0 or told.exists():  # a stage that is done again counts from 0 again
        return
    written = told.with_suffix(".part")
    written.write_text(str(os.getppid()), "ascii")
    written.rename(told)
    time.sleep(300)


FAULTS = {"fail_twice": fail_twice, "hang_once": hang_once}


def strike(fault: str) -> None:
    """Put the fault in front of the function that chunks a batch."""
    try:
        isolation: Any = importlib.import_module("udfs.isolation")
    except ImportError:  # an interpreter that only unpacks the environment
        return
    chunk_rows_by = isolation.chunk_rows_by

    def struck(*arguments: Any, **options: Any) -> Any:
        from pyspark import TaskContext

        task = TaskContext.get()
        if task is not None and task.partitionId() == STRUCK:
            FAULTS[fault](task.attemptNumber())
        return chunk_rows_by(*arguments, **options)

    isolation.chunk_rows_by = struck


if "LAKECHUNK_TEST_FAULT" in os.environ:
    strike(os.environ["LAKECHUNK_TEST_FAULT"])
