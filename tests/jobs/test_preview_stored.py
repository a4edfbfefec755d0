"""`lakechunk preview --output PATH --document ID`: a document of a finished run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs import cli
from jobs.exit_codes import ExitCode
from jobs.finished_run import FinishedRun
from jobs.previewing.asked import Asked
from jobs.previewing.stored import stored_document
from tests.conftest import Result
from udfs.chunking import Chunker

ROOT = Path(__file__).parents[2]
MARKDOWN = "# Pumps\n\nA pump moves water. It needs oil.\n\n## Oil\n\n" + "Change it twice a year, and look. " * 9
CLEANED = "A soft\u00adhyphen and words. " * 9
DOCUMENTS = [
    {"id": "pumps", "text": MARKDOWN, "mime": "text/markdown"},
    {"id": "cleaned", "text": CLEANED, "mime": "text/plain"},
    {"id": "empty", "text": " ", "mime": "text/plain"},
    {"id": "null", "text": None, "mime": "text/plain"},
    {"id": "chosen", "text": MARKDOWN, "mime": "any"},
    {"id": "it's <b>\u202e", "text": "Odd id.", "mime": "text/plain"},
]
WHEN_MARKDOWN = "{when: \"mime = 'text/markdown'\", profile: handbook}"
SETS = (
    "profiles.default={size: 24, overlap: 8}",
    "profiles.handbook={extends: default, strategy: markdown, size: 20}",
    "input.columns.content_type=mime",
    "profiles.own={strategy: auto}",
    f"routing=[{WHEN_MARKDOWN}, {{when: \"mime = 'any'\", profile: own}}, {{profile: default}}]",
)


@pytest.fixture(scope="module")
def finished(module_run: Callable[..., Result]) -> Path:
    return module_run(DOCUMENTS, *SETS).path


def test_a_document_of_a_run_is_shown_as_the_run_chunked_it(finished: Path) -> None:
    document = stored_document(FinishedRun(str(finished)), "pumps").document
    wanted = Chunker(strategy="markdown", size=20, overlap=8).chunk(MARKDOWN)
    assert [(c.text, c.embed_text, c.section, c.cut) for c in document.chunks] == [
        (c.text, c.embed_text, c.section, c.cut) for c in wanted
    ]
    assert (document.limit, document.unit, document.profile, document.strategy) == (
        20,
        "tokens",
        "handbook",
        "markdown",
    )


def test_of_auto_the_strategy_is_shown_that_was_chosen_and_its_limit(finished: Path) -> None:
    document = stored_document(FinishedRun(str(finished)), "chosen").document
    assert (document.profile, document.strategy, document.limit) == ("own", "markdown", 384)


def test_the_text_is_the_stored_one_or_what_the_chunks_hold(finished: Path) -> None:
    run = FinishedRun(str(finished))
    assert stored_document(run, "cleaned").text == CLEANED.replace("\u00ad", "")
    assert stored_document(run, "cleaned").removed == {"soft_hyphen": 9}
    pumps = stored_document(run, "pumps")
    for stretch in pumps.document.stretches:
        if stretch.text is not None:
            assert MARKDOWN[stretch.char_start :].startswith(stretch.text)
    assert pumps.characters == len(MARKDOWN)


def test_the_command_shows_it_in_the_terminal_and_as_a_page(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["preview", "--output", str(finished), "--document", "pumps"]) == 0
    assert "handbook: markdown, 20 tokens" in capsys.readouterr().out
    page = tmp_path / "it_s_b_.preview.html"
    given = ["preview", "--output", str(finished), "--document", "it's <b>\u202e", "--html", str(tmp_path)]
    assert cli.main(given) == 0
    assert "it&#39;s &lt;b&gt;\\u202e" in page.read_text(encoding="utf-8")


def test_an_empty_document_has_no_chunks(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["preview", "--output", str(finished), "--document", "empty"]) == 0
    assert "0 chunks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("null", "the run rejected it: null_text"),
        ("gone\x1b", "holds no such document"),
        ("", "holds no such document"),
    ],
)
def test_what_has_no_chunks_is_told_with_the_reason(
    finished: Path, document: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["preview", "--output", str(finished), "--document", document]) == ExitCode.INPUT
    error = capsys.readouterr().err
    assert told in error
    assert "\x1b" not in error


def test_a_folder_without_a_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["preview", "--output", str(tmp_path), "--document", "a"]) == ExitCode.INPUT
    assert "holds no run of lakechunk" in capsys.readouterr().err


def test_local_parquet_is_read_without_spark(finished: Path) -> None:
    code = f"""
import sys
from jobs.cli import main
assert main(["preview", "--output", {str(finished)!r}, "--document", "pumps"]) == 0
sys.exit("pyspark was imported" if "pyspark" in sys.modules else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_another_format_is_read_through_spark(module_run: Callable[..., Result]) -> None:
    path = module_run(DOCUMENTS, *SETS, "output.format=json", name="json").path
    document = stored_document(FinishedRun(str(path)), "pumps").document
    assert [c.text for c in document.chunks] == [
        c.text for c in Chunker(strategy="markdown", size=20, overlap=8).chunk(MARKDOWN)
    ]


@pytest.mark.parametrize("setting", ["profiles.default.size=8", "routing.0.profile=default"])
def test_settings_that_change_nothing_about_a_finished_run_are_refused(
    finished: Path, capsys: pytest.CaptureFixture[str], setting: str
) -> None:
    arguments = ["preview", "--output", str(finished), "--document", "pumps", "--set", setting]
    assert cli.main(arguments) == ExitCode.SETTINGS
    assert f"--set {setting} changes nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("document_id", "name"),
    [
        ("s3://lake/a b.md", "s3_lake_a_b.md.preview.html"),
        ("../../.bashrc", "bashrc.preview.html"),
        ("\x1b\u202e", "document.preview.html"),
        ("x" * 500, "x" * 80 + ".preview.html"),
    ],
)
def test_a_page_in_a_directory_is_called_after_the_document(tmp_path: Path, document_id: str, name: str) -> None:
    assert Asked(None, "out", document_id, None, None, tmp_path, 1).page == tmp_path / name
