"""The jobs: Spark, input and output, settings and the command line."""
