"""The settings of a job as pydantic models: what each setting is called, means and allows."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from jobs.settings.checks import Checks
from jobs.settings.profiles import PartialProfile, resolve_profiles, routing_faults
from jobs.settings.repeated_lines import RepeatedLines
from udfs.chunking import ChunkSettings

_PROFILE_NAME = re.compile(r"[\w-]+")


def _options(value: Any) -> Any:
    """Spark takes its options as text; YAML gives numbers, booleans and dates. A null switches an option off."""
    if not isinstance(value, dict):
        return {} if value is None else value
    return {str(key): _option(inner) for key, inner in value.items() if inner is not None}


def _option(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):  # datetime is a date, too
        return value.isoformat()
    return str(value) if isinstance(value, int | float) else value


def _whole_number(value: Any) -> Any:
    # pydantic reads `true` as 1, which is never what was meant.
    if isinstance(value, bool):
        raise ValueError("must be a whole number")  # noqa: TRY004 - pydantic turns only this into a fault
    return value


def _nothing_is_empty(value: Any) -> Any:
    """In YAML, a key with nothing after it is a null."""
    return {} if value is None else value


Options = Annotated[
    dict[str, str],
    BeforeValidator(_options),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}}),
]
WholeNumber = Annotated[int, BeforeValidator(_whole_number)]
Name = Annotated[str, Field(min_length=1)]


class _Settings(BaseModel):
    """Unchangeable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ColumnSettings(_Settings):
    """Which column of the input holds what."""

    document_id: Name = Field(default="id", description="The column that identifies a document; cast to string.")
    text: Name = Field(default="text", description="The column with the document's text; a string column.")
    content_type: Name | None = Field(
        default=None, description="The column with the media type; by default the one of this name."
    )
    title: Name | None = Field(default=None, description="The column with the title; by default the one of this name.")
    source: Name | None = Field(
        default=None, description="The column that says where it comes from; by default the one of this name."
    )
    pages: Name | None = Field(
        default=None,
        description="The column with the pages: array<string>, their texts, which are then the document's text; or "
        "array<int> or array<bigint>, where each begins in the text, in code points. Default: none; form feeds in "
        "the text part pages.",
    )


class InputSettings(_Settings):
    """Where the documents are, and how they are read."""

    format: Name = Field(default="parquet", description="Any format that Spark reads: parquet, json, orc, delta ...")
    path: str = Field(default="", description="A file, a directory or a glob; relative to the working directory.")
    options: Options = Field(default={}, description="Options of Spark's reader for this format.")
    columns: ColumnSettings = Field(default=ColumnSettings(), description="Which column holds what.")
    carry: tuple[Name, ...] = Field(default=(), description="Columns copied onto every chunk, their types kept.")
    max_document_bytes: WholeNumber = Field(
        default=32 * 1024 * 1024,
        ge=1,
        description="Bytes of UTF-8; a document with more is rejected as too large, and the others go on.",
    )
    repeated_lines: RepeatedLines = Field(
        default=RepeatedLines(), description="Lines that most documents of one source share, such as menus."
    )

    @field_validator("carry")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        twice = sorted({name for name in value if value.count(name) > 1})
        if twice:
            raise ValueError(f"names a column twice: {', '.join(twice)}")
        return value


class Rule(_Settings):
    """Documents for which `when` holds go to `profile`."""

    when: str | None = Field(
        default=None,
        description="A Spark SQL predicate over the document's columns; left out only in the last rule: all others.",
    )
    profile: Name = Field(description="A profile's name, or a strategy's: then the default profile with that strategy.")

    @field_validator("when")
    @classmethod
    def _not_blank(cls, value: str | None) -> str | None:
        if value is not None and not value.strip():
            raise ValueError("is blank; write a Spark SQL predicate, or leave `when` out")
        return value


class OutputSettings(_Settings):
    """Where the tables go, and how they are written."""

    format: Name = Field(
        default="parquet",
        description="A format whose tables are folders of files and may hold arrays: parquet, orc, json ...",
    )
    path: str = Field(default="", description="The folder of the tables; relative to the working directory.")
    mode: Literal["error", "overwrite"] = Field(
        default="error", description="What to do if the output is filled: stop (error), or replace the tables."
    )
    options: Options = Field(default={}, description="Options of Spark's writer for this format.")
    file_bytes: WholeNumber = Field(
        default=128 * 1024 * 1024,
        ge=1024 * 1024,
        description="About how large a file of `chunks` may become; smaller ones are put together where that is cheap.",
    )

    @field_validator("path")
    @classmethod
    def _no_pattern(cls, value: str) -> str:
        # Spark would write there, and then read the same path as a pattern.
        if found := sorted(set(value) & set("*?[]{}\\")):
            raise ValueError(f"holds {' '.join(found)}; name one folder, without * ? [ ] {{ }} and backslash")
        return value


class JobSettings(_Settings):
    """All settings of a job. One that exists is valid."""

    input: InputSettings = Field(default=InputSettings(), description="Where the documents are, and how to read them.")
    profiles: Annotated[dict[str, PartialProfile], BeforeValidator(_nothing_is_empty)] = Field(
        default={}, description="How documents are chunked: profiles by name. `default` always exists."
    )
    routing: tuple[Rule, ...] = Field(
        default=(), description="Which profile a document goes to: the first rule that holds. None: all to `default`."
    )
    output: OutputSettings = Field(default=OutputSettings(), description="Where the tables go, and how.")
    checks: Annotated[Checks, BeforeValidator(_nothing_is_empty)] = Field(
        default=Checks(), description="Thresholds that fail the run; nothing is published then."
    )
    spark: Options = Field(default={}, description="More settings of the Spark session: `spark.<name>: <value>`.")

    _resolved: dict[str, ChunkSettings] = PrivateAttr(default_factory=dict)

    @property
    def rules(self) -> list[Rule]:
        """The rules in order, never empty: without routing, one rule sends everything to `default`."""
        return list(self.routing) or [Rule(profile="default")]

    @property
    def profiles_resolved(self) -> dict[str, ChunkSettings]:
        """Every profile that is defined or named by a rule, with all inherited settings, by name."""
        return dict(self._resolved)

    @field_validator("profiles")
    @classmethod
    def _names_that_can_be_typed(cls, value: dict[str, Any]) -> dict[str, Any]:
        for name in value:
            if not _PROFILE_NAME.fullmatch(name):
                raise ValueError(f"{name!r} is not a profile's name; use letters, digits, - and _")
        return value

    @field_validator("spark")
    @classmethod
    def _spark_names(cls, value: dict[str, str]) -> dict[str, str]:
        for name in value:
            if not name.startswith("spark."):
                raise ValueError(
                    f"{name!r} is not a Spark setting; they start with 'spark.' (Hadoop's: 'spark.hadoop.')"
                )
        return value

    @field_validator("routing")
    @classmethod
    def _catch_all_last(cls, value: tuple[Rule, ...]) -> tuple[Rule, ...]:
        for index, rule in enumerate(value[:-1]):
            if rule.when is None:
                raise ValueError(f"rule {index} has no `when` and takes everything; it must be the last rule")
        return value

    @model_validator(mode="after")
    def _resolve(self) -> JobSettings:
        resolved, faults = resolve_profiles(self.profiles, [rule.profile for rule in self.rules])
        faults += routing_faults(self.profiles, [rule.profile for rule in self.routing])
        if faults:
            raise ValueError("; ".join(fault.line("") for fault in faults))
        self._resolved = resolved
        return self
