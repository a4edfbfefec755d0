"""The settings of a profile: which strategy, how large, how much overlap, counted how.

A `ChunkSettings` that exists is valid. It holds only what was asked for plus
defaults; `effective()` gives what the result depends on, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator, model_validator

from udfs.chunking.embed_template import DEFAULT_TEMPLATE, ContextMode, EmbedTemplate
from udfs.chunking.errors import SettingsError
from udfs.chunking.formats.cleaning import Cleaning
from udfs.chunking.formats.code_languages import LANGUAGES, known_language
from udfs.chunking.patterns import Pattern, separators
from udfs.chunking.semantic.settings import NO_MODEL, SemanticSettings
from udfs.chunking.strategies import STRATEGIES, STRUCTURED, check_available
from udfs.chunking.tokenizers import VOCABULARIES, check_tokenizer, fingerprint, load_tokenizer

Unit = Literal["tokens", "characters"]

MAX_SIZE = 2**31 - 1  # the tables count in 32 bits

PARENT_CHILD = "parent_child"
# The smallest size that `auto` chooses for any kind of document.
SMALLEST = 256

# Settings that only some strategies understand.
BOUND_TO_STRATEGY = {
    "stride": ("sliding_window",),
    "separators": ("recursive",),
    "keep_apart": STRUCTURED,
    "language": ("code",),
    "rows_as": ("table",),
    "whole_below": ("auto",),
    "semantic": ("semantic",),
    "parent": (PARENT_CHILD,),
    "child": (PARENT_CHILD,),
    "parents": (PARENT_CHILD,),
}


class ChunkSettings(BaseModel):
    """How documents are cut. Sizes are in `unit`s.

    Example:
        >>> ChunkSettings(strategy="recursive", size=512).overlap
        64
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    strategy: str = Field(default="recursive", description="Which boundaries are used to cut.")
    size: int = Field(default=512, ge=1, le=MAX_SIZE, description="The most that a chunk may hold, in units.")
    overlap: int | None = Field(
        default=None,
        ge=0,
        description="The most that two neighbouring chunks may share, in units; less than size. "
        "Default: an eighth of size.",
    )
    stride: int | None = Field(
        default=None,
        ge=1,
        description="Only for sliding_window: units from one window's start to the next; at most size. "
        "Default: size - overlap.",
    )
    unit: Unit = Field(default="tokens", description="What size, overlap and stride count.")
    tokenizer: str = Field(
        default="cl100k_base",
        description="What counts tokens: an encoding of tiktoken, or the path of a Hugging Face tokenizer.json.",
    )
    model_max_tokens: int | None = Field(
        default=None,
        ge=1,
        description="The embedding model's limit, the special tokens that it adds counted in. No chunk exceeds it, "
        "whatever size and unit are.",
    )
    separators: tuple[str | Pattern, ...] | None = Field(
        default=None,
        description="Only for recursive: where to cut, best first: literals, or {pattern: REGEX}.",
    )

    context: ContextMode | None = Field(
        default=None,
        description="What stands in front of a chunk's text in embed_text, counted in the size: none; title; headings "
        "(the path of headings that the chunk stands under); auto (headings, or else the title, and what a divided "
        "table, list or class needs repeated). Default: auto for strategies that know structure, else none.",
    )
    context_share: float = Field(
        default=0.5, gt=0, le=0.9, description="The most of the size that the context may take; more is cut and marked."
    )
    embed_template: str = Field(
        default=DEFAULT_TEMPLATE,
        description="How context and text make embed_text: fields {title}, {headings}, {repeats} and, last, {text}. A "
        "line whose fields are all empty is left out.",
    )
    keep_apart: int | None = Field(
        default=None,
        ge=0,
        le=6,
        description="Only for strategies that know structure: sections down to this depth never share a chunk; 0: any "
        "may. Default: 1, the outermost; 0 for code.",
    )
    boilerplate: Literal["drop", "keep"] | None = Field(
        default=None,
        description="Menus, page headers and footers, banners of HTML; running headers and footers and page numbers of "
        "documents with pages. Default: drop for html and auto, else keep.",
    )
    language: str | None = Field(
        default=None,
        description="Only for code: the programming language. Default: by content type, name or a look at the text.",
    )
    rows_as: Literal["table", "pairs"] | None = Field(
        default=None,
        description="Only for table: rows as they stand, or each as lines of `column: value`. Default: table.",
    )
    whole_below: int | None = Field(
        default=None,
        ge=0,
        description="Only for auto: prose of at most so many units stays in one chunk. Default: a quarter of size.",
    )
    semantic: SemanticSettings | None = Field(
        default=None, description="Only for semantic, which needs it: the model that compares sentences, and how."
    )
    parent: dict[str, Any] | None = Field(
        default=None,
        description="Only for parent_child: the settings of the parents; strategy recursive, size 2048 and no overlap "
        "unless they say otherwise.",
    )
    child: dict[str, Any] | None = Field(
        default=None,
        description="Only for parent_child: the settings of the chunks inside each parent; strategy recursive and size "
        "256 unless they say otherwise.",
    )
    parents: Literal["table", "inline"] | None = Field(
        default=None,
        description="Only for parent_child: the texts of parents stand once each in the table parents, or (inline) "
        "also on every chunk. Default: table.",
    )
    clean: Cleaning = Field(default=Cleaning(), description="What is taken out of every text beforehand.")

    _parent: ChunkSettings | None = PrivateAttr(default=None)
    _child: ChunkSettings | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, settings: dict[str, Any], where: str = "") -> ChunkSettings:
        """Settings from plain values.

        Raises:
            SettingsError: names each field at fault, its value and what is allowed.
        """
        try:
            return cls(**settings)
        except ValidationError as error:
            raise SettingsError.from_validation(error, cls.model_fields, where) from None

    @field_validator("size", "overlap", "stride", "model_max_tokens", mode="before")
    @classmethod
    def _no_truth_value(cls, value: object) -> object:
        if isinstance(value, bool):
            raise ValueError("must be a whole number")  # noqa: TRY004 - pydantic collects ValueErrors
        return value

    @field_validator("strategy")
    @classmethod
    def _known_strategy(cls, value: str) -> str:
        if value not in STRATEGIES:
            raise ValueError(str(SettingsError.unknown("strategy", value, STRATEGIES)).split(": ", 1)[1])
        try:
            check_available(value)
        except SettingsError as error:
            raise ValueError(str(error).split(": ", 1)[1]) from None
        return value

    @field_validator("tokenizer")
    @classmethod
    def _known_tokenizer(cls, value: str) -> str:
        check_tokenizer(value)
        return value

    @field_validator("embed_template")
    @classmethod
    def _usable_template(cls, value: str) -> str:
        EmbedTemplate(value, "none")
        return value

    @field_validator("language")
    @classmethod
    def _known_language(cls, value: str | None) -> str | None:
        known = None if value is None else known_language(value)
        if value is not None and known is None:
            raise ValueError(str(SettingsError.unknown("language", value, LANGUAGES)).split(": ", 1)[1])
        return known

    @field_validator("separators", mode="before")
    @classmethod
    def _some_separators(cls, value: object) -> object:
        return None if value is None else separators(value)

    @model_validator(mode="after")
    def _fits_together(self) -> ChunkSettings:
        for name, owners in BOUND_TO_STRATEGY.items():
            if getattr(self, name) is not None and self.strategy not in owners:
                owner = " or ".join(map(repr, owners))
                raise ValueError(f"{name} belongs to the strategy {owner}, not to {self.strategy!r}; leave it out")
        if self.strategy == "semantic" and self.semantic is None:
            raise ValueError(NO_MODEL)
        if self.semantic is not None and self.semantic.min_size >= self.limit:
            raise ValueError(f"semantic.min_size = {self.semantic.min_size}: must be less than size ({self.limit})")
        if self.strategy == "auto" and "size" not in self.model_fields_set and self.shared >= SMALLEST:
            raise ValueError(
                f"overlap = {self.shared}: must be less than the smallest size that auto chooses ({SMALLEST}); set size"
            )
        if self.strategy == PARENT_CHILD:
            self._divide()
        self._fill_in_overlap()
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ValueError(
                f"model_max_tokens = {self.model_max_tokens}: leaves no room beside the special tokens "
                f"that the model adds ({load_tokenizer(self.tokenizer).special_tokens})"
            )
        if self.shared >= self.limit:
            capped = "" if self.limit == self.size else f", or what model_max_tokens leaves ({self.limit})"
            raise ValueError(f"overlap = {self.overlap}: must be less than size ({self.size}){capped}")
        return self

    def _fill_in_overlap(self) -> None:
        """The overlap that stride gives, or the default."""
        if self.stride is not None:
            if self.stride > self.size:
                raise ValueError(
                    f"stride = {self.stride}: must be at most size ({self.size}), else text between windows is lost"
                )
            if self.overlap not in (None, self.size - self.stride):
                raise ValueError(
                    f"stride = {self.stride} and overlap = {self.overlap}: give one of them; together they must make "
                    f"size ({self.size})"
                )
            object.__setattr__(self, "overlap", self.size - self.stride)
        if self.overlap is None:
            object.__setattr__(self, "overlap", min(self.size, max(self.limit, 0)) // 8)

    def _divide(self) -> None:
        """Make the settings of parents and children; the sizes of this profile are those of its chunks."""
        given = self.model_dump(exclude_unset=True, include=set(_FOR_BOTH))
        of_chunks = self.model_dump(exclude_unset=True, include=set(_FOR_CHILDREN))
        self._child = _part("child", given | {"strategy": "recursive", "size": 256} | of_chunks, self.child or {})
        parent = {"strategy": "recursive", "size": 2048, "overlap": 0, "context": "none"}
        same = {"tokenizer": self._child.tokenizer, "unit": self._child.unit}
        self._parent = _part("parent", given | parent | same, self.parent or {})
        if self._parent.tokenizer not in (self._child.tokenizer, *VOCABULARIES):
            raise ValueError(f"parent: tokenizer = {self._parent.tokenizer!r}: a file must be that of child too")
        readers = {part.strategy for part in (self._parent, self._child) if part.strategy in STRUCTURED}
        if len(readers) > 1:
            raise ValueError(
                f"parent and child: strategies {' and '.join(sorted(readers))}: a document has one format; "
                "use one of them for both, or one without structure for the other"
            )
        if len(readers) == 1 and self._parent.strategy == self._child.strategy:
            for key in ("language", "rows_as"):
                if getattr(self._parent, key) != getattr(self._child, key):
                    raise ValueError(f"child: {key}: must be the same as under parent, for a document is read once")
        if self._parent.shared:
            raise ValueError(
                f"parent: overlap = {self._parent.shared}: parents share nothing, else their chunks would stand in "
                "both; set overlap under child"
            )
        for name in ("size", "overlap", "unit", "tokenizer", "model_max_tokens"):
            object.__setattr__(self, name, getattr(self._child, name))

    @property
    def parent_settings(self) -> ChunkSettings | None:
        """Of the parents; None but for parent_child."""
        return self._parent

    @property
    def child_settings(self) -> ChunkSettings | None:
        """Of the chunks inside each parent; None but for parent_child."""
        return self._child

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are needed, by name."""
        parts = [part for part in (self, self._parent, self._child) if part is not None]
        return tuple(dict.fromkeys(part.semantic.model for part in parts if part.semantic is not None))

    @property
    def reading(self) -> ChunkSettings:
        """Those by which a document is read: of parents and children the first that knows structure."""
        for part in (self._parent, self._child):
            if part is not None and part.strategy in STRUCTURED:
                return part
        return self

    @property
    def drops_boilerplate(self) -> bool:
        """Whether menus, running headers and their like are dropped."""
        return (self.boilerplate or ("drop" if self.strategy in ("html", "auto") else "keep")) == "drop"

    @property
    def context_mode(self) -> ContextMode:
        """What the context is, the default filled in."""
        wanted = self.strategy in STRUCTURED or self.embed_template != DEFAULT_TEMPLATE
        return self.context or ("auto" if wanted else "none")

    @property
    def shared(self) -> int:
        """The overlap as a number, in units: 0 <= shared < size."""
        return self.overlap or 0

    @property
    def max_tokens(self) -> int | None:
        """The most tokens of a chunk, special tokens not counted; None if only characters are bounded."""
        bounds = [self.size] if self.unit == "tokens" else []
        if self.model_max_tokens is not None:
            bounds.append(self.model_max_tokens - load_tokenizer(self.tokenizer).special_tokens)
        return min(bounds, default=None)

    @property
    def limit(self) -> int:
        """The most units of a chunk: `size`, or less if the model takes less."""
        return self.max_tokens if self.unit == "tokens" and self.max_tokens is not None else self.size

    def separator_patterns(self) -> list[re.Pattern[str]]:
        """The separators as compiled patterns, best first; literals are escaped."""
        return [
            re.compile(separator.pattern if isinstance(separator, Pattern) else re.escape(separator))
            for separator in self.separators or ()
        ]

    def effective(self) -> dict[str, Any]:
        """What the chunks depend on, as plain JSON values: no defaults left open, nothing idle."""
        values = self.model_dump(mode="json", exclude_none=True, exclude={"stride", *_RESOLVED})
        values |= self._resolved()
        if self.semantic is not None:
            values["semantic"] = self.semantic.effective()
        if cleaning := self.clean.model_dump(mode="json", exclude_defaults=True):
            values["clean"] = cleaning
        # A file is known by its content: the same one at another path gives the same chunks.
        if self._parent is not None and self._child is not None:
            parts = {"parent": self._parent.effective(), "child": self._child.effective()}
            inline = {"parents": "inline"} if self.parents == "inline" else {}
            own = {"strategy": self.strategy, "vocabulary": fingerprint(self.tokenizer)}
            return own | {"clean": self.clean.model_dump(exclude_defaults=True)} | parts | inline
        file = {} if self.tokenizer in VOCABULARIES else {"tokenizer": "tokenizer.json"}
        if self.strategy == "auto" and "size" not in self.model_fields_set:
            values["size"] = "by kind"
            if "overlap" not in self.model_fields_set:
                values["overlap"] = "by kind"
        return values | file | {"vocabulary": fingerprint(self.tokenizer)}

    def _resolved(self) -> dict[str, Any]:
        """The settings whose defaults depend on others, as they act; what nothing depends on is left out."""
        values: dict[str, Any] = {}
        if self.context_mode != "none":
            values |= {"context": self.context_mode, "context_share": self.context_share}
            values |= {"embed_template": self.embed_template}
        if self.drops_boilerplate:
            values["boilerplate"] = "drop"
        if self.strategy in STRUCTURED and self.strategy != "auto":
            values["keep_apart"] = self.keep_apart if self.keep_apart is not None else int(self.strategy != "code")
        elif self.keep_apart is not None:
            values["keep_apart"] = self.keep_apart
        if self.rows_as == "pairs":
            values["rows_as"] = self.rows_as
        return values

    def config_hash(self) -> str:
        """SHA-256 (hex) of `effective()`: equal settings, equal hash, on every machine."""
        canonical = json.dumps(self.effective(), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()


# What the fingerprint holds as it acts, not as it was written.
_RESOLVED = ("clean", "context", "context_share", "embed_template", "boilerplate", "keep_apart", "rows_as")

# What parents and children take from the profile itself, unless they say otherwise.
_FOR_BOTH = ("unit", "tokenizer", "clean", "boilerplate")
_FOR_CHILDREN = ("size", "overlap", "model_max_tokens", "context", "context_share", "embed_template")


def _part(name: str, settings: dict[str, Any], own: dict[str, Any]) -> ChunkSettings:
    settings = settings | own
    for key in ("clean", "boilerplate"):
        if key in own:
            raise ValueError(f"{name}: {key} belongs to the profile itself: a document is read once")
    if name == "parent" and settings.get("context") != "none":
        raise ValueError(f"parent: context = {settings['context']!r}: parents are not embedded; set it under child")
    if settings["strategy"] in (PARENT_CHILD, "auto"):
        raise ValueError(f"{name}: strategy = {settings['strategy']!r}: name one that cuts by itself, such as markdown")
    try:
        return ChunkSettings.of(settings)
    except SettingsError as error:
        raise ValueError(f"{name}: {error}") from None
