"""What the `lakechunk` command answers to the shell. The only place where the numbers stand."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every sub-command."""

    OK = 0
    FAILURE = 1
    SETTINGS = 2
    INPUT = 3
    OUTPUT_EXISTS = 4
    CHECK = 5
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.OK: "done",
    ExitCode.FAILURE: "failed for a reason that has no code of its own",
    ExitCode.SETTINGS: "wrong settings or wrong usage; nothing was read",
    ExitCode.INPUT: "the input is missing or cannot be read",
    ExitCode.OUTPUT_EXISTS: "the output is already filled",
    ExitCode.CHECK: "the account does not balance, or a check failed; nothing was published",
    ExitCode.INTERRUPTED: "interrupted from the keyboard",
}


def exit_code_lines() -> list[str]:
    """One line a code, as shown by `--help` and in the manual.

    >>> exit_code_lines()[0]
    '0 done'
    """
    return [f"{code.value} {meaning}" for code, meaning in MEANINGS.items()]
