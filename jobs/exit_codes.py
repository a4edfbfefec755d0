"""What the `lakechunk` command answers to the shell. The only place where the numbers stand."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every sub-command, each with its meaning."""

    meaning: str

    def __new__(cls, value: int, meaning: str) -> ExitCode:
        """Make a number that knows what it means."""
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code

    OK = 0, "done"
    FAILURE = 1, "failed for a reason that has no code of its own"
    SETTINGS = 2, "wrong settings or wrong usage; nothing was read"
    INPUT = 3, "the input is missing or cannot be read"
    OUTPUT_EXISTS = 4, "the output is already filled"
    CHECK = 5, "the account does not balance, or a check failed; nothing was published"
    INTERRUPTED = 130, "interrupted from the keyboard"


def exit_code_lines() -> list[str]:
    """One line a code, as shown by `--help` and in the manual.

    >>> exit_code_lines()[0]
    '0 done'
    """
    return [f"{code.value} {code.meaning}" for code in ExitCode]
