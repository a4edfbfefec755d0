"""The report of a finished run: one HTML file, made of aggregates and samples.

Every query has a fixed bound of rows, and texts are cut by Spark before they are collected: a report of millions of
chunks is as small as one of a hundred.
"""

from jobs.reporting.page import report_page

__all__ = ["report_page"]
