"""`auto`: the decision path. What has structure is cut by it; the rest is prose, and stays whole if it is short.

    Markdown, HTML, code, table             -> the strategy of that name
    prose of at most `whole_below` units    -> whole
    pages, other prose                      -> recursive; running headers and footers dropped

Each kind has a size that suits it, unless the profile sets one.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

from udfs.chunking.document import About
from udfs.chunking.formats.kind import Kind, kind_of
from udfs.chunking.settings import ChunkSettings
from udfs.chunking.tokenizers import load_tokenizer

STRATEGY_OF: dict[Kind, str] = {
    "markdown": "markdown",
    "html": "html",
    "code": "code",
    "table": "table",
    "pages": "recursive",
    "prose": "recursive",
}
# Tokens. Technical text answers narrower questions than prose, and a row of a table is small.
SIZE_OF: dict[Kind, int] = {"markdown": 384, "html": 384, "code": 384, "table": 256, "pages": 512, "prose": 512}
# A document of at most a quarter of the size is one answer to one question.
_WHOLE = 4
# More code points than this make a token only in text that nobody would call short.
_POINTS_PER_TOKEN = 8


class Choice(NamedTuple):
    """How a document is cut under `auto`, and why."""

    settings: ChunkSettings
    why: str


class Chooser:
    """Chooses among the strategies, document by document.

    Args:
        settings: of a profile whose strategy is `auto`.
    """

    def __init__(self, settings: ChunkSettings) -> None:
        self._settings = settings
        self._tokenizer = load_tokenizer(settings.tokenizer)
        self._of_kind = lru_cache(maxsize=None)(partial(_settings_of, settings))

    def choose(self, text: str, about: About) -> Choice:
        """The settings that suit a document.

        Args:
            text: as it is given.
            about: what else is known of it.
        """
        guess = kind_of(text, about.content_type, about.source)
        settings = self._of_kind(STRATEGY_OF[guess.kind], SIZE_OF[guess.kind])
        below = settings.limit // _WHOLE if self._settings.whole_below is None else self._settings.whole_below
        if settings.strategy == "recursive" and self._is_short(text, below):
            return Choice(self._of_kind("whole", SIZE_OF[guess.kind]), f"at most {below} {settings.unit}; {guess.why}")
        return Choice(settings, guess.why)

    def _is_short(self, text: str, below: int) -> bool:
        if self._settings.unit == "characters" or len(text) > below * _POINTS_PER_TOKEN:
            return len(text) <= below
        return len(text) <= below or int(self._tokenizer.count([text])[0]) <= below


def limits(settings: ChunkSettings) -> dict[str, int]:
    """The most that a chunk may hold, in units, by the strategy that `auto` chooses.

    >>> limits(ChunkSettings(strategy="auto"))["markdown"], limits(ChunkSettings(strategy="auto", size=100))["markdown"]
    (384, 100)
    """
    kinds = {STRATEGY_OF[kind]: kind for kind in SIZE_OF} | {"whole": "prose"}
    return {strategy: _settings_of(settings, strategy, SIZE_OF[kind]).limit for strategy, kind in kinds.items()}


def _settings_of(settings: ChunkSettings, strategy: str, size: int) -> ChunkSettings:
    values = settings.model_dump(exclude_unset=True, exclude={"whole_below"})
    if strategy in ("whole", "recursive"):
        values.pop("keep_apart", None)
    if "size" not in values and settings.unit == "tokens":
        values["size"] = size
    boilerplate = "drop" if settings.drops_boilerplate else "keep"
    return ChunkSettings.of(values | {"strategy": strategy, "boilerplate": boilerplate})
