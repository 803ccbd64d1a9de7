"""What a traced function does, as a tree in which equal parts are one and outputs have names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.tracing.symbols import Symbol
from app.tracing.trace import Trace


class SymbolPool:
    """Symbols of which equal ones are identical, so that each is printed once."""

    def __init__(self) -> None:
        self._symbols: dict[Any, Symbol] = {}
        self._of: dict[int, Symbol] = {}
        self.uses: dict[Symbol, int] = {}

    def symbol(self, operation: str, *arguments: Any) -> Symbol:
        """The one symbol of an operation on these arguments, which are themselves of here."""
        key = (operation, *(a if isinstance(a, Symbol) else repr(a) for a in arguments))
        if key not in self._symbols:
            self._symbols[key] = Symbol(operation, *arguments)
            for argument in arguments:
                if isinstance(argument, Symbol):
                    self.uses[argument] = self.uses.get(argument, 0) + 1
        return self._symbols[key]

    def twin(self, node: Any) -> Any:
        """The same tree out of the symbols of this pool."""
        if not isinstance(node, Symbol):
            return node
        if id(node) not in self._of:
            self._of[id(node)] = self.symbol(node.operation, *map(self.twin, node.arguments))
        return self._of[id(node)]


class Tree:
    """The outputs of a trace; a part that is an output goes by that output's name."""

    def __init__(self, trace: Trace) -> None:
        self._pool = SymbolPool()
        self.inputs = trace.inputs
        self.choices = trace.choices
        self.outputs = {name: self._pool.twin(node) for name, node in trace.outputs.items()}
        self.names: dict[Symbol, str] = {}
        for name, node in self.outputs.items():
            if isinstance(node, Symbol):
                self.names.setdefault(node, name.replace(".", "_"))

    def is_shared(self, node: Symbol) -> bool:
        """Whether several other parts use this one."""
        return self._pool.uses.get(node, 0) > 1

    def is_resolved(self, name: str) -> bool:
        """Whether an input's name is also that of a quantity which is not the input itself."""
        node = self.outputs.get(name)
        own = isinstance(node, Symbol) and node.operation == "input"
        return name in self.inputs and name in self.outputs and not own

    def parts(self) -> Iterator[Symbol]:
        """All parts, each after what it is made of."""
        seen: set[Symbol] = set()

        def visit(node: Any) -> Iterator[Symbol]:
            if isinstance(node, Symbol) and node not in seen:
                seen.add(node)
                for argument in node.arguments:
                    yield from visit(argument)
                yield node

        for output in self.outputs.values():
            yield from visit(output)
