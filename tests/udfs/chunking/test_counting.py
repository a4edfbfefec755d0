"""Counting the edges of stretches gives what counting them whole gives; and how much is counted at all."""

from __future__ import annotations

import base64
import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.nasty import NASTY, documents
from tests.udfs.chunking.test_laws import STRATEGIES
from udfs.chunking import Chunker
from udfs.chunking.characters import FULL_CLAUSE, FULL_STOP, class_table
from udfs.chunking.counting import SeamCounter
from udfs.chunking.cutting import DocumentCutter
from udfs.chunking.document import NOTHING
from udfs.chunking.sizes import TokenRuler
from udfs.chunking.slab import Slab
from udfs.chunking.tokenizers import Tokenizer, load_tokenizer, reference_encoding


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
@given(texts=st.lists(st.one_of(documents(), st.sampled_from(NASTY)), min_size=1, max_size=4), seed=st.integers())
@settings(max_examples=150, deadline=None)
def test_stretches_counted_at_their_edges_are_counted_exactly(encoding: str, texts: list[str], seed: int) -> None:
    slab, tokenizer = Slab(texts), load_tokenizer(encoding)
    counter = SeamCounter(slab, tokenizer, TokenRuler(slab, tokenizer).ends)
    choice = random.Random(seed)
    documents_of = [range(len(texts))[index % len(texts)] for index in range(SeamCounter.FEW * 2)]
    edges = [
        sorted(choice.randint(int(slab.first[document]), int(slab.stop[document])) for _ in range(2))
        for document in documents_of
    ]
    start, end = np.array(edges, dtype=np.int64).T
    reference = reference_encoding(encoding)
    expected = [len(reference.encode_ordinary(slab.text[low:high])) for low, high in edges]
    assert counter.count(start, end).tolist() == expected


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_a_seam_before_a_mark_of_several_tokens_is_counted_exactly(encoding: str) -> None:
    table = class_table()
    marks = [chr(point) for point in np.flatnonzero((table == FULL_STOP) | (table == FULL_CLAUSE))]
    pieces = [f"{letter}{mark}" for letter in "\u6f22\u3042\u30ab\u9fff" for mark in marks]
    text = "".join(pieces)
    slab, tokenizer = Slab([text]), load_tokenizer(encoding)
    counter = SeamCounter(slab, tokenizer, TokenRuler(slab, tokenizer).ends)
    start = np.repeat(np.arange(1, len(text) - 7), 2)
    end = start + np.tile([3, 6], len(start) // 2)
    reference = reference_encoding(encoding)
    expected = [len(reference.encode_ordinary(slab.text[low:high])) for low, high in zip(start, end, strict=True)]
    assert counter.count(start, end).tolist() == expected


class Recording:
    """A tokenizer that notes how many code points it was asked to look at."""

    def __init__(self, inner: Tokenizer) -> None:
        self._inner = inner
        self.looked_at = 0
        self.special_tokens = inner.special_tokens
        self.has_seams = inner.has_seams

    def suited_to(self, _points: npt.NDArray[np.uint32]) -> Recording:
        return self

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int32]:
        self.looked_at += sum(map(len, texts))
        return self._inner.count(texts)

    def token_ends(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        self.looked_at += sum(map(len, texts))
        return self._inner.token_ends(texts)


SHAPES = {
    "prose": "The quick brown fox jumps over the lazy dog. It was late, and then it rained.\n\n",
    "one line": "word ",
    "one word": "a",
    "newlines": "x\n",
    "base64": base64.b64encode(random.Random(1).randbytes(3000)).decode(),
    "minified": '{"a":1,"b":[1,2,3]},',
    "ideographs": "\u6f22\u5b57\u4eee\u540d",
    "kana": "\u3042\u3044\u3046\u3048\u304a",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "flags": "\U0001f1e9\U0001f1ea",
    "one grapheme": "\u0301",
    "indented": "        x = 1\n",
}


def looked_at(text: str, strategy: str, size: int) -> int:
    chunker = Chunker(strategy=strategy, size=size)
    cutter = chunker._chosen(text, NOTHING)._cutter
    assert isinstance(cutter, DocumentCutter)
    recording = Recording(cutter._tokenizer)
    cutter._tokenizer = recording
    chunker.chunk(text)
    return recording.looked_at


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [40, 512])
def test_the_work_grows_with_the_text_and_no_faster(strategy: str, shape: str, size: int) -> None:
    unit = SHAPES[shape]
    small, large = (
        looked_at((unit * (length // len(unit) + 1))[:length], strategy, size) for length in (5_000, 50_000)
    )
    assert large <= 11 * small
    # Once to encode; once to count chunks and what they share; more where chunks of odd text come out too large.
    assert large <= 6 * 50_000


def test_prose_is_looked_at_once_and_little_more() -> None:
    text = SHAPES["prose"] * 1000
    assert looked_at(text, "recursive", 512) <= 1.05 * len(text)
