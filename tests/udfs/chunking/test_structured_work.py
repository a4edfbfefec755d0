"""Ten times the document is ten times the work: calls are counted, and letters that are copied, never time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from udfs.chunking import Chunker
from udfs.chunking.chunk import ChunkBatch

FENCE = "`" * 3

SHAPES: dict[str, tuple[str, Callable[[int], str]]] = {
    "headings": ("markdown", lambda n: "".join(f"{'#' * (1 + i % 6)} Title number {i}\n\n" for i in range(n))),
    "headings of long titles": ("markdown", lambda n: "".join(f"## {'long ' * 40}{i}\n\nx\n\n" for i in range(n))),
    "lists in lists": ("markdown", lambda n: "\n".join("  " * (i % 90) + f"- item {i}" for i in range(n))),
    "quotes in quotes": ("markdown", lambda n: ">" * n + " x"),
    "one list": ("markdown", lambda n: "Take:\n\n" + "- an item of some words\n" * n),
    "one wide row": ("markdown", lambda n: "|" + "a|" * n + "\n|" + "-|" * n + "\n|" + "b|" * n + "\n"),
    "one long table": ("markdown", lambda n: "| a | b |\n|---|---|\n" + "| cell | cell |\n" * n),
    "a fence that is not closed": ("markdown", lambda n: f"{FENCE}\n" + "a line of code\n" * n),
    "many blocks": ("markdown", lambda n: f"Run:\n\n{FENCE}\nx = 1\n{FENCE}\n\n- a\n- b\n\n" * n),
    "one line of HTML": ("html", lambda n: "<p>" + "word <b>x</b> " * n + "</p>"),
    "elements in elements": ("html", lambda n: "<div>" * n + "text" + "</div>" * n),
    "headings of HTML": ("html", lambda n: "".join(f"<h{1 + i % 6}>Title {i}</h{1 + i % 6}><p>x" for i in range(n))),
    "rows": ("table", lambda n: "id,name,price\n" + "".join(f"{i},thing {i},{i}.50\n" for i in range(n))),
}


def worked(strategy: str, text: str) -> tuple[int, ChunkBatch]:
    """How many functions are called to chunk a text, and its chunks."""
    chunker = Chunker(strategy=strategy, size=64, overlap=8, keep_apart=0 if strategy != "table" else None)
    chunker.chunk("warm up")
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG001 - as sys.setprofile asks
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        batch = chunker.chunk_batch([text])
    finally:
        sys.setprofile(before)
    return calls, batch


@pytest.mark.parametrize("shape", SHAPES)
def test_calls_and_letters_grow_with_the_document(shape: str) -> None:
    strategy, made = SHAPES[shape]
    small, large = made(400), made(4000)
    few, _ = worked(strategy, small)
    many, batch = worked(strategy, large)
    assert many <= 11.5 * few
    text = batch.canonical[0] or large
    # Half of the size may be context, an eighth is shared, and the last chunks of sections are small.
    assert sum(map(len, batch.embed_text)) <= 3 * len(text)
    assert sum(len(title) for path in batch.section or [] for title in path) <= 3 * len(text)
