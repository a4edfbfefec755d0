"""A standalone cluster of Spark on this machine, one master and two workers as processes, and what is submitted to it.

What is submitted has only what `make dist` ships: no variable of this process, no package of its environment.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.daemons import LOOPBACK, PATIENCE, SPARK_HOME, Daemon

ROOT = Path(__file__).parents[2]
FAULTS = Path(__file__).parent / "faults"


@dataclass(frozen=True)
class Shipped:
    """What `make dist` made."""

    folder: Path

    @property
    def environment(self) -> Path:
        """The packed environment."""
        return next(self.folder.glob("*.pex"))

    @property
    def script(self) -> Path:
        """What spark-submit is given."""
        return self.folder / "submit.py"


@dataclass
class Standalone:
    """One master and two workers of one core each.

    Args:
        folder: for logs, and for what executors write.
        shipped: what is submitted.
    """

    folder: Path
    shipped: Shipped
    master: str = ""
    daemons: list[Daemon] = field(default_factory=list)
    jobs: list[Submitted] = field(default_factory=list)

    def start(self) -> None:
        """Starts the processes; returns when both workers have come."""
        (self.folder / "conf").mkdir(parents=True)
        (self.master,) = self._spawn("master", "Master").told(r"Starting Spark master at (spark://\S+)\n")
        for worker in [self._spawn_worker(name) for name in ("worker-1", "worker-2")]:
            worker.told("(Successfully registered with master)")

    def stop(self) -> None:
        """Ends all processes, also jobs that a failed test has left behind."""
        for job in self.jobs:
            job.kill()
        for daemon in reversed(self.daemons):
            daemon.kill()

    def submit(
        self, arguments: Sequence[str], conf: Mapping[str, str] | None = None, *, master: str | None = None
    ) -> Submitted:
        """Submits `lakechunk` with these arguments.

        Args:
            arguments: of the command line.
            conf: settings of Spark.
            master: another one than this cluster's.
        """
        environment = self.shipped.environment
        # Over those that are shipped: this cluster is a small one.
        small = {"spark.executor.memory": "1g", "spark.driver.memory": "1g", "spark.executor.cores": "1"}
        settings = {**small, **(conf or {})}
        options = [option for pair in settings.items() for option in ("--conf", "=".join(pair))]
        command = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", master or self.master]
        command += ["--properties-file", str(ROOT / "conf" / "spark-cluster.conf"), *options]
        command += ["--files", str(environment), str(self.shipped.script), *arguments]
        # Executors find the environment in their working folder; in local mode there are none.
        python = str(environment) if master else f"./{environment.name}"
        variables = self._variables() | {"PYSPARK_DRIVER_PYTHON": str(environment), "PYSPARK_PYTHON": python}
        log = self.folder / f"submitted-{time.monotonic_ns()}.log"
        with log.open("wb") as written:
            process = subprocess.Popen(
                command,
                env=variables,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=self.folder,
            )
        self.jobs.append(Submitted(process, log))
        return self.jobs[-1]

    def _spawn_worker(self, name: str) -> Daemon:
        folder = str(self.folder / name)
        return self._spawn(name, "Worker", "--cores", "1", "--memory", "2g", "--work-dir", folder, self.master)

    def _spawn(self, name: str, kind: str, *options: str) -> Daemon:
        program = (str(SPARK_HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind.lower()}.{kind}")
        command = [*program, "--host", LOOPBACK, "--port", "0", "--webui-port", "0", *options]
        self.daemons.append(Daemon.start(command, self._variables(), self.folder / f"{name}.log"))
        return self.daemons[-1]

    def _variables(self) -> dict[str, str]:
        """An environment in which there is a bare Python and Java, and nothing else."""
        java = os.environ.get("JAVA_HOME") or str(Path(shutil.which("java") or "").resolve().parents[1])
        bare = Path(getattr(sys, "_base_executable", sys.executable)).resolve().parent
        return {
            "PATH": f"{bare}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder),
            "JAVA_HOME": java,
            "SPARK_HOME": str(SPARK_HOME),
            "SPARK_CONF_DIR": str(self.folder / "conf"),
            "SPARK_LOCAL_IP": LOOPBACK,
            "LANG": "C.UTF-8",
        }


@dataclass(frozen=True)
class Submitted:
    """A job on its way."""

    process: subprocess.Popen[bytes]
    log: Path

    def ended(self) -> int:
        """Waits for its end; gives the exit code."""
        return self.process.wait(timeout=PATIENCE)

    def kill(self) -> None:
        """Kills the driver, with all that belongs to it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=PATIENCE)

    @property
    def told(self) -> str:
        """What it printed so far."""
        return self.log.read_text("utf-8", "replace")


def parent_of(process: int) -> int:
    """The process that started another one."""
    told = subprocess.run(["ps", "-o", "ppid=", "-p", str(process)], capture_output=True, text=True, check=True)
    return int(told.stdout)
