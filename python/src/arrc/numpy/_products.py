"""Products of matrices, and sums of products over named indices."""

from __future__ import annotations

import math

import numpy

from . import _dtypes, _graph, _views
from ._array import at_once, ndarray
from ._elementwise import NotCovered, lift, put_out
from ._fallback import covered
from ._reductions import as_array


def contract(operands: list, labels: list, result: str, dtype=None) -> ndarray:
    """Sums of products: each operand has a label an axis, the result those of `result`."""
    arrays = [as_array(operand) for operand in operands]
    sizes: dict[str, int] = {}
    for array, names in zip(arrays, labels):
        for name, size in zip(names, array.shape):
            if sizes.get(name, 1) not in (1, size) and size != 1:
                raise ValueError(f"operands could not be multiplied: sizes {sizes[name]} and "
                                 f"{size} of one index")
            sizes[name] = size if sizes.get(name, 1) == 1 else sizes[name]
    order = result + "".join(name for name in sizes if name not in result)
    loop = tuple(sizes[name] for name in order)
    shape = loop[:len(result)]
    dtype = dtype or _dtypes.promote(*[array.dtype for array in arrays])
    if len(loop) > 8:
        raise NotCovered("products over more than 8 indices")
    if 0 in loop:
        return ndarray.of(_graph.leaf(numpy.zeros(shape, dtype)))
    reads = []
    for array, names in zip(arrays, labels):
        node, view = _graph.settle(array._base.node, array._own_view)
        dims = tuple((start, step, order.index(names[axis]))
                     if axis >= 0 and array.shape[axis] != 1 else (start, 0, -1)
                     for start, step, axis in view.dims)
        reads.append((node, dims))
    node = _graph.record("contract", tuple(reads), shape, dtype, loop=loop)
    return ndarray.of(node, is_scalar=not shape)


@covered()
def matmul(a, b, out=None, **rest):
    if rest:
        raise NotCovered("matmul with options")
    if out is None and type(a) is ndarray and _graph.recorder.eager:
        made = at_once(numpy.matmul, a, b)
        if made is not None:
            return made
    for value in (a, b):
        if _dtypes.is_weak(value) or isinstance(value, numpy.generic) or \
                getattr(value, "shape", None) == ():
            raise ValueError("matmul: Input operand does not have enough dimensions "
                             "(has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) "
                             "requires 1)")
    a, b = as_array(a), as_array(b)
    inner = a.shape[-1], b.shape[0] if b.ndim == 1 else b.shape[-2]
    if inner[0] != inner[1]:
        raise ValueError("matmul: Input operand 1 has a mismatch in its core dimension 0, with "
                         "gufunc signature (n?,k),(k,m?)->(n?,m?) "
                         f"(size {inner[1]} is different from {inner[0]})")
    numpy.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    lead = "ABCDEFG"[:max(a.ndim, b.ndim, 2) - 2]
    left = lead[len(lead) - max(a.ndim - 2, 0):] + ("il" if a.ndim > 1 else "l")
    right = lead[len(lead) - max(b.ndim - 2, 0):] + ("lj" if b.ndim > 1 else "l")
    result = contract([a, b], [left, right],
                      lead + "i" * (a.ndim > 1) + "j" * (b.ndim > 1))
    return put_out(out, result, "matmul")


@covered()
def dot(a, b, out=None):
    a, b = as_array(a), as_array(b)
    if out is None and 1 <= a.ndim <= 2 and 1 <= b.ndim <= 2 and _graph.recorder.eager:
        made = at_once(numpy.matmul, a, b)  # the same of these
        if made is not None:
            return made
    if not a.ndim or not b.ndim:
        result = a * b
    else:
        if a.shape[-1] != b.shape[-1 if b.ndim == 1 else -2]:
            raise ValueError(f"shapes {a.shape} and {b.shape} not aligned")
        left = "ABCDEFG"[:a.ndim - 1]
        right = "abcdefg"[:b.ndim - 1]
        names = right[:-1] + "l" + right[-1:] if b.ndim > 1 else "l"
        result = contract([a, b], [left + "l", names], left + right)
    return put_out(out, result, "dot")


@covered()
def vdot(a, b):
    a, b = as_array(a).reshape(-1), as_array(b).reshape(-1)
    return dot(a.conj(), b)


@covered()
def inner(a, b):
    a, b = as_array(a), as_array(b)
    if not a.ndim or not b.ndim:
        return a * b
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"shapes {a.shape} and {b.shape} not aligned")
    left, right = "ABCDEFG"[:a.ndim - 1], "abcdefg"[:b.ndim - 1]
    return contract([a, b], [left + "l", right + "l"], left + right)


@covered()
def outer(a, b, out=None):
    a, b = as_array(a).reshape(-1), as_array(b).reshape(-1)
    result = a[:, None] * b[None, :]
    return put_out(out, result, "outer")


@covered()
def tensordot(a, b, axes=2):
    a, b = as_array(a), as_array(b)
    try:
        first, second = axes
        first = [first] if numpy.ndim(first) == 0 else list(first)
        second = [second] if numpy.ndim(second) == 0 else list(second)
    except TypeError:
        first, second = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    if len(first) != len(second):
        raise ValueError("shape-mismatch for sum")
    left, right = list("ABCDEFGH"[:a.ndim]), list("abcdefgh"[:b.ndim])
    for i, j in zip(first, second):
        if a.shape[i] != b.shape[j]:
            raise ValueError("shape-mismatch for sum")
        right[j] = left[i]
    shared = {left[i] for i in first}
    kept = [name for name in left + right if name not in shared]
    return contract([a, b], ["".join(left), "".join(right)], "".join(kept))


@covered()
def vecdot(x1, x2, /, *, axis=-1):
    a, b = as_array(x1), as_array(x2)
    if not -min(a.ndim, b.ndim) <= axis < 0 and axis >= 0:
        raise NotCovered("vecdot with this axis")
    a = a.conj() if a.dtype.kind == "c" else a
    if a.shape[axis] != b.shape[axis]:
        raise ValueError("vecdot: sizes along the axis differ")
    return (a * b).sum(axis=axis, dtype=_dtypes.promote(a.dtype, b.dtype))


@covered()
def einsum(subscripts, *operands, out=None, dtype=None, order="K", casting="safe",
           optimize=False):
    if not isinstance(subscripts, str) or "." in subscripts or dtype is not None:
        raise NotCovered("this form of einsum")
    inputs, arrow, result = subscripts.replace(" ", "").partition("->")
    labels = inputs.split(",")
    arrays = [as_array(operand) for operand in operands]
    if len(labels) != len(arrays) or len(arrays) > 2:
        raise NotCovered("einsum of more than two operands")
    for names, array in zip(labels, arrays):
        if len(names) != array.ndim:
            raise ValueError("einstein sum subscripts string does not fit the operand")
    if not arrow:
        flat = "".join(labels)
        result = "".join(sorted(name for name in set(flat) if flat.count(name) == 1))
    if len(arrays) == 1 and out is None and set(result) == set(labels[0]) and \
            len(result) == len(set(result)) and arrays[0].size:
        (array,), (names,) = arrays, labels
        sizes = dict(zip(names, array.shape))
        if all(sizes[name] == size for name, size in zip(names, array.shape)):
            return array._seen(_views.renamed(array._own_view, [result.index(name) for name in names],
                                              len(result)))
    made = contract(arrays, labels, result)
    made.is_scalar = False
    return put_out(out, made, "einsum")


@covered()
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    result = as_array(a).diagonal(offset, axis1, axis2).sum(axis=-1, dtype=dtype)
    return put_out(out, result, "trace")


@covered()
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a, b = as_array(a), as_array(b)
    if (axisa, axisb, axisc) != (-1, -1, -1) or axis not in (None, -1) or \
            a.shape[-1:] != (3,) or b.shape[-1:] != (3,):
        raise NotCovered("cross products but of three components in the last axis")
    from ._functions import stack
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)
