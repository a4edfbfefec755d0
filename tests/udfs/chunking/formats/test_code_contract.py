"""The contract on code that is random, nasty or real; and that what it costs grows with the text."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.udfs.chunking.formats.contract import check_structure
from tests.udfs.chunking.nasty import NASTY, PIECES
from udfs.chunking.formats import code_names, code_parser, code_walk
from udfs.chunking.formats.code import LANGUAGES, read_code

FRAGMENTS = (
    "def f(a):", "class A(B):", "    return 1", "  x = [", "]", "@cache", "# why", "// why", "/* why", "*/", '"""', "'",
    "import a", "if x:", "else:", "} else {", "{", "}", "(", ")", ";", "function f(a) {", "class A extends B {", "=>",
    "const f = (x) => {", "public int f() {", "@Override", "func (t *T) M() {", "type T struct {", "impl A for B {",
    "#[test]", "fn f() {", "/// doc", "#include <a>", "#ifdef X", "#endif", "template <typename T>", "namespace a {",
    "int *f(int a)", "struct p {", "f() {", "done", "fi", "for x in y; do", "case x in", "<<EOF", "EOF", "SELECT 1;",
    "CREATE TABLE a (", "BEGIN", "END;", "$$", "$x$", "GO", "`${", 'r#"', "interface {", "x" * 300, "é", "\U0001f680",
)  # fmt: skip
JOINTS = ("\n", "\n\n", "\n    ", " ", "", "\r\n", "\r", "\n\t")
LANGUAGE = st.sampled_from(sorted(LANGUAGES))


def sources() -> st.SearchStrategy[str]:
    """Fragments of code of all languages, with odd pieces among them, put together in any way."""
    fragment = st.one_of(st.sampled_from(FRAGMENTS), st.sampled_from(FRAGMENTS), st.sampled_from(PIECES))
    return st.lists(st.tuples(fragment, st.sampled_from(JOINTS)), max_size=30).map(
        lambda parts: "".join(map("".join, parts))
    )


@given(sources(), LANGUAGE)
@settings(max_examples=400, deadline=None)
def test_the_contract_holds_for_random_code(text: str, language: str) -> None:
    check_structure(text, read_code(text, language))


@given(st.text(max_size=80), LANGUAGE)
@settings(max_examples=200, deadline=None)
def test_the_contract_holds_for_any_text(text: str, language: str) -> None:
    check_structure(text, read_code(text, language))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_contract_holds_for_nasty_text(language: str) -> None:
    for text in NASTY:
        check_structure(text, read_code(text, language))


MODULES = sorted(Path(ast.__file__).parent.glob("*.py"))[::12]


UNITS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def names_outside_of_functions(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child.name
        else:
            if isinstance(child, ast.ClassDef):
                yield child.name
            yield from names_outside_of_functions(child)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_every_function_and_class_of_real_python_is_found(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    structure = read_code(text, "python")
    check_structure(text, structure)
    found = Counter(section.title for section in structure.sections)
    assert Counter(names_outside_of_functions(ast.parse(text))) - found == Counter()
    assert found - Counter(node.name for node in ast.walk(ast.parse(text)) if isinstance(node, UNITS)) == Counter()


@pytest.mark.parametrize("path", MODULES[:4], ids=lambda path: path.stem)
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_the_contract_holds_for_halves_of_real_python(path: Path, share: float) -> None:
    text = path.read_text(encoding="utf-8")
    for part in (text[: int(len(text) * share)], text[int(len(text) * share) :]):
        check_structure(part, read_code(part, "python"))


HOSTILE: dict[str, Callable[[int], str]] = {
    "open brackets": lambda size: "(" * size,
    "nested brackets": lambda size: "(" * (size // 2) + ")" * (size // 2),
    "nested braces": lambda size: "{" * (size // 2) + "}" * (size // 2),
    "quotes": lambda size: '"' * size,
    "NUL": lambda size: "\0" * size,
    "lone CR": lambda size: "x\r" * (size // 2),
    "here documents": lambda size: "<<a " * (size // 4),
    "raw strings": lambda size: 'r#"' * (size // 3),
    "tags": lambda size: "<a>" * (size // 3),
    "nested functions": lambda size: "function f() { " * (size // 15),
    "functions on one line": lambda size: "def f(): " * (size // 9),
    "conditionals": lambda size: "#if x\n" * (size // 6),
    "comments": lambda size: "# a\n" * (size // 4),
    "dollar quotes": lambda size: "".join(f"$a{number}$" for number in range(size // 7)),
}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("shape", HOSTILE)
def test_the_contract_holds_for_hostile_text(language: str, shape: str) -> None:
    text = HOSTILE[shape](3_000)
    check_structure(text, read_code(text, language))


@pytest.mark.parametrize("language", ["python", "bash", "rust"])
@pytest.mark.parametrize("shape", HOSTILE)
def test_the_parser_does_not_work_more_than_in_proportion(
    language: str, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(size: int) -> int:
        count = 0
        read, step = code_parser._BoundedParse._read, code_parser._BoundedParse._give_up

        def counted(method: Callable[..., Any]) -> Callable[..., Any]:
            def call(*args: Any) -> Any:
                nonlocal count
                count += 1
                return method(*args)

            return call

        with monkeypatch.context() as patched:
            patched.setattr(code_parser._BoundedParse, "_read", counted(read))
            patched.setattr(code_parser._BoundedParse, "_give_up", counted(step))
            read_code(HOSTILE[shape](size), language)
        return count

    assert work(20_000) <= 2.5 * work(10_000) + 100


def test_a_parse_that_costs_too_much_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n".join(f"def f{number}():\n    return {number}" for number in range(200))
    assert len(read_code(text, "python").sections) == 200
    monkeypatch.setattr(code_parser, "_FIRST_STEPS", 0)
    monkeypatch.setattr(code_parser, "_STEPS", 0)
    structure = read_code(text, "python")
    check_structure(text, structure)
    assert (len(structure.sections), len(structure.blocks.start)) == (0, 201)


@pytest.mark.parametrize(
    ("language", "text"),
    [("python", "x = [" + "1," * 40_000 + "]\n"), ("c", "int x[] = {" + "1," * 40_000 + "};\n")],
)
def test_a_table_of_numbers_does_not_cost_too_much(language: str, text: str) -> None:
    assert code_parser.parse(text.encode(), language) is not None


def test_a_source_beyond_the_largest_is_parted_at_blank_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_parser, "_LARGEST", 10)
    assert len(read_code("a = 1\nb = 2\n\nc = 3\nd = 4\n", "python").blocks.start) == 3


@pytest.mark.parametrize(
    ("unit", "language"),
    [
        ("def f(a):\n    # why\n    if a:\n        return 1\n\n", "python"),
        ("class A {\n  int f() { return 1; } // why\n}\n", "java"),
        ("func (t *T) M() { if x { y() } }\n", "go"),
    ],
)
def test_the_walk_calls_grow_with_the_number_of_units(unit: str, language: str) -> None:
    def calls(number: int) -> int:
        text = unit * number
        count = 0

        def trace(frame: Any, event: str, _: Any) -> None:
            nonlocal count
            count += event == "call" and frame.f_code.co_filename in (code_walk.__file__, code_names.__file__)
            count += event == "c_call" and frame.f_code.co_filename in (code_walk.__file__, code_names.__file__)

        sys.setprofile(trace)
        try:
            read_code(text, language)
        finally:
            sys.setprofile(None)
        return count

    assert calls(1) > 0
    assert calls(400) <= 2.1 * calls(200)


def test_deep_nesting_is_bounded() -> None:
    text = "".join(" " * depth + f"class A{depth}:\n" for depth in range(300)) + " " * 300 + "x = 1\n"
    structure = read_code(text, "python")
    check_structure(text, structure)
    assert max(section.level for section in structure.sections) == code_walk._DEPTH + 1
