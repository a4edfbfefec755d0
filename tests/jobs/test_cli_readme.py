"""What the README says can be run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from jobs.settings import load_settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The README's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_make_demo_and_make_test_come_first() -> None:
    assert blocks("sh")[0].split()[:2] == ["make", "demo"]
    assert "make test " in blocks("sh")[0]


def test_the_chunker_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = next(block for block in blocks("python") if "pyspark" not in block)
    exec(compile(example, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) > 1


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_the_spark_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = next(block for block in blocks("python") if "pyspark" in block)
    exec(compile(example, "README.md", "exec"), {})
    assert "chunk_index" in capsys.readouterr().out


def test_the_settings_example_is_valid(tmp_path: Path) -> None:
    example = blocks("yaml")[0]
    path = tmp_path / "lake.yaml"
    path.write_text(example)
    settings = load_settings(path, needs=("input.path", "output.path"))
    assert list(settings.profiles_resolved) == [*yaml.safe_load(example)["profiles"], "whole", "html"]


def test_the_shipped_examples_are_valid() -> None:
    for name in ("example.yaml", "demo.yaml", "default.yaml"):
        assert load_settings(ROOT / "conf" / name).profiles_resolved


def test_every_file_that_the_manual_links_to_is_there() -> None:
    missing = [
        f"{page.name}: {link}"
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
        for link in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert missing == []
