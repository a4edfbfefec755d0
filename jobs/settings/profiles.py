"""Profiles: settings of the engine by name, inherited along `extends`.

A profile that extends nothing starts from the engine's own defaults. A rule may name a strategy that no profile
defines: it means `{extends: default, strategy: <that>}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from jobs.settings.faults import Fault, Path, model_faults, nearest
from jobs.settings.tokenizer_files import fetch_tokenizer
from udfs.chunking import BOUND_TO_STRATEGY, ChunkSettings
from udfs.chunking.strategies import STRATEGIES

DEFAULT = "default"

_INHERITED = " (inherited by the profile "


class PartialProfile(dict[str, Any]):
    """Some settings of a profile, and perhaps `extends`. Checked when the profiles are resolved."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Take any mapping (nothing at all counts as an empty one)."""
        mapping = core_schema.dict_schema(keys_schema=core_schema.str_schema())
        return core_schema.no_info_before_validator_function(lambda value: {} if value is None else value, mapping)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the engine's settings, every one optional, plus `extends`."""
        engine = handler.resolve_ref_schema(handler(ChunkSettings.__pydantic_core_schema__))
        extends = {"type": "string", "description": "The profile from which settings are inherited."}
        return {
            "type": "object",
            "title": "Profile",
            "description": "How documents are chunked.",
            "properties": {"extends": extends, **engine["properties"]},
            "additionalProperties": False,
        }


def resolve_profiles(
    profiles: Mapping[str, Mapping[str, Any]], named: Iterable[str]
) -> tuple[dict[str, ChunkSettings], list[Fault]]:
    """The full settings of every profile, and what is wrong with them.

    Args:
        profiles: partial settings by name, as written.
        named: the profiles that rules name; a strategy's name stands for the default profile with that strategy.

    Returns:
        Valid profiles by name (first those defined, then those only named), and the faults of the others.
    """
    written = {DEFAULT: {}, **profiles, **_implicit(profiles, named)}
    resolved: dict[str, ChunkSettings] = {}
    faults: list[Fault] = []
    for name in written:
        line, fault = _ancestry(name, written)
        if fault is not None:
            faults.append(fault)
            continue
        settings, found = _resolve(name, line, written)
        faults += found
        if settings is not None:
            resolved[name] = settings
    return resolved, [fault for fault in faults if not _told_by_owner(fault, resolved)]


def routing_faults(profiles: Mapping[str, Any], named: Sequence[str]) -> list[Fault]:
    """The rules that name neither a profile nor a strategy."""
    known = {DEFAULT, *profiles, *STRATEGIES}
    return [
        Fault(("routing", index, "profile"), f"no such profile; {nearest(name, known)}", name)
        for index, name in enumerate(named)
        if name not in known
    ]


def _implicit(profiles: Mapping[str, Any], named: Iterable[str]) -> dict[str, dict[str, Any]]:
    return {
        name: {"extends": DEFAULT, "strategy": name} for name in named if name in STRATEGIES and name not in profiles
    }


def _ancestry(name: str, written: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], Fault | None]:
    """The profile and those it extends, nearest first; or the fault that makes this impossible."""
    line = [name]
    while (parent := written[line[-1]].get("extends")) is not None:
        path: Path = ("profiles", line[-1], "extends")
        if not isinstance(parent, str) or parent not in written:
            others = [other for other in written if other != line[-1]]
            return line, Fault(path, f"no such profile; {nearest(parent, others)}", parent)
        if parent in line:
            return line, _circle(line[line.index(parent) :])
        line.append(parent)
    return line, None


def _circle(names: list[str]) -> Fault:
    """The same fault for every member of the circle: told from the first name in the alphabet."""
    first = names.index(min(names))
    ordered = [*names[first:], *names[:first]]
    shown = " -> ".join([*ordered, ordered[0]])
    return Fault(("profiles", ordered[-1], "extends"), f"profiles extend each other in a circle: {shown}", ordered[0])


def _resolve(
    name: str, line: Sequence[str], written: Mapping[str, Mapping[str, Any]]
) -> tuple[ChunkSettings | None, list[Fault]]:
    values: dict[str, Any] = {}
    owner: dict[str, str] = {}  # setting -> the profile that it was written in
    for ancestor in reversed(line):
        own = {key: value for key, value in written[ancestor].items() if key != "extends"}
        for key in _outdated(values, own):
            del values[key]
        values |= own
        owner |= dict.fromkeys(own, ancestor)
    if wrong := fetch_tokenizer(values.get("tokenizer")):
        fault = Fault(("tokenizer",), wrong, values["tokenizer"])
        return None, [_at_owner(fault, name, owner)]
    try:
        return ChunkSettings(**values), []
    except ValidationError as error:
        return None, [
            _at_owner(fault, name, owner) for fault in model_faults(error, ChunkSettings, values, more=["extends"])
        ]


def _outdated(inherited: Mapping[str, Any], own: Mapping[str, Any]) -> list[str]:
    """The inherited settings that make no sense beside the profile's own."""
    outdated = set()
    if "strategy" in own and own["strategy"] != inherited.get("strategy", own["strategy"]):
        outdated |= set(BOUND_TO_STRATEGY)
    if "overlap" in own or "stride" in own:  # each decides the other
        outdated |= {"overlap", "stride"}
    return [key for key in outdated if key in inherited]


def _at_owner(fault: Fault, name: str, owner: Mapping[str, str]) -> Fault:
    """The fault, placed in the profile where the setting was written."""
    first = str(fault.path[0]) if fault.path else ""
    writer = owner.get(first, name)
    message = fault.message if writer == name else f"{fault.message}{_INHERITED}{name!r})"
    return Fault(("profiles", writer, *fault.path), message, fault.value)


def _told_by_owner(fault: Fault, resolved: Mapping[str, ChunkSettings]) -> bool:
    """Whether the profile that the setting was inherited from is wrong itself, and says so."""
    return _INHERITED in fault.message and fault.path[1] not in resolved
