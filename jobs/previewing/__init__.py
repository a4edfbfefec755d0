"""The parts of `lakechunk preview`: where documents come from, what is told of them, and how they are shown.

Nothing here needs Spark for a file, or for a finished run in local Parquet.
"""
