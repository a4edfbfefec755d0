"""`lakechunk sizes`: the size percentiles of a chunk table, on screen.

Local Parquet is read without Spark, so that looking takes no longer than it should.
"""

from __future__ import annotations

import sys
from typing import Any

from jobs.finished_run import FinishedRun
from jobs.options import ConfigOption, OutputOption, SetOption
from jobs.settings import load_settings
from jobs.summary import sizes_table, summary_console
from schemas import SCOPES


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
    rows = FinishedRun(path, spark_settings or {}).rows("sizes")
    return sorted(rows, key=lambda row: (SCOPES.index(row["scope"]), row["name"] or ""))


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("sizes"))
