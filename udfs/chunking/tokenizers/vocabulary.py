"""The vocabularies that ship with the package, so that nothing is ever downloaded.

The `.tiktoken.gz` files beside this module are the vocabularies that OpenAI
publishes for tiktoken (MIT), compressed and otherwise unchanged: the SHA-256
of each is checked when it is loaded, and a test compares the definitions here
with tiktoken's own.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from dataclasses import dataclass, field
from importlib import resources

from udfs.chunking.errors import SettingsError


@dataclass(frozen=True)
class Vocabulary:
    """What defines an encoding besides its ranks."""

    name: str
    sha256: str  # of the uncompressed vocabulary file
    pattern: str  # cuts text into the pieces that are merged one by one
    special_tokens: dict[str, int] = field(default_factory=dict)

    def ranks(self) -> dict[bytes, int]:
        """Token bytes -> token id.

        Raises:
            SettingsError: the file that ships with the package is damaged.
        """
        packed = resources.files(__package__).joinpath(f"{self.name}.tiktoken.gz").read_bytes()
        content = gzip.decompress(packed)
        found = hashlib.sha256(content).hexdigest()
        if found != self.sha256:
            raise SettingsError(
                f"tokenizer {self.name!r}: the vocabulary file is damaged (SHA-256 {found}, expected {self.sha256}); "
                "install lakechunk again"
            )
        pairs = (line.split() for line in content.splitlines())
        return {base64.b64decode(token): int(rank) for token, rank in pairs}


_O200K_WORD = r"[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}]{}[\p{{Ll}}\p{{Lm}}\p{{Lo}}\p{{M}}]{}"
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"

VOCABULARIES = {
    vocabulary.name: vocabulary
    for vocabulary in (
        Vocabulary(
            name="cl100k_base",
            sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
            pattern="|".join(
                (
                    r"'(?i:[sdmt]|ll|ve|re)",
                    r"[^\r\n\p{L}\p{N}]?+\p{L}++",
                    r"\p{N}{1,3}+",
                    r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
                    r"\s++$",
                    r"\s*[\r\n]",
                    r"\s+(?!\S)",
                    r"\s",
                )
            ),
            special_tokens={
                "<|endoftext|>": 100257,
                "<|fim_prefix|>": 100258,
                "<|fim_middle|>": 100259,
                "<|fim_suffix|>": 100260,
                "<|endofprompt|>": 100276,
            },
        ),
        Vocabulary(
            name="o200k_base",
            sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
            pattern="|".join(
                (
                    _O200K_WORD.format("*", "+") + _CONTRACTION,
                    _O200K_WORD.format("+", "*") + _CONTRACTION,
                    r"\p{N}{1,3}",
                    r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
                    r"\s*[\r\n]+",
                    r"\s+(?!\S)",
                    r"\s+",
                )
            ),
            special_tokens={"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
        ),
    )
}
