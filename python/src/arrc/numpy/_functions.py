"""Arrays made, put together and rearranged."""

from __future__ import annotations

import builtins
import math
import operator

import numpy

from . import _dtypes, _graph, _indexing, _memory, _views
from ._array import array, ndarray, wrap
from ._dtypes import FLOAT, INT
from ._elementwise import NotCovered, is_derived, lift, put_out, select, ufunc_call
from ._fallback import call, covered
from ._reductions import as_array, axes_of, axis_error


def _shape(shape) -> tuple:
    if isinstance(shape, (tuple, list)):
        return tuple(operator.index(size) for size in shape)
    return (operator.index(shape),)


def _filled(shape, value, dtype, order="C") -> ndarray:
    shape, dtype = _shape(shape), numpy.dtype(dtype)
    if order == "F" and len(shape) > 1:
        return _filled(shape[::-1], value, dtype).transpose()
    if builtins.any(size < 0 for size in shape):
        raise ValueError("negative dimensions are not allowed")
    if not _dtypes.is_known(dtype) or len(shape) > 8:
        raise NotCovered(f"arrays of {dtype}")
    if 0 in shape:
        return ndarray.of(_graph.leaf(numpy.empty(shape, dtype)))
    with numpy.errstate(all="ignore"):
        number = _dtypes.number(value, dtype) if _dtypes.is_weak(value) else \
            numpy.asarray(value).astype(dtype)[()]
    node = _graph.record("map", (), shape, dtype, ("copy", (dtype,), "n"), (number,))
    return ndarray.of(node)


@covered()
def zeros(shape, dtype=float, order="C", *, device=None, like=None):
    return _filled(shape, 0, dtype or float, order)


@covered()
def ones(shape, dtype=None, order="C", *, device=None, like=None):
    return _filled(shape, 1, dtype or float, order)


@covered()
def empty(shape, dtype=float, order="C", *, device=None, like=None):
    return _filled(shape, 0, dtype or float, order)


@covered()
def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    value = lift(fill_value)
    if type(value) is ndarray:
        kind = dtype or value.dtype
        return _spread(value.astype(kind), _shape(shape)).copy(order)
    return _filled(shape, value, dtype or numpy.asarray(value).dtype, order)


def _like(make):
    name = make.__name__ + "_like"

    @covered(name=name)
    def function(a, dtype=None, order="K", subok=True, shape=None, device=None):
        a = as_array(a)
        return make(a.shape if shape is None else shape, dtype or a.dtype, order)
    function.__name__ = name
    return function


zeros_like, ones_like, empty_like = map(_like, (zeros, ones, empty))


@covered()
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, device=None):
    a = as_array(a)
    return full(a.shape if shape is None else shape, fill_value, dtype or a.dtype)


@covered()
def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    if copy is False and type(a) is not ndarray:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    return array(a, dtype, copy=bool(copy), order=order)



def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    if is_derived(a):
        return numpy.asanyarray(a, dtype, order)
    return asarray(a, dtype, order, copy=copy)


def ascontiguousarray(a, dtype=None, *, like=None):
    return asarray(a, dtype, "C")


def asfortranarray(a, dtype=None, *, like=None):
    return asarray(a, dtype, "F")


def copy(a, order="K", subok=False):
    return array(a, order=order)


@covered()
def arange(start, stop=None, step=1, dtype=None, *, device=None, like=None):
    if stop is None:
        start, stop = 0, start
    plain = [value.item() if hasattr(value, "item") else value for value in (start, stop, step)]
    if dtype is None:
        dtype = numpy.result_type(*[numpy.asarray(value).dtype for value in plain])
    dtype = numpy.dtype(dtype)
    if dtype.kind not in "iuf" or not _dtypes.is_known(dtype):
        raise NotCovered(f"arange of {dtype}")
    start, stop, step = plain
    if step == 0:
        raise ZeroDivisionError("division by zero")
    size = builtins.max(math.ceil((stop - start) / step), 0)
    if size < 3:
        return wrap(numpy.arange(start, stop, step, dtype=dtype))
    first = dtype.type(start)
    with numpy.errstate(all="ignore"):
        delta = dtype.type(start + step) - first
    return ndarray.of(_graph.record("arange", (), (size,), dtype, None, (first, delta)))


@covered()
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *,
             device=None):
    if not builtins.all(numpy.isscalar(value) for value in (start, stop)) or retstep:
        raise NotCovered("linspace between arrays or with retstep=")
    return wrap(numpy.linspace(start, stop, num, endpoint, False, dtype))


@covered()
def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    M = N if M is None else M
    if N < 1 or M < 1:
        return zeros((N, M), dtype or float)
    rows, columns = arange(N).reshape(N, 1), arange(M).reshape(1, M)
    return (rows + k == columns).astype(dtype or float)


def identity(n, dtype=None, *, like=None):
    return eye(n, dtype=dtype or float)


def _triangle(name: str, compare):
    @covered(name=name)
    def function(m, k=0):
        m = as_array(m)
        if m.ndim < 2:
            raise NotCovered("triangles of vectors")
        rows, columns = arange(m.shape[-2]).reshape(-1, 1), arange(m.shape[-1]).reshape(1, -1)
        return select(compare(columns, rows + k), m, m.dtype.type(0))
    function.__name__ = name
    return function


tril = _triangle("tril", lambda column, row: column <= row)
triu = _triangle("triu", lambda column, row: column >= row)


@covered()
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    arrays = [as_array(x).reshape(-1) for x in xi]
    rank = len(arrays)
    order = list(range(rank))
    if indexing == "xy" and rank > 1:
        order[:2] = 1, 0
    elif indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    found = [a.reshape(tuple(-1 if axis == order[k] else 1 for axis in range(rank)))
             for k, a in enumerate(arrays)]
    if not sparse:
        shape = numpy.broadcast_shapes(*[a.shape for a in found])
        found = [_spread(a, shape) for a in found]
        found = [a.copy() for a in found] if copy else found
    return list(found)


# Shapes.

@covered()
def reshape(a, /, shape=None, order="C", *, newshape=None, copy=None):
    a = as_array(a)
    shape = newshape if shape is None else shape
    a = a.copy() if copy else a
    if _is_by_columns(a, order):
        shape = _indexing.full_shape(a, shape)
        return transpose(_indexing.reshape(transpose(a), shape[::-1]))
    return _indexing.reshape(a, shape)


def _is_by_columns(a, order) -> bool:
    """Whether elements are taken in an order that has the first axis innermost."""
    if order not in ("C", "F", "A", None):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return order == "F" or order == "A" and _views.is_columns_first(a) and \
        not _views.is_rows_first(a)


@covered()
def ravel(a, order="C"):
    a = as_array(a)
    if order == "K":  # as they lie in memory
        steps = [abs(step) for step in a.strides]
        a = transpose(a, sorted(range(a.ndim), key=lambda axis: -steps[axis]))
        order = "C"
    if _is_by_columns(a, order):
        a = transpose(a)
    # A row of elements that do not lie behind each other is a copy.
    return _indexing.reshape(a if _views.is_rows_first(a) else a.copy(), (-1,))


@covered()
def transpose(a, axes=None):
    a = as_array(a)
    if axes is None:
        order = tuple(reversed(range(a.ndim)))
    else:
        order = tuple(axes) if isinstance(axes, (tuple, list)) or numpy.ndim(axes) else (axes,)
        if len(order) != a.ndim:
            raise ValueError("axes don't match array")
        order = tuple(_one_axis(axis, a.ndim) for axis in order)
        if len(set(order)) < len(order):
            raise ValueError("repeated axis in transpose")
    return a._seen(_views.transpose(a._own_view, order))


permute_dims = transpose


@covered()
def matrix_transpose(x, /):
    return as_array(x).mT


def _one_axis(axis, rank: int) -> int:
    return axes_of(operator.index(axis), rank)[0]


@covered()
def swapaxes(a, axis1, axis2):
    a = as_array(a)
    order = list(range(a.ndim))
    i, j = _one_axis(axis1, a.ndim), _one_axis(axis2, a.ndim)
    order[i], order[j] = j, i
    return transpose(a, order)


@covered()
def moveaxis(a, source, destination):
    a = as_array(a)
    source = [_one_axis(axis, a.ndim) for axis in
              (source if isinstance(source, (tuple, list)) else (source,))]
    target = [_one_axis(axis, a.ndim) for axis in
              (destination if isinstance(destination, (tuple, list)) else (destination,))]
    if len(source) != len(target):
        raise ValueError("`source` and `destination` arguments must have the same number of "
                         "elements")
    order = [axis for axis in range(a.ndim) if axis not in source]
    for to, axis in sorted(zip(target, source)):
        order.insert(to, axis)
    return transpose(a, order)


@covered()
def squeeze(a, axis=None):
    a = as_array(a)
    if axis is None:
        gone = tuple(k for k, size in enumerate(a.shape) if size == 1)
    else:
        gone = axes_of(axis, a.ndim)
        if builtins.any(a.shape[k] != 1 for k in gone):
            raise ValueError("cannot select an axis to squeeze out which has size not equal "
                             "to one")
    return a._seen(_views.squeeze(a._own_view, gone))


@covered()
def expand_dims(a, axis):
    a = as_array(a)
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    places = axes_of(axis, a.ndim + count)
    rest = iter((slice(None),) * a.ndim)
    return a[tuple(None if k in places else next(rest) for k in range(a.ndim + count))]


@covered()
def broadcast_to(array, shape, subok=False):
    # One element is many.
    return _memory.lock(_spread(as_array(array), _shape(shape)))


def _spread(a, shape: tuple):
    """An array whose elements are repeated to a shape."""
    return a._seen(_views.broadcast(a._own_view, shape))


@covered()
def broadcast_arrays(*args, subok=False):
    arrays = [as_array(a) for a in args]
    shape = numpy.broadcast_shapes(*[a.shape for a in arrays])
    return [a if a.shape == shape else broadcast_to(a, shape) for a in arrays]


@covered()
def diagonal(a, offset=0, axis1=0, axis2=1):
    return _memory.lock(_diagonal(as_array(a), offset, axis1, axis2))


def _diagonal(a, offset=0, axis1=0, axis2=1):
    """A diagonal that can be written."""
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = _one_axis(axis1, a.ndim), _one_axis(axis2, a.ndim)
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    return a._seen(_views.diagonal(a._own_view, offset, first, second))


@covered()
def diag(v, k=0):
    v = as_array(v)
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    size = v.shape[0] + abs(k)
    made = zeros((size, size), v.dtype)
    _diagonal(made, k)._write(v)
    return made


@covered()
def flip(m, axis=None):
    m = as_array(m)
    axes = axes_of(axis, m.ndim)
    return m[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(m.ndim))]


@covered()
def rot90(m, k=1, axes=(0, 1)):
    m = as_array(m)
    first, second = (_one_axis(axis, m.ndim) for axis in axes)
    if first == second:
        raise ValueError("Axes must be different.")
    k %= 4
    if not k:
        return m[:]
    if k == 2:
        return flip(m, (first, second))
    return swapaxes(flip(m, second), first, second) if k == 1 else \
        flip(swapaxes(m, first, second), second)


@covered()
def rollaxis(a, axis, start=0):
    a = as_array(a)
    axis = _one_axis(axis, a.ndim)
    start = _one_axis(start, a.ndim + 1) if start < 0 else start
    if not 0 <= start <= a.ndim:
        raise axis_error(start, a.ndim + 1)
    order = [k for k in range(a.ndim) if k != axis]
    order.insert(start - (axis < start), axis)
    return transpose(a, order)


def fliplr(m):
    return flip(m, 1)


def flipud(m):
    return flip(m, 0)


@covered()
def atleast_1d(*arrays):
    found = [a if a.ndim else a.reshape(1) for a in map(as_array, arrays)]
    return found[0] if len(found) == 1 else tuple(found)


@covered()
def atleast_2d(*arrays):
    found = [a if a.ndim > 1 else a.reshape(1, -1) for a in map(as_array, arrays)]
    return found[0] if len(found) == 1 else tuple(found)


@covered()
def atleast_3d(*arrays):
    def spread(a):
        a = a if a.ndim else a.reshape(1)
        return a if a.ndim > 2 else a[None, :, None] if a.ndim == 1 else a[:, :, None]
    found = [spread(as_array(a)) for a in arrays]
    return found[0] if len(found) == 1 else tuple(found)


# Arrays together.

@covered()
def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays = [as_array(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        arrays, axis = [a.reshape(-1) for a in arrays], 0
    rank = arrays[0].ndim
    if not rank:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = _one_axis(axis, rank)
    shape = arrays[0].shape
    for a in arrays:
        if a.ndim != rank or a.shape[:axis] + a.shape[axis + 1:] != \
                shape[:axis] + shape[axis + 1:]:
            raise ValueError("all the input array dimensions except for the concatenation axis "
                             "must match exactly")
    met = numpy.dtype(dtype) if dtype is not None else _dtypes.promote(*[a.dtype for a in arrays])
    if not _dtypes.is_known(met) or len(arrays) > 32:
        raise NotCovered("so many arrays, or such elements")
    shape = shape[:axis] + (builtins.sum(a.shape[axis] for a in arrays),) + shape[axis + 1:]
    arrays = [a.astype(met, copy=False) for a in arrays if a.size]
    if not arrays:
        made = ndarray.of(_graph.leaf(numpy.empty(shape, met)))
    elif len(arrays) == 1:
        made = arrays[0].copy()
    else:
        parts = tuple((_graph.dense(*_graph.settle(a._base.node, a._own_view)), None)
                      for a in arrays)
        made = ndarray.of(_graph.record("concat", parts, shape, met, axis))
    return put_out(out, made, "concatenate")


concat = concatenate


@covered()
def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays = [as_array(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to stack")
    if len({a.shape for a in arrays}) > 1:
        raise ValueError("all input arrays must have the same shape")
    axis = _one_axis(axis, arrays[0].ndim + 1)
    return concatenate([expand_dims(a, axis) for a in arrays], axis, out, dtype=dtype)


@covered()
def vstack(tup, *, dtype=None, casting="same_kind"):
    return concatenate([atleast_2d(a) for a in tup], 0, dtype=dtype)


@covered()
def hstack(tup, *, dtype=None, casting="same_kind"):
    arrays = [atleast_1d(a) for a in tup]
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype)


@covered()
def append(arr, values, axis=None):
    return concatenate([arr, values], axis)


@covered()
def roll(a, shift, axis=None):
    a = as_array(a)
    if 0 < a.nbytes <= 8 * _graph.recorder.eager:  # of few bytes, though many elements
        return wrap(numpy.roll(a._now(), shift, axis))
    if axis is None:
        return roll(a.reshape(-1), shift, 0).reshape(a.shape)
    shifts, axes = numpy.broadcast_arrays(numpy.asarray(shift), numpy.asarray(axis))
    moves: dict[int, int] = {}
    for by, at in zip(shifts.ravel().tolist(), axes.ravel().tolist()):
        at = _one_axis(at, a.ndim)
        moves[at] = (moves.get(at, 0) + by) % a.shape[at] if a.shape[at] else 0
    return _rolled(a, [(at, by) for at, by in sorted(moves.items()) if by])


def _rolled(a, moves: list):
    """The elements moved along axes: parts of `a` itself, which a program puts together."""
    if not moves:
        return a.copy()
    (axis, by), *rest = moves
    lead = (slice(None),) * axis
    parts = a[lead + (slice(-by, None),)], a[lead + (slice(None, -by),)]
    return concatenate([_rolled(part, rest) if rest else part for part in parts], axis)


@covered()
def repeat(a, repeats, axis=None):
    a = as_array(a)
    if not isinstance(repeats, (int, numpy.integer)):
        raise NotCovered("repeat with counts of each element")
    repeats = operator.index(repeats)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _one_axis(axis, a.ndim)
    shape = a.shape[:axis + 1] + (repeats,) + a.shape[axis + 1:]
    wide = _spread(expand_dims(a, axis + 1), shape)
    return wide.reshape(a.shape[:axis] + (a.shape[axis] * repeats,) + a.shape[axis + 1:])


@covered()
def tile(A, reps):
    a = as_array(A)
    reps = _shape(reps)
    rank = builtins.max(a.ndim, len(reps))
    if 2 * rank > 8:
        raise NotCovered("tiles of more than 4 dimensions")
    reps = (1,) * (rank - len(reps)) + reps
    sizes = (1,) * (rank - a.ndim) + a.shape
    a = a.reshape(tuple(size for pair in sizes for size in (1, pair)))
    wide = _spread(a, tuple(size for pair in zip(reps, sizes) for size in pair))
    return wide.reshape(tuple(r * size for r, size in zip(reps, sizes))).copy()


def _sections(a, indices, axis: int) -> list:
    size = a.shape[axis]
    if isinstance(indices, (int, numpy.integer)):
        indices = operator.index(indices)
        if indices <= 0:
            raise ValueError("number sections must be larger than 0.")
        base, extra = divmod(size, indices)
        ends, at = [], 0
        for k in range(indices):
            at += base + (k < extra)
            ends.append(at)
        ends = ends[:-1]
    else:
        ends = [operator.index(item) for item in indices]
    lead = (slice(None),) * axis
    return [a[lead + (slice(lo, hi),)] for lo, hi in zip([0] + ends, ends + [size])]


@covered()
def array_split(ary, indices_or_sections, axis=0):
    a = as_array(ary)
    return _sections(a, indices_or_sections, _one_axis(axis, a.ndim))


@covered()
def split(ary, indices_or_sections, axis=0):
    a = as_array(ary)
    axis = _one_axis(axis, a.ndim)
    if isinstance(indices_or_sections, (int, numpy.integer)) and \
            indices_or_sections > 0 and a.shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return _sections(a, indices_or_sections, axis)


def _splitting(name: str, least: int, axis_of):
    @covered(name=name)
    def function(ary, indices_or_sections):
        a = as_array(ary)
        if a.ndim < least:
            raise ValueError(f"{name} only works on arrays of {least} or more dimensions")
        return split(a, indices_or_sections, axis_of(a.ndim))
    function.__name__ = name
    return function


hsplit = _splitting("hsplit", 1, lambda rank: int(rank > 1))
vsplit = _splitting("vsplit", 2, lambda rank: 0)
dsplit = _splitting("dsplit", 3, lambda rank: 2)


@covered()
def unstack(x, /, *, axis=0):
    return tuple(moveaxis(as_array(x), axis, 0))


# Elements by conditions and indices, in order.

@covered()
def where(condition, x=None, y=None, /):
    if x is None and y is None:
        from ._filters import nonzero
        return nonzero(condition)
    return select(condition, x, y)


@covered()
def take(a, indices, axis=None, out=None, mode="raise"):
    if mode != "raise" or out is not None:
        raise NotCovered("take with mode= or out=")
    a = as_array(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    return a[(slice(None),) * _one_axis(axis, a.ndim) + (as_array(indices),)]


@covered()
def take_along_axis(arr, indices, axis=-1):
    a, indices = as_array(arr), as_array(indices)
    axis = _one_axis(axis, a.ndim)
    key = []
    for k in range(a.ndim):
        if k == axis:
            key.append(indices)
        else:
            key.append(arange(a.shape[k]).reshape(
                tuple(-1 if at == k else 1 for at in range(a.ndim))))
    return a[tuple(key)]


def _ordered(a, axis, gives_indices: bool):
    a = as_array(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _one_axis(axis, a.ndim)
    if a.dtype.kind == "c":
        raise NotCovered("order of complex numbers")
    if not a.size:
        return ndarray.of(_graph.leaf(numpy.empty(a.shape, INT if gives_indices else a.dtype)))
    if gives_indices and a.dtype.kind == "f":
        a = a + a.dtype.type(0)  # zeros of both signs are equal, and stay in order
    source = _graph.dense(*_graph.settle(a._base.node, a._own_view))
    return ndarray.of(_graph.record("sort", ((source, None),), a.shape,
                                    INT if gives_indices else a.dtype, (axis, gives_indices)))


@covered()
def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    found = _ordered(a, axis, False)
    return flip(found, -1 if axis is None else axis).copy() if descending else found


@covered()
def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    if descending:
        raise NotCovered("argsort from the largest")
    return _ordered(a, axis, True)


@covered()
def clip(a, min=None, max=None, out=None, *, a_min=None, a_max=None, **rest):
    if rest:
        raise NotCovered("clip with options of ufuncs")
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    made = as_array(a)
    if made.dtype.kind in "iu":  # numbers beyond the type's bound nothing
        info = numpy.iinfo(made.dtype)
        low = None if type(low) is int and low <= info.min else low
        high = None if type(high) is int and high >= info.max else high
    if low is not None:
        made = ufunc_call(numpy.maximum, (made, low))
    if high is not None:
        made = ufunc_call(numpy.minimum, (made, high))
    if low is None and high is None:
        made = made.copy()
    return put_out(out, made, "clip", spreads=True)


@covered()
def round(a, decimals=0, out=None):
    a = as_array(a)
    if a.dtype.kind not in "fiu" or decimals and a.dtype.kind in "iu" and decimals < 0:
        raise NotCovered(f"round of {a.dtype}")
    if a.dtype.kind in "iu":
        made = a.copy()
    elif decimals == 0:
        made = ufunc_call(numpy.rint, (a,))
    elif decimals > 0:
        made = ufunc_call(numpy.rint, (a * 10.0 ** decimals,)) / 10.0 ** decimals
    else:
        made = ufunc_call(numpy.rint, (a / 10.0 ** -decimals,)) * 10.0 ** -decimals
    return put_out(out, made, "round", spreads=True)


around = round


@covered()
def diff(a, n=1, axis=-1, prepend=None, append=None):
    a = as_array(a)
    if prepend is not None or append is not None:
        raise NotCovered("diff with prepend= or append=")
    lead = (slice(None),) * _one_axis(axis, a.ndim)
    for _ in range(n):
        first, second = a[lead + (slice(1, None),)], a[lead + (slice(None, -1),)]
        a = first != second if a.dtype.kind == "b" else first - second
    return a


@covered()
def real(val):
    return as_array(val).real


@covered()
def imag(val):
    return as_array(val).imag


@covered()
def astype(x, dtype, /, *, copy=True, device=None):
    return as_array(x).astype(dtype, copy=copy)


@covered()
def copyto(dst, src, casting="same_kind", where=True):
    if type(dst) is not ndarray:
        return numpy.copyto(dst, _numpys(src), casting, _numpys(where))
    given = src.dtype if type(src) is ndarray else numpy.asarray(src).dtype
    is_weak = type(src) is int and casting == "same_kind" and dst.dtype.kind != "b"
    if not is_weak and not numpy.can_cast(given, dst.dtype, casting):
        raise TypeError(f"Cannot cast array data from {given!r} to {dst.dtype!r} according to "
                        f"the rule '{casting}'")
    dst._write(src if where is True else select(where, src, dst))


@covered()
def array_equal(a1, a2, equal_nan=False):
    a, b = as_array(a1), as_array(a2)
    if a.shape != b.shape:
        return False
    same = a == b
    return bool((same | _both_nan(a, b) if equal_nan else same).all())


def _both_nan(a, b):
    return ufunc_call(numpy.isnan, (a,)) & ufunc_call(numpy.isnan, (b,))


@covered()
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = as_array(a), as_array(b)
    b = b if b.dtype.kind in "fc" else b.astype(FLOAT)
    near = ufunc_call(numpy.less_equal, (abs(a - b), atol + rtol * abs(b)))
    near = (near & ufunc_call(numpy.isfinite, (b,))) | (a == b)
    return near | _both_nan(a, b) if equal_nan else near


@covered()
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


@covered()
def shape(a):
    return as_array(a).shape


@covered()
def ndim(a):
    return as_array(a).ndim


@covered()
def size(a, axis=None):
    a = as_array(a)
    return a.size if axis is None else a.shape[axis]


@covered()
def iscomplexobj(x):
    return as_array(x).dtype.kind == "c"


def isscalar(element):
    """Whether NumPy would say so of what it would give."""
    if type(element) is ndarray:
        return element._held is None and bool(element.is_scalar)
    return numpy.isscalar(element)


def _numpys(value):
    return value.numpy() if type(value) is ndarray else numpy.asarray(value)


def may_share_memory(a, b, max_work=None):
    if type(a) is not ndarray or type(b) is not ndarray:
        return False
    if a._held is None and b._held is None:
        return a._base is b._base
    return a._held is not None and b._held is not None and \
        numpy.may_share_memory(a._held, b._held)


shares_memory = may_share_memory


def from_dlpack(x, /, *, device=None, copy=None):
    return wrap(numpy.array(numpy.from_dlpack(x)))


def fill_diagonal(a, val, wrap=False):
    if a.ndim != 2 or wrap:
        return call("fill_diagonal", numpy.fill_diagonal, (a, val, wrap), {})
    _diagonal(a)._write(val)
