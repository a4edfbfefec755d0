"""YAML as text to plain values: strict about what is easily written by mistake.

Only `yaml.safe_load` makes values. The syntax tree is looked at first, for duplicate keys (YAML keeps the last one
without a word) and for the line that each setting stands on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from jobs.settings.faults import Fault, Path
from udfs.chunking import SettingsError

# ${NAME}, ${NAME:-default}; a second $ in front keeps it as it is.
_VARIABLE = re.compile(r"\$?\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML document: its values, and the line (from 1) of each path."""

    values: Any
    lines: Mapping[Path, int]


def parse(text: str, name: str) -> Document:
    """Read YAML.

    Args:
        text: the YAML; empty text is a null.
        name: what messages call it, such as `lake.yaml`.

    Raises:
        SettingsError: not YAML, or a key stands twice; with the line.

    Example:
        >>> parse("size: 5", "lake.yaml").values
        {'size': 5}
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        lines = dict(_walk(root, (), name, ())) if root is not None else {}
        return Document(yaml.safe_load(text), lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{name}, line {mark.line + 1}, column {mark.column + 1}" if mark else name
        raise SettingsError(f"{place}: not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date such as 2024-13-45
        raise SettingsError(f"{name}: not valid YAML: {error}") from None


def _walk(node: yaml.Node, path: Path, name: str, above: tuple[int, ...]) -> Iterator[tuple[Path, int]]:
    """Every path below a node with its line; stops at what `safe_load` would silently accept."""
    line = node.start_mark.line + 1
    if id(node) in above:
        raise SettingsError(f"{name}, line {line}: {'.'.join(map(str, path))}: an alias (*) that contains itself")
    yield path, line
    above = (*above, id(node))
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _walk(item, (*path, index), name, above)
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, value in node.value:
            at = key.start_mark.line + 1
            if key.value in seen and isinstance(key.value, str):
                raise SettingsError(
                    f"{name}, line {at}: the key {key.value!r} stands twice (first in line {seen[key.value]}); keep one"
                )
            seen[str(key.value)] = at
            yield from _walk(value, (*path, str(key.value)), name, above)


def substitute(value: Any, path: Path = (), environment: Mapping[str, str] | None = None) -> tuple[Any, list[Fault]]:
    """Make every key a text, and put environment variables into every value that is one.

    `${NAME}`, or `${NAME:-default}`; `$${NAME}` stays as `${NAME}`.

    Returns:
        The values, and a fault for each variable that is not set and has no default.

    Example:
        >>> substitute({"path": "s3a://${BUCKET:-lake}/docs"}, environment={})
        ({'path': 's3a://lake/docs'}, [])
    """
    known = os.environ if environment is None else environment
    faults: list[Fault] = []

    def fill(inner: Any, at: Path) -> Any:
        if isinstance(inner, dict):
            return {str(key): fill(item, (*at, str(key))) for key, item in inner.items()}
        if isinstance(inner, list):
            return [fill(item, (*at, index)) for index, item in enumerate(inner)]
        if not isinstance(inner, str):
            return inner
        return _VARIABLE.sub(lambda match: _variable(match, known, at, faults), inner)

    return fill(value, path), faults


def _variable(match: re.Match[str], known: Mapping[str, str], path: Path, faults: list[Fault]) -> str:
    whole, (name, default) = match.group(), match.groups()
    if whole.startswith("$$"):
        return whole[1:]
    if name in known:
        return known[name]
    if default is not None:
        return default
    faults.append(Fault(path, f"the environment variable {name} is not set; set it, or write ${{{name}:-default}}"))
    return whole
