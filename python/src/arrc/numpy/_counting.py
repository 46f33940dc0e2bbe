"""How often: what is counted, or added up, by an index or by bounds."""

from __future__ import annotations

import operator

import numpy

from . import _fallback, _graph, _memory
from ._array import ndarray, wrap
from ._dtypes import FLOAT, INT
from ._elementwise import NotCovered
from ._fallback import covered
from ._reductions import as_array
from ._searching import element, whole


#: Counts that are made by programs.
_MOST = 1 << 32
#: Elements that NumPy counts in the time that a few programs take to be called.
_LITTLE = 1 << 17


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
    if _graph.recorder.eager and x.size < _LITTLE:
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
        numbers = (numpy.float64((edges.size - 1) / (float(edges[-1]) - float(edges[0]))),)
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


# What is added at indices.

def _at(array: ndarray, indices, values):
    """`add.at` by a fold of what has one index; nothing if that does not pay."""
    if type(indices) is not ndarray or array.ndim != 1 or indices.dtype.kind not in "iu" or \
            array.dtype.kind not in "iuf" or array.dtype == numpy.float16 or \
            indices.size < array.size // 8 or indices.size <= _graph.recorder.eager or \
            not indices.size or indices.dtype == "uint64":
        return False
    values = as_array(values)
    if not numpy.can_cast(values.dtype, array.dtype, "same_kind") or \
            values.dtype.kind == "f" and array.dtype.kind != "f":
        return False
    low, high = ends(indices)
    size = array.shape[0]
    if low < -size or high >= size:
        raise IndexError(f"index {low if low < -size else high} is out of bounds for axis 0 "
                         f"with size {size}")
    if low < 0:
        from ._elementwise import select
        indices = select(indices < 0, indices + size, indices).astype(INT)
    if values.shape != indices.shape:
        from ._functions import broadcast_to
        values = broadcast_to(values, indices.shape)
    array._write(array + hist("add", indices, values, size, array.dtype))
    return True


def at(function: numpy.ufunc, array, indices, *values):
    """`ufunc.at`: in the memory of the array, where no program does it."""
    if type(array) is not ndarray:
        return function.at(array, _fallback.down(indices), *map(_fallback.down, values))
    if function is numpy.add and len(values) == 1 and _at(array, indices, values[0]):
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
