"""What `make dist` makes: complete, without what does not belong, and usable as it is."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cluster.standalone import Shipped

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.cluster

# Everything that lakechunk reads from its own files: vocabularies, settings, templates; its version, too.
FROM_A_ZIP = """
import sys
from importlib.metadata import version
import jobs, udfs
for module in (jobs, udfs):
    assert ".zip/" in module.__file__, module.__file__
from jobs.settings import load_settings
from jobs.showing import render
from udfs.chunking import Chunker
assert Chunker(tokenizer="o200k_base", size=8).chunk("Some words here.")[0].token_count == 4
assert load_settings(None, (), {"input.path": "in"}).profiles_resolved["default"].size == 512
assert "<html" in render("base.html.j2")
print(version("lakechunk"))
"""


def test_the_zip_for_py_files_works_without_being_unpacked(shipped: Shipped, tmp_path: Path) -> None:
    archive = next(shipped.folder.glob("*-py-files.zip"))
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(archive)!r})\n{FROM_A_ZIP}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in archive.name


def test_the_wheel_holds_every_module_and_file_of_the_product_and_no_test(shipped: Shipped) -> None:
    with zipfile.ZipFile(next(shipped.folder.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    kinds = (".py", ".typed", ".yaml", ".conf", ".properties", ".gz", ".css", ".j2")
    tops = ("conf", "jobs", "schemas", "udfs")
    wanted = {
        path.relative_to(ROOT).as_posix() for top in tops for path in (ROOT / top).rglob("*") if path.suffix in kinds
    }
    assert names == wanted


def test_the_packed_environment_brings_no_spark_of_its_own(shipped: Shipped) -> None:
    with zipfile.ZipFile(shipped.environment) as packed:
        wheels = {name.split("/")[1].split("-")[0] for name in packed.namelist() if name.startswith(".deps/")}
    assert "pyspark" not in wheels
    assert {"lakechunk", "pyarrow", "tiktoken", "pandas"} <= wheels


def test_the_files_of_the_wheel_bear_no_time_of_their_own(shipped: Shipped) -> None:
    wheel = next(shipped.folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as first:
        dates = {info.date_time for info in first.infolist()}
    assert len(dates) == 1
