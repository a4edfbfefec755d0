"""Chunk documents as they arrive: Parquet files in a folder in, Parquet chunks out, each document once.

    spark-submit docs/examples/streaming.py --input arriving/ --output chunks/ --checkpoint checkpoint/

Handles what is there and ends, so that a scheduler can call it again; with --forever it stays and waits for more. After
a crash or a restart with the same checkpoint it goes on where it stopped: the file sink writes every batch once.
"""

from __future__ import annotations

import argparse

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from udfs import chunk

# A stream does not look at its files before it starts, so it is told their columns.
SCHEMA = "id string, text string, title string"


def chunks_of(documents: DataFrame) -> DataFrame:
    """One row a chunk. As in any other DataFrame: the column knows nothing of the stream."""
    chunks = chunk("text", strategy="markdown", size=384, context="headings", title="title")
    return documents.select("id", F.explode(chunks).alias("chunk")).select("id", "chunk.*")


def main() -> None:
    """Read the options, and run the query until it ends."""
    options = argparse.ArgumentParser(description="Chunk documents as they arrive.")
    for name in ("input", "output", "checkpoint"):
        options.add_argument(f"--{name}", required=True, metavar="FOLDER")
    options.add_argument("--files", type=int, default=100, help="files a batch, at most")
    options.add_argument("--forever", action="store_true", help="wait for more documents")
    given = options.parse_args()

    spark = SparkSession.builder.appName("chunk as they arrive").getOrCreate()
    documents = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", given.files).parquet(given.input)
    writer = chunks_of(documents).writeStream.format("parquet").option("checkpointLocation", given.checkpoint)
    writer = writer.trigger(processingTime="10 seconds") if given.forever else writer.trigger(availableNow=True)
    writer.start(given.output).awaitTermination()


if __name__ == "__main__":
    main()
