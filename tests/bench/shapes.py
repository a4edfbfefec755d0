"""How cost grows with the length of one document, for a dozen shapes of text.

Linear work shows as an equal time for each character from left to right.
"""

from __future__ import annotations

import base64
import random
import time

from rich.table import Table

from udfs.chunking import Chunker

SHAPES = {
    "prose": "The quick brown fox jumps over the lazy dog. It was late, and then it rained.\n\n",
    "one line of words": "word ",
    "one word": "a",
    "newlines only": "\n",
    "short lines": "x\n",
    "deep list": "".join("  " * level + f"- item {level}\n" for level in range(40)),
    "wide table": "| " + " | ".join(f"cell {column}" for column in range(60)) + " |\n",
    "base64": base64.b64encode(random.Random(1).randbytes(30_000)).decode(),
    "minified JSON": '{"id":12345,"tags":["a","b"],"text":"lorem ipsum"},',
    "Chinese without stops": "\u6f22\u5b57\u4eee\u540d",
    "Thai": "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
    "emoji families": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "punctuation": "?!.,",
}


def growth_table(largest: int, size: int) -> Table:
    """Nanoseconds a character for documents of 1,000 characters up to `largest`."""
    lengths = [length for length in (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 50_000_000) if length <= largest]
    table = Table(title="Nanoseconds a character, one document of so many characters, recursive")
    table.add_column("shape")
    for length in lengths:
        table.add_column(f"{length:,}", justify="right")
    chunker = Chunker(size=size)
    for name, unit in SHAPES.items():
        table.add_row(name, *(f"{_nanoseconds(chunker, unit, length):.0f}" for length in lengths))
    return table


def _nanoseconds(chunker: Chunker, unit: str, length: int) -> float:
    text = (unit * (length // len(unit) + 1))[:length]
    rounds = max(1, min(20, 1_000_000 // length))
    best = min(_seconds(chunker, text) for _ in range(rounds))
    return best / length * 1e9


def _seconds(chunker: Chunker, text: str) -> float:
    begin = time.perf_counter()
    chunker.chunk_batch([text])
    return time.perf_counter() - begin
