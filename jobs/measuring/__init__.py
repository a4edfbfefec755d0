"""Measure: how large the chunks came out, by Spark aggregates, and what is to be said of it.

`scopes`, `tallies`, `duplicates` -> `sizes`, `histograms`: the tables.
`measured_row`, `rules` -> `findings`: warnings and checks, from the rows of `sizes`, without Spark.
"""
