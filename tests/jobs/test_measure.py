"""The tables `sizes` and `histograms`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import functions as F

from jobs.measuring.histograms import histograms_table
from jobs.measuring.scopes import top_sources
from jobs.measuring.sizes import ACCURACY, sizes_table
from jobs.measuring.tallies import size_tallies
from schemas import HISTOGRAMS, PERCENTILES, SIZES
from udfs.chunking import ChunkSettings

PROFILES = {
    "tokens": ChunkSettings(size=100, overlap=0),
    "letters": ChunkSettings(size=50, overlap=0, unit="characters"),
}
Rows = dict[tuple[str, str | None], dict[str, Any]]


def frame(spark: Any, chunks: list[tuple[Any, ...]], sources: list[str | None], texts: list[str]) -> Any:
    """A table of chunks given as (profile, content type, tokens, characters, oversize, cut), one a document."""
    rows = [
        (f"{n:04}", 0, p, c, source, tokens, 0, chars, "x" * chars, big, cut, text)
        for n, ((p, c, tokens, chars, big, cut), source, text) in enumerate(zip(chunks, sources, texts, strict=True))
    ]
    return spark.createDataFrame(
        rows,
        "document_id string, chunk_index int, profile string, content_type string, source string, token_count int, "
        "char_start int, char_end int, embed_text string, oversize boolean, cut string, content_hash string",
    )


@pytest.fixture
def sizes(spark: Any) -> Callable[..., Rows]:
    """Makes the table `sizes`; each chunk has a text of its own unless `texts` says which (in hexadecimal digits)."""

    def of(
        chunks: list[tuple[Any, ...]],
        *,
        sources: list[str | None] | None = None,
        texts: list[str] | None = None,
        most: int = 20,
        **settings: Any,
    ) -> Rows:
        texts = texts or [f"{n:08x}" for n in range(len(chunks))]
        table = frame(spark, chunks, sources or [None] * len(chunks), texts)
        top = top_sources(table, most)
        found = sizes_table(table, size_tallies(table, top), PROFILES, top, **settings)
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


def test_the_sources_with_the_most_chunks_have_rows_and_the_first_by_name_among_equals(sizes: Any) -> None:
    chunks = [("tokens", None, n, 4, False, "end") for n in range(1, 8)]
    rows = sizes(chunks, sources=["c", "b", "a", "b", None, None, None], most=2)
    assert {name: row["chunk_count"] for (scope, name), row in rows.items() if scope == "source"} == {"b": 2, "a": 1}
    assert rows["source", "b"]["token_mean"] == 3
    assert rows["source", "b"]["token_p50"] == 3
    assert rows["overall", None]["chunk_count"] == 7


@pytest.mark.parametrize("copies", [1, 3])
def test_percentiles_are_exact_for_few_sizes(sizes: Any, copies: int) -> None:
    chunks = [("tokens", None, n, 2 * n, False, "end") for n in range(1, 102)] * copies
    row = sizes(chunks)["overall", None]
    last = len(chunks) - 1
    ordered = sorted(chunk[2] for chunk in chunks)

    def interpolated(share: float) -> float:
        low = int(share * last)
        high = min(low + 1, last)
        return float(ordered[low] + (ordered[high] - ordered[low]) * (share * last - low))

    expected = [interpolated(p / 100) for p in PERCENTILES]
    assert [row[f"token_p{p}"] for p in PERCENTILES] == pytest.approx(expected)
    assert [row[f"char_p{p}"] for p in PERCENTILES] == pytest.approx([2 * value for value in expected])
    assert (row["token_mean"], row["token_min"], row["token_max"]) == (51, 1, 101)
    assert (row["percentile_method"], row["percentile_accuracy"]) == ("exact", None)


def test_percentiles_of_very_many_sizes_are_approximate_and_say_how_exact(sizes: Any) -> None:
    chunks = [("tokens", None, n, n, False, "end") for n in range(1, 101)]
    row = sizes(chunks, exact_up_to=199)["overall", None]
    assert (row["percentile_method"], row["percentile_accuracy"]) == ("approximate", ACCURACY)
    assert [row[f"token_p{p}"] for p in PERCENTILES] == [float(p) for p in PERCENTILES]
    assert [row[f"char_p{p}"] for p in PERCENTILES] == [float(p) for p in PERCENTILES]
    assert sizes(chunks, exact_up_to=200)["overall", None]["percentile_method"] == "exact"


def test_use_of_the_limit_is_measured_in_the_unit_of_the_profile(sizes: Any) -> None:
    rows = sizes([("tokens", None, 50, 400, False, "end"), ("letters", None, 7, 50, False, "end")])
    assert rows["profile", "tokens"]["share_of_limit"] == pytest.approx(0.5)
    assert rows["profile", "letters"]["share_of_limit"] == pytest.approx(1.0)
    assert rows["overall", None]["share_of_limit"] == pytest.approx(0.75)


def test_under_auto_the_limit_is_that_of_the_strategy_that_was_chosen(spark: Any) -> None:
    chunks = [("auto", None, 192, 9, False, "end"), ("auto", None, 257, 9, False, "end")]
    table = frame(spark, chunks, [None] * 2, ["00000000", "00000001"])
    chosen = F.when(F.col("token_count") == 192, "markdown").otherwise("table")
    table = table.withColumn("strategy", chosen)
    found = sizes_table(table, size_tallies(table, []), {"auto": ChunkSettings(strategy="auto")})
    (overall,) = found.where("scope = 'overall'").collect()
    assert overall["share_of_limit"] == pytest.approx((192 / 384 + 257 / 256) / 2)
    assert overall["over_limit"] == 1


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
    assert row["forced_cuts"] == {"word": 2}


def test_a_chunk_is_a_duplicate_if_an_earlier_one_of_any_scope_has_its_text(sizes: Any) -> None:
    profiles = ["letters", "tokens", "tokens", "letters", "letters"]
    rows = sizes(
        [(profile, None, 5, 5, False, "end") for profile in profiles],
        texts=["aa", "aa", "bb", "bb", "cc"],
        sources=["s", "t", "t", "t", None],
    )
    found = {key: (row["duplicates"], row["most_repeated"]) for key, row in rows.items()}
    assert found["overall", None] == (2, 2)
    assert found["profile", "letters"] == (1, 2)
    assert found["profile", "tokens"] == (1, 2)
    assert found["source", "s"] == (0, 2)
    assert found["source", "t"] == (2, 2)


def test_a_scope_of_nothing_but_copies_says_so(sizes: Any) -> None:
    rows = sizes([("letters", None, 5, 5, False, "end"), ("tokens", None, 5, 5, False, "end")], texts=["aa", "aa"])
    row = rows["profile", "tokens"]
    assert (row["chunk_count"], row["duplicates"], row["most_repeated"]) == (1, 1, 0)


def histograms(spark: Any, chunks: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    table = frame(spark, chunks, ["s"] * len(chunks), ["aa"] * len(chunks))
    found = histograms_table(size_tallies(table, ["s"]), PROFILES, ["s"])
    assert found.schema.names == HISTOGRAMS.names
    return [row.asDict() for row in found.collect()]


def bins(rows: list[dict[str, Any]], scope: str, name: str | None, unit: str) -> dict[tuple[int, int], int]:
    return {
        (row["bin_start"], row["bin_end"]): row["chunk_count"]
        for row in rows
        if (row["scope"], row["name"], row["unit"]) == (scope, name, unit)
    }


def test_bins_are_open_below_and_the_limit_ends_a_bin(spark: Any) -> None:
    sizes = (1, 4, 5, 96, 97, 100, 101, 105)
    rows = histograms(spark, [("tokens", None, tokens, 7, False, "end") for tokens in sizes])
    found = bins(rows, "profile", "tokens", "tokens")
    assert found == {(0, 4): 2, (4, 8): 1, (92, 96): 1, (96, 100): 2, (100, 104): 1, (104, 108): 1}


def test_bins_are_counted_from_the_limit_so_that_the_lowest_may_be_narrower(spark: Any) -> None:
    # 50 characters in 32 bins: 2 each, as wide as can be; 50 / 4 tokens, rounded up: 13, in bins of 1.
    rows = histograms(spark, [("letters", None, 1, size, False, "end") for size in (1, 2, 3, 49, 50)])
    assert bins(rows, "profile", "letters", "characters") == {(0, 2): 2, (2, 4): 1, (48, 50): 2}
    assert bins(rows, "profile", "letters", "tokens") == {(0, 1): 5}


def test_a_scope_of_several_profiles_has_the_bins_of_the_largest_limit(spark: Any) -> None:
    chunks = [("tokens", "text/a", 100, 390, False, "end"), ("letters", "text/a", 10, 50, False, "end")]
    rows = histograms(spark, chunks)
    for scope, name in (("overall", None), ("content_type", "text/a"), ("source", "s")):
        assert bins(rows, scope, name, "tokens") == {(8, 12): 1, (96, 100): 1}
        # 400 characters, for 100 tokens, in steps of 13 down from 400
        assert bins(rows, scope, name, "characters") == {(49, 62): 1, (387, 400): 1}


def test_the_bins_of_a_scope_hold_all_of_its_chunks(spark: Any) -> None:
    chunks = [("tokens" if n % 3 else "letters", f"t{n % 2}", n % 101 + 1, n + 1, False, "end") for n in range(200)]
    rows = histograms(spark, chunks)
    for unit in ("tokens", "characters"):
        assert sum(bins(rows, "overall", None, unit).values()) == 200
        assert sum(bins(rows, "profile", "letters", unit).values()) == 67
        assert sum(bins(rows, "content_type", "t1", unit).values()) == 100


def test_chunks_of_no_tokens_are_in_the_lowest_bin(spark: Any) -> None:
    rows = histograms(spark, [("tokens", None, tokens, 7, False, "end") for tokens in (0, 1, 4)])
    assert bins(rows, "profile", "tokens", "tokens") == {(0, 4): 3}
