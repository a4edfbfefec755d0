"""Secrets are shown as *** wherever settings are shown."""

from __future__ import annotations

import json

import pytest

from jobs.settings import load_settings, masked, masked_text
from jobs.settings.masking import is_secret


@pytest.mark.parametrize(
    "key",
    [
        "password",
        "sfPassword",
        "db_passwd",
        "fs.s3a.secret.key",
        "spark.hadoop.fs.s3a.access.key",
        "fs.azure.account.key.lake.dfs.core.windows.net",
        "spark.hadoop.fs.s3a.session.token",
        "accessToken",
        "AWS_SECRET_ACCESS_KEY",
        "apikey",
        "client-credentials",
        "sas",
        "keystorePassphrase",
    ],
)
def test_a_key_that_looks_secret_is_one(key: str) -> None:
    assert is_secret(key)


@pytest.mark.parametrize(
    "key", ["tokenizer", "tokens", "model_max_tokens", "monkey", "path", "keyspace", "authority", "compression", ""]
)
def test_a_key_that_only_resembles_a_secret_stays_readable(key: str) -> None:
    assert not is_secret(key)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("s3a://AKIA:abc/def@lake/docs", "s3a://AKIA:abc/def@lake/docs"),  # a slash ends the user part of a URL
        ("s3a://AKIA:abc@lake/docs", "s3a://***@lake/docs"),
        ("jdbc:postgresql://h/d?user=me&password=abc", "jdbc:postgresql://h/d?user=me&password=***"),
        ("jdbc:sqlserver://h;user=me;password=abc;x=1", "jdbc:sqlserver://h;user=me;password=***;x=1"),
        ("-Dlake.token=abc -Xmx1g", "-Dlake.token=*** -Xmx1g"),
        ("me@example.org", "me@example.org"),
        ("content_type = 'text/markdown'", "content_type = 'text/markdown'"),
    ],
)
def test_secrets_inside_a_text_are_masked(text: str, shown: str) -> None:
    assert masked_text(text) == shown


def test_masked_settings_hold_no_secret_and_all_the_rest() -> None:
    sets = [
        "input.path=s3a://me:hunter2@lake/docs",
        "input.options.password=hunter2",
        "output.options.compression=zstd",
        "spark.spark.hadoop.fs.s3a.secret.key=hunter2",
        "profiles.default.tokenizer=o200k_base",
    ]
    shown = masked(load_settings(sets=sets))
    assert "hunter2" not in json.dumps(shown)
    assert shown["input"]["path"] == "s3a://***@lake/docs"
    assert shown["output"]["options"] == {"compression": "zstd"}
    assert shown["profiles"]["default"]["tokenizer"] == "o200k_base"


def test_an_empty_secret_is_not_shown_as_if_it_were_set() -> None:
    assert masked(load_settings(sets=["input.options.password=''"]))["input"]["options"] == {"password": ""}
