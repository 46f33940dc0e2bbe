"""Writes to parts of arrays whose old values nobody else needs.

`a[1:, 2:] -= x` gives `a` a new value, for which a program would copy all of the old one.
Where the old value dies with it, the program gives the part alone, which then is written
to the old value's memory.
"""

from __future__ import annotations

import math
import sys

import numpy

from . import _evaluate, _views
from ._graph import Node


#: What was done: for tests and the curious.
counts = {"writes": 0}


class Writes:
    """What is computed in place of some updates, and where it is written to then."""

    def __init__(self):
        #: What a program or NumPy computes: nodes in place of those that were wanted.
        self.wanted: list[Node] = []
        #: The wanted node, the array that it takes over, and the parts: node of the elements,
        #: their `dims`, the place, the loop.
        self._targets: list[tuple] = []

    def add(self, node: Node, base: Node, updates: list[Node]) -> None:
        parts = []
        for update in updates:
            source, dims = update.operands[1]
            if source.value is None and not _is_whole(source, dims, update):
                made = Node("map", ((source, dims),), update.loop, node.dtype,
                            ("copy", (node.dtype,), "a"))
                made.order = update.order
                source, dims = made, None
            if source.value is None and source not in self.wanted:
                self.wanted.append(source)
            parts.append((source, dims, update.place, update.loop))
        self._targets.append((node, base, parts))

    def finish(self) -> None:
        """Writes the parts."""
        for node, base, parts in self._targets:
            value = base.value
            for source, dims, place, loop in parts:
                _evaluate.assign(value, place, loop, source.value, dims)
            counts["writes"] += len(parts)
            node.value = value
            node.operands, node.numbers = (), ()
            base.value = None


def _is_whole(source: Node, dims, update: Node) -> bool:
    return source.shape == update.loop and source.dtype == update.dtype and (
        dims is None or dims == _views.whole(source.shape).dims)


def plan(wanted: list[Node], pending: list[Node]) -> Writes | None:
    """The wanted nodes with what can be written in place taken apart; None: nothing can."""
    found = [node for node in wanted if node.op == "update"]
    if not found:
        return None
    uses = _Uses(wanted, pending)
    if not uses.is_closed:
        return None
    writes, taken, replaced = Writes(), set(), set()
    for node in found:
        updates, size = [], 0
        last = node
        while last.op == "update" and last.value is None:
            updates.append(last)
            size += math.prod(last.loop)
            last = last.operands[0][0]
        key, last = id(last), updates[-1]
        # Half of all: a part is written twice and read once more.
        if 2 * size <= math.prod(node.shape) and key not in taken and uses.dies(last):
            taken.add(key)
            replaced.add(id(node))
            writes.add(node, last.operands[0][0], updates[::-1])
    if not taken:
        return None
    writes.wanted += [node for node in wanted
                      if id(node) not in replaced and node not in writes.wanted]
    return writes


class _Uses:
    """How often nodes that are recorded read others, to tell who else holds those."""

    def __init__(self, wanted: list[Node], pending: list[Node]):
        self._counts = counts = _reads(pending)
        kept = {id(node) for node in wanted}
        #: Whether what is not wanted dies: nobody holds it but what is recorded.
        self.is_closed = all(
            key in kept or count - _of_a_list == counts.get(key, 0)
            for key, count in zip([id(node) for node in pending], _references(pending)))

    def dies(self, update: Node) -> bool:
        """Whether the old value of an update is read by what is recorded alone."""
        counts = self._counts
        return _held(update) - _of_a_name == counts.get(id(update.operands[0][0]), 0) - 1


def _reads(pending: list[Node]) -> dict[int, int]:
    counts: dict[int, int] = {}
    seen = set()
    for node in pending:
        for operand in node.operands:
            if id(operand) not in seen:
                seen.add(id(operand))
                counts[id(operand[0])] = counts.get(id(operand[0]), 0) + 1
    return counts


def _references(nodes: list) -> list:
    return [sys.getrefcount(node) for node in nodes]


def _held(update) -> int:
    """How many hold the old value of an update; many, if it cannot be written to."""
    node = update.operands[0][0]
    if node.refs or not _evaluate.is_alone_in(node):
        return 1 << 30
    return sys.getrefcount(node)


# By the counting of this interpreter.
_probe = Node("leaf", (), (), numpy.dtype("f8"))
_probe.value = numpy.zeros(1)
_of_a_list = _references([Node("leaf", (), (), numpy.dtype("f8"))])[0]
_probe = Node("update", ((_probe, None),), (), numpy.dtype("f8"))
_of_a_name = _held(_probe)
del _probe
