"""What a function or type is called, and where its signature ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from udfs.chunking.formats.code_roles import BODY, COMMENT, Roles

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST_NAME = 200  # bytes
_NAME_STEPS = 32  # fields to follow to a name: `**f(int)` takes three
_BRACKETS = frozenset({b"{", b"("})
_FAR = 16  # bytes from the start of a body to its bracket
_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^]]*\])?\s*\)$")


def title_of(node: Node, source: bytes, roles: Roles) -> str:
    """The name of a function or type as it is written, methods of Go with their type; empty if it has none."""
    kind = node.kind_id
    name = node.child_by_field_name(roles.names.get(kind, "name"))
    if name is None:
        return ""
    if kind in roles.names:
        name = _innermost_name(name, roles.names[kind])
    written = source[name.start_byte : min(name.end_byte, name.start_byte + _LONGEST_NAME)]
    title = " ".join(written.decode("utf-8", "ignore").split())
    return _owner(node, source, roles) + title if title else ""


def signature_end(node: Node, body: Node | None, source: bytes, roles: Roles) -> int:
    """Behind the opening bracket of the body, or else behind what comes before it; in bytes."""
    while body and roles.by_kind.get(body.kind_id, 0) != BODY:
        body = body.child_by_field_name("body") or _first_body(body, roles)
    if body is None:
        return node.end_byte
    start = body.start_byte
    if source[start : start + 1] in _BRACKETS:
        return start + 1
    if source.startswith(b"interface", start):  # its bracket is inside, in Go
        bracket = source.find(b"{", start, start + _FAR)
        return bracket + 1 if bracket >= 0 else start
    if source[node.start_byte : start].rstrip().endswith(b":"):
        return start
    return _end_before(node, start, roles)


def _innermost_name(name: Node, field: str) -> Node:
    """The name within declarators: `f` of `**f(int)`."""
    for _ in range(_NAME_STEPS):
        inner = name.child_by_field_name(field)
        if inner is None and name.type.endswith("_declarator"):  # a reference in C++ has no field
            inner = name.named_child(name.named_child_count - 1) if name.named_child_count else None
        if inner is None:
            break
        name = inner
    return name


def _owner(node: Node, source: bytes, roles: Roles) -> str:
    """The type of a method that stands outside of it, and a period: `T.` for `func (t *T) f()`."""
    field = roles.owners.get(node.kind_id)
    owner = node.child_by_field_name(field) if field else None
    if owner is None:
        return ""
    written = source[max(owner.start_byte, owner.end_byte - _LONGEST_NAME) : owner.end_byte]
    found = _RECEIVER.search(written.decode("utf-8", "ignore"))
    return f"{found[1]}." if found else ""


def _first_body(node: Node, roles: Roles) -> Node | None:
    return next((child for child in node.named_children if roles.by_kind.get(child.kind_id, 0) == BODY), None)


def _end_before(node: Node, start: int, roles: Roles) -> int:
    """The end of a node's last child before a place that is no comment."""
    ends = (
        child.end_byte
        for child in node.children
        if child.end_byte <= start and roles.by_kind.get(child.kind_id, 0) != COMMENT
    )
    return max(ends, default=start)
