"""What spark-submit is given: spark-submit ... submit.py run --input ... --output ..."""

import sys

from jobs.cli import main

sys.exit(main())
