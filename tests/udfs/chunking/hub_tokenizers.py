"""Small Hugging Face tokenizers, trained on the spot: one of each model that the format knows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[PAD]"]
TEXT = [
    "the quick brown fox jumps over the lazy dog and runs on through the forest",
    "a word is only cut when it alone exceeds the limit, a grapheme never",
    "na\u00efve caf\u00e9 \u6f22\u5b57 \u0939\u0948 \U0001f680",
] * 20
KINDS = ("wordpiece", "bpe", "unigram")


@cache
def trained(kind: str) -> Tokenizer:
    return {"wordpiece": _wordpiece, "bpe": _bpe, "unigram": _unigram}[kind]()


def save(kind: str, folder: Path) -> str:
    """Write a tokenizer.json that asks for truncation and padding, which must not change any count."""
    tokenizer = Tokenizer.from_str(trained(kind).to_str())
    tokenizer.enable_truncation(max_length=8)
    tokenizer.enable_padding(pad_token="[PAD]", length=8)
    path = folder / f"{kind}.json"
    tokenizer.save(str(path))
    return str(path)


def _wordpiece() -> Tokenizer:
    """As BERT's: lower-cases, strips accents, knows no blanks, and puts [CLS] and [SEP] around a text."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(TEXT, trainers.WordPieceTrainer(vocab_size=300, special_tokens=SPECIAL))
    around = [("[CLS]", tokenizer.token_to_id("[CLS]")), ("[SEP]", tokenizer.token_to_id("[SEP]"))]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=around)
    return tokenizer


def _bpe() -> Tokenizer:
    """As GPT-2's: bytes, so any text has tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=SPECIAL, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(TEXT, trainer)
    return tokenizer


def _unigram() -> Tokenizer:
    """As SentencePiece's: blanks are part of the tokens, and one is put in front."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.train_from_iterator(
        TEXT, trainers.UnigramTrainer(vocab_size=150, special_tokens=SPECIAL, unk_token="[UNK]")
    )
    return tokenizer
