"""Units of Python by hand, and what faults leave of a file; a whole file against its golden outline."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.udfs.chunking.formats.code_view import block_texts, blocks, outline, qualified_names, read, repeats
from udfs.chunking.chunk import KINDS
from udfs.chunking.errors import SettingsError
from udfs.chunking.formats.code import LANGUAGES, language_of, read_code

GOLDEN = Path(__file__).parent / "golden"
LONG = "call(" + "one_argument, " * 20 + ")"


def test_a_function_stays_with_its_decorators_and_the_comment_above_it() -> None:
    unit = "# Counts.\n# Twice.\n@cache\n@trace(1)\ndef count(a):\n    return a"
    text = f"x = 1\n\n{unit}\n\ny = 2\n"
    assert blocks(text, read(text, "python")) == [(0, "block", text.rstrip()), (1, "block", unit)]


def test_a_comment_parted_by_a_blank_line_is_no_part_of_a_function() -> None:
    assert "def f(): pass" in block_texts("# Part one\n\ndef f(): pass\n", "python")


def test_a_comment_behind_a_statement_stays_on_its_line() -> None:
    text = "x = [\n  1,\n]  # ones\ndef f(): pass\n"
    assert block_texts(text, "python")[1:] == ["x = [\n  1,\n]  # ones", "def f(): pass"]


def test_names_are_qualified_by_what_encloses_them() -> None:
    text = "class A:\n  class B:\n    def f(self):\n      def g(): pass\n  def h(self): pass\ndef i(): pass\n"
    assert qualified_names(text, "python") == ["A", "A > B", "A > B > f", "A > B > f > g", "A > h", "i"]


def test_a_section_begins_at_its_decorators_and_its_body_behind_the_signature() -> None:
    text = "# About f.\n@cache\ndef f(a):  # why\n    return a\n"
    section = read(text, "python").sections[0]
    assert text[section.start : section.body] == "# About f.\n@cache\ndef f(a):"
    assert section.end == len(text.rstrip())


def test_a_signature_is_repeated_for_what_stands_behind_it() -> None:
    text = 'class A(B):\n    """Doc."""\n\n    @property\n    def f(\n        self,\n    ) -> int:\n        return 1\n'
    assert repeats(text, read(text, "python")) == {
        "class A(B):": '"""Doc."""',
        "    def f(\n        self,\n    ) -> int:": "return 1",
    }


def test_a_long_signature_is_put_on_one_line_and_cut_at_a_blank() -> None:
    text = "def f(\n" + "    argument,\n" * 100 + "):\n    pass\n"
    (repeated,) = repeats(text, read(text, "python"))
    assert repeated.startswith("def f( argument, argument,")
    assert repeated.endswith("argument, ...")
    assert 150 < len(repeated) <= 200


def test_the_docstring_of_a_class_is_parted_from_its_members_but_not_from_its_header() -> None:
    text = 'class A:\n    """Doc.\n\n    More.\n    """\n\n    x = 1\n\n    def f(self):\n        pass\n'
    found = block_texts(text, "python")
    assert 'class A:\n    """Doc.\n\n    More.\n    """' in found
    assert "    def f(self):\n        pass" in found


def test_the_first_statement_stays_with_the_header_however_deep() -> None:
    loop = f"    for a in b:\n        if a:\n            x = 1\n            {LONG}\n        {LONG}\n"
    text = f"def f():\n{loop}    return 1\n"
    found = block_texts(text, "python")
    assert "        if a:\n            x = 1" in found
    assert f"        if a:\n            x = 1\n            {LONG}" in found


def test_the_branches_of_a_statement_are_parts_of_it() -> None:
    text = f"def f():\n    if a:\n        {LONG}\n    elif b:\n        {LONG}\n    else:\n        {LONG}\n"
    found = block_texts(text, "python")
    assert f"    elif b:\n        {LONG}" in found
    assert f"    else:\n        {LONG}" in found


def test_imports_stay_together() -> None:
    imports = "import os\nimport re\n\nfrom a import (\n    b,\n)"
    text = f'"""Doc."""\n{imports}\n\nx = 1\n'
    assert blocks(text, read(text, "python"))[1:] == [(1, "block", imports), (2, "line", imports[21:])]


def test_all_blocks_are_code_and_the_whole_file_is_one() -> None:
    text = "\n\nx = 1\ny = 2\n\n"
    found = read(text, "python").blocks
    assert (found.start.tolist(), found.end.tolist()) == ([2], [13])
    assert [KINDS[kind] for kind in found.kind] == ["code"]


def test_a_fault_spoils_only_its_surroundings() -> None:
    text = "def f():\n    return 1\n\ndef broken():\n    x = = 2 )\n\ndef g():\n    return 3\n"
    assert qualified_names(text, "python") == ["f", "broken", "g"]


def test_a_file_that_is_cut_off_keeps_what_is_whole() -> None:
    text = "class A {\n  int f() {\n    return 1;\n  }\n\n  int g() {\n    return 2;\n  }\n\n  int h() {\n    ret"
    assert {"  int f() {\n    return 1;\n  }", "  int g() {\n    return 2;\n  }"} <= set(block_texts(text, "java"))


def test_what_is_no_code_is_parted_before_lines_without_indentation() -> None:
    text = "((( One\n  two\n\n  three\n\n))) four\n\n{{{ five\n  six\n"
    assert block_texts(text, "java")[1:] == ["((( One\n  two\n\n  three\n\n))) four", "{{{ five\n  six"]


def test_line_ends_of_any_kind_give_the_same_units() -> None:
    text = "import a\n\n\nclass A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
    for line_end in ("\r\n", "\r"):
        other = text.replace("\n", line_end)
        assert [words.replace(line_end, "\n") for words in block_texts(other, "python")] == block_texts(text, "python")
        assert qualified_names(other, "python") == qualified_names(text, "python")


def test_positions_are_code_points() -> None:
    text = "x = '\U0001f680\u00e9'\n\n\ndef gr\u00f6\u00dfe(): return '\u6f22'\n\ndef g(): return 1\n"
    assert block_texts(text, "python")[1:] == ["def gr\u00f6\u00dfe(): return '\u6f22'", "def g(): return 1"]
    assert qualified_names(text, "python") == ["gr\u00f6\u00dfe", "g"]


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff", "\u3000\n"])
def test_a_blank_text_has_no_structure(text: str) -> None:
    structure = read(text, "python")
    assert (list(structure.sections), list(structure.repeats), len(structure.blocks.start)) == ([], [], 0)


def test_an_unknown_language_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SettingsError, match="did you mean 'python'"):
        read_code("x", "pyton")


def test_a_missing_grammar_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from udfs.chunking.formats import code_parser

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(code_parser, "import_module", missing)
    code_parser.grammar_of.cache_clear()
    with pytest.raises(SettingsError, match=r"tree_sitter_rust.*pip install 'lakechunk\[code\]'"):
        code_parser.grammar_of("rust")


def test_a_parser_that_may_crash_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from udfs.chunking.formats import code_parser

    monkeypatch.setattr("importlib.metadata.version", lambda _: "0.25.2")
    code_parser.grammar_of.cache_clear()
    with pytest.raises(SettingsError, match=r"tree-sitter 0\.25\.2 is too old"):
        code_parser.grammar_of("rust")


@pytest.mark.parametrize(
    ("content_type", "name", "language"),
    [
        ("text/x-python", None, "python"),
        ("Application/SQL; charset=utf-8", "a.py", "sql"),
        ("text/plain", "lib/a.HPP", "cpp"),
        (None, "https://x.org/a.tsx?raw=1#L3", "tsx"),
        ("rust", None, "rust"),
        (None, "C:\\x\\run.sh", "bash"),
        ("text/plain", "README", None),
        (None, ".py", None),
        (None, None, None),
    ],
)
def test_the_language_is_known_by_content_type_or_name(
    content_type: str | None, name: str | None, language: str | None
) -> None:
    assert language_of(content_type, name) == language


def test_no_two_languages_claim_the_same_name() -> None:
    for spellings in ("extensions", "content_types"):
        claimed = [word for language in LANGUAGES.values() for word in getattr(language, spellings).split()]
        assert len(claimed) == len(set(claimed))


def test_the_outline_of_a_whole_file_is_the_golden_one() -> None:
    text = (GOLDEN / "code_inventory.py.txt").read_text(encoding="utf-8")
    found = outline(text, read(text, "python"))
    golden = GOLDEN / "code_inventory.outline.txt"
    if os.environ.get("LAKECHUNK_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_golden_outlines_of_code_are_not_rewritten_where_they_are_to_be_checked() -> None:
    assert not (os.environ.get("CI") and os.environ.get("LAKECHUNK_GOLDEN"))
