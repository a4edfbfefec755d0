"""`lakechunk config`: the effective settings, or the JSON schema of all settings."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
import yaml
from rich.console import Console
from rich.syntax import Syntax

from jobs.options import ConfigOption, InputOption, OutputOption, SetOption
from jobs.settings import JobSettings, load_settings, masked

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def command(
    *,
    config: ConfigOption = None,
    sets: SetOption = None,
    input_path: InputOption = None,
    output_path: OutputOption = None,
    schema: Annotated[bool, typer.Option("--schema", help="Show the JSON schema of all settings instead.")] = False,
) -> None:
    """Show the effective settings: the built-in ones, then the file, then the options, then --set.

    Profiles are shown with all that they inherit, secrets as ***. The output is YAML that --config takes.
    """
    if schema:
        _show(json.dumps(settings_schema(), indent=2), "json")
        return
    settings = load_settings(config, sets or (), {"input.path": input_path, "output.path": output_path})
    _show(settings_yaml(settings), "yaml")


def settings_yaml(settings: JobSettings) -> str:
    """The settings as YAML, secrets masked, with the fingerprint of each profile as a comment."""
    sections = [
        yaml.safe_dump({name: value}, sort_keys=False, allow_unicode=True) for name, value in _ordered(settings)
    ]
    width = max(len(name) for name in settings.profiles_resolved)
    hashes = [f"#   {name:<{width}}  {profile.config_hash()}\n" for name, profile in settings.profiles_resolved.items()]
    return "\n".join([*sections, "# config_hash of each profile:\n" + "".join(hashes)])


def settings_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a settings file: every setting, its default and its meaning."""
    return {"$schema": DIALECT, **JobSettings.model_json_schema(), "title": "Settings of lakechunk"}


def _ordered(settings: JobSettings) -> list[tuple[str, Any]]:
    """The sections in the order in which the manual explains them."""
    values = masked(settings)
    return [(name, values[name]) for name in JobSettings.model_fields]


def _show(text: str, language: str) -> None:
    """In colour for a person; as it is for a file or a pipe."""
    if sys.stdout.isatty():
        Console().print(Syntax(text.rstrip("\n"), language, background_color="default", word_wrap=True))
    else:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")


if __name__ == "__main__":
    from jobs.cli import script

    sys.exit(script("config"))
