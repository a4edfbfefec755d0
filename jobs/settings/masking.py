"""Secrets never leave the program: what looks like one is shown as `***`.

A value is a secret if its key looks like one (password, secret, token, key, credential ...), or if it stands inside a
text as the user part of a URL or as `password=...`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobs.settings.model import JobSettings

MASK = "***"

# Telling anywhere inside a key: `dbPassword`, `mysecret1`.
_SECRET_PART = re.compile(
    r"passw(or)?d|passphrase|secret|credential|api_?key|(access|private|account|master)_?key", re.IGNORECASE
)

# Telling only as a word of its own, so that `tokenizer`, `max_tokens` and `monkey` stay readable.
_SECRET_WORDS = frozenset({"token", "key", "pwd", "sas", "auth", "signature", "pass"})

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_USER_INFO = re.compile(r"(?<=://)[^/\s@'\"]+(?=@)")
_PARAMETER = re.compile(r"([A-Za-z][\w.-]*)(\s*=\s*)([^\s&;,'\"]+)")


def is_secret(key: str) -> bool:
    """Whether the value of this key must not be shown.

    >>> is_secret("spark.hadoop.fs.s3a.secret.key"), is_secret("tokenizer")
    (True, False)
    """
    if _SECRET_PART.search(key):
        return True
    return any(word.lower() in _SECRET_WORDS for word in _WORD.findall(key))


def masked_text(text: str) -> str:
    """The text with the user part of URLs and the values of secret parameters masked.

    >>> masked_text("jdbc:x://me:pw@host/db?password=abc&ssl=true")
    'jdbc:x://***@host/db?password=***&ssl=true'
    """
    return _PARAMETER.sub(_masked_parameter, _USER_INFO.sub(MASK, text))


def masked(settings: JobSettings) -> dict[str, Any]:
    """The effective settings as plain JSON values, profiles resolved, secrets masked.

    This is what `lakechunk config` prints and what `run.json` keeps.
    """
    values = settings.model_dump(mode="json", exclude={"profiles"})
    shown: dict[str, Any] = masked_value(values)
    # Profiles hold no secrets; their keys (`model_max_tokens`) must stay readable.
    shown["profiles"] = {
        name: profile.model_dump(mode="json", exclude_none=True) for name, profile in settings.profiles_resolved.items()
    }
    return shown


def masked_value(value: Any, key: str = "") -> Any:
    """The value, or values, that stand under a key, with the secrets in them masked.

    >>> masked_value({"url": "s3a://me:pw@lake", "password": "abc"})
    {'url': 's3a://***@lake', 'password': '***'}
    """
    if isinstance(value, dict):
        return {name: masked_value(inner, str(name)) for name, inner in value.items()}
    if isinstance(value, list):
        return [masked_value(inner, key) for inner in value]
    if value is None or value == "":
        return value
    if is_secret(key):
        return MASK
    return masked_text(value) if isinstance(value, str) else value


def _masked_parameter(match: re.Match[str]) -> str:
    key, equals, value = match.groups()
    return f"{key}{equals}{MASK if is_secret(key) else value}"
