"""Benchmarks. `make bench` runs them; each prints ratios to a yardstick measured in the same run."""
