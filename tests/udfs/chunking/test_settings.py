"""A wrong setting cannot exist, and says what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from udfs.chunking import Chunker, ChunkSettings, SettingsError, TextError


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"size": 0}, "size = 0"),
        ({"size": 10, "overlap": 10}, "overlap = 10: must be less than size (10)"),
        ({"overlap": -1}, "overlap = -1"),
        ({"strategy": "recursiv"}, "did you mean 'recursive'?"),
        ({"sise": 5}, "sise: unknown key; did you mean 'size'?"),
        ({"tokenizer": "cl100k"}, "did you mean 'cl100k_base'?"),
        ({"unit": "bytes"}, "unit = 'bytes'"),
        ({"stride": 5}, "stride belongs to the strategy 'sliding_window'"),
        ({"strategy": "sliding_window", "size": 4, "stride": 5}, "must be at most size (4)"),
        ({"strategy": "sentence", "separators": ["|"]}, "separators belongs to the strategy 'recursive'"),
        ({"separators": []}, "must be a list of 1 to 200 separators"),
        ({"separators": ["x"] * 201}, "must be a list of 1 to 200 separators"),
        ({"separators": "\n\n"}, "separators = '\\n\\n': must be a list"),
        ({"separators": [3]}, "separator 1 must be a text that is not empty, or {pattern: REGEX}"),
        ({"separators": [{"pattern": "x*"}]}, "separator 1: pattern 'x*': matches the empty string"),
        ({"separators": ["|", ""]}, "separator 2 must be a text that is not empty"),
        ({"size": "many"}, "size = 'many'"),
        ({"size": True}, "size = True"),
        ({"overlap": False}, "overlap = False"),
        ({"size": 2.5}, "size = 2.5"),
        ({"size": 2**31}, "less than or equal to 2147483647"),
        ({"strategy": "sliding_window", "size": 50, "stride": 10, "overlap": 3}, "give one of them"),
    ],
)
def test_a_wrong_setting_names_itself_and_what_is_allowed(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        Chunker(**values)
    assert message in str(error.value)


def test_overlap_is_an_eighth_of_size_unless_given() -> None:
    assert [ChunkSettings(size=size).overlap for size in (1, 7, 256, 512, 1024)] == [0, 0, 32, 64, 128]


def test_stride_sets_the_overlap() -> None:
    assert ChunkSettings(strategy="sliding_window", size=10, stride=7).overlap == 3


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        setattr(ChunkSettings(), "size", 3)  # noqa: B010 - a type checker refuses the plain assignment


def test_the_config_hash_sees_what_chunks_depend_on_and_nothing_else() -> None:
    one = ChunkSettings(strategy="sliding_window", size=10, stride=8)
    assert one.config_hash() == ChunkSettings(strategy="sliding_window", size=10, overlap=2).config_hash()
    assert ChunkSettings().config_hash() == ChunkSettings(size=512, overlap=64).config_hash()
    different = [ChunkSettings(size=11), ChunkSettings(unit="characters"), ChunkSettings(tokenizer="o200k_base")]
    assert len({settings.config_hash() for settings in [ChunkSettings(), *different]}) == 4


def test_sizes_that_auto_chooses_by_kind_are_not_those_that_somebody_set() -> None:
    free = ChunkSettings(strategy="auto").config_hash()
    assert len({free, *(ChunkSettings(strategy="auto", **own).config_hash() for own in AUTO)}) == 1 + len(AUTO)


AUTO: list[dict[str, Any]] = [{"size": 512}, {"overlap": 64}, {"size": 512, "overlap": 0}, {"whole_below": 9}]


def test_a_default_that_is_written_down_changes_no_hash() -> None:
    for strategy, own in (
        ("markdown", {"context": "auto"}),
        ("markdown", {"keep_apart": 1}),
        ("html", {"boilerplate": "drop"}),
        ("recursive", {"boilerplate": "keep", "context": "none"}),
        ("table", {"rows_as": "table"}),
        ("code", {"keep_apart": 0}),
    ):
        written = ChunkSettings.of({"strategy": strategy, **own})
        assert written.config_hash() == ChunkSettings(strategy=strategy).config_hash()
    assert ChunkSettings(embed_template="passage: {text}").config_hash() != ChunkSettings().config_hash()


def test_the_config_hash_is_the_same_on_every_machine() -> None:
    assert ChunkSettings().config_hash() == "39247ceffd94e50c5d1912aaaa1ffb7ff51a7a4de4168935d2cc0869ffdb54d1"


def test_a_lone_surrogate_is_refused_with_its_remedy() -> None:
    with pytest.raises(TextError, match=r"lone surrogate \(U\+D83D\).*encode"):
        Chunker().chunk("half an emoji \ud83d")


def test_a_message_names_the_setting_once() -> None:
    with pytest.raises(SettingsError) as error:
        ChunkSettings.of({"tokenizer": "cl100k"})
    assert str(error.value).count("tokenizer = 'cl100k'") == 1


@pytest.mark.parametrize("text", [None, b"bytes", ["a", "list"]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(TypeError, match="must be a str"):
        Chunker().chunk(text)


@pytest.mark.parametrize("texts", ["one text", [None], [b"bytes"]])
def test_a_batch_is_a_sequence_of_texts(texts: Any) -> None:
    with pytest.raises(TypeError, match="must be a sequence of str"):
        Chunker().chunk_batch(texts)
