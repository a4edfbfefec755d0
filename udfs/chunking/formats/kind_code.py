"""Does a text look like source code, and in which language?

Prose must not be called code: many of its lines must be code beyond doubt, and of several sorts. What looks only a
little like code (settings, JSON, tables) is not enough, nor is a page that explains code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from udfs.chunking.formats.code_languages import known_language
from udfs.chunking.formats.kind_names import Guess

_SHEBANG = re.compile(r"#!\s*(?:\S*/)?([A-Za-z]+)[\d.]*(?:\s+(?:-\S+\s+)*([A-Za-z]+)[\d.]*)?")
_INTERPRETERS = {"sh": "bash", "dash": "bash", "ksh": "bash", "zsh": "bash", "node": "javascript", "deno": "typescript"}

_LINES = 40  # so many are read one by one: half from the beginning, half from the end
_FEWEST = 4  # lines of code ...
_SORTS = 2  # ... of so many sorts ...
_SHARE = 0.4  # ... make up so much of what is no comment

_COMMENTS = ("#", "//", "*", "--", "'", ".. ")
_PREPROCESSOR = re.compile(r"#(?:include\s*[<\"]|define\s+\w|if(?:n?def)?\s+\w|endif|pragma\s|undef\s)")
_FIRST_WORD = re.compile(r"@?\w+")
_IMPORT = re.compile(
    r"(?:import|from|use|package|using|require) "
    r"(?:static )?[\w.*:{}, ]+(?: as \w+)?;$|import [\w.]+(?: as \w+)?(?:, *[\w.]+)*$|from [\w.]+ import .+"
    r"|import .* from ['\"].*|package \w+$|import [(\"].*"
)
_ASSIGNMENT = re.compile(r"[\w.\[\]'\"]+(?:: ?[\w.\[\], |]+)? *(?:[-+*/|&:]?=) *[\w({\[\"'&!-]")
_CALL = re.compile(r"[\w.:]+[!]?\(.*[(){},;:]$")

# What the first word of a line says; the line must also end as a line of code does.
_WORDS = {
    "definition": "def async class func fn function struct enum interface impl trait namespace typedef template mod",
    "condition": "if elif else while for foreach with except try finally switch catch case match do loop",
    "modifier": "public private protected static final export abstract pub const let var val extern inline void int",
}
_SORT_OF_WORD = {word: sort for sort, words in _WORDS.items() for word in words.split()}
_JUMPS = frozenset("return raise throw yield pass break continue await assert del print echo".split())
_SQL = re.compile(r"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|(?:CREATE|ALTER|DROP) (?:OR REPLACE )?[A-Z]+) \S")
_SHELL = frozenset("fi done esac then".split())

_LANGUAGE_WORDS = {
    "python": "def elif except from raise pass self",
    "rust": "fn impl pub mod match",
    "go": "func",
    "java": "public private protected",
    "cpp": "namespace template using virtual",
    "typescript": "interface declare",
    "javascript": "function var export",
    "bash": "fi done esac then echo",
}
_LANGUAGE_OF_WORD = {word: language for language, words in _LANGUAGE_WORDS.items() for word in words.split()}


def look_for_code(text: str, where: str) -> Guess | None:
    """A guess if the text is code.

    Args:
        text: a sample with line feeds; what is known to be an example has been taken out.
        where: what was sampled, for people.
    """
    if shebang := _SHEBANG.match(text.lstrip("\n")[:200]):
        return _of_shebang(shebang)
    if not _may_be_code(text):
        return None
    lines = _statements(text)
    sorts: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for line in lines:
        if sort := _sort_of(line):
            sorts[sort] += 1
            languages[_language_of(line, sort)] += 1
    code = sorts.total()
    if code < max(_FEWEST, _SHARE * len(lines)) or len(sorts) < _SORTS:
        return None
    return Guess("code", f"{code} of {len(lines)} lines look like code in {where}", _clear(languages, text))


def _of_shebang(shebang: re.Match[str]) -> Guess:
    program = (shebang.group(2) if shebang.group(1) == "env" else shebang.group(1)) or ""
    language = _INTERPRETERS.get(program) or known_language(program)
    return Guess("code", f"first line {shebang.group().strip()[:60]}", language)


def _may_be_code(text: str) -> bool:
    """A cheap look: enough lines end as lines of code do, and it is neither JSON, nor tags, nor reStructuredText."""
    if text.lstrip()[:1] in ("{", "[", "<") or "\n.. " in text or "\n====" in text:
        return False
    ends = sum(map(text.count, (";\n", "{\n", "}\n", ":\n", ")\n")))
    return ends > 2 and 16 * ends > text.count("\n")


def _statements(text: str) -> list[str]:
    """Some lines of a text that are neither blank nor comments, from its beginning and its end."""
    if '"""' in text:
        text = "\n".join(text.split('"""')[::2])
    if "/*" in text:
        text = "\n".join(part.partition("/*")[0] for part in text.split("*/"))
    lines = text.split("\n")
    half = len(lines) // 2
    return [*_first_statements(lines[:half]), *_first_statements(lines[: half - 1 if half else None : -1])]


def _first_statements(lines: list[str]) -> Iterator[str]:
    solid = (line.rstrip() for line in lines if line and not line.isspace())
    code = (line for line in solid if not line.lstrip().startswith(_COMMENTS) or _PREPROCESSOR.match(line))
    return islice(code, _LINES // 2)


def _sort_of(line: str) -> str | None:
    """Which sort of code a line is, if it is code beyond doubt."""
    code = line.lstrip()[:200]
    found = _FIRST_WORD.match(code)
    word = found.group() if found else ""
    if word in _JUMPS:
        ends = line[-1] == ";" or (line[0] in " \t" and line[-1] not in ".,:!?")
        return "jump" if ends or code == word else None
    if sort := _SORT_OF_WORD.get(word):
        return sort if line[-1] in ":{(;,=)" else None
    if word in _SHELL and code in (word, f"{word};"):
        return "shell"
    return next((sort for sort, has_shape in _SHAPES if has_shape(code)), None)


_SHAPES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("decoration", lambda code: code[0] in "#@"),
    ("query", _SQL.match),
    ("import", _IMPORT.match),
    ("statement", lambda code: code[-1] in ";{" or code[0] in ")]}"),
    ("assignment", lambda code: "=" in code and _ASSIGNMENT.match(code)),
    ("call", lambda code: "(" in code and _CALL.match(code)),
)


def _language_of(line: str, sort: str) -> str:
    """The language that a line of code speaks for; empty if it may be of several."""
    code = line.lstrip()
    if code[0] == "#":
        return "c"
    if sort == "query":
        return "sql"
    if sort == "import":
        if code[-1] != ";":
            return "python" if "import" in code and '"' not in code and "'" not in code else ""
        return "java" if code.startswith(("import ", "package ")) else "rust" if code.startswith("use ") else ""
    found = _FIRST_WORD.match(code)
    return _LANGUAGE_OF_WORD.get(found.group(), "") if found else ""


def _clear(languages: Counter[str], text: str) -> str | None:
    """The language that at least two lines speak for, and twice as many as for any other."""
    if languages["c"] and ("std::" in text or languages["cpp"]):
        languages["cpp"] += languages.pop("c")
    del languages[""]
    ranked = [*languages.most_common(2), ("", 0), ("", 0)]
    (name, most), (_, second) = ranked[:2]
    return name if most >= max(2, 2 * second) else None
