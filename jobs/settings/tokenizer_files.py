"""Tokenizer files that lie somewhere else: read once on the driver, so that no executor needs to reach them."""

from __future__ import annotations

from udfs.chunking.tokenizers import register


def fetch_tokenizer(path: object) -> str | None:
    """Reads the tokenizer.json at a URI (`s3://`, `gs://`, `hdfs://`, `file://`) and makes it known to the engine.

    A name, or a path without a scheme, is left to the engine.

    Returns:
        What is wrong, if it cannot be read; else None.
    """
    if not isinstance(path, str) or "://" not in path:
        return None
    from pyarrow import fs  # the command line starts without it

    try:
        # Spark says s3a where Arrow says s3; both mean the same store.
        system, inner = fs.FileSystem.from_uri(path.replace("s3a://", "s3://", 1))
        with system.open_input_stream(inner) as stream:
            register(path, stream.read().decode("utf-8"))
    except (OSError, ValueError) as error:  # Arrow's errors are of these kinds, and so is wrong UTF-8
        return f"cannot be read ({str(error).splitlines()[0]}); give the path or URI of a tokenizer.json"
    return None
