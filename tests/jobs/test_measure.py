"""The table `sizes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs.measure import ACCURACY, sizes_table
from schemas import PERCENTILES, SIZES
from udfs.chunking import ChunkSettings

PROFILES = {
    "tokens": ChunkSettings(size=100, overlap=0),
    "letters": ChunkSettings(size=50, overlap=0, unit="characters"),
}


@pytest.fixture
def sizes(spark: Any) -> Callable[..., dict[tuple[str, str | None], dict[str, Any]]]:
    """Makes the table of chunks given as (profile, content type, tokens, characters, oversize, cut)."""

    def of(chunks: list[tuple[Any, ...]], **settings: Any) -> dict[tuple[str, str | None], dict[str, Any]]:
        rows = [(p, c, tokens, 0, chars, "x" * chars, big, cut) for p, c, tokens, chars, big, cut in chunks]
        frame = spark.createDataFrame(
            rows,
            "profile string, content_type string, token_count int, char_start int, char_end int, embed_text string, "
            "oversize boolean, cut string",
        )
        found = sizes_table(frame, PROFILES, len(chunks), **settings)
        assert found.schema.names == SIZES.names
        return {(row["scope"], row["name"]): row.asDict() for row in found.collect()}

    return of


def test_there_is_a_row_for_all_each_profile_and_each_content_type(sizes: Any) -> None:
    rows = sizes([("tokens", "text/a", 10, 40, False, "end"), ("letters", None, 20, 30, False, "end")])
    assert set(rows) == {
        ("overall", None),
        ("profile", "tokens"),
        ("profile", "letters"),
        ("content_type", "text/a"),
        ("content_type", None),
    }
    assert rows["overall", None]["chunk_count"] == 2


def test_percentiles_are_exact_for_few_chunks(sizes: Any) -> None:
    row = sizes([("tokens", None, n, 2 * n, False, "end") for n in range(1, 101)])["overall", None]
    assert [row[f"token_p{p}"] for p in PERCENTILES] == pytest.approx([1 + 0.99 * p for p in PERCENTILES])
    assert [row[f"char_p{p}"] for p in PERCENTILES] == pytest.approx([2 * (1 + 0.99 * p) for p in PERCENTILES])
    assert (row["token_mean"], row["token_min"], row["token_max"]) == (50.5, 1, 100)
    assert (row["percentile_method"], row["percentile_accuracy"]) == ("exact", None)


def test_percentiles_of_many_chunks_are_approximate_and_say_how_exact(sizes: Any) -> None:
    row = sizes([("tokens", None, n, n, False, "end") for n in range(1, 101)], exact_up_to=99)["overall", None]
    assert (row["percentile_method"], row["percentile_accuracy"]) == ("approximate", ACCURACY)
    assert [row[f"token_p{p}"] for p in PERCENTILES] == [float(p) for p in PERCENTILES]


def test_use_of_the_limit_is_measured_in_the_unit_of_the_profile(sizes: Any) -> None:
    rows = sizes([("tokens", None, 50, 400, False, "end"), ("letters", None, 7, 50, False, "end")])
    assert rows["profile", "tokens"]["share_of_limit"] == pytest.approx(0.5)
    assert rows["profile", "letters"]["share_of_limit"] == pytest.approx(1.0)
    assert rows["overall", None]["share_of_limit"] == pytest.approx(0.75)


def test_chunks_over_the_limit_are_counted_but_not_single_graphemes(sizes: Any) -> None:
    rows = sizes(
        [
            ("tokens", None, 100, 1, False, "end"),
            ("tokens", None, 101, 1, False, "end"),
            ("tokens", None, 150, 1, True, "end"),
            ("tokens", None, 9, 1, False, "end"),
            ("tokens", None, 10, 1, False, "end"),
        ]
    )
    assert rows["overall", None]["over_limit"] == 1
    assert rows["overall", None]["tiny"] == 1


def test_the_shares_of_cuts_sum_to_one_and_leave_out_what_does_not_occur(sizes: Any) -> None:
    cuts = ["end", "word", "word", "line"]
    row = sizes([("tokens", None, 50, 1, False, cut) for cut in cuts])["overall", None]
    assert row["cut_shares"] == {"end": 0.25, "word": 0.5, "line": 0.25}
