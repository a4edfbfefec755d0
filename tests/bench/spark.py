"""In Spark, end to end: beside a job whose Arrow UDF does nothing, and beside one that splits with LangChain.

All read the same Parquet files on local[2] and run in turns; ratios are medians over the rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from rich.table import Table

from tests.bench.corpora import Corpus
from tests.bench.peers import langchain

# Small documents are as frequent in a lake as large ones; so the corpus is repeated until it is worth Spark's while.
TARGET_MEGABYTES = 60
FILES = 8


def spark_table(corpus: Corpus, size: int, overlap: int, rounds: int) -> Table:
    """Throughput of each job, and its ratio to the job that does nothing."""
    with TemporaryDirectory() as folder:
        megabytes = _write(corpus, Path(folder) / "documents")
        times = _times(Path(folder), size, overlap, rounds)
    table = Table(title=f"Spark, local[2], Parquet in, {megabytes:.0f} MB of {corpus.name}, {size}/{overlap}")
    for heading in ("job", "MB/s", "of the job that does nothing"):
        table.add_column(heading, justify="left" if heading == "job" else "right")
    for name, seconds in times.items():
        base = times["do nothing, no output" if name.endswith("no output") else "do nothing, Parquet out"]
        ratio = median(one / other for one, other in zip(base, seconds, strict=False))
        table.add_row(name, f"{megabytes / median(seconds):.1f}", f"{ratio:.2f}")
    return table


def _write(corpus: Corpus, folder: Path) -> float:
    folder.mkdir()
    copies = max(1, round(TARGET_MEGABYTES / corpus.megabytes))
    texts = [f"{document}\n{copy}" for copy in range(copies) for document in corpus.documents]
    for number in range(FILES):
        part = texts[number::FILES]
        table = pa.table({"id": [f"{number}-{row}" for row in range(len(part))], "text": part})
        pq.write_table(table, folder / f"{number}.parquet")
    return corpus.megabytes * copies


def _times(folder: Path, size: int, overlap: int, rounds: int) -> dict[str, list[float]]:
    from pyspark.sql import functions as F

    from jobs.session import get_session
    from udfs import chunk

    spark = get_session({"spark.master": "local[2]"})
    documents = spark.read.parquet(str(folder / "documents"))
    chunks = documents.select("id", F.explode(chunk("text", size=size, overlap=overlap)).alias("c")).select("id", "c.*")
    jobs = {
        "do nothing": documents.select("id", _nothing()("text").alias("text")),
        "lakechunk": chunks,
        **_langchain(documents, size, overlap),
    }
    runs: dict[str, Callable[[], None]] = {}
    for name, rows in jobs.items():
        runs[f"{name}, no output"] = rows.write.format("noop").mode("overwrite").save
        runs[f"{name}, Parquet out"] = partial(rows.write.mode("overwrite").parquet, str(folder / "out"))
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            if number and (number == 1 or "langchain" not in name):
                times[name].append(_seconds(run))
            elif not number and "langchain" not in name:
                run()  # warm
    spark.stop()  # its workers would stand beside those whose memory is measured next
    return times


def _nothing() -> Any:
    import pyspark.sql.functions

    functions: Any = pyspark.sql.functions
    arrow_udf = getattr(functions, "arrow_udf", functions.pandas_udf)  # Spark 4.1 and later have both
    return arrow_udf(_same, "string")


def _same(texts: pa.Array) -> pa.Array:
    return texts


def _langchain(documents: Any, size: int, overlap: int) -> dict[str, Any]:
    import pyspark.sql.functions

    functions: Any = pyspark.sql.functions
    if find_spec("langchain_text_splitters") is None:
        return {}

    def split_all(texts: pd.Series) -> pd.Series:
        return texts.map(langchain(size, overlap))

    split = functions.pandas_udf(split_all, "array<string>")
    return {"langchain": documents.select("id", functions.explode(split("text")).alias("text"))}


def _seconds(run: Callable[[], None]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin
