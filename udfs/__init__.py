"""The UDF layer: a text column in, an array of chunk structs out.

`from udfs import chunk` needs Spark; `from udfs.chunking import Chunker` does not,
which is why `chunk` is only imported when somebody asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from udfs.column import CHUNK, chunk, join_pages

__all__ = ["CHUNK", "chunk", "join_pages"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from udfs import column

        return getattr(column, name)
    raise AttributeError(f"module 'udfs' has no attribute {name!r}; it has {', '.join(__all__)}")
