"""From a syntax tree to an `Outline`: a walk that opens only what may have to be cut.

A body (of a class, a function, an `if`) has items, one below the other. An item is
a statement or member with the comments and decorators that stand directly above it.
Its first item is one part with what leads to it (`class A:` and its docstring), its
last with what closes it (`}`), so that neither is ever alone if it can be helped.

Cost: no node is looked at twice, and nodes inside short statements not at all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from udfs.chunking.formats.code_names import signature_end, title_of
from udfs.chunking.formats.code_outline import BLOCK, LINE, PARAGRAPH, Outline, Part, Unit
from udfs.chunking.formats.code_roles import (
    ATTRIBUTE,
    BODY,
    BRANCH,
    COMMENT,
    ERROR,
    FUNCTION,
    IMPORT,
    LIST,
    NAMED,
    TYPE,
    VALUE,
    WRAPPER,
    Roles,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_SHORT = 240  # bytes: a shorter statement in a function is not opened; lines will do for it
_SHORT_OUTSIDE = 16  # the same outside of functions, where a statement may hold one
_DEPTH = 100  # of opened nodes: what is nested deeper is cut at lines
_CLOSER = 16  # bytes: a longer rest of a body is no closing bracket
_SEPARATORS = frozenset({b";", b","})  # belong to what they follow, though some grammars leave them out
_ALWAYS = NAMED | {WRAPPER}  # opened even if they are short: for the sake of names
_INNER = NAMED | {BODY}
_MARK = re.compile(rb"[{]|=>|:[^:]")  # every function and type has one of them, unless it is only declared
_BODIES = frozenset({BODY, LIST, ERROR})
_NEVER = frozenset({COMMENT, ATTRIBUTE, IMPORT})
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


def outline_of(root: Node, source: bytes, roles: Roles) -> Outline:
    """Everything in a syntax tree that should stay whole, and all functions and types with their names."""
    return _Walk(source, roles).through(root)


class _Walk:
    def __init__(self, source: bytes, roles: Roles) -> None:
        self._source = source
        self._roles = roles
        self._kinds = roles.by_kind
        self._found = Outline()
        self._stack: list[_Open] = []

    def through(self, root: Node) -> Outline:
        self._stack.append(_Open(root, BODY, None, 0, False, 0))
        while self._stack:
            here = self._stack.pop()
            if here.depth > _DEPTH:
                continue
            if here.role in _BODIES:
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
        for start, node_end, node, role in items:
            end = node_end
            several_lines = self._source.find(b"\n", start, end) >= 0
            if several_lines or role > IMPORT:
                end += self._source[end : end + 1] in _SEPARATORS
                parts.append(Part(start, end, BLOCK if role == IMPORT and not body.level else cut))
            if end - start > _SHORT or role in _INNER or self._may_hold_names(start, end, role, several_lines, body):
                self._visit(node, role, (start, end), body)

    def _may_hold_names(self, start: int, end: int, role: int, several_lines: bool, body: _Open) -> bool:
        """Whether a short item may hold a function or type: a look at the text is cheaper than opening it."""
        worth_a_look = role > IMPORT or (several_lines and not body.in_function)
        return worth_a_look and _MARK.search(self._source, start, end) is not None

    def _innermost(self, body: Node) -> Node:
        """A body that holds nothing but a body: the inner one, as in Go."""
        for _ in range(_DEPTH):
            inner = body.named_child(0) if body.named_child_count == 1 else None
            if inner is None or self._kinds.get(inner.kind_id, 0) != BODY:
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
            if role in (COMMENT, ATTRIBUTE):
                above = self._above(items, above, (start, end), role)
                continue
            if above:
                if self._line_breaks(above[1], start) <= 1:
                    start = above[0]
                above = None
            if role == IMPORT and items and items[-1][3] == IMPORT:
                self._found.parts.append(Part(start, end, LINE))
                start = items.pop()[0]
            items.append((start, end, node, role))
        return items

    def _above(
        self, items: list[_Item], above: tuple[int, int] | None, here: tuple[int, int], role: int
    ) -> tuple[int, int] | None:
        """What waits for the next item, now that a comment or attribute was met."""
        if above:
            joined = role == ATTRIBUTE or self._line_breaks(above[1], here[0]) <= 1
            return (above[0] if joined else here[0], here[1])
        if role == COMMENT and items and self._line_breaks(items[-1][1], here[0]) == 0:
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
        inner = self._worth_opening(here.node, here.in_function)
        first = _first(inner)
        for index, (node, role) in enumerate(inner):
            if role == BRANCH:
                self._found.parts.append(Part(node.start_byte, node.end_byte, LINE))
                self._visit(node, role, node.byte_range, here)
            else:
                self._visit(node, role, here.item if index == first else None, here)

    def _worth_opening(self, around: Node, in_function: bool) -> list[tuple[Node, int]]:
        """The children that are long or may have a name, with their roles."""
        inner: list[tuple[Node, int]] = []
        role_of = self._kinds.get
        for node in around.named_children:
            role = role_of(node.kind_id, 0)
            if role in _ALWAYS or (role not in _NEVER and node.end_byte - node.start_byte > _short(role, in_function)):
                inner.append((node, role))
        return inner

    def _visit(self, node: Node, role: int, item: tuple[int, int] | None, around: _Open) -> None:
        """Note a function or type, and put on the stack what is to be opened."""
        if role == VALUE and self._is_function(node):
            role = FUNCTION
        if role in (FUNCTION, TYPE):
            self._visit_unit(node, role, item, around)
        elif role in (WRAPPER, BODY) or (
            role not in _NEVER and node.end_byte - node.start_byte > _short(role, around.in_function)
        ):
            self._stack.append(_Open(node, role, item, around.level, around.in_function, around.depth + 1))

    def _visit_unit(self, node: Node, role: int, item: tuple[int, int] | None, around: _Open) -> None:
        item = item or node.byte_range
        body = self._body(node, role)
        if body is None and role == TYPE:
            return  # `struct point p`: a type that is only mentioned
        title = title_of(node, self._source, self._roles)
        if title:
            behind = signature_end(node, body, self._source, self._roles)
            self._found.units.append(Unit(item[0], node.start_byte, behind, item[1], title))
        self._found.parts.append(Part(*item, PARAGRAPH if around.in_function else BLOCK, unit=True))
        if body:
            role_inside = self._kinds.get(body.kind_id, 0)
            level, in_function = around.level + bool(title), around.in_function or role == FUNCTION
            self._stack.append(_Open(body, role_inside, item, level, in_function, around.depth + 1))

    def _body(self, node: Node, role: int) -> Node | None:
        """What stands behind the signature: a body, or something that holds one."""
        fields = ("body", "type", "value") if role == TYPE else ("body", "value", "right")
        found = (node.child_by_field_name(field) for field in fields)
        return next((body for body in found if body), None)

    def _is_function(self, node: Node) -> bool:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        return value is not None and value.kind_id in self._roles.values


def _first(inner: list[tuple[Node, int]]) -> int:
    """The one to which the text of the item leads: a name, or else a body, or else the first; -1 for none."""
    roles = [role for _, role in inner]
    names = [index for index, role in enumerate(roles) if role in NAMED]
    if len(names) > 1:
        return -1  # `const f = ..., g = ...`
    return names[0] if names else next((index for index, role in enumerate(roles) if role in _BODIES), 0)


def _short(role: int, in_function: bool) -> int:
    return _SHORT if in_function or role == LIST else _SHORT_OUTSIDE
