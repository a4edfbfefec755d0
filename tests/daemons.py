"""Servers of Spark that tests start: processes that choose a free port themselves and write it into their log.

A port found free beforehand may be taken by the time the server starts, and by another one of the same test.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyspark

SPARK_HOME = Path(pyspark.__file__).parent
LOOPBACK = "127.0.0.1"

# So long a process may take that is expected to end, and a server to come up (seconds).
PATIENCE = 480
_POLL = 0.05


@dataclass(frozen=True)
class Daemon:
    """A server, and the log that it writes."""

    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(cls, command: Sequence[str], variables: Mapping[str, str], log: Path) -> Daemon:
        """Starts a server.

        Args:
            command: with a port of 0, which lets the server choose.
            variables: its whole environment.
            log: the file that it writes to; its folder is where it works.
        """
        with log.open("wb") as written:
            return cls(
                subprocess.Popen(command, env=variables, stdout=written, stderr=written, cwd=log.parent),
                log,
            )

    def told(self, pattern: str) -> list[str]:
        """Waits until the log has the pattern; gives what its group caught, each time it stands there.

        Args:
            pattern: up to the end of the line, if the group reaches so far: half a line may be there first.

        Raises:
            RuntimeError: the server has ended, or says nothing of the kind; with its log.
        """
        found: list[str] = []

        def stands_there() -> bool:
            ended = self.process.poll() is not None
            found[:] = re.findall(pattern, self.log.read_text("utf-8", "replace"))
            return bool(found) or ended

        try:
            wait_for(stands_there, repr(pattern))
        except TimeoutError as error:
            raise RuntimeError(f"{error}:\n{self.log.read_text('utf-8', 'replace')}") from error
        if not found:
            raise RuntimeError(f"the server has ended:\n{self.log.read_text('utf-8', 'replace')}")
        return found

    def kill(self) -> None:
        """Ends the server."""
        self.process.kill()
        self.process.wait(timeout=PATIENCE)


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Waits until the condition holds.

    Raises:
        TimeoutError: it does not, for as long as anybody would wait.
    """
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE} s for {what}")
        time.sleep(_POLL)
