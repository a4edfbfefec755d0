"""Tokenizers by name or path. Adding a kind touches its own file and the functions here.

A name is an encoding of tiktoken that ships with the package. Anything else is
the path of a Hugging Face `tokenizer.json`; its content is read once, where the
job starts, and given to the executors with `register`, so they read no file.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import tiktoken

from udfs.chunking.errors import SettingsError
from udfs.chunking.tokenizers.bpe import BpeTokenizer
from udfs.chunking.tokenizers.huggingface import HuggingFaceTokenizer, content_hash
from udfs.chunking.tokenizers.tokenizer import Tokenizer
from udfs.chunking.tokenizers.vocabulary import VOCABULARIES

_contents: dict[str, str] = {}  # path -> the content of its tokenizer.json


def register(path: str, content: str) -> None:
    """Make a `tokenizer.json` known under its path, so that nobody has to read the file again."""
    _contents[path] = content


def tokenizer_content(name: str) -> str | None:
    """The content of the `tokenizer.json` at that path; None for an encoding that ships with the package.

    Raises:
        SettingsError: there is neither an encoding of this name nor such a file.
    """
    if name in VOCABULARIES:
        return None
    if name not in _contents:
        _contents[name] = _read(name)
    return _contents[name]


def check_tokenizer(name: str) -> None:
    """Refuse a tokenizer that cannot be used.

    Raises:
        SettingsError: says what is wrong and what is allowed.
    """
    if name not in VOCABULARIES:
        load_tokenizer(name)


def fingerprint(name: str) -> str:
    """SHA-256 (hex) of the vocabulary: what a count depends on, wherever the file lies."""
    content = tokenizer_content(name)
    return VOCABULARIES[name].sha256 if content is None else content_hash(content)


def load_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name or path, loaded once a process and never from a network.

    Raises:
        SettingsError: it is unknown, damaged, or needs an extra that is not installed.
    """
    return _load(name, tokenizer_content(name))


def reference_encoding(name: str) -> tiktoken.Encoding:
    """tiktoken's own encoding of that name, from the vocabulary that ships: what every count is compared with."""
    return _encoding(name).reference


@lru_cache(maxsize=8)
def _load(name: str, content: str | None) -> Tokenizer:
    return _encoding(name) if content is None else HuggingFaceTokenizer(name, content)


@lru_cache(maxsize=len(VOCABULARIES))
def _encoding(name: str) -> BpeTokenizer:
    return BpeTokenizer(VOCABULARIES[name])


def _read(name: str) -> str:
    if not name.endswith(".json"):
        unknown = SettingsError.unknown("tokenizer", name, VOCABULARIES)
        raise SettingsError(f"{unknown}, or the path of a Hugging Face tokenizer.json")
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"tokenizer = {name!r}: cannot be read ({error}); give the path of a tokenizer.json"
        ) from None


__all__ = [
    "VOCABULARIES",
    "BpeTokenizer",
    "HuggingFaceTokenizer",
    "Tokenizer",
    "check_tokenizer",
    "fingerprint",
    "load_tokenizer",
    "reference_encoding",
    "register",
    "tokenizer_content",
]
