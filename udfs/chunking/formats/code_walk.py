"""From a syntax tree to an `Outline`: a walk that opens only what may have to be cut.

A body (of a class, a function, an `if`) has items, one below the other. An item is
a statement or member with the comments and decorators that stand directly above it.
Its first item is one part with what leads to it (`class A:` and its docstring), its
last with what closes it (`}`), so that neither is ever alone if it can be helped.

Cost: no node is looked at twice, and nodes inside short statements not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from udfs.chunking.formats.code_languages import Language
from udfs.chunking.formats.code_outline import BLOCK, LINE, PARAGRAPH, Outline, Part, Unit

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

_SHORT = 240  # bytes: a shorter statement is not opened; lines will do for it
_DEPTH = 100  # of opened nodes: what is nested deeper is cut at lines
_CLOSER = 16  # bytes: a longer rest of a body is no closing bracket
_LONGEST_NAME = 200  # bytes
_NAME_STEPS = 32  # fields to follow to a name: `**f(int)` takes three

_COMMENT, _ATTRIBUTE, _IMPORT, _FUNCTION, _TYPE, _BODY, _BRANCH, _WRAPPER, _VALUE, _ERROR = range(1, 11)
_NAMED = frozenset({_FUNCTION, _TYPE, _VALUE})
_ALWAYS = _NAMED | {_WRAPPER}  # opened even if they are short: for the sake of names
_NEVER = frozenset({_COMMENT, _ATTRIBUTE, _IMPORT})
_BRACKETS = frozenset({b"{", b"("})
_ERROR_KIND = 65535  # of tree-sitter, in every grammar
_OWNER = re.compile(r"(\w+)\s*(?:\[[^]]*\])?\s*\)?\s*$")


# What happens once a statement is a plain tuple: a named one costs as much as all else that is done for it.
_Item = tuple[int, int, "Node", int]  # start and end with what stands above it, node, role


class _Open(NamedTuple):
    """A node still to be opened."""

    node: Node
    role: int
    item: tuple[int, int] | None  # the item that this node stands for, whose text leads to it
    level: int  # how many units enclose it
    in_function: bool
    depth: int


class Roles:
    """The roles of a grammar's nodes by number, and the fields that lead to their names."""

    def __init__(self, language: Language, grammar: Grammar) -> None:
        self._ids = _ids_by_kind(grammar)
        self.by_kind: dict[int, int] = {_ERROR_KIND: _ERROR}
        self._add(language.bodies.split(), _BODY)
        self._add(language.branches.split(), _BRANCH)
        self._add(language.wrappers.split(), _WRAPPER)
        self._add(language.named_values, _VALUE)
        self._add(language.functions.split(), _FUNCTION)
        self._add(language.types.split(), _TYPE)
        self._add(language.imports.split(), _IMPORT)
        self._add(language.comments.split(), _COMMENT)
        self._add(language.attributes.split(), _ATTRIBUTE)
        self.values = {number for kind in language.function_values.split() for number in self._ids.get(kind, ())}
        self.names = self._fields(language.names) | self._fields(language.named_values)
        self.owners = self._fields(language.owners)

    def _add(self, kinds: Iterable[str], role: int) -> None:
        self.by_kind.update((number, role) for kind in kinds for number in self._ids.get(kind, ()))

    def _fields(self, fields: Iterable[str]) -> dict[int, str]:
        table = dict(fields.items()) if hasattr(fields, "items") else {}
        return {number: field for kind, field in table.items() for number in self._ids.get(kind, ())}


def _ids_by_kind(grammar: Grammar) -> dict[str, list[int]]:
    ids: dict[str, list[int]] = {}
    for number in range(grammar.node_kind_count):
        if grammar.node_kind_is_named(number):
            ids.setdefault(grammar.node_kind_for_id(number) or "", []).append(number)
    return ids


def outline_of(root: Node, source: bytes, roles: Roles) -> Outline:
    """Everything in a syntax tree that should stay whole, and all functions and types with their names."""
    return _Walk(source, roles).through(root)


def bytes_understood(root: Node, roles: Roles) -> int:
    """How much of a source the grammar could make sense of: all of it but what faults leave in pieces."""
    if not root.has_error:
        return root.end_byte
    broken = [root] if root.is_error else [node for node in root.children if node.is_error]
    whole = 0 if root.is_error else root.end_byte - sum(node.end_byte - node.start_byte for node in broken)
    pieces = (node for around in broken for node in around.named_children)
    return whole + sum(n.end_byte - n.start_byte for n in pieces if roles.by_kind.get(n.kind_id, _ERROR) != _ERROR)


class _Walk:
    def __init__(self, source: bytes, roles: Roles) -> None:
        self._source = source
        self._roles = roles
        self._kinds = roles.by_kind
        self._found = Outline()
        self._stack: list[_Open] = []

    def through(self, root: Node) -> Outline:
        self._stack.append(_Open(root, _BODY, None, 0, False, 0))
        while self._stack:
            here = self._stack.pop()
            if here.depth > _DEPTH:
                continue
            if here.role in (_BODY, _ERROR):
                self._open_body(here)
            else:
                self._open_other(here)
        return self._found

    def _open_body(self, body: _Open) -> None:
        items = self._items(self._innermost(body.node))
        if not items:
            return
        parts = self._found.parts
        if body.item:
            parts.append(Part(body.item[0], items[0][1], LINE))
            if 0 < body.node.end_byte - items[-1][1] <= _CLOSER:
                parts.append(Part(items[-1][0], body.node.end_byte, LINE))
        cut = LINE if body.level or body.depth > 1 else PARAGRAPH
        has_line_break = self._source.find
        for start, end, node, role in items:
            if has_line_break(b"\n", start, end) >= 0:
                parts.append(Part(start, end, BLOCK if role == _IMPORT and not body.level else cut))
            if role > _IMPORT or end - start > _SHORT:
                self._visit(node, role, (start, end), body)

    def _innermost(self, body: Node) -> Node:
        """A body that holds nothing but a body: the inner one, as in Go."""
        for _ in range(_DEPTH):
            inner = body.named_child(0) if body.named_child_count == 1 else None
            if inner is None or self._kinds.get(inner.kind_id, 0) != _BODY:
                break
            body = inner
        return body

    def _items(self, body: Node) -> list[_Item]:
        """The items of a body, each with what stands directly above it."""
        items: list[_Item] = []
        above: tuple[int, int] | None = None  # comments and attributes that wait for their item
        role_of = self._kinds.get
        for node in body.named_children:
            start, end = node.byte_range
            role = role_of(node.kind_id, 0)
            if role in (_COMMENT, _ATTRIBUTE):
                above = self._above(items, above, (start, end), role)
                continue
            if above:
                if self._line_breaks(above[1], start) <= 1:
                    start = above[0]
                above = None
            if role == _IMPORT and items and items[-1][3] == _IMPORT:
                self._found.parts.append(Part(start, end, LINE))
                start = items.pop()[0]
            items.append((start, end, node, role))
        return items

    def _above(
        self, items: list[_Item], above: tuple[int, int] | None, here: tuple[int, int], role: int
    ) -> tuple[int, int] | None:
        """What waits for the next item, now that a comment or attribute was met."""
        if above:
            joined = role == _ATTRIBUTE or self._line_breaks(above[1], here[0]) <= 1
            return (above[0] if joined else here[0], here[1])
        if role == _COMMENT and items and self._line_breaks(items[-1][1], here[0]) == 0:
            items[-1] = (items[-1][0], here[1], *items[-1][2:])  # behind its item, on the same line
            return None
        return here

    def _line_breaks(self, start: int, end: int) -> int:
        """How many line breaks part two nodes; some grammars count one to the first node."""
        if start > 0 and self._source[start - 1] == 10:
            start -= 1
        return self._source.count(b"\n", start, end)

    def _open_other(self, here: _Open) -> None:
        """Open what is long or named among the children; the text of the item leads to the first body."""
        inner = self._worth_opening(here.node)
        first = next((i for i, (_, role) in enumerate(inner) if role == _BODY), 0)
        if sum(role in _NAMED for _, role in inner) > 1:
            first = -1  # `const f = ..., g = ...`: the item stands for none of them
        for index, (node, role) in enumerate(inner):
            if role == _BRANCH:
                self._found.parts.append(Part(node.start_byte, node.end_byte, LINE))
                self._visit(node, role, node.byte_range, here)
            else:
                self._visit(node, role, here.item if index == first else None, here)

    def _worth_opening(self, around: Node) -> list[tuple[Node, int]]:
        """The children that are long or may have a name, with their roles."""
        inner: list[tuple[Node, int]] = []
        role_of = self._kinds.get
        for node in around.named_children:
            role = role_of(node.kind_id, 0)
            if role in _ALWAYS:
                inner.append((node, role))
            elif role not in _NEVER and node.end_byte - node.start_byte > _SHORT:
                inner.append((node, role))
        return inner

    def _visit(self, node: Node, role: int, item: tuple[int, int] | None, around: _Open) -> None:
        """Note a function or type, and put on the stack what is to be opened."""
        if role == _VALUE and self._is_function(node):
            role = _FUNCTION
        if role in (_FUNCTION, _TYPE):
            self._visit_unit(node, role, item, around)
        elif role == _WRAPPER or (role not in _NEVER and node.end_byte - node.start_byte > _SHORT):
            self._stack.append(_Open(node, role, item, around.level, around.in_function, around.depth + 1))

    def _visit_unit(self, node: Node, role: int, item: tuple[int, int] | None, around: _Open) -> None:
        item = item or node.byte_range
        body = self._body(node, role)
        if body is None and role == _TYPE:
            return  # `struct point p`: a type that is only mentioned
        title = self._title(node)
        if title:
            self._found.units.append(Unit(item[0], node.start_byte, self._signature_end(node, body), item[1], title))
        self._found.parts.append(Part(*item, PARAGRAPH if around.in_function else BLOCK, unit=True))
        if body and (role == _TYPE or body.end_byte - body.start_byte > _SHORT):
            role_inside = self._kinds.get(body.kind_id, 0)
            level, in_function = around.level + bool(title), around.in_function or role == _FUNCTION
            self._stack.append(_Open(body, role_inside, item, level, in_function, around.depth + 1))

    def _body(self, node: Node, role: int) -> Node | None:
        """What stands behind the signature: a body, or something that holds one."""
        fields = ("body", "type", "value") if role == _TYPE else ("body", "value", "right")
        found = (node.child_by_field_name(field) for field in fields)
        return next((body for body in found if body), None)

    def _is_function(self, node: Node) -> bool:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        return value is not None and value.kind_id in self._roles.values

    def _signature_end(self, node: Node, body: Node | None) -> int:
        """Behind the opening bracket of the body, or else behind what comes before it."""
        while body and self._kinds.get(body.kind_id, 0) != _BODY:
            body = body.child_by_field_name("body") or _first_body(body, self._kinds)
        if body is None:
            return node.end_byte
        start = body.start_byte
        first = self._source[start : start + 1]
        if first in _BRACKETS:
            return start + 1
        if self._source.startswith(b"interface", start):  # its bracket is inside, in Go
            bracket = self._source.find(b"{", start, start + _CLOSER)
            return bracket + 1 if bracket >= 0 else start
        if self._source[node.start_byte : start].rstrip().endswith(b":"):
            return start
        return self._end_before(node, start)

    def _end_before(self, node: Node, start: int) -> int:
        """The end of a node's last child before a place that is no comment."""
        ends = (c.end_byte for c in node.children if c.end_byte <= start and self._kinds.get(c.kind_id, 0) != _COMMENT)
        return max(ends, default=start)

    def _title(self, node: Node) -> str:
        kind = node.kind_id
        name = node.child_by_field_name(self._roles.names.get(kind, "name"))
        if name and kind in self._roles.names:
            name = self._innermost_name(name, self._roles.names[kind])
        if name is None:
            return ""
        end = min(name.end_byte, name.start_byte + _LONGEST_NAME)
        title = " ".join(self._source[name.start_byte : end].decode("utf-8", "ignore").split())
        return self._owner(node) + title if title else ""

    def _innermost_name(self, name: Node, field: str) -> Node:
        """The name within declarators: `f` of `**f(int)`."""
        for _ in range(_NAME_STEPS):
            inner = name.child_by_field_name(field)
            if inner is None and name.type.endswith("_declarator"):  # a reference in C++ has no field
                inner = name.named_child(name.named_child_count - 1) if name.named_child_count else None
            if inner is None:
                break
            name = inner
        return name

    def _owner(self, node: Node) -> str:
        field = self._roles.owners.get(node.kind_id)
        owner = node.child_by_field_name(field) if field else None
        found = _OWNER.search(self._source[owner.start_byte : owner.end_byte].decode("utf-8", "replace")) if owner else None
        return f"{found[1]}." if found else ""


def _first_body(node: Node, kinds: dict[int, int]) -> Node | None:
    return next((child for child in node.named_children if kinds.get(child.kind_id, 0) == _BODY), None)
