"""Secrets never leave the program: what looks like one is shown as `***`.

A value is a secret if its key looks like one (password, secret, token, key, credential ...), or if it stands inside a
text as the user part of a URL or after such a key: `password=...`, `password: ...`, `"password": "..."`.
Where a text leaves open how far a secret goes, rather more is masked than less.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobs.settings.model import JobSettings
    from udfs.chunking import ChunkSettings

MASK = "***"

# Telling anywhere inside a key: `dbPassword`, `mysecret1`.
_SECRET_PART = re.compile(
    r"passw(or)?d|passphrase|secret|credential|api_?key|(access|private|account|master)_?key", re.IGNORECASE
)

# Telling only as a word of its own, so that `tokenizer`, `max_tokens` and `monkey` stay readable.
_SECRET_WORDS = frozenset({"token", "key", "pwd", "sas", "sig", "auth", "authorization", "signature", "pass"})

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# What may be a URL: up to a blank or a closing quote.
_RUN = re.compile(r"""(?:[^\s'"]|['"](?=\w))+""")

# Name and secret in a URL go up to the last @, since secrets may hold / and @, as those of S3 do. What follows a host
# and is a number is a port (`namenode:8020/`); S3 has none.
_PAIR = re.compile(r"(?<=://)(?:(?:(?<=\bs3://)|(?<=\bs3[an]://))[^/:@]*:|[^/:@]*:(?!\d{1,5}/))", re.IGNORECASE)

# A name alone ends before the first /. In the URLs of Azure it is a container (`abfss://docs@lake.dfs...`).
_NAME = re.compile(r"(?<=://)(?<!\babfs://)(?<!\babfss://)(?<!\bwasb://)(?<!\bwasbs://)[^/:]+(?=@)", re.IGNORECASE)

# A key and the sign between it and its value, with the quotes (escaped ones, too) that may stand around the key.
_KEY = re.compile(r"""(?<![\w.-])(?P<key>[\w.-]+)(?:\\*["'])?(?:\s|\\[tnr])*(?:=>|:=|==?|:(?!//))(?:\s|\\[tnr])*""")
_VALUE = re.compile(
    r"""
      "(?P<double>(?:[^"]|(?<=\\)")*)(?:"|\Z)     # quoted, perhaps cut off; an escaped quote is no end
    | '(?P<single>(?:[^']|(?<=\\)')*)(?:'|\Z)
    | (?P<mark>\\+["'])(?P<inner>.*?)(?:(?<!\\)(?P=mark)|\Z)
    | (?P<bare>(?:(?:Bearer|Basic)\s+)?\S+?)      # up to the next key, the end of the quotes around it, or a blank
      (?= [&;,]["']?[A-Za-z][\w.-]*["']?\s*[=:] | ["'](?:\W|\Z) | \s | \Z )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def is_secret(key: str) -> bool:
    """Whether the value of this key must not be shown.

    >>> is_secret("spark.hadoop.fs.s3a.secret.key"), is_secret("tokenizer")
    (True, False)
    """
    if _SECRET_PART.search(key):
        return True
    return any(word.lower() in _SECRET_WORDS for word in _WORD.findall(key))


def masked_text(text: str) -> str:
    """The text with the user part of URLs and the values of secret keys masked.

    >>> masked_text("jdbc:x://me:pw@host/db?password=abc&ssl=true")
    'jdbc:x://***@host/db?password=***&ssl=true'
    """
    shown, done = [], 0
    text = _RUN.sub(_masked_user, text)
    for key in _KEY.finditer(text):
        if key.start() < done or not is_secret(key["key"]):
            continue
        value = _VALUE.match(text, key.end())
        if value is not None:
            shown += [text[done : key.end()], _masked_value(value)]
            done = value.end()
    return "".join([*shown, text[done:]])


def masked(settings: JobSettings) -> dict[str, Any]:
    """The effective settings as plain JSON values, profiles resolved, secrets masked.

    This is what `lakechunk config` prints and what `run.json` keeps.
    """
    values = settings.model_dump(mode="json", exclude={"profiles"})
    shown: dict[str, Any] = masked_value(values)
    # Predicates compare columns with values; one over a column `key` must stay what it is.
    shown["routing"] = values["routing"]
    # Profiles hold no secrets; their keys (`model_max_tokens`) must stay readable.
    shown["profiles"] = {name: _profile(profile) for name, profile in settings.profiles_resolved.items()}
    return shown


def _profile(settings: ChunkSettings) -> dict[str, Any]:
    """All settings of a profile; without the sizes that `auto` chooses itself, document by document."""
    chosen = {"size", "overlap"} - settings.model_fields_set if settings.strategy == "auto" else set()
    return settings.model_dump(mode="json", exclude_none=True, exclude=chosen)


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


def _masked_user(match: re.Match[str]) -> str:
    run = match[0]
    last = run.rfind("@")
    if last < 0:
        return run
    pair = _PAIR.search(run, 0, last)
    if pair is not None:
        return run[: pair.start()] + MASK + run[last:]
    return _NAME.sub(MASK, run)


def _masked_value(match: re.Match[str]) -> str:
    """The mask in the quotes that the value had; an empty value stays, so that it does not look set."""
    first, last = match.span(match.lastgroup or 0)
    if first == last:
        return match[0]
    return match.string[match.start() : first] + MASK + match.string[last : match.end()]
