"""The fast counter against the reference, and the vocabularies against their publisher's definitions."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import random
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe
from tiktoken_ext import openai_public

from tests.udfs.chunking.nasty import NASTY, documents
from udfs.chunking import SettingsError
from udfs.chunking.tokenizers import VOCABULARIES, BpeTokenizer, check_tokenizer, load_tokenizer, reference_encoding
from udfs.chunking.tokenizers import bpe as bpe_module

ENCODINGS = sorted(VOCABULARIES)


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_shipped_encoding_is_the_one_that_tiktoken_defines(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = resources.files("udfs.chunking.tokenizers").joinpath(f"{name}.tiktoken.gz").read_bytes()
    vocabulary = tmp_path / "vocabulary"
    vocabulary.write_bytes(gzip.decompress(packed))
    asked: list[str] = []

    def from_disk(_url: str, expected_hash: str) -> dict[bytes, int]:
        asked.append(expected_hash)
        return load_tiktoken_bpe(str(vocabulary), expected_hash)

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", from_disk)
    theirs = tiktoken.Encoding(**openai_public.ENCODING_CONSTRUCTORS[name]())
    ours = reference_encoding(name)
    assert asked == [VOCABULARIES[name].sha256] == [hashlib.sha256(vocabulary.read_bytes()).hexdigest()]
    assert (ours._pat_str, ours._special_tokens) == (theirs._pat_str, theirs._special_tokens)
    assert ours._mergeable_ranks == theirs._mergeable_ranks


@cache
def without_fast_counter(name: str) -> BpeTokenizer:
    return BpeTokenizer(VOCABULARIES[name], fast=False)


def reference_ends(name: str, texts: list[str]) -> list[int]:
    """Whole code points before the end of each token, by decoding all tokens up to it."""
    reference = reference_encoding(name)
    decoder = codecs.getincrementaldecoder("utf-8")()
    ends, whole = [], 0
    for text in texts:
        for token in reference.encode_ordinary(text):
            whole += len(decoder.decode(reference.decode_single_token_bytes(token)))
            ends.append(whole)
    return ends


def assert_counters_agree(name: str, texts: list[str]) -> None:
    reference = reference_encoding(name)
    expected = [len(reference.encode_ordinary(text)) for text in texts]
    for tokenizer in (load_tokenizer(name), without_fast_counter(name)):
        assert tokenizer.count(texts).tolist() == expected
        ends, offsets = tokenizer.token_ends(texts)
        assert np.diff(offsets).tolist() == expected
        assert ends.tolist() == reference_ends(name, texts)


@pytest.mark.parametrize("name", ENCODINGS)
def test_counters_agree_on_nasty_texts(name: str) -> None:
    assert_counters_agree(name, NASTY)
    for text in NASTY:
        assert_counters_agree(name, [text])


@pytest.mark.parametrize("name", ENCODINGS)
@given(texts=st.lists(documents(), max_size=4))
@settings(max_examples=60, deadline=None)
def test_counters_agree_on_random_texts(name: str, texts: list[str]) -> None:
    assert_counters_agree(name, texts)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("context", ["{}'s", "a{}B 1"])
def test_counters_agree_on_every_code_point(name: str, context: str) -> None:
    points = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    sample = random.Random(name + context).sample(points[0x3000:], 60_000)
    chosen = points[:0x3000] + sample + [point for point in NEWEST if point not in sample]
    texts = [context.format(chr(point)) for point in chosen]
    reference = reference_encoding(name)
    expected = [len(tokens) for tokens in reference.encode_ordinary_batch(texts, num_threads=2)]
    counted = [int(load_tokenizer(name).count([text])[0]) for text in texts]
    wrong = [hex(point) for point, want, got in zip(chosen, expected, counted, strict=True) if want != got]
    assert wrong == []


NEWEST = (
    0x88F,
    0xC5C,
    0xCDC,
    0x1ACF,
    0x1AEB,
    0x10EFA,
    0x11B60,
    0x1E6F5,
    0xA7CE,
    0xA7F1,
    0x10940,
    0x10EC5,
    0x11DB0,
    0x16EA0,
    0x18D80,
    0x1E6C0,
    0x2B73A,
    0x323B0,
)


def test_without_the_fast_counter_the_reference_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bpe_module, "toktok", None)
    tokenizer = BpeTokenizer(VOCABULARIES["cl100k_base"])
    assert tokenizer._fast is None
    assert tokenizer.count(["hello world", ""]).tolist() == [2, 0]


def test_special_token_text_is_ordinary_text() -> None:
    assert load_tokenizer("cl100k_base").count(["<|endoftext|>"]).tolist() == [7]


@pytest.mark.parametrize("name", ["cl100k", "gpt2", "p50k_base", ""])
def test_an_unknown_tokenizer_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(SettingsError, match="Known: cl100k_base, o200k_base"):
        check_tokenizer(name)


def test_a_damaged_vocabulary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged:
        def joinpath(self, _name: str) -> Damaged:
            return self

        def read_bytes(self) -> bytes:
            return gzip.compress(b"IQ== 0\n")

    monkeypatch.setattr(resources, "files", lambda _package: Damaged())
    with pytest.raises(SettingsError, match="damaged"):
        VOCABULARIES["cl100k_base"].ranks()
