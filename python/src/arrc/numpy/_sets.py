"""Arrays as sets: what is in them, how often, and what in both."""

from __future__ import annotations

import numpy

from . import _dtypes, _filters, _graph, _written
from ._array import _IS_WEAK, ndarray, wrap
from ._counting import LITTLE, ends, hist
from ._dtypes import INT
from ._elementwise import NotCovered, select, ufunc_call
from ._fallback import covered
from ._functions import append, argsort, arange, concatenate, sort
from ._reductions import as_array, fold
from ._searching import element, whole

#: How many times as many integers as elements are looked at one by one, and how many anyway.
_WIDE, _LEAST = 4, 1 << 16


def _begins(row: numpy.ndarray) -> numpy.ndarray:
    """Where in elements in order others begin; what is no number is one."""
    def by_numpy():
        found = numpy.empty(row.size, bool)
        found[:1] = True
        numpy.not_equal(row[1:], row[:-1], out=found[1:])
        return numpy.flatnonzero(found)
    return _written.run("changes", row.dtype, [row], row.size, by_numpy)


def _one_nan(row: numpy.ndarray, places: numpy.ndarray) -> numpy.ndarray:
    """The places where others begin, with one for all that is no number."""
    if row.dtype.kind == "f" and numpy.isnan(row[-1]):
        first = numpy.searchsorted(row, row.dtype.type(numpy.nan))
        return places[:numpy.searchsorted(places, first) + 1]
    return places


def _by_order(x: ndarray, wants_index: bool, wants_inverse: bool, equal_nan: bool) -> tuple:
    """What is different, where first, which of it each element is and how often it comes."""
    order = argsort(x)._now() if wants_index or wants_inverse else None
    row = sort(x)._now() if order is None else x._now()[order]
    places = _begins(row)
    if equal_nan:
        places = _one_nan(row, places)
    counts = numpy.diff(numpy.append(places, row.size))
    inverse = None
    if wants_inverse:
        inverse = numpy.empty(row.size, numpy.intp)
        inverse[order] = numpy.repeat(numpy.arange(places.size), counts)
    return row[places], order[places] if wants_index else None, inverse, counts


def _by_place(x: ndarray, low: int, size: int, wants_index: bool, wants_inverse: bool) -> tuple:
    """Likewise of integers that lie close, each of which has a place."""
    index = x.astype(INT) - low
    counts = hist("add", index, None, size)._now()
    places = _filters.places(counts)
    first = hist("min", index, arange(x.size), size)._now()[places] if wants_index else None
    inverse = None
    if wants_inverse:
        ranks = numpy.empty(size, numpy.intp)
        ranks[places] = numpy.arange(places.size)
        inverse = wrap(ranks)[index]._now()
    return (places + low).astype(x.dtype), first, inverse, counts[places]


def _different(x: ndarray, wants_index=False, wants_inverse=False, equal_nan=True) -> tuple:
    if x.dtype.kind == "b":
        made, *rest = _different(x.astype("u1"), wants_index, wants_inverse)
        return (made.astype(bool), *rest)
    if x.dtype.kind in "iu" and x.dtype != "uint64":
        low, high = ends(x)
        if high - low < max(_WIDE * x.size, _LEAST):
            return _by_place(x, low, high - low + 1, wants_index, wants_inverse)
    return _by_order(x, wants_index, wants_inverse, equal_nan)


def _row(x) -> ndarray:
    x = as_array(x).reshape(-1)
    if not x.size or x.dtype.kind == "c" or x.dtype == numpy.float16:
        raise NotCovered("sets of such elements, or of none")
    return x


def _unique(x: ndarray) -> ndarray:
    return wrap(_different(x)[0])


@covered()
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,
           equal_nan=True):
    if axis is not None:
        raise NotCovered("unique along an axis")
    given = as_array(ar)
    made, first, inverse, counts = _different(_row(given), return_index, return_inverse, equal_nan)
    found = [wrap(made)]
    if return_index:
        found.append(wrap(first))
    if return_inverse:
        found.append(wrap(inverse.reshape(given.shape) if _IS_WEAK else inverse))
    if return_counts:
        found.append(wrap(counts))
    return found[0] if len(found) == 1 else tuple(found)


@covered()
def union1d(ar1, ar2):
    return _unique(_row(concatenate([_row(ar1), _row(ar2)])))


@covered()
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if return_indices:
        raise NotCovered("intersect1d with return_indices=")
    rows = [_row(ar) if assume_unique else _unique(_row(ar)) for ar in (ar1, ar2)]
    both = sort(concatenate(rows))
    return both[:-1][both[1:] == both[:-1]]


@covered()
def setxor1d(ar1, ar2, assume_unique=False):
    rows = [_row(ar) if assume_unique else _unique(_row(ar)) for ar in (ar1, ar2)]
    both = sort(concatenate(rows))
    if both.size < 2:
        return both
    new = append(as_array(numpy.array([True])), both[1:] != both[:-1])
    return both[new & append(new[1:], as_array(numpy.array([True])))]


@covered()
def setdiff1d(ar1, ar2, assume_unique=False):
    row = _row(ar1) if assume_unique else _unique(_row(ar1))
    return row[_is_in(row, _row(ar2), True)]


def _is_in_table(x: ndarray, others: ndarray, invert: bool):
    """Likewise of integers: what lies between the others has a place; None if that is too wide."""
    low, high = ends(others)
    if high - low >= max(_WIDE * (x.size + others.size), _LEAST):
        return None
    if _graph.recorder.eager and x.size < LITTLE:
        return wrap(numpy.isin(x._now(), others._now(), invert=invert))
    table = numpy.full(high - low + 1, invert)
    table[others._now().astype(INT) - low] = not invert
    x = x.astype(INT, copy=False)
    inside = ufunc_call(numpy.logical_and, (x >= low, x <= high))
    found = wrap(table)[select(inside, x - low, 0)]
    return select(inside, found, invert)


def _is_in(x: ndarray, others: ndarray, invert: bool):
    """Which elements of an array are among those of a row."""
    if {x.dtype.kind, others.dtype.kind} <= set("iu") and "uint64" not in (x.dtype, others.dtype):
        found = _is_in_table(x, others, invert)
        if found is not None:
            return found
    kind = _dtypes.promote(x.dtype, others.dtype)
    compare = numpy.not_equal if invert else numpy.equal
    others = _different(others)[0]
    if others.size <= 16 and x.ndim < 8:
        found = ufunc_call(compare, (x[..., None], as_array(others)))
        return fold("logical_and" if invert else "logical_or", found, -1)
    row = as_array(others)
    place = ndarray.of(_graph.record("library", (whole(row), element(x)), x.shape, INT,
                                     ("search", kind, False)))
    return ufunc_call(compare, (row[ufunc_call(numpy.minimum, (place, others.size - 1))], x))


def _member(element, test_elements, invert: bool):
    x = as_array(element)
    others = _row(test_elements)
    if not x.size or not x.ndim or x.dtype.kind == "c" or x.dtype == numpy.float16:
        raise NotCovered("isin of such elements, or of none")
    return _is_in(x, others, invert)


@covered()
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    return _member(element, test_elements, invert)


@covered()
def in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None):
    return _member(as_array(ar1).reshape(-1), ar2, invert)


@covered()
def lexsort(keys, axis=-1):
    rows = [as_array(key) for key in (keys if isinstance(keys, (list, tuple)) else as_array(keys))]
    if not rows or any(row.ndim != 1 or row.shape != rows[0].shape or row.dtype.kind == "c"
                       for row in rows) or axis not in (-1, 0) or not rows[0].size:
        raise NotCovered("lexsort of other than rows")
    order = argsort(rows[0])
    for row in rows[1:]:
        order = order[argsort(row[order])]
    return order
