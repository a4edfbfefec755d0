"""Tokenizers by name. Adding one touches its own file and the registry here."""

from __future__ import annotations

from functools import lru_cache

from udfs.chunking.errors import SettingsError
from udfs.chunking.tokenizers.bpe import BpeTokenizer
from udfs.chunking.tokenizers.vocabulary import VOCABULARIES


def check_tokenizer(name: str) -> None:
    """Refuse a tokenizer that is not there, without loading it.

    Raises:
        SettingsError: names the nearest known encoding.
    """
    if name not in VOCABULARIES:
        raise SettingsError.unknown("tokenizer", name, VOCABULARIES)


def fingerprint(name: str) -> str:
    """SHA-256 (hex) of the vocabulary: what a count depends on besides the name."""
    return VOCABULARIES[name].sha256


@lru_cache(maxsize=8)
def load_tokenizer(name: str) -> BpeTokenizer:
    """The tokenizer of that name, loaded once a process and never from a network.

    Raises:
        SettingsError: the name is unknown or its vocabulary is damaged.
    """
    check_tokenizer(name)
    return BpeTokenizer(VOCABULARIES[name])


__all__ = ["VOCABULARIES", "BpeTokenizer", "check_tokenizer", "fingerprint", "load_tokenizer"]
