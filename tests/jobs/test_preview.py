"""`lakechunk preview` of files and directories, in the terminal."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from jobs import cli
from jobs.exit_codes import ExitCode
from jobs.previewing.bars import bars_of
from jobs.previewing.comparison import compare
from jobs.previewing.files import find_files
from jobs.previewing.subject import Figures, Subject, chunk_text, find_profile
from jobs.previewing.terminal import print_subject
from jobs.settings import load_settings
from udfs.chunking import Chunker, ChunkSettings
from udfs.chunking.document import About

ROOT = Path(__file__).parents[2]
TEXT = "# Pumps\n\nA pump moves water. It needs oil.\n\n## Oil\n\n" + "Change it twice a year, and look for leaks. " * 9
SMALL = ("--set", "profiles.default.size=24", "--set", "profiles.default.overlap=8")

# Every way in which a document might try to be more than text.
HOSTILE = (
    "# <script>alert(1)</script> \x1b[31mred\n\n</style><script>x</script> {{ 7*7 }} [red]markup[/red] \x00NUL "
    "\u202eRTL\u202c $x^2$\n\n## <img src=x onerror=alert(1)>\n\n<iframe src='http://example.com/'></iframe> "
    "\x1b]8;;http://example.com\x07link\x1b]8;;\x07\n\n"
)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "pumps.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def subject(text: str = TEXT, **settings: object) -> Subject:
    chosen = ChunkSettings.of({"strategy": "markdown", "size": 24, "overlap": 8, **settings})
    return chunk_text("a.md", text, About(), "default", chosen)


def printed(one: Subject, limit: int = 50, *, coloured: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=100, color_system="truecolor" if coloured else None, force_terminal=coloured)
    print_subject(one, limit, console)
    return out.getvalue()


def test_every_chunk_is_shown_with_its_facts(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["preview", str(document), "--profile", "markdown", *SMALL]) == 0
    shown = capsys.readouterr().out
    chunks = Chunker(strategy="markdown", size=24, overlap=8).chunk(TEXT)
    for chunk in chunks:
        place = f"{chunk.char_start:,}-{chunk.char_end:,}"
        assert (
            f"{chunk.chunk_index}  {chunk.token_count} of 24 tokens  {place}  {chunk.kind}  cut: {chunk.cut}" in shown
        )
    assert f"{len(chunks)} chunks, {sum(chunk.token_count for chunk in chunks)} tokens; in a chunk: mean" in shown
    assert "Pumps > Oil\n" in shown


def test_the_text_is_read_once_and_in_order_however_chunks_overlap(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["preview", str(document), *SMALL])
    lines = [line[2:] for line in capsys.readouterr().out.splitlines() if line.startswith("\u2502 ")]
    words = re.sub("[\u27e6\u27e7]", "", " ".join(lines)).split()
    assert words == TEXT.split()


def test_without_colours_overlaps_stand_in_brackets_and_context_behind_a_colon() -> None:
    one = subject()
    shown = printed(one)
    first, second = one.document.chunks[1:3]
    overlap = TEXT[second.char_start : first.char_end]
    assert overlap
    assert f"\u27e6{overlap}\u27e7" in shown
    assert "\n: Pumps\n" in shown
    assert "\x1b" not in shown


def test_with_colours_neighbours_differ_and_overlaps_are_reversed() -> None:
    shown = printed(subject(), coloured=True)
    assert "\u27e6" not in shown
    assert "\x1b[7;" in shown
    bars = re.findall("\x1b\\[([0-9;]+)m\u2502 ", shown)
    changes = [code for code, before in zip(bars, ["", *bars], strict=False) if code != before]
    assert len(changes) == len(subject().document.chunks)


def test_a_pipe_gets_no_colours_and_a_console_without_unicode_gets_ascii(document: Path) -> None:
    command = [sys.executable, "-m", "jobs.cli", "preview", str(document), *SMALL]
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    assert b"\x1b" not in done.stdout
    assert done.stdout.isascii()
    assert b"[[" in done.stdout


def test_limit_bounds_the_chunks_shown_and_the_rest_is_counted(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["preview", str(document), "--limit", "2", *SMALL])
    shown = capsys.readouterr().out
    count = int(re.findall(r"^(\d+) chunks,", shown, re.MULTILINE)[0])
    assert len(re.findall(r"^\d+  \d+ of 24 tokens", shown, re.MULTILINE)) == 2
    assert f"... {count - 2} more chunks" in shown


def test_forced_cuts_and_what_is_in_no_chunk_are_told() -> None:
    shown = printed(subject("---\na: b\n---\n\n" + "x" * 400, size=16, overlap=0))
    assert re.search(r"Forced cuts: \d+ of \d+ chunks end within a sentence \((word|grapheme)", shown)
    assert "In no chunk: front_matter 12 (characters)" in shown
    assert "in no chunk\n: ---\n: a: b\n" in shown


def test_sizes_in_characters_are_told_in_characters() -> None:
    shown = printed(subject("word " * 9, strategy="recursive", unit="characters", size=20, overlap=0))
    assert re.search(r"^0  19 of 20 characters, \d+ tokens  0-19", shown, re.MULTILINE)


def test_auto_says_what_it_took_and_why(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["preview", str(document), "--profile", "auto"])
    assert "auto took markdown: name ends in .md" in capsys.readouterr().out


def test_a_profile_of_the_file_and_a_strategy_that_no_profile_names_are_both_found(tmp_path: Path) -> None:
    config = tmp_path / "lake.yaml"
    config.write_text("profiles: {default: {size: 100}, mine: {extends: default, strategy: sentence}}", "utf-8")
    settings = load_settings(config)
    assert find_profile(settings, "mine").strategy == "sentence"
    assert (find_profile(settings, "markdown").strategy, find_profile(settings, "markdown").size) == ("markdown", 100)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Nothing to preview"),
        (["--output", "out"], "Nothing to preview"),
        (["{file}", "--document", "a"], "Give either a path, or --output"),
        (["{file}", "--profile", "markdwn"], "did you mean 'markdown'?"),
        (["{file}", "--profile", "semantic"], "semantic"),
        (["{file}", "--html", "page.txt"], "a page ends in .html"),
        (["{file}", "--html", "no/such/page.html"], "there is no such directory"),
        (["{folder}", "--diff", "markdown"], "give a file, not a directory"),
        (["--output", "out", "--document", "a", "--profile", "markdown"], "--profile and --diff change nothing"),
        (["{file}", "--limit", "0"], "--limit"),
    ],
)
def test_what_cannot_be_shown_is_a_wrong_setting(
    arguments: list[str], told: str, document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [one.format(file=document, folder=document.parent) for one in arguments]
    assert cli.main(["preview", *given]) == ExitCode.SETTINGS
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "no such file or directory"),
        (b"Z\xfcrich", r"not UTF-8 \(byte 1\); a run would reject it as invalid_utf8"),
        ("Zürich".encode("utf-16"), "it looks like UTF-16"),
        (b"x" * 101, "more than 100 bytes; a run would reject it as too_large"),
    ],
)
def test_a_file_that_cannot_be_read_as_text_is_told_plainly(
    content: bytes | None, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a\x1b.txt"
    if content is not None:
        path.write_bytes(content)
    assert cli.main(["preview", str(path), "--set", "input.max_document_bytes=100"]) == ExitCode.INPUT
    assert re.search(told, error := capsys.readouterr().err)
    assert "a\\x1b.txt" in error


def test_an_empty_file_has_no_chunks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text(" \n")
    assert cli.main(["preview", str(tmp_path / "a.txt")]) == 0
    assert "0 chunks, 0 tokens" in capsys.readouterr().out


def test_a_directory_is_a_table_of_its_files_and_the_first_of_them(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = document.parent
    (folder / "latin.txt").write_bytes(b"x" * 9000 + b"Z\xfcrich")
    (folder / "image.png").write_bytes(b"\x89PNG\x00\x00")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "a.md").write_text("never")
    (folder / "sub").mkdir()
    (folder / "sub" / "z.md").write_text("Words in a folder below.")
    assert cli.main(["preview", str(folder), "--limit", "3", *SMALL]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^ *sub/z\.md +recursive +1 +\d+ ", shown, re.MULTILINE)
    assert re.search(r"^ *all +\d+ +", shown, re.MULTILINE)
    assert "latin.txt: not UTF-8 (byte 9,001)" in shown
    assert "Left out: 1 hidden, 1 binary" in shown
    assert "never" not in shown
    assert len(re.findall(r"^\d+  \d+ of 24 tokens", shown, re.MULTILINE)) == 3


@pytest.mark.parametrize("content", [b"\x89PNG\x00", b"text and\x00NUL", b"caf\xe9"])
def test_a_directory_without_text_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / "image.png").write_bytes(content)
    assert cli.main(["preview", str(tmp_path)]) == ExitCode.INPUT
    assert "holds no file of text (left out: 1 binary)" in capsys.readouterr().err


def test_a_character_that_the_head_of_a_file_cuts_makes_it_no_binary(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" + "é" * 9000, encoding="utf-8")
    assert find_files(tmp_path, 9).files == [tmp_path / "a.txt"]
    assert find_files(tmp_path, 0).beyond == 1


def test_two_profiles_are_compared_cut_by_cut(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["preview", str(document), "--diff", "markdown", *SMALL]) == 0
    shown = capsys.readouterr().out
    ends = [
        {chunk.char_end for chunk in Chunker(strategy=name, size=24, overlap=8).chunk(TEXT)}
        for name in ("recursive", "markdown")
    ]
    told = f"Cuts that both make: {len(ends[0] & ends[1])}. Cuts that only one makes: {len(ends[0] ^ ends[1])}."
    assert told in shown
    assert re.search(r"strategy +recursive +markdown", shown)


def test_a_cut_of_one_side_is_shown_with_the_text_around_it() -> None:
    comparison = compare(subject(size=24), subject(size=48))
    assert comparison.comparable
    for line in comparison.cuts:
        assert (line.left is None) != (line.right is None)
        assert TEXT[line.place - 5 : line.place].replace("\n", " ") == line.before[-5:]
    assert comparison.shared + len(comparison.cuts) == len(
        {chunk.char_end for side in (comparison.left, comparison.right) for chunk in side.document.chunks}
    )


def test_texts_that_were_read_differently_are_not_compared_place_by_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text("<p>One.</p><p>Two.</p>")
    assert cli.main(["preview", str(tmp_path / "a.html"), "--diff", "html"]) == 0
    assert "read the document differently" in capsys.readouterr().out


def test_hostile_text_stays_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "[red]x.md"
    path.write_text(HOSTILE * 3, encoding="utf-8")
    keep = ("--set", "profiles.default.clean.control=false", "--set", "profiles.default.size=48")
    assert cli.main(["preview", str(path), "--profile", "markdown", "--diff", "recursive", *keep]) == 0
    assert cli.main(["preview", str(path), "--profile", "markdown", *keep]) == 0
    shown = capsys.readouterr().out
    assert not set(shown) & set("\x1b\x00\x07\u202e")
    for text in (
        "<script>alert(1)</script>",
        "[red]markup[/red]",
        "{{ 7*7 }}",
        "\\x1b[31mred",
        "\\u202eRTL",
        "\\x00NUL",
    ):
        assert text in shown
    assert "[red]x.md" in shown


def test_a_preview_of_a_file_imports_no_spark(document: Path) -> None:
    code = f"""
import sys
from jobs.cli import main
for page in ([], ["--html", {str(document.parent)!r}]):
    assert main(["preview", {str(document)!r}, *page]) == 0
assert main(["preview", {str(document.parent)!r}]) == 0
found = [name for name in sys.modules if name.split(".")[0] in ("pyspark", "py4j", "pandas")]
sys.exit(str(found) if found else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_huge_document_is_bounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "huge.txt"
    path.write_text("A sentence of some words. " * 100_000)
    assert cli.main(["preview", str(path), "--limit", "100000"]) == 0
    shown = capsys.readouterr().out
    assert len(shown) < 300_000
    assert re.search(r"\.\.\. [\d,]+ more chunks", shown)


def test_beyond_300_chunks_a_bar_stands_for_several_and_none_is_lost() -> None:
    document = subject("word " * 3000, strategy="recursive", size=4, overlap=0).document
    bars = bars_of(document)
    assert len(document.chunks) > 600
    assert 100 < len(bars) <= 300
    assert [bar.first for bar in bars[1:]] == [bar.last + 1 for bar in bars[:-1]]
    assert bars[-1].last == document.chunks[-1].chunk_index
    assert max(bar.size for bar in bars) == max(chunk.token_count for chunk in document.chunks)


def test_figures_are_those_of_the_chunks() -> None:
    figures = Figures.measured([1, 2, 9], ["word", "end", "clause"])
    assert figures.p95 == pytest.approx(8.3)
    assert replace(figures, p95=0.0) == Figures(3, 12, 4.0, 2.0, 0.0, 9, {"clause": 1, "word": 1})


def test_in_a_pipe_lines_stay_as_they_are_and_on_a_terminal_they_fit() -> None:
    one = subject("word " * 60, strategy="whole", size=100, overlap=0)
    assert "\u2502 " + "word " * 59 + "word" in printed(one)
    assert max(len(re.sub("\x1b\\[[0-9;]*m", "", line)) for line in printed(one, coloured=True).splitlines()) <= 100


def test_a_chunk_with_a_parent_says_which() -> None:
    one = subject(TEXT, strategy="parent_child", parent={"size": 40}, child={"size": 12}, size=512, overlap=None)
    shown = printed(one)
    assert re.search(r"^0  \d+ of 12 tokens .*  parent 0  cut:", shown, re.MULTILINE)
    assert "parent 1  cut:" in shown
