"""How often: what is counted, or added up, by an index or by bounds."""

from __future__ import annotations

import functools
import operator

import numpy

from . import _fallback, _graph, _memory
from ._array import ndarray, wrap
from ._dtypes import FLOAT, INT
from ._elementwise import NotCovered, select, ufunc_call
from ._fallback import covered
from ._reductions import as_array
from ._searching import element, whole


#: Counts that are made by programs.
_MOST = 1 << 32
#: Elements that NumPy counts in the time that a few programs take to be called.
LITTLE = 1 << 17


def hist(name: str, index: ndarray, values, size: int, dtype=INT) -> ndarray:
    """Folds of the values that have one index, for each up to a size; others are left out."""
    operands = (element(index),) if values is None else (element(index), element(values))
    return ndarray.of(_graph.record("library", operands, (size,), dtype, ("hist", name),
                                    loop=index.shape))


def ends(x: ndarray) -> tuple[int, int]:
    """The least and the largest of integers."""
    low, high = x.min(), x.max()
    return int(low), int(high)


@covered()
def bincount(x, /, weights=None, minlength=0):
    x = as_array(x)
    if x.ndim != 1 or x.dtype.kind not in "iub" or x.dtype == "uint64" or not x.size or \
            not isinstance(minlength, (int, numpy.integer)) or minlength < 0:
        raise NotCovered("bincount of nothing, or of other than integers")
    if weights is not None:
        weights = as_array(weights)
        if weights.shape != x.shape or weights.dtype.kind == "c":
            raise NotCovered("bincount with such weights")
    if _graph.recorder.eager and x.size < LITTLE:
        given = () if weights is None else (weights._now(),)
        return wrap(numpy.bincount(x._now(), *given, minlength=minlength))
    low, high = ends(x)
    if low < 0 or high == numpy.iinfo(INT).max:  # the largest would be one too many for a size
        raise ValueError("'list' argument must have no negative elements")
    size = max(high + 1, operator.index(minlength))
    if size > _MOST:
        raise NotCovered("bincount of so large integers")
    return hist("add", x, weights, size, INT if weights is None else FLOAT)


def _edges(x: ndarray, bins, reach) -> numpy.ndarray:
    """The bounds of bins; the errors are NumPy's."""
    if not isinstance(bins, (int, numpy.integer)):
        edges = numpy.asarray(_fallback.down(bins))
        if edges.ndim != 1 or edges.size < 2 or edges.dtype.kind not in "iuf" or \
                not (edges[1:] >= edges[:-1]).all():
            raise NotCovered("histogram with such bins")
        return edges
    if reach is None:
        reach = x.min(), x.max()
    reach = tuple(numpy.asarray(_fallback.down(end))[()] for end in reach)
    if x.dtype.kind in "iu":  # as numbers whose differences do not wrap
        reach = tuple(end.item() for end in reach)
    return numpy.histogram_bin_edges(numpy.empty(0, x.dtype), operator.index(bins), reach)


def _factor(edges: numpy.ndarray) -> numpy.float64:
    """By what a distance from the first of even bounds is multiplied to be a place."""
    return numpy.float64((edges.size - 1) / (float(edges[-1]) - float(edges[0])))


@covered()
def histogram(a, bins=10, range=None, density=None, weights=None):
    x = as_array(a)
    if not x.size or x.dtype.kind not in "iuf" or x.dtype == numpy.float16 or \
            isinstance(bins, str):
        raise NotCovered("histogram of such elements, or with bins by a rule")
    kind = INT
    if weights is not None:
        weights = as_array(weights)
        if weights.shape != x.shape or weights.dtype.kind not in "iuf":
            raise NotCovered("histogram with such weights")
        kind, weights = weights.dtype, weights.reshape(-1)
    edges = _edges(x, bins, range)
    is_even = isinstance(bins, (int, numpy.integer))
    numbers = ()
    if is_even:
        numbers = (_factor(edges),)
    x = x.reshape(-1)
    operands = (element(x), whole(as_array(edges))) + (
        () if weights is None else (element(weights),))
    made = ndarray.of(_graph.record(
        "library", operands, (edges.size - 1,), INT if weights is None else FLOAT,
        ("histogram", is_even), numbers, loop=x.shape))
    made = made.astype(kind, copy=False)
    if density:
        made = made / numpy.diff(edges).astype(float) / made.sum()
    return made, bins if type(bins) is ndarray else as_array(edges)


def _ways(bins) -> list:
    """Of two axes: how many bins each has, or their bounds."""
    if isinstance(bins, (int, numpy.integer)):
        return [bins, bins]
    if isinstance(bins, (list, tuple)) and len(bins) == 2:
        return [way if isinstance(way, (int, numpy.integer)) else numpy.asarray(
            _fallback.down(way)) for way in bins]
    edges = numpy.asarray(_fallback.down(bins))
    if edges.ndim != 1 or edges.size < 3:
        raise NotCovered("histogram2d with such bins")
    return [edges, edges]


def _place(x: ndarray, edges: numpy.ndarray, is_even: bool) -> ndarray:
    """Where elements lie between bounds; -1 beyond them."""
    numbers = (_factor(edges),) if is_even else ()
    return ndarray.of(_graph.record("library", (element(x), whole(as_array(edges))), x.shape, INT,
                                    ("bins", is_even), numbers))


@covered()
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    rows, ways = [as_array(x), as_array(y)], _ways(bins)
    if any(row.ndim != 1 or row.shape != rows[0].shape or row.dtype.kind not in "iuf" or
           row.dtype == numpy.float16 for row in rows) or not rows[0].size:
        raise NotCovered("histogram2d of such elements")
    if weights is not None:
        weights = as_array(weights)
        if weights.shape != rows[0].shape or weights.dtype.kind not in "iufb":
            raise NotCovered("histogram2d with such weights")
    reach = [None, None] if range is None else [
        None if ends is None else [float(end) for end in ends] for ends in range]
    reach = [[float(row.min()), float(row.max())] if ends is None and not hasattr(
        way, "shape") else ends for row, way, ends in zip(rows, ways, reach)]
    edges = numpy.histogramdd(numpy.empty((0, 2)), ways, reach)[1]
    first, second = (_place(row, bounds, not isinstance(way, numpy.ndarray))
                     for row, bounds, way in zip(rows, edges, ways))
    shape = edges[0].size - 1, edges[1].size - 1
    inside = ufunc_call(numpy.logical_and, (first >= 0, second >= 0))
    index = select(inside, first * shape[1] + second, -1)
    made = hist("add", index, weights, shape[0] * shape[1], INT if weights is None else FLOAT)
    made = made.astype(FLOAT).reshape(shape)
    if density:
        total = made.sum()
        made = made / numpy.diff(edges[0])[:, None] / numpy.diff(edges[1])[None, :] / total
    return (made, *map(as_array, edges))


# What is added at indices.

def _index_of(indices, shape: tuple):
    """Where in a row the elements at indices stand; None where no program finds that."""
    given = indices if type(indices) is tuple else (indices,)
    if len(given) != len(shape) or any(
            type(one) is not ndarray or one.dtype.kind not in "iu" or one.dtype == "uint64" or
            one.shape != given[0].shape for one in given) or not given[0].size:
        return None
    found = None
    for axis, (one, size) in enumerate(zip(given, shape)):
        low, high = ends(one)
        if low < -size or high >= size:
            raise IndexError(f"index {low if low < -size else high} is out of bounds for axis "
                             f"{axis} with size {size}")
        one = one.astype(INT, copy=False)
        one = select(one < 0, one + size, one) if low < 0 else one
        found = one if found is None else found * size + one
    return found


def _at(function: numpy.ufunc, array, indices, values) -> bool:
    """`add.at` by a fold of what has one index; whether that pays."""
    first = indices[0] if type(indices) is tuple and indices else indices
    if type(first) is not ndarray or array.dtype.kind not in "iuf" or \
            array.dtype == numpy.float16 or first.size < array.size // 8 or \
            first.size <= _graph.recorder.eager or not array.size:
        return False
    values = as_array(values)
    if not numpy.can_cast(values.dtype, array.dtype, "same_kind") or \
            values.dtype.kind == "f" and array.dtype.kind != "f":
        return False
    index = _index_of(indices, array.shape)
    if index is None:
        return False
    if values.shape != index.shape:
        from ._functions import broadcast_to
        values = broadcast_to(values, index.shape)
    made = hist("add", index, values, array.size, array.dtype).reshape(array.shape)
    array._write(ufunc_call(function, (array, made)))
    return True


def at(function: numpy.ufunc, array, indices, *values):
    """`ufunc.at`: in the memory of the array, where no program does it."""
    if type(array) is not ndarray:
        return function.at(array, _fallback.down(indices), *map(_fallback.down, values))
    if function in (numpy.add, numpy.subtract) and len(values) == 1 and \
            _at(function, array, indices, values[0]):
        return None
    given = [_fallback.mapped(value, lambda one: one._now() if type(one) is ndarray else one)
             for value in (indices, *values)]
    if not array.flags.writeable:
        raise ValueError("assignment destination is read-only")
    if array._held is None and not _memory.hold(array):
        _fallback.note(f"{function.__name__}.at")
        changed = numpy.array(array.numpy())
        function.at(changed, *given)
        array._write(changed)
        return None
    return function.at(array._held, *given)


# What is written at indices, or where something is true.

def _writer(name: str):
    function = getattr(numpy, name)

    def written(a, *args, **kwargs):
        if type(a) is not ndarray or not a.flags.writeable:
            return _fallback.call(name, function, (a, *args), kwargs)
        if a._held is None and not _memory.hold(a):
            _memory.memory_of(a)
        given = _fallback.mapped((args, kwargs), lambda one: one._now() if type(
            one) is ndarray else _fallback.array_in(one))
        return function(a._held, *given[0], **given[1])
    return functools.update_wrapper(written, function)


put, putmask, place = map(_writer, ("put", "putmask", "place"))
