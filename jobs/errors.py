"""What can go wrong in a job, each failure with its exit code.

Wrong settings are `SettingsError` (udfs.chunking); everything here is about the world outside.
"""

from __future__ import annotations

from typing import ClassVar

from jobs.exit_codes import ExitCode
from udfs.chunking import LakechunkError


class JobError(LakechunkError):
    """A job that cannot go on. The message says what to do next."""

    exit_code: ClassVar[ExitCode] = ExitCode.FAILURE


class InputError(JobError):
    """The input is missing, or cannot be read."""

    exit_code = ExitCode.INPUT


class OutputExistsError(JobError):
    """The output holds something that this run must not replace."""

    exit_code = ExitCode.OUTPUT_EXISTS


class AccountError(JobError):
    """Documents in are not documents out: nothing was published."""

    exit_code = ExitCode.CHECK


class ContractError(JobError):
    """A table does not have the columns that `schemas` promises: nothing was published."""

    exit_code = ExitCode.CHECK


class MissingExtraError(JobError):
    """Something was asked for that needs an extra of lakechunk.

    >>> print(MissingExtraError("A chart", "report"))
    A chart needs packages that are not installed. Install them with: pip install 'lakechunk[report]'
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs packages that are not installed. Install them with: pip install 'lakechunk[{extra}]'"
        )
