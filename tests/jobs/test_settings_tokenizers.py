"""Profiles that count with a tokenizer file."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.settings import load_settings
from tests.udfs.chunking.hub_tokenizers import save
from udfs.chunking import Chunker, SettingsError


def test_a_tokenizer_file_may_be_given_by_path_or_uri(tmp_path: Path) -> None:
    path = save("bpe", tmp_path)
    by_path, by_uri = (
        load_settings(None, [f"profiles.default.tokenizer={place}"], {}).profiles_resolved["default"]
        for place in (path, f"file://{path}")
    )
    assert by_path.config_hash() == by_uri.config_hash()
    Path(path).unlink()
    assert Chunker(by_uri).chunk("the quick brown fox")


@pytest.mark.parametrize("place", ["file:///nowhere/tokenizer.json", "gopher://host/tokenizer.json", "nowhere.json"])
def test_a_tokenizer_file_that_cannot_be_read_names_its_profile(place: str) -> None:
    with pytest.raises(SettingsError, match=r"(?s)profiles\.default\.tokenizer.*cannot be read"):
        load_settings(None, [f"profiles.default.tokenizer={place}"], {})
