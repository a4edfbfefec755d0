"""What spark-submit is given: spark-submit ... submit.py run --input ... --output ..."""

from jobs.cli import command_line

command_line()
