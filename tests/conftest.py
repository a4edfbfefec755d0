"""What the Spark tests share. No JVM starts until a test asks for `spark`."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[1]


def pytest_configure(config: pytest.Config) -> None:
    for warning in (
        # PySpark leaves the sockets of collected results to the garbage collector.
        "ignore:unclosed <socket:ResourceWarning",
        "ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning",
        # Raised inside PySpark, about PySpark's own code.
        "ignore::DeprecationWarning:pyspark",
        "ignore::FutureWarning:pyspark",
    ):
        config.addinivalue_line("filterwarnings", warning)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses the session is marked `spark`, and runs after the pure tests: fast failures first."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        if "_browser" in names:
            item.add_marker("browser")
        if {"spark", "_session"} & names:
            item.add_marker("spark")
    items.sort(key=lambda item: item.get_closest_marker("spark") is not None)


@pytest.fixture(scope="session")
def _session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    # Python workers import lakechunk from the checkout, with the interpreter that runs the tests.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from jobs.session import get_session

    session = get_session(
        {
            # Two cores: enough for tasks to run side by side and to end in another order.
            "spark.master": "local[2]",
            # Tables of a few rows; more partitions would only be empty tasks.
            "spark.sql.shuffle.partitions": "4",
            # Several workers of pytest share the machine.
            "spark.driver.memory": "1g",
            # Keeps warehouse and derby files out of the checkout.
            "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
            # A few rows a file are read by as many tasks as there are files, not packed into one.
            "spark.sql.files.openCostInBytes": "134217728",
        }
    )
    yield session
    session.stop()


@pytest.fixture
def spark(_session: Any) -> Iterator[Any]:
    """The session, with the settings it started with."""
    before = {key: _session.conf.get(key, None) for key in _CHANGED_BY_TESTS}
    yield _session
    for key, value in before.items():
        if value is None:
            _session.conf.unset(key)
        else:
            _session.conf.set(key, value)
    _session.catalog.clearCache()


_CHANGED_BY_TESTS = (
    "spark.sql.execution.arrow.maxRecordsPerBatch",
    "spark.sql.execution.arrow.maxBytesPerBatch",
    "spark.sql.execution.arrow.useLargeVarTypes",
    "spark.sql.adaptive.enabled",
    "spark.sql.shuffle.partitions",
    "spark.sql.files.openCostInBytes",
)


class Result(NamedTuple):
    """The output of a run, read without Spark."""

    path: Path

    def rows(self, table: str, *, by: Sequence[str] = ("document_id", "chunk_index")) -> list[dict[str, Any]]:
        """The rows of a table, in a fixed order."""
        files = sorted((self.path / table).glob("*.parquet"))
        rows = pa.concat_tables(pq.read_table(file) for file in files).to_pylist()
        return sorted(rows, key=lambda row: [(row[name] is not None, row[name]) for name in by if name in row])

    def status(self) -> dict[str, str]:
        """The status of each document."""
        return {row["document_id"]: row["status"] for row in self.rows("documents")}

    def reasons(self) -> list[tuple[str | None, str]]:
        """Document id and reason of each reject."""
        return [(row["document_id"], row["reason"]) for row in self.rows("rejects", by=("document_id", "reason"))]

    @property
    def record(self) -> dict[str, Any]:
        """What run.json holds."""
        record: dict[str, Any] = json.loads((self.path / "run.json").read_text("utf-8"))
        return record


Run = Callable[..., Result]


@pytest.fixture
def run(spark: Any, tmp_path: Path) -> Run:
    """Runs the job on rows, a data frame or a path, with `--set`-like settings."""
    return runner(spark, tmp_path)


@pytest.fixture(scope="module")
def module_run(_session: Any, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The same for a run that several tests look at."""
    return runner(_session, tmp_path_factory.mktemp("lake"))


def runner(session: Any, folder: Path) -> Run:
    from jobs.run import run_job
    from jobs.settings import load_settings

    def run_on(documents: Any, *sets: str, name: str = "out") -> Result:
        if isinstance(documents, list):
            documents = pa.Table.from_pylist(documents)
        if isinstance(documents, pa.Table):
            source = folder / f"{Path(name).name}-input.parquet"
            pq.write_table(documents, source)
        elif isinstance(documents, str | Path):
            source = Path(documents)
        else:
            source = folder / f"{name}-input"
            documents.write.parquet(str(source))
        paths = {"input.path": str(source), "output.path": str(folder / name)}
        run_job(load_settings(None, sets, paths), session)
        return Result(folder / name)

    return run_on


class Page(NamedTuple):
    """A page open in a real browser, and what went wrong or out while it loaded."""

    view: Any  # playwright's Page
    complaints: list[str]  # errors and warnings of the console, and scripts that failed
    requests: list[str]  # what was asked for, the page itself left out


@pytest.fixture(scope="session")
def _browser() -> Iterator[Any]:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = os.environ.get("LAKECHUNK_BROWSER") or next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        told = "no Chromium on the PATH, so the HTML pages were not looked at; install it, or set LAKECHUNK_BROWSER"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(told)
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=quiet)
        yield browser
        browser.close()


@pytest.fixture
def open_page(_browser: Any) -> Iterator[Callable[..., Page]]:
    """Opens an HTML file in a browser: `open_page(path, width=1200, dark=False)`."""
    contexts = []

    def opened(path: Path, *, width: int = 1200, dark: bool = False) -> Page:
        scheme = "dark" if dark else "light"
        context = _browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = Page(context.new_page(), [], [])
        address = path.resolve().as_uri()
        page.view.on("console", lambda told: page.complaints.append(told.text))
        page.view.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.view.on("request", lambda asked: page.requests.append(asked.url))
        page.view.goto(address)
        page.requests[:] = [url for url in page.requests if url != address and not url.startswith("data:")]
        return page

    yield opened
    for context in contexts:
        context.close()
