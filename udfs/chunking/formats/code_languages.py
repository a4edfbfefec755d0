"""The languages of `code.py`, as data: which nodes of a grammar are functions, types, bodies, comments.

Adding a language is one entry in LANGUAGES, and its grammar in the extra `code`.
The names of nodes are those of the grammar, separated by blanks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Language:
    """What a reader has to know of one programming language.

    Attributes:
        package: the module of the grammar, such as `tree_sitter_python`; empty: read without one.
        extensions: of file names, without the dot.
        aliases: other names of the language.
        content_types: MIME types.
        functions: nodes that are functions or methods.
        types: nodes that hold functions and have a name: classes, interfaces, namespaces.
        bodies: nodes whose children stand one below the other: statements, members.
        lists: nodes whose children may do so, if they are long: entries of a table, arguments.
        branches: parts of a statement that begin a line of their own, such as `else`.
        wrappers: nodes that a function or type may hide in, such as a decorated definition.
        named_values: nodes that give a name to a value, with the field of the name; a function if the value is one.
        function_values: what such a value must be.
        imports: nodes that stay together with their like.
        comments: comments.
        attributes: nodes that belong to what follows them, such as `#[derive(Debug)]`.
        names: for functions and types, the field that leads to the name, where it is not `name`.
        owners: the field that holds the type to which a method belongs, where it stands outside of it.
        grammar: the function of the module that gives the grammar.
    """

    package: str
    extensions: str
    functions: str = ""
    types: str = ""
    bodies: str = ""
    lists: str = ""
    branches: str = ""
    wrappers: str = ""
    named_values: Mapping[str, str] = field(default_factory=dict)
    function_values: str = ""
    imports: str = ""
    comments: str = "comment"
    attributes: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    grammar: str = "language"
    aliases: str = ""
    content_types: str = ""


_JAVASCRIPT = Language(
    package="tree_sitter_javascript",
    extensions="js mjs cjs jsx",
    aliases="js jsx node ecmascript",
    content_types="text/javascript application/javascript application/x-javascript text/ecmascript",
    functions="function_declaration generator_function_declaration method_definition",
    types="class_declaration",
    bodies="statement_block class_body switch_body",
    lists="object array arguments",
    branches="else_clause catch_clause finally_clause",
    wrappers="export_statement lexical_declaration variable_declaration expression_statement",
    named_values={
        "variable_declarator": "name",
        "assignment_expression": "left",
        "pair": "key",
        "field_definition": "property",
        "public_field_definition": "name",
    },
    function_values="arrow_function function_expression generator_function class",
    imports="import_statement",
    comments="comment hash_bang_line",
    attributes="decorator",
)

_TYPES_OF_TYPESCRIPT = (
    "class_declaration abstract_class_declaration interface_declaration enum_declaration internal_module module"
    " type_alias_declaration"
)


def _typescript(grammar: str, extensions: str, aliases: str, content_types: str) -> Language:
    return Language(
        package="tree_sitter_typescript",
        grammar=grammar,
        extensions=extensions,
        aliases=aliases,
        content_types=content_types,
        functions=_JAVASCRIPT.functions + " function_signature abstract_method_signature method_signature",
        types=_TYPES_OF_TYPESCRIPT,
        bodies=_JAVASCRIPT.bodies + " interface_body enum_body object_type",
        lists=_JAVASCRIPT.lists,
        branches=_JAVASCRIPT.branches,
        wrappers=_JAVASCRIPT.wrappers + " ambient_declaration",
        named_values=_JAVASCRIPT.named_values,
        function_values=_JAVASCRIPT.function_values,
        imports="import_statement import_alias",
        comments=_JAVASCRIPT.comments,
        attributes="decorator",
    )


_C_BODIES = "compound_statement field_declaration_list enumerator_list declaration_list"
_C_CONDITIONALS = "preproc_ifdef preproc_if preproc_else preproc_elif"

LANGUAGES: Mapping[str, Language] = {
    "python": Language(
        package="tree_sitter_python",
        extensions="py pyi pyw",
        aliases="py python3",
        content_types="text/x-python application/x-python application/x-python-code text/x-script.python",
        functions="function_definition",
        types="class_definition",
        bodies="block",
        lists="dictionary list tuple set argument_list",
        branches="elif_clause else_clause except_clause finally_clause",
        wrappers="decorated_definition",
        imports="import_statement import_from_statement future_import_statement",
    ),
    "javascript": _JAVASCRIPT,
    "typescript": _typescript(
        "language_typescript", "ts mts cts", "ts", "text/typescript application/typescript text/x-typescript"
    ),
    "tsx": _typescript("language_tsx", "tsx", "", "text/tsx text/typescript-jsx"),
    "java": Language(
        package="tree_sitter_java",
        extensions="java",
        content_types="text/x-java text/x-java-source",
        functions="method_declaration constructor_declaration compact_constructor_declaration"
        " annotation_type_element_declaration",
        types="class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
        bodies="class_body interface_body enum_body enum_body_declarations annotation_type_body block constructor_body"
        " switch_block switch_block_statement_group",
        lists="array_initializer argument_list",
        branches="catch_clause finally_clause",
        imports="import_declaration package_declaration",
        comments="line_comment block_comment",
    ),
    "go": Language(
        package="tree_sitter_go",
        extensions="go",
        aliases="golang",
        content_types="text/x-go",
        functions="function_declaration method_declaration method_elem",
        types="type_spec type_alias",
        bodies="block statement_list field_declaration_list interface_type var_spec_list",
        lists="literal_value argument_list",
        branches="expression_case type_case communication_case default_case",
        wrappers="type_declaration",
        imports="import_declaration package_clause",
        owners={"method_declaration": "receiver"},
    ),
    "rust": Language(
        package="tree_sitter_rust",
        extensions="rs",
        aliases="rs",
        content_types="text/x-rust text/rust",
        functions="function_item function_signature_item macro_definition",
        types="struct_item enum_item union_item trait_item impl_item mod_item",
        bodies="declaration_list block match_block field_declaration_list enum_variant_list",
        lists="field_initializer_list array_expression arguments token_tree",
        branches="else_clause",
        imports="use_declaration extern_crate_declaration",
        comments="line_comment block_comment shebang",
        attributes="attribute_item",
        names={"impl_item": "type"},
    ),
    "c": Language(
        package="tree_sitter_c",
        extensions="c h",
        content_types="text/x-c text/x-csrc text/x-chdr",
        functions="function_definition",
        types="struct_specifier union_specifier enum_specifier",
        bodies=f"{_C_BODIES} {_C_CONDITIONALS} case_statement",
        lists="initializer_list argument_list",
        branches="else_clause",
        wrappers="declaration type_definition field_declaration linkage_specification",
        imports="preproc_include",
        names={"function_definition": "declarator"},
    ),
    "cpp": Language(
        package="tree_sitter_cpp",
        extensions="cpp cc cxx hpp hh hxx ipp cu cuh",
        aliases="c++ cxx",
        content_types="text/x-c++ text/x-c++src text/x-c++hdr text/x-cpp",
        functions="function_definition concept_definition",
        types="class_specifier struct_specifier union_specifier enum_specifier namespace_definition",
        bodies=f"{_C_BODIES} {_C_CONDITIONALS} case_statement",
        lists="initializer_list argument_list",
        branches="else_clause catch_clause",
        wrappers="template_declaration declaration type_definition field_declaration linkage_specification",
        imports="preproc_include",
        attributes="access_specifier",
        names={"function_definition": "declarator"},
    ),
    "bash": Language(
        package="tree_sitter_bash",
        extensions="sh bash ksh zsh",
        aliases="sh shell zsh",
        content_types="text/x-sh application/x-sh text/x-shellscript application/x-shellscript",
        functions="function_definition",
        bodies="compound_statement do_group case_statement case_item subshell if_statement",
        lists="array",
        branches="elif_clause else_clause",
    ),
    "sql": Language(
        package="",
        extensions="sql ddl dml",
        aliases="postgresql mysql tsql plsql sqlite",
        content_types="application/sql text/x-sql text/sql",
    ),
}


def _spellings(language: Language, name: str) -> list[str]:
    return [name, *language.aliases.split(), *language.extensions.split()]


_BY_NAME = {spelling: name for name, language in LANGUAGES.items() for spelling in _spellings(language, name)}
_BY_EXTENSION = {extension: name for name, language in LANGUAGES.items() for extension in language.extensions.split()}
_BY_CONTENT_TYPE = {kind: name for name, language in LANGUAGES.items() for kind in language.content_types.split()}


def known_language(name: str) -> str | None:
    """The language of that name, alias or file extension, in any letter case; None if there is none.

    >>> known_language("C++"), known_language("py"), known_language("cobol")
    ('cpp', 'python', None)
    """
    return _BY_NAME.get(name.strip().lower())


def language_of(content_type: str | None, name: str | None) -> str | None:
    """The language of a document, by its content type, or else by the ending of its name.

    Args:
        content_type: a MIME type, parameters allowed, or the name of a language; None if unknown.
        name: a file name, path or URL; None if unknown.

    Returns:
        A key of LANGUAGES; None if neither tells.

    >>> language_of("text/x-python; charset=utf-8", None), language_of(None, "src/main.rs?raw=1")
    ('python', 'rust')
    >>> language_of("text/plain", "README") is None
    True
    """
    kind = (content_type or "").partition(";")[0].strip().lower()
    if kind in _BY_CONTENT_TYPE:
        return _BY_CONTENT_TYPE[kind]
    file = (name or "").partition("?")[0].partition("#")[0].rstrip()
    stem, dot, extension = file.rpartition(".")
    if dot and stem and extension.lower() in _BY_EXTENSION:
        return _BY_EXTENSION[extension.lower()]
    return known_language(kind) if kind and "/" not in kind else None
