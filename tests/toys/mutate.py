"""Small changes to the text of a Python module, each of which may be a fault."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_OTHER: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_RECORDS: Final = {"s": "v", "v": "s"}


@dataclass(frozen=True)
class Mutant:
    """One change: where, what it was and what it became, and the whole text with it."""

    function: str
    line: int
    change: str
    text: str

    def __str__(self) -> str:
        return f"{self.function}:{self.line} {self.change}"


def mutants(text: str) -> list[Mutant]:
    """Return all that this module knows to change in the functions of a module's text."""
    tree = ast.parse(text)
    found = []
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for place, node in enumerate(ast.walk(function)):
            for changed in _changes(node, function.name == "view"):
                found.append(_mutant(tree, function, place, node, changed))
    return [each for each in found if each.change]


def _mutant(
    tree: ast.Module, function: ast.FunctionDef, place: int, node: ast.AST, changed: ast.AST
) -> Mutant:
    """Put ``changed`` in the place of ``node``, number ``place`` of the function's nodes."""
    twin = copy.deepcopy(function)
    target = list(ast.walk(twin))[place]
    for parent in ast.walk(twin):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, changed)
            elif isinstance(value, list) and any(entry is target for entry in value):
                value[:] = [changed if entry is target else entry for entry in value]
    body = [twin if each is function else each for each in tree.body]
    whole = ast.fix_missing_locations(ast.Module(body, []))
    before, after = ast.unparse(node).split("\n")[0], ast.unparse(changed).split("\n")[0]
    line = int(getattr(node, "lineno", function.lineno))
    return Mutant(function.name, line, f"{before} -> {after}", ast.unparse(whole))


def _changes(node: ast.AST, in_view: bool) -> Iterator[ast.AST]:
    """What a node may become."""
    if isinstance(node, ast.If | ast.While):
        yield from (_with(node, test=ast.UnaryOp(ast.Not(), node.test)),)
        if isinstance(node, ast.If):
            yield _with(node, test=ast.Constant(True))
            yield _with(node, test=ast.Constant(False))
    elif isinstance(node, ast.BoolOp):
        for k in range(len(node.values)):
            rest = node.values[:k] + node.values[k + 1 :]
            yield rest[0] if len(rest) == 1 else _with(node, values=rest)
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        if type(node.ops[0]) in _OTHER:
            yield _with(node, ops=[_OTHER[type(node.ops[0])]()])
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield _with(node, op=ast.Sub() if isinstance(node.op, ast.Add) else ast.Add())
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "range":
        last = ast.BinOp(node.args[0], ast.Sub(), ast.Constant(1))
        yield _with(node, args=[last, *node.args[1:]])
    elif isinstance(node, ast.Assign | ast.AugAssign) or _is_call(node):
        yield ast.Pass()
    elif isinstance(node, ast.Name) and node.id in _RECORDS and in_view:
        yield _with(node, id=_RECORDS[node.id])


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _with(node: ast.AST, **changes: object) -> ast.AST:
    twin = copy.copy(node)
    for name, value in changes.items():
        setattr(twin, name, value)
    return twin
