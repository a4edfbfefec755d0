"""Any tokenizer.json: exact counts, the laws, and the model's limit with its special tokens."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.udfs.chunking import laws
from tests.udfs.chunking.hub_tokenizers import KINDS, save, trained
from tests.udfs.chunking.nasty import NASTY, documents
from tests.udfs.chunking.test_laws import STRATEGIES
from udfs.chunking import Chunker, ChunkSettings, SettingsError
from udfs.chunking.tokenizers import load_tokenizer, register, tokenizer_content


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def path(kind: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return save(kind, tmp_path_factory.mktemp(kind))


def tokens(kind: str, text: str) -> int:
    """Tokens by a tokenizer that no file has told to truncate or pad."""
    tokenizer = trained(kind)
    tokenizer.encode_special_tokens = True
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def test_counts_are_exact_whatever_the_file_asks_for(kind: str, path: str) -> None:
    assert load_tokenizer(path).count(NASTY).tolist() == [tokens(kind, text) for text in NASTY]


def test_names_of_special_tokens_are_ordinary_text(kind: str, path: str) -> None:
    assert load_tokenizer(path).count(["a [SEP] b"])[0] > 3 - (kind == "unigram")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("size", "overlap"), [(1, 0), (3, 1), (20, 5), (64, 8)])
def test_laws_hold_with_any_tokenizer(
    kind: str, path: str, strategy: str, size: int, overlap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laws, "tokens", lambda text, _encoding: tokens(kind, text))
    chosen = ChunkSettings(strategy=strategy, size=size, overlap=overlap, tokenizer=path)
    chunker = Chunker(chosen)
    batch = chunker.chunk_batch(NASTY)
    for index, text in enumerate(NASTY):
        laws.check_document(chunker, text, batch.document(index))


@given(text=documents(), size=st.integers(1, 40), unit=st.sampled_from(["tokens", "characters"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_chunk_exceeds_the_model_with_its_special_tokens(
    kind: str, path: str, text: str, size: int, unit: str
) -> None:
    chosen = ChunkSettings(size=size, overlap=0, unit=unit, tokenizer=path, model_max_tokens=12)
    special = load_tokenizer(path).special_tokens
    for chunk in Chunker(chosen).chunk(text):
        assert chunk.oversize or tokens(kind, chunk.embed_text) + special <= 12


def test_special_tokens_are_counted_in(tmp_path: Path) -> None:
    path = save("wordpiece", tmp_path)
    text = "the fox and the dog " * 40
    chunks = Chunker(size=512, tokenizer=path, model_max_tokens=32).chunk(text)
    assert max(chunk.token_count for chunk in chunks) == 30
    with pytest.raises(SettingsError, match="leaves no room beside the special tokens that the model adds"):
        Chunker(size=512, tokenizer=path, model_max_tokens=2)
    with pytest.raises(SettingsError, match=r"what model_max_tokens leaves \(30\)"):
        Chunker(size=512, overlap=64, tokenizer=path, model_max_tokens=32)


def test_the_model_bounds_characters_too() -> None:
    text = "supercalifragilistic " * 100
    chunks = Chunker(size=400, unit="characters", overlap=0, model_max_tokens=20).chunk(text)
    assert max(chunk.token_count for chunk in chunks) <= 20
    assert max(len(chunk.text) for chunk in chunks) < 400


def test_the_config_hash_knows_the_file_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    here, there = save("bpe", tmp_path), save("bpe", tmp_path / "elsewhere")
    assert ChunkSettings(tokenizer=here).config_hash() == ChunkSettings(tokenizer=there).config_hash()
    other = save("wordpiece", tmp_path)
    assert ChunkSettings(tokenizer=here).config_hash() != ChunkSettings(tokenizer=other).config_hash()


def test_a_registered_tokenizer_needs_no_file(tmp_path: Path) -> None:
    path = Path(save("bpe", tmp_path))
    content = tokenizer_content(str(path))
    assert content is not None
    path.unlink()
    register("nowhere/of/this/name.json", content)
    assert Chunker(tokenizer="nowhere/of/this/name.json", size=20).chunk("the quick brown fox")


def test_a_file_that_cannot_serve_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match=r"missing\.json'?: cannot be read"):
        ChunkSettings.of({"tokenizer": str(tmp_path / "missing.json")})
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{}")
    with pytest.raises(SettingsError, match=r"is no tokenizer\.json"):
        ChunkSettings.of({"tokenizer": str(damaged)})
    good = save("bpe", tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(SettingsError, match=r"pip install 'lakechunk\[huggingface\]'"):
        ChunkSettings.of({"tokenizer": good})
