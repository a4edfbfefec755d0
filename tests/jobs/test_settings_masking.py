"""Secrets are shown as *** wherever settings are shown."""

from __future__ import annotations

import json

import pytest

from jobs.settings import load_settings, masked, masked_text
from jobs.settings.masking import MASK, is_secret


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
        "sig",
        "Authorization",
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
    "text",
    [
        # user parts of URLs
        "s3a://AKIA:hunter2@lake/docs",
        "s3a://AKIA:hun/ter2@lake/docs",
        "s3a://AKIA:1234/hunter2@lake/docs",
        "s3a://AKIA:hun@ter2@lake/docs",
        "s3a://AKIA:hun'ter2@lake/docs",
        "https://hunter2@host/docs",
        "redis://:hunter2@host",
        "jdbc:postgresql://me:hunter2@h:5432/d",
        "hdfs://nn:8020/a,s3a://AKIA:hunter2@lake",
        # values of keys
        "jdbc:postgresql://h/d?user=me&password=hunter2",
        "jdbc:postgresql://h/d?password=hun&ter2&user=me",
        "jdbc:sqlserver://h;user=me;password=hun,ter2;x=1",
        "https://lake.blob.core.windows.net/docs?sv=2022&sig=hunter2%3D&se=2030",
        "https://lake.s3.amazonaws.com/docs?X-Amz-Signature=hunter2&X-Amz-Expires=1",
        "DefaultEndpointsProtocol=https;AccountKey=hunter2==;x=1",
        "-Dlake.token=hunter2 -Xmx1g",
        'org.apache.kafka.PlainLoginModule required username="me" password="hunter2";',
        "required password='hunter2';",
        "required password='hun\"ter2';",
        r'{"jaas": "required password=\"hunter2\";"}',
        r'required password="a\"hunter2";',
        'required password="cut off in hunter2',
        '{"password": "hunter2"}',
        '{"password" : "a \\"hunter2\\" b", "x": 1}',
        "{'password': 'hunter2'}",
        r'"{\"password\": \"hunter2\"}"',
        "PASSWORD: hunter2",
        "password => hunter2",
        "password\t:=\thunter2",
        "Authorization: Bearer hunter2",
        "authorization=Basic hunter2",
        "client_secret = hunter2",
        "token=hun'ter2",
    ],
)
def test_secrets_inside_a_text_are_masked(text: str) -> None:
    shown = masked_text(text)
    for part in ("hunter2", "hun", "ter2"):
        assert part not in shown
    assert MASK in shown
    assert masked_text(repr(text)).count("ter2") == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("s3a://AKIA:ab/c@lake/docs", "s3a://***@lake/docs"),
        ("jdbc:sqlserver://h;user=me;password=abc;x=1", "jdbc:sqlserver://h;user=me;password=***;x=1"),
        ('required username="me" password="ab c";', 'required username="me" password="***";'),
        ('{"password": "abc", "user": "me"}', '{"password": "***", "user": "me"}'),
        ("input.path = 's3a://a:b@c' (from 'd')", "input.path = 's3a://***@c' (from 'd')"),
    ],
)
def test_what_stands_around_a_secret_stays(text: str, shown: str) -> None:
    assert masked_text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "me@example.org",
        "content_type = 'text/markdown'",
        "s3a://lake/mail/me@example.org/docs",
        "hdfs://namenode:8020/mail/me@example.org/docs",
        "abfss://docs@lake.dfs.core.windows.net/in",
        "profiles.default.tokenizer = 'cl100k': unknown",
        'password=""',
        "C:\\docs and /docs: both",
    ],
)
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert masked_text(text) == text


def test_a_long_text_is_looked_through_once() -> None:
    # With a second look at every place, this would take hours.
    for text in ("a" * 1_000_000, "a:" * 500_000, "a://" * 250_000, "password=a," * 90_000, "'" * 1_000_000):
        masked_text(text)


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


def test_a_predicate_over_a_column_with_a_telling_name_stays_what_it_is() -> None:
    rule = "{when: \"key = 'a'\", profile: whole}"
    shown = masked(load_settings(sets=[f"routing=[{rule}, {{profile: default}}]"]))
    assert shown["routing"][0]["when"] == "key = 'a'"


def test_secrets_inside_an_option_are_masked_in_the_settings() -> None:
    jaas = 'required username=\\"me\\" password=\\"hunter2\\";'
    shown = masked(load_settings(sets=[f'input.options={{kafka.sasl.jaas.config: "{jaas}"}}']))
    assert shown["input"]["options"]["kafka.sasl.jaas.config"] == 'required username="me" password="***";'
