"""Profiles: settings of the engine by name, inherited along `extends`.

Mappings (`clean`, `parent`, `child`) are inherited key by key, everything else as a whole. A profile
that extends nothing starts from the engine's own defaults. A rule may name a strategy that no profile defines: it
means `{extends: default, strategy: <that>}`.
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

# Settings that are mappings of settings.
_MAPPINGS = ("clean", "parent", "child")


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
    named = list(named)
    implicit = _implicit(profiles, named)
    written = {DEFAULT: {}, **profiles, **implicit}
    resolved: dict[str, ChunkSettings] = {}
    faults: list[Fault] = []
    for name in written:
        line, fault = _ancestry(name, written)
        if fault is not None:
            faults.append(fault)
            continue
        settings, found = _resolve(name, line, written)
        faults += [_at_rule(fault, named) if name in implicit else fault for fault in found]
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
    owner: dict[Path, str] = {}  # path of a setting -> the profile that it was written in
    for ancestor in reversed(line):
        own = {key: value for key, value in written[ancestor].items() if key != "extends"}
        for key in _outdated(values, own):
            del values[key]
        for key, value in own.items():
            merged = _merged(key, values.get(key), value)
            # Of a mapping, each setting is somebody's; of everything else, only the whole.
            written_here = [(key, inner) for inner in value] if merged is not value and value else [(key,)]
            owner |= dict.fromkeys(written_here, ancestor)
            values[key] = merged
    for place in ((), ("parent",), ("child",)):
        part = values.get(place[0]) if place else values
        tokenizer = part.get("tokenizer") if isinstance(part, dict) else None
        if wrong := fetch_tokenizer(tokenizer):
            return None, [_at_owner(Fault((*place, "tokenizer"), wrong, tokenizer), name, owner)]
    try:
        return ChunkSettings(**values), []
    except ValidationError as error:
        return None, [
            _at_owner(fault, name, owner) for fault in model_faults(error, ChunkSettings, values, more=["extends"])
        ]


def _merged(key: str, inherited: Any, own: Any) -> Any:
    """The profile's own value, laid over the inherited one where both are mappings; in YAML, a bare key is a null."""
    if key not in _MAPPINGS:
        return own
    below = inherited if isinstance(inherited, dict) else {}
    if own is None:
        return below
    return {**below, **own} if isinstance(own, dict) else own


def _outdated(inherited: Mapping[str, Any], own: Mapping[str, Any]) -> list[str]:
    """The inherited settings that make no sense beside the profile's own."""
    outdated = set()
    if "strategy" in own:
        outdated |= {key for key, strategies in BOUND_TO_STRATEGY.items() if own["strategy"] not in strategies}
    if "overlap" in own or "stride" in own:  # each decides the other
        outdated |= {"overlap", "stride"}
    return [key for key in outdated if key in inherited]


def _at_owner(fault: Fault, name: str, owner: Mapping[Path, str]) -> Fault:
    """The fault, placed in the profile where the setting was written."""
    writer = owner.get(fault.path[:2], owner.get(fault.path[:1], name))
    message = fault.message if writer == name else f"{fault.message}{_INHERITED}{name!r})"
    return Fault(("profiles", writer, *fault.path), message, fault.value)


def _at_rule(fault: Fault, named: Sequence[str]) -> Fault:
    """The fault of a strategy that nobody wrote but in a rule, placed there."""
    if fault.path[2:] != ("strategy",):
        return fault
    return Fault(("routing", named.index(str(fault.value)), "profile"), fault.message, fault.value)


def _told_by_owner(fault: Fault, resolved: Mapping[str, ChunkSettings]) -> bool:
    """Whether the profile that the setting was inherited from is wrong itself, and says so."""
    return _INHERITED in fault.message and fault.path[1] not in resolved
