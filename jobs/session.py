"""The one place where a Spark session is made, every setting with its reason."""

from __future__ import annotations

import logging
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from jobs.errors import JobError
from jobs.settings import masked_text
from udfs.chunking import SettingsError

# What a session may be told while it runs; also accepted by a remote (Spark Connect) session.
QUERY_SETTINGS = {
    # Bounds what one Python worker holds at a time: documents vary from bytes to megabytes, so rows say little (4.x).
    "spark.sql.execution.arrow.maxBytesPerBatch": str(8 * 1024 * 1024),
    # Spark 3.5 knows no bound in bytes; 256 documents of the usual 4 KB are 1 MB, and Arrow's overhead is still small.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    # A predicate on an odd document (a cast that fails, say) gives null, which is no match; the job goes on.
    "spark.sql.ansi.enabled": "false",
    # The same timestamps in every carried column, wherever the job runs.
    "spark.sql.session.timeZone": "UTC",
    # Carried timestamps keep their type for every reader; the old default (INT96) loses the time zone.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # Joins small shuffles, so that few documents do not become many small files.
    "spark.sql.adaptive.enabled": "true",
    # Chunking takes far longer than reading, so opening a file weighs less beside it than the 4 MB that Spark assumes:
    # ten thousand small files are a few tasks a core, not hundreds, each of which costs a tenth of a second.
    "spark.sql.files.openCostInBytes": str(256 * 1024),
    # A file that cannot be read is an error, never a gap.
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
}

# What is fixed when the JVM starts, and right for every session.
_EVERYWHERE = {
    # Our own progress display stands in its place.
    "spark.ui.showConsoleProgress": "false",
    # Spark's own rule lets the keys of Azure's storage, and private ones, stand on its pages and in its event log.
    "spark.redaction.regex": "(?i)secret|passw|token|credential|(access|account|private|encryption|api)[._-]?key|"
    "[.]sas[.]",
}

# What is fixed when the JVM starts, for a session of our own.
START_SETTINGS = _EVERYWHERE | {
    # Local mode runs the executors in the driver; a document of the largest size and its chunks need room.
    "spark.driver.memory": "3g",
    # A session of lakechunk lives for minutes; the web page would only take a port.
    "spark.ui.enabled": "false",
    # The console belongs to lakechunk; Spark speaks up when something fails.
    "spark.log.level": "ERROR",
}

# "1.8.0_372" is Java 8.
_JAVA_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_CONNECT_PORT = 15002
# Seconds; a server that is there answers at once.
_ANSWER_WITHIN = 10
_CONNECT_ADDRESS = re.compile(r"sc://[^/\s]+")
_OLDEST_JAVA = 8 if pyspark.__version__.startswith("3.") else 17


def get_session(extra: Mapping[str, str] | None = None) -> SparkSession:
    """The active session as it is; else a new one.

    What `spark-submit` was told wins over our settings, and `extra` (the `spark` section) over both.
    A session that is already active belongs to the caller and is not changed.

    Raises:
        JobError: if Spark cannot start, with what to do.
    """
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    if (address := os.environ.get("SPARK_REMOTE", "")).startswith("sc://"):
        _check_reachable(address)
    return _started(SparkSession.Builder(), _settings() | dict(extra or {}))


def connect(address: str, extra: Mapping[str, str] | None = None) -> SparkSession:
    """A session of a Spark Connect server.

    Args:
        address: `sc://host:port`, perhaps with `;token=...` and other parameters.
        extra: the `spark` section.

    Raises:
        SettingsError: it is no such address, what Spark Connect needs is missing, or there is a session already.
        JobError: nobody answers there.
    """
    shown = masked_text(address)
    if not _CONNECT_ADDRESS.match(address):
        raise SettingsError(f"--remote = {shown!r}: is not the address of a Spark Connect server; write sc://HOST:PORT")
    if find_spec("grpc") is None:
        raise SettingsError("--remote: Spark Connect needs packages that are missing: pip install 'lakechunk[connect]'")
    if SparkSession.getActiveSession() is not None:
        raise SettingsError(f"--remote = {shown!r}: there is a Spark session already, which would be used instead")
    _check_reachable(address)
    return _started(SparkSession.Builder().remote(address), QUERY_SETTINGS | dict(extra or {}))


def _started(builder: SparkSession.Builder, settings: Mapping[str, str]) -> SparkSession:
    _silence_python_logs()
    builder = builder.appName("lakechunk")
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        return builder.getOrCreate()
    except Exception as error:  # the launcher, Py4J and Spark each raise their own
        raise JobError(_why_not(error)) from error


def _check_reachable(address: str) -> None:
    """Raises JobError if nobody listens: Spark's own client would try again for ten minutes, without a word."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or _CONNECT_PORT
        socket.create_connection((host, port), timeout=_ANSWER_WITHIN).close()
    except (OSError, ValueError) as error:
        raise JobError(
            f"No Spark Connect server answers at {masked_text(address.partition('/;')[0])} ({error}). Check the "
            "address, and that the server runs (start-connect-server.sh)."
        ) from error


def is_remote(spark: SparkSession) -> bool:
    """Whether this is a Spark Connect session, which has no JVM of its own."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def _settings() -> dict[str, str]:
    if "SPARK_REMOTE" in os.environ:
        return dict(QUERY_SETTINGS)
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        # Without this, Spark starts whatever `python3` is on the path, not the one with lakechunk in it.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        return QUERY_SETTINGS | START_SETTINGS | _log_settings()
    SparkContext._ensure_initialized()  # noqa: SLF001 - the only way to see what spark-submit was told
    told = {key for key, _ in SparkConf().getAll()}
    # The pages, the log and the memory of a submitted job are whoever's who submitted it.
    return {key: value for key, value in (QUERY_SETTINGS | _EVERYWHERE).items() if key not in told}


def _log_settings() -> dict[str, str]:
    """The console belongs to lakechunk; Spark's own log would scroll it away."""
    file = resources.files("conf").joinpath("log4j2.properties")
    # Inside a zip there is no file that Java could read; then Spark logs as it always does.
    path = Path(str(file)).absolute()
    # As a URI: Spark passes these options on as words, so a blank in the path would end the option.
    return {"spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={path.as_uri()}"} if path.is_file() else {}


def _silence_python_logs() -> None:
    # PySpark prints every failed query as a line of JSON, Py4J every broken call (also after Ctrl-C) as a traceback;
    # lakechunk reports both in its own words.
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "py4j"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _why_not(error: Exception) -> str:
    reason = masked_text(str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__)
    if "JAVA_GATEWAY_EXITED" not in str(error) and not isinstance(error, FileNotFoundError):
        return f"Spark did not start: {reason}. Check the `spark` section of the settings."
    java, found = _java()
    if found >= _OLDEST_JAVA:
        # The launcher writes to the same stderr as we do.
        return (
            f"Spark did not start, though there is Java {found} ({java}). What its launcher printed above tells why. "
            "Check the `spark` section of the settings, SPARK_HOME, SPARK_CONF_DIR and JAVA_TOOL_OPTIONS."
        )
    seen = f"{java} is Java {found}" if found else f"there is none at {java}" if java else "there is none on the PATH"
    return (
        f"Spark did not start: Java {_OLDEST_JAVA} or later is needed, and {seen}. Install it (Debian/Ubuntu: apt-get "
        "install openjdk-17-jre-headless; macOS: brew install openjdk@17), or set JAVA_HOME to where it is."
    )


def _java() -> tuple[str, int]:
    """The Java that Spark's launcher would take, and its version: 0 if it does not run."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java") or ""
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=30)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return java, 0
    found = _JAVA_VERSION.search(told.stderr + told.stdout)
    return java, int(found.group(1)) if found and told.returncode == 0 else 0
