"""What the nodes of a grammar are to us: the entries of `code_languages.py` by the numbers of their nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from udfs.chunking.formats.code_languages import Language

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

COMMENT, ATTRIBUTE, IMPORT, FUNCTION, TYPE, BODY, BRANCH, WRAPPER, VALUE, ERROR, LIST = range(1, 12)
NAMED = frozenset({FUNCTION, TYPE, VALUE})

_ERROR_KIND = 65535  # of tree-sitter, in every grammar


class Roles:
    """The roles of a grammar's nodes by number, and the fields that lead to their names."""

    def __init__(self, language: Language, grammar: Grammar) -> None:
        self._ids = _ids_by_kind(grammar)
        self.by_kind: dict[int, int] = {_ERROR_KIND: ERROR}
        self._add(language.bodies.split(), BODY)
        self._add(language.lists.split(), LIST)
        self._add(language.branches.split(), BRANCH)
        self._add(language.wrappers.split(), WRAPPER)
        self._add(language.named_values, VALUE)
        self._add(language.functions.split(), FUNCTION)
        self._add(language.types.split(), TYPE)
        self._add(language.imports.split(), IMPORT)
        self._add(language.comments.split(), COMMENT)
        self._add(language.attributes.split(), ATTRIBUTE)
        self.values = {number for kind in language.function_values.split() for number in self._ids.get(kind, ())}
        self.names = self._fields(language.names) | self._fields(language.named_values)
        self.owners = self._fields(language.owners)

    def _add(self, kinds: Iterable[str], role: int) -> None:
        self.by_kind.update((number, role) for kind in kinds for number in self._ids.get(kind, ()))

    def _fields(self, fields: Mapping[str, str]) -> dict[int, str]:
        return {number: field for kind, field in fields.items() for number in self._ids.get(kind, ())}


def _ids_by_kind(grammar: Grammar) -> dict[str, list[int]]:
    ids: dict[str, list[int]] = {}
    for number in range(grammar.node_kind_count):
        if grammar.node_kind_is_named(number):
            ids.setdefault(grammar.node_kind_for_id(number) or "", []).append(number)
    return ids


def bytes_understood(root: Node, roles: Roles) -> int:
    """How much of a source the grammar could make sense of: all of it but what faults leave in pieces."""
    if not root.has_error:
        return root.end_byte
    broken = [root] if root.is_error else [node for node in root.children if node.is_error]
    whole = 0 if root.is_error else root.end_byte - sum(node.end_byte - node.start_byte for node in broken)
    pieces = (node for around in broken for node in around.named_children)
    return whole + sum(n.end_byte - n.start_byte for n in pieces if roles.by_kind.get(n.kind_id, ERROR) != ERROR)
