"""Gives what is recorded to a builder, operation by operation."""

from __future__ import annotations

from ._builder import Builder
from ._graph import Node


class Writer:
    """Gives a plan to a builder."""

    def __init__(self, plan: _Plan, forms: tuple):
        self.plan = plan
        self.builder = Builder()
        self.forms = forms
        self.start = 0
        self.places = {value: place for place, value in enumerate(plan.sizes.values)}

    def build(self) -> Builder:
        """A builder that has the program."""
        plan, builder = self.plan, self.builder
        count = len(plan.sizes.values)
        self.names: list = []
        for k, form in enumerate(self.forms[:count]):
            self.names.append(form[1] if form[0] == "number" else
                              builder.shifted(self.names[form[1]], form[2])
                              if form[0] == "near" else builder.integer())
        self.starts = [builder.integer() if form[0] == "free" else form
                       for form in self.forms[count:]]
        self.leaves = {id(node.value): builder.array(node.dtype, self._sizes(node.shape))
                       for node in plan.leaves}
        self.numbers = iter([builder.number(value.dtype) for value in plan.numbers])
        values: dict[int, object] = {}
        for node in plan.nodes:
            reads = []
            for source, dims in node.operands:
                value = values.get(id(source)) or self.leaves[id(source.value)]
                reads.append((value, self._dims(dims, source.shape, node.loop)))
            values[id(node)] = self._operation(node, reads)
        for node in plan.wanted:
            builder.output(values[id(node)])
        return builder

    def _size(self, value: int):
        return 1 if value == 1 else self.names[self.places[value]]

    def _sizes(self, shape: tuple) -> tuple:
        return tuple(self._size(value) for value in shape)

    def _dims(self, dims, shape: tuple, loop: tuple):
        if dims is None:
            return None
        found = []
        for (start, step, axis), size in zip(dims, shape):
            name, free = 0, False
            if start:
                form = self.starts[self.start]
                self.start += 1
                free = isinstance(form, str)
                name = (form if free else form[1] if form[0] == "number" else
                        self.builder.shifted(self._size(size), -form[1]))
            count = 1 if axis < 0 else loop[axis]
            if free or abs(step) > 1 or not self._is_plain(start, step, count, size):
                self.builder.inside(name, step, self._size(count), self._size(size))
            found.append((name, step, axis))
        return found

    def _is_plain(self, start: int, step: int, count: int, size: int) -> bool:
        """Whether the program knows by itself that the elements are there."""
        return count == size or self._root(count) == self._root(size)

    def _root(self, size: int):
        """The parameter that a size is a distance from; None for a number."""
        if size == 1:
            return None
        place = self.places[size]
        form = self.forms[place]
        return None if form[0] == "number" else form[1] if form[0] == "near" else place

    def _operation(self, node: Node, reads: list):
        builder, sizes = self.builder, self._sizes(node.shape)
        if node.op == "map":
            name, types, pattern = node.extra
            rest = iter(reads)
            operands = [next(rest) if kind == "a" else (next(self.numbers), None)
                        for kind in pattern]
            return builder.map(name, node.dtype, types, operands, sizes)
        if node.op == "update":
            place = self._dims(node.place, node.shape, node.loop)
            return builder.update(reads[0][0], reads[1], place, self._sizes(node.loop))
        if node.op == "reduce":
            name, axes = node.extra
            return builder.reduce(name, node.dtype, reads[0], self._sizes(node.loop), axes, sizes)
        if node.op == "contract":
            return builder.contract(node.dtype, reads, self._sizes(node.loop), sizes)
        if node.op == "scan":
            name, axis = node.extra
            return builder.scan(name, node.dtype, reads[0], axis, sizes)
        if node.op == "reshape":
            return builder.reshape(reads[0][0], sizes)
        if node.op == "arange":
            return builder.arange(node.dtype, next(self.numbers), next(self.numbers), sizes)
        if node.op == "gather":
            rest = iter(reads[1:])
            subscripts = [next(rest) if part is None else part for part in node.extra]
            return builder.gather(reads[0][0], subscripts, sizes)
        if node.op == "sort":
            axis, gives_indices = node.extra
            return builder.sort(reads[0][0], axis, gives_indices)
        if node.op == "concat":
            return builder.concat([value for value, _ in reads], node.extra, sizes)
        if node.op == "library":
            numbers = [next(self.numbers) for _ in node.numbers]
            return getattr(builder, node.extra[0])(node.dtype, node.extra[1:], reads, numbers,
                                                   self._sizes(node.loop), sizes)
        raise AssertionError(node.op)
