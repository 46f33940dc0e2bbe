"""Operations computed by NumPy, one by one, where a program would not pay.

A value belongs to its node, and nobody writes to it, but for a node that dies: then what
comes after it may take its memory.
"""

from __future__ import annotations

import math
import sys
import time

import numpy

from . import _library

_view = numpy.ndarray
_SCANS = {"add": numpy.add, "multiply": numpy.multiply, "minimum": numpy.minimum,
          "maximum": numpy.maximum}
#: What is not a function of NumPy's with this name.
_OWN = {
    "copy": lambda a: a,
    "real": lambda a: a.real,
    "imag": lambda a: a.imag,
    "clip": lambda a, lo, hi: numpy.minimum(numpy.maximum(a, lo), hi),
    "fabs": numpy.abs,
}
_functions: dict = {}


def _complex(re, im):
    made = numpy.empty(numpy.broadcast_shapes(re.shape, im.shape),
                       numpy.result_type(re.dtype, numpy.complex64))
    made.real, made.imag = re, im
    return made


_OWN["complex"] = _complex


def function(name: str):
    """The function of elements that a node names."""
    found = _functions.get(name)
    if found is None:
        found = _functions[name] = _OWN.get(name) or getattr(numpy, name)
    return found


def look(value: numpy.ndarray, dims: tuple | None, loop: tuple) -> numpy.ndarray:
    """The elements of a dense array as a loop over `loop` reads them."""
    if dims is None:
        return value
    strides = [0] * len(loop)
    offset, plain = 0, len(dims) == len(loop)
    for k, ((start, step, axis), pitch) in enumerate(zip(dims, value.strides)):
        if start:
            offset += start * pitch
            plain = False
        if axis >= 0:
            strides[axis] += step * pitch
            if axis != k or step != 1:
                plain = False
        elif plain and loop[k] != 1:
            plain = False
    if plain and value.shape == loop:
        return value
    if 0 in loop:
        return numpy.empty(loop, value.dtype)
    return _view(loop, value.dtype, value, offset, strides)


#: What stands between an array with strides of its own and the one whose memory it has.
_STRIDED = type(numpy.lib.stride_tricks.as_strided(numpy.empty(1), (1,), (8,)).base)


def is_alone(value: numpy.ndarray) -> bool:
    """Whether an array, of one name and one node, is nobody else's: no view, no other name."""
    owner = value.base
    if owner is None:
        return sys.getrefcount(value) <= _alone[0]
    return value.flags.writeable and type(owner) is not _STRIDED and (
        type(owner) is not numpy.ndarray or owner.base is None) and \
        sys.getrefcount(value) <= _alone[0] and sys.getrefcount(owner) <= _alone[1]


def is_alone_in(node) -> bool:
    """Whether the value of a node is an array that is alone."""
    value = node.value
    return type(value) is numpy.ndarray and is_alone(value)


class _Holder:
    __slots__ = ("value",)


def _references(holder) -> tuple:
    # As many as an array has that is alone, by the counting of this interpreter.
    value = holder.value
    return _count(value)


def _count(value):
    owner = value.base
    return sys.getrefcount(value), sys.getrefcount(owner)


_holder = _Holder()
_holder.value = numpy.frombuffer(bytearray(8), "u1")
_alone = _references(_holder)
del _holder


def evaluate(node, values: list, out: numpy.ndarray | None = None) -> numpy.ndarray:
    """The value of a node whose operands are `values`; `out` may take an element's place."""
    op, dtype = node.op, node.dtype
    if op == "map":
        made = _map(node, values, out)
    elif op == "update":
        made = values[0].copy()
        assign(made, node.place, node.loop, values[1], node.operands[1][1])
        return made
    elif op == "reduce":
        made = _reduce(node, look(values[0], node.operands[0][1], node.loop))
    elif op == "contract":
        made = _contract(node, values)
    elif op == "scan":
        name, axis = node.extra
        made = _SCANS[name].accumulate(look(values[0], node.operands[0][1], node.shape), axis,
                                       dtype)
    elif op == "reshape":
        return values[0].reshape(node.shape)
    elif op == "arange":
        start, step = node.numbers
        made = numpy.arange(node.shape[0], dtype=dtype)
        made *= step
        made += start
        return made
    elif op == "gather":
        made = _gather(node, values)
    elif op == "sort":
        axis, gives_indices = node.extra
        made = numpy.argsort(values[0], axis, "stable") if gives_indices else \
            _sorted(values[0], axis)
    elif op == "concat":
        made = numpy.concatenate(values, node.extra)
    elif op == "library":
        made = _library.evaluate(node, [look(value, dims, node.loop) for value, (_, dims)
                                        in zip(values, node.operands)])
    else:
        raise AssertionError(op)
    if type(made) is not numpy.ndarray:
        made = numpy.asarray(made)
    if made.dtype != dtype:
        made = made.astype(dtype)
    if not made.flags.c_contiguous:
        made = made.copy()
    return made.reshape(node.shape) if made.shape != node.shape else made


def assign(target: numpy.ndarray, place: tuple, loop: tuple, value: numpy.ndarray,
           dims: tuple) -> None:
    """Writes to a place of an array what a loop over it reads."""
    where = look(target, place, loop) if place else target
    source = look(value, dims, loop)
    if source.dtype != where.dtype:
        source = source.astype(where.dtype)  # as programs convert it
    where[...] = source


def _sorted(value: numpy.ndarray, axis: int) -> numpy.ndarray:
    """The elements in order, equal ones as they came."""
    if value.dtype.itemsize <= 2:  # counted, which is quicker
        return numpy.sort(value, axis, "stable")
    made = numpy.sort(value, axis)
    if made.dtype.kind == "f":
        # Of what is equal zeros alone can be told from each other.
        zeros = numpy.signbit(made[made == 0])
        if zeros.any() and not zeros.all():
            return numpy.sort(value, axis, "stable")
    return made


def _map(node, values: list, out):
    name, types, pattern = node.extra
    operands, at, number = [], 0, 0
    for kind, wanted in zip(pattern, types):
        if kind == "a":
            operand = look(values[at], node.operands[at][1], node.shape)
            if operand.dtype != wanted:
                operand = operand.astype(wanted)
            at += 1
        else:
            operand = node.numbers[number]
            number += 1
        operands.append(operand)
    if name == "copy":
        operand = operands[0]
        if type(operand) is not numpy.ndarray:
            return numpy.full(node.shape, operand, node.dtype)
        # A node has memory of its own.
        return operand.astype(node.dtype) if types[0] == node.dtype else operand
    if name == "where" and out is not None and operands[2] is out:
        numpy.copyto(out, operands[1], where=operands[0])
        return out
    made = function(name)
    if out is not None and type(made) is numpy.ufunc:
        return made(*operands, out=out)
    return made(*operands)


def _reduce(node, value):
    name, axes = node.extra
    if name == "argmin" or name == "argmax":
        return getattr(numpy, name)(value, axes[0])
    fold = getattr(numpy, name)
    if name in ("add", "multiply"):
        return fold.reduce(value, axes, node.dtype)
    return fold.reduce(value, axes)


def _contract(node, values: list):
    letters, parts = "abcdefghijklmnop", []
    result = letters[:len(node.shape)]
    for value, (_, dims) in zip(values, node.operands):
        axes = sorted({axis for _, _, axis in dims if axis >= 0})
        place = {axis: k for k, axis in enumerate(axes)}
        value = look(value, tuple((start, step, place.get(axis, -1))
                                  for start, step, axis in dims),
                     tuple(node.loop[axis] for axis in axes))
        parts.append((value.astype(node.dtype, copy=False), axes))
    if len(parts) == 2 and node.dtype.kind in "fc":
        return _product(node, *parts)
    inner = ",".join("".join(letters[axis] for axis in axes) for _, axes in parts)
    # An axis of size 1 is nobody's.
    result = "".join(letter for letter in result if letter in inner)
    return numpy.einsum(f"{inner}->{result}", *[value for value, _ in parts],
                        optimize=node.dtype.kind in "fc")


def is_product(node) -> bool:
    """Whether a node is a product of matrices or vectors, for which NumPy calls a library."""
    return len(node.operands) == 2 and node.dtype.kind in "fc" and node.dtype.itemsize > 2 and \
        len(node.loop) > len(node.shape)


def _product(node, first: tuple, second: tuple) -> numpy.ndarray:
    """Sums of products of two arrays with axes of the loop, as products of matrices."""
    (a, rows), (b, columns) = first, second
    rank = len(node.shape)
    both = [axis for axis in rows if axis in columns and axis < rank]
    inner = [axis for axis in rows if axis in columns and axis >= rank]
    # What one of them alone is summed over.
    for axis in [axis for axis in rows if axis >= rank and axis not in inner][::-1]:
        a, rows = a.sum(rows.index(axis)), [other for other in rows if other != axis]
    for axis in [axis for axis in columns if axis >= rank and axis not in inner][::-1]:
        b, columns = b.sum(columns.index(axis)), [other for other in columns if other != axis]
    left = [axis for axis in rows if axis not in both + inner]
    right = [axis for axis in columns if axis not in both + inner]

    def sizes(axes):
        return [node.loop[axis] for axis in axes]
    a = a.transpose([rows.index(axis) for axis in both + left + inner])
    b = b.transpose([columns.index(axis) for axis in both + inner + right])
    a = a.reshape(*sizes(both), math.prod(sizes(left)), math.prod(sizes(inner)))
    b = b.reshape(*sizes(both), math.prod(sizes(inner)), math.prod(sizes(right)))
    made = numpy.matmul(a, b)
    order = both + left + right
    made = made.reshape(sizes(order))
    return made.transpose([order.index(axis) for axis in sorted(order)])


def _gather(node, values: list):
    rest, keys = iter(zip(values[1:], node.operands[1:])), []
    shape = node.shape
    for part in node.extra:
        if part is None:
            value, (_, dims) = next(rest)
            axes = sorted({axis for _, _, axis in dims if axis >= 0})
            place = {axis: k for k, axis in enumerate(axes)}
            value = look(value, tuple((start, step, place.get(axis, -1))
                                      for start, step, axis in dims),
                         tuple(shape[axis] for axis in axes))
        else:
            start, step, axis = part
            if axis < 0:
                keys.append(start)
                continue
            axes, value = [axis], start + step * numpy.arange(shape[axis])
        spread = [1] * len(shape)
        for axis, size in zip(axes, value.shape):
            spread[axis] = size
        keys.append(value.reshape(spread))
    return values[0][tuple(keys)]


#: Nanoseconds of an element by NumPy, of what takes more than one.
_DEAR = {"divide": 2, "sqrt": 2, "floor_divide": 5, "remainder": 8, "power": 20,
         "where": 2, "maximum": 1, "sort": 60, "gather": 4, "scan": 2, "reduce": 1}
_DEAR.update(dict.fromkeys(
    "exp log sin cos tan sinh cosh tanh cbrt exp2 expm1 log2 log10 log1p arcsin arccos arctan "
    "arctan2 arcsinh arccosh arctanh hypot".split(), 12))
_DEAR.update(_library.DEAR)


def dearness(node) -> int:
    """How many times what an element of a sum takes one of an operation takes NumPy."""
    return max(_DEAR[node.extra[0] if node.op == "library" else node.op] // 4, 1)


def cost(nodes: list) -> float:
    """About how many seconds NumPy takes for operations."""
    total = 0.0
    for node in nodes:
        size = math.prod(node.loop)
        name = node.extra[0] if node.op in ("map", "library") else node.op
        if name == "contract":
            total += 2000 + size / 8
        else:
            total += 1500 + size * _DEAR.get(name, 1)
    return total * 1e-9


#: Bytes that NumPy writes in a second at most, and from how many on that counts: what is less may
#: stay in a cache.
_RATE, _LEAST_BYTES = 20e9, 1 << 20


def least(nodes: list) -> float:
    """How many seconds NumPy takes for operations at least: what it writes goes to memory."""
    return sum(map(_least, nodes))


def _least(node) -> float:
    size = math.prod(node.loop) * node.dtype.itemsize
    return size / _RATE if size >= _LEAST_BYTES and node.op not in ("contract", "reshape") else 0.0


def _takes(node, value, dims) -> bool:
    """Whether the memory of an operand can take the results of its reader, element by element."""
    return value.dtype == node.dtype and value.shape == node.shape and \
        (dims is None or look(value, dims, node.loop) is value)


def _fails(node) -> bool:
    """Whether an operation on elements may raise an error."""
    return node.extra[0] == "power" and node.dtype.kind in "iu"


def _is_last(source) -> bool:
    """Whether a value that is there dies with the operation whose operand it is."""
    return not source.refs and sys.getrefcount(source) <= _last


def _count_of(source) -> int:
    return sys.getrefcount(source)


def _count_operand(operands: tuple) -> int:
    # As many as an operand has that one operation reads once and nobody else holds.
    for source, _ in operands:
        return _count_of(source)


# The plan lists it as well.
_last = _count_operand(((_Holder(), None),)) + 1


def _parts(nodes: list, wanted: list) -> set:
    """The copies of parts that are only put together: NumPy reads them where they are."""
    found = {id(node) for node in nodes if node.op == "map" and node.extra[0] == "copy" and
             node.extra[2] == "a" and node.operands[0][0].dtype == node.dtype}
    if not found:
        return found
    found.difference_update(id(source) for node in nodes if node.op != "concat"
                            for source, _ in node.operands)
    return found.difference(map(id, wanted))


def run(nodes: list, wanted: list, until: float = math.inf) -> list | None:
    """The values of the wanted ones of nodes in order, each computed by NumPy.

    None where it is certain to be later than `until` before all are there, and no value has been
    lost.
    """
    rest = least(nodes) if until < math.inf else 0.0
    uses: dict[int, int] = {}
    for node in nodes:
        for source, _ in node.operands:
            uses[id(source)] = uses.get(id(source), 0) + 1
    parts = _parts(nodes, wanted)
    for node in wanted:
        uses[id(node)] = uses.get(id(node), 0) + 1
    kept = {id(node) for node in wanted}
    values: dict[int, numpy.ndarray] = {}
    with numpy.errstate(all="ignore"):
        for node in nodes:
            if until < math.inf:
                if time.perf_counter() + rest > until:
                    return None
                rest -= _least(node)
            given, out, is_taken = [], None, False
            # What is not wanted may be computed once more, from the same operands, and what
            # fails too.
            may_take = node.op == "map" and id(node) in kept and not _fails(node)
            for source, dims in node.operands:
                key = id(source)
                uses[key] -= 1
                if source.value is not None:
                    if may_take and out is None and _is_last(source) and \
                            is_alone_in(source) and _takes(node, source.value, dims):
                        out, is_taken = source.value, True
                    given.append(source.value)
                    continue
                value = values[key] if uses[key] else values.pop(key)
                given.append(value)
                if out is None and not uses[key] and node.op == "map" and is_alone(value) and \
                        _takes(node, value, dims):
                    out = value
            if id(node) in parts:
                values[id(node)] = look(given[0], node.operands[0][1], node.shape)
                continue
            made = values[id(node)] = evaluate(node, given, out)
            if is_taken:  # now, for an operation behind it may fail
                node.value, node.operands, node.numbers = made, (), ()
                until = math.inf
    return [values[id(node)] for node in wanted]
