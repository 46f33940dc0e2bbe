"""Medians and quantiles, and how rows vary together."""

from __future__ import annotations

import functools
import math
import time

import numpy

from . import _fallback, _graph, _written
from ._array import ndarray, wrap
from ._dtypes import FLOAT
from ._elementwise import NotCovered, select, ufunc_call
from ._fallback import covered
from ._functions import _one_axis, concatenate, sort
from ._products import dot
from ._reductions import as_array, fold

_NONE = numpy._NoValue
#: Parts that elements are counted in, and how many of them are looked at.
_PARTS, _MOST = 4096, 8
#: Rows of so many elements are sorted.
_SHORT = 32
#: Rows whose products are added up without a product of matrices.
_FEW = 4
_NAMES = ("ends", "spread", "part")


def _ranked(row: numpy.ndarray, ranks: numpy.ndarray) -> numpy.ndarray:
    """The elements that stand at places in the order; none of them if one is no number."""
    programs = _written.ready(_NAMES, row.dtype, row.size)
    found = None if programs is None else _by_parts(row, ranks, *programs)
    if found is not None:
        return found
    start = time.perf_counter()
    made = numpy.partition(row, [*ranks, row.size - 1])
    if programs is None:
        _written.spend(_NAMES, row.dtype, time.perf_counter() - start)
    if row.dtype.kind == "f" and numpy.isnan(made[-1]):
        return numpy.full(ranks.shape, numpy.nan, row.dtype)
    return made[ranks]


def _by_parts(row: numpy.ndarray, ranks: numpy.ndarray, ends, spread, part):
    """Likewise: elements are counted in parts, and those of the parts with the places sorted."""
    low, high = (float(end) for end in ends([row]))
    with numpy.errstate(all="ignore"):
        factor = float(numpy.float64(_PARTS) / (high - low))
    if not math.isfinite(low) or not math.isfinite(high) or not math.isfinite(factor) or \
            not factor:
        return None
    counts = spread([_PARTS, row, low, factor])[0]
    behind = numpy.cumsum(counts)
    places = numpy.searchsorted(behind, ranks, "right")
    looked = numpy.unique(places)
    if looked.size > _MOST:
        return None
    made = numpy.empty(ranks.shape, row.dtype)
    for k in looked.tolist():
        inner = numpy.asarray(part([_PARTS, k, row, low, factor])[0])
        here = places == k
        at = ranks[here] - (behind[k] - inner.size)
        made[here] = numpy.partition(inner, at)[at]
    return made


def _lanes(a, axis) -> tuple:
    """An array and an axis of it, short enough to be sorted, or None for all."""
    a = as_array(a)
    if a.dtype.kind not in "iuf" or a.dtype == numpy.float16 or not a.size or not a.ndim:
        raise NotCovered("the order of such elements, or of none")
    if axis is None or a.ndim == 1 and axis in (0, -1):
        return a, None
    if not isinstance(axis, (int, numpy.integer)):
        raise NotCovered("the order along several axes")
    axis = _one_axis(axis, a.ndim)
    if a.shape[axis] > (_SHORT if axis == a.ndim - 1 else _SHORT // 2):
        raise NotCovered("the order along a long axis")
    return a, axis


def _at(ordered, axis: int, place: int):
    return ordered[(slice(None),) * axis + (int(place),)]


def _kept(made, a, axis, keepdims: bool, lead: tuple = ()):
    """A result, with axes of size 1 if they are kept."""
    if not keepdims:
        return made
    inner = tuple(1 if axis is None or k == axis else size for k, size in enumerate(a.shape))
    return as_array(made).reshape(lead + inner)


def _without_nan(made, ordered, axis: int):
    """What is no number where a lane has such an element, which is last then."""
    if ordered.dtype.kind != "f":
        return made
    last = _at(ordered, axis, -1)
    return select(ufunc_call(numpy.isnan, (last,)), made.dtype.type(numpy.nan), made)


@covered()
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a, axis = _lanes(a, axis)
    if out is not None:
        raise NotCovered("median with out=")
    if axis is None:
        size = a.size
        places = numpy.array([(size - 1) // 2, size // 2])
        with numpy.errstate(all="ignore"):
            made = numpy.mean(_ranked(a.reshape(-1)._now(), places))
        return _kept(made, a, axis, keepdims)
    ordered, size = sort(a, axis), a.shape[axis]
    low, high = _at(ordered, axis, (size - 1) // 2), _at(ordered, axis, size // 2)
    kind = FLOAT if a.dtype.kind in "iu" else a.dtype
    low, high = low.astype(kind, copy=False), high.astype(kind, copy=False)
    made = low if size % 2 else (low + high) / 2
    return _kept(_without_nan(made, ordered, axis), a, axis, keepdims)


@functools.cache
def _type(dtype: numpy.dtype, is_one: bool) -> numpy.dtype:
    """The type of quantiles."""
    return numpy.quantile(numpy.zeros(2, dtype), 0.5 if is_one else [0.5]).dtype


def _quantiles(a, q, axis, keepdims: bool):
    """Elements between those of the order at shares of it."""
    a, axis = _lanes(a, axis)
    shares = numpy.asarray(_fallback.down(q))
    if shares.dtype.kind != "f" or shares.ndim > 1 or not shares.size or \
            not ((shares >= 0) & (shares <= 1)).all():
        raise NotCovered("such shares")
    size = a.size if axis is None else a.shape[axis]
    at = shares.astype(FLOAT).reshape(-1) * (size - 1)
    low = numpy.floor(at).astype(int)
    high, weights = numpy.minimum(low + 1, size - 1), at - low
    kind = _type(a.dtype, not shares.ndim)
    if axis is None:
        ranks, where_to = numpy.unique(numpy.concatenate([low, high]), return_inverse=True)
        found = _ranked(a.reshape(-1)._now(), ranks)[where_to]
        first, second = found[:low.size], found[low.size:]
        with numpy.errstate(all="ignore"):
            apart = second - first
            made = numpy.where(weights >= 0.5, second - apart * (1 - weights),
                               first + apart * weights).astype(kind)
        made = made.reshape(shares.shape)
        return _kept(wrap(made) if made.ndim else made[()], a, axis, keepdims, shares.shape)
    ordered = sort(a, axis)
    parts = []
    for lower, upper, weight in zip(low, high, weights.tolist()):
        first, second = _at(ordered, axis, lower), _at(ordered, axis, upper)
        apart = (second - first).astype(FLOAT)
        made = second - apart * (1 - weight) if weight >= 0.5 else first + apart * weight
        made = _without_nan(made, ordered, axis).astype(kind, copy=False)
        parts.append(_kept(made, a, axis, keepdims))
    if not shares.ndim:
        return parts[0]
    return concatenate([part[None] for part in parts])


@covered()
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
             *, weights=None, interpolation=None):
    if out is not None or method != "linear" or weights is not None or interpolation is not None:
        raise NotCovered("quantile by another method, or with weights or out=")
    return _quantiles(a, q, axis, keepdims)


@covered()
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
               *, weights=None, interpolation=None):
    if out is not None or method != "linear" or weights is not None or interpolation is not None:
        raise NotCovered("percentile by another method, or with weights or out=")
    shares = numpy.true_divide(numpy.asarray(_fallback.down(q)), 100)
    return _quantiles(a, shares, axis, keepdims)


# Of what is a number.

def _numbers(a, axis):
    """The elements that are numbers, if all are taken together."""
    a = as_array(a)
    if axis is not None and (a.ndim != 1 or axis not in (0, -1)) or a.dtype.kind not in "iuf":
        raise NotCovered("the order of numbers along an axis")
    return a[a == a] if a.dtype.kind == "f" else a


@covered()
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=_NONE):
    if out is not None or keepdims is not _NONE:
        raise NotCovered("nanmedian with out= or keepdims=")
    return median(_numbers(a, axis))


@covered()
def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear",
                  keepdims=_NONE, *, weights=None, interpolation=None):
    if keepdims is not _NONE:
        raise NotCovered("nanpercentile with keepdims=")
    return percentile(_numbers(a, axis), q, None, out, method=method, weights=weights,
                      interpolation=interpolation)


@covered()
def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear",
                keepdims=_NONE, *, weights=None, interpolation=None):
    if keepdims is not _NONE:
        raise NotCovered("nanquantile with keepdims=")
    return quantile(_numbers(a, axis), q, None, out, method=method, weights=weights,
                    interpolation=interpolation)


# Rows together.

def _variables(m, rowvar: bool, dtype) -> ndarray:
    m = as_array(m)
    if m.ndim > 2 or not m.size:
        raise NotCovered("cov of more dimensions, or of nothing")
    kind = numpy.dtype(dtype) if dtype is not None else numpy.promote_types(m.dtype, FLOAT)
    m = m.reshape((1,) * (2 - m.ndim) + m.shape).astype(kind, copy=False)
    return m.T if not rowvar and m.shape[0] != 1 else m


@covered()
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *,
        dtype=None):
    if fweights is not None or aweights is not None:
        raise NotCovered("cov with weights")
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    if y is not None and dtype is None:
        dtype = numpy.result_type(as_array(m).dtype, as_array(y).dtype, FLOAT)
    rows = _variables(m, rowvar, dtype)
    if y is not None:
        rows = concatenate([rows, _variables(y, rowvar, dtype)])
    ddof = int(not bias) if ddof is None else ddof
    free = rows.shape[1] - ddof
    if free <= 0 or rows.dtype.kind == "c":
        raise NotCovered("cov of so few, or of complex numbers")
    apart = rows - fold("add", rows, 1, None, None, True) / rows.shape[1]
    if _graph.recorder.eager and rows.shape[0] <= _FEW and rows.shape[1] > _graph.recorder.eager:
        made = _sums_of_products([apart[k] for k in range(rows.shape[0])])
    else:
        made = dot(apart, apart.T)
    return (made * float(numpy.true_divide(1, free))).squeeze()


def _sums_of_products(rows: list) -> ndarray:
    """Of each two of a few rows, all in one program."""
    size = len(rows)
    sums = [fold("add", rows[i] * rows[j]) for i in range(size) for j in range(i + 1)]
    made = numpy.empty((size, size))
    made[numpy.tril_indices(size)] = [float(one) for one in sums]
    made.T[numpy.tril_indices(size)] = made[numpy.tril_indices(size)]
    return wrap(made)


@covered()
def corrcoef(x, y=None, rowvar=True, bias=None, ddof=None, *, dtype=None):
    if bias is not None or ddof is not None:
        raise NotCovered("corrcoef with bias= or ddof=")
    made = cov(x, y, rowvar, dtype=dtype)
    made = as_array(made)
    if not made.ndim:
        return made / made
    spread = ufunc_call(numpy.sqrt, (made.diagonal(),))
    made = made / spread[:, None] / spread[None, :]
    return ufunc_call(numpy.minimum, (ufunc_call(numpy.maximum, (made, -1)), 1))


