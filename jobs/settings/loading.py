"""Read the settings: built-in defaults < file < command-line options < `--set key=value`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from jobs.settings import yaml_text
from jobs.settings.faults import Fault, Path, model_faults, settings_error
from jobs.settings.layers import Layers, split
from jobs.settings.masking import masked_text
from jobs.settings.model import JobSettings
from jobs.settings.profiles import resolve_profiles, routing_faults
from udfs.chunking import SettingsError

# How to give what a job cannot do without.
_HOW_TO_GIVE = {"input.path": "--input PATH", "output.path": "--output PATH"}


def load_settings(
    config: FilePath | None = None,
    sets: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    *,
    needs: Sequence[str] = (),
) -> JobSettings:
    """The effective settings of a job.

    Args:
        config: a YAML file, or None.
        sets: `key=value` each: a dotted path (`routing.0.profile`), and YAML; the last one wins.
        overrides: what the command line's own options say, by dotted path; a None is left out.
        needs: dotted paths that must not be empty, such as `input.path`.

    Raises:
        SettingsError: lists every fault: file or option, setting, value, what is allowed.

    Example:
        >>> load_settings(sets=["profiles.default.size=100"]).profiles_resolved["default"].overlap
        12
    """
    layers = Layers()
    faults: list[Fault] = []
    default = resources.files("conf").joinpath("default.yaml")
    faults += _lay_document(layers, default.read_text("utf-8"), "conf/default.yaml")
    if config is not None:
        faults += _lay_document(layers, _text_of(config), str(config))
    for name, value in (overrides or {}).items():
        if value is not None:
            faults += _lay_value(layers, name, value, "command line")
    for text in sets:
        faults += _lay_set(layers, text)
    return _checked(layers, faults, needs)


def _text_of(config: FilePath) -> str:
    try:
        return config.read_text("utf-8-sig")  # -sig: editors on Windows put a byte order mark in front
    except FileNotFoundError:
        raise SettingsError(f"--config {config}: no such file (relative to {FilePath.cwd()})") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"--config {config}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise SettingsError(f"--config {config}: cannot be read: {error.strerror}; give a YAML file") from None


def _lay_document(layers: Layers, text: str, name: str) -> list[Fault]:
    document = yaml_text.parse(text, name)
    if document.values is None:
        return []
    if not isinstance(document.values, dict):
        raise SettingsError(f"{name}: holds a single value or a list; write settings as `input: ...`, `profiles: ...`")
    values, faults = yaml_text.substitute(document.values)

    def origin(path: Path) -> str:
        line = document.lines.get(tuple(part if isinstance(part, int) else str(part) for part in path))
        return f"{name}, line {line}" if line else name

    layers.merge(values, origin)
    return faults


def _lay_set(layers: Layers, text: str) -> list[Fault]:
    name, equals, written = text.partition("=")
    if not equals or not name.strip():
        raise SettingsError(f"--set {masked_text(text)}: write key=value, such as --set profiles.default.size=256")
    value = yaml_text.parse(written, f"--set {name}").values
    return _lay_value(layers, name.strip(), value, "--set")


def _lay_value(layers: Layers, name: str, value: Any, origin: str) -> list[Fault]:
    path = split(name)
    value, faults = yaml_text.substitute(value, path)
    fault = layers.assign(path, value, origin)
    return faults if fault is None else [*faults, fault]


def _checked(layers: Layers, faults: list[Fault], needs: Sequence[str]) -> JobSettings:
    settings: JobSettings | None = None
    try:
        settings = JobSettings.model_validate(layers.values)
    except ValidationError as error:
        found = [fault for fault in model_faults(error, JobSettings, layers.values) if fault.path]
        faults = [*faults, *found, *_profile_faults(layers.values, found)]
    faults += [fault for name in needs if (fault := _missing(layers.values, name)) is not None]
    if faults or settings is None:
        raise settings_error(faults, layers.origin)
    return settings


def _profile_faults(values: Mapping[str, Any], found: Sequence[Fault]) -> list[Fault]:
    """What the profiles and the rules hold against each other, as far as they are readable at all."""
    unreadable = {fault.path[0] for fault in found}
    profiles = values.get("profiles") or {}
    if "profiles" in unreadable:
        return []
    profiles = {name: profile or {} for name, profile in profiles.items()}
    named = [] if "routing" in unreadable else [rule["profile"] for rule in values.get("routing") or []]
    return [*resolve_profiles(profiles, named)[1], *routing_faults(profiles, named)]


def _missing(values: Any, name: str) -> Fault | None:
    for part in name.split("."):
        values = values.get(part) if isinstance(values, dict) else None
    if values:
        return None
    how = _HOW_TO_GIVE.get(name, f"--set {name}=...")
    return Fault(split(name), f"is missing; give {how}, or set it in the file", origin="")
