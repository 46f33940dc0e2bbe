"""What conditions leave: elements, and their indices."""

from __future__ import annotations

import numpy

from . import _written
from ._array import wrap
from ._dtypes import BOOL
from ._elementwise import NotCovered
from ._fallback import covered
from ._reductions import as_array


def filtered(values: numpy.ndarray, mask: numpy.ndarray) -> numpy.ndarray:
    """The elements of an array where a mask of its shape is true, in a row."""
    row, kept = values.reshape(-1), mask.reshape(-1)
    return _written.run("filter", values.dtype, [row, kept], row.size, lambda: values[mask])


def places(values: numpy.ndarray) -> numpy.ndarray:
    """The indices of a row of elements that are not 0."""
    if values.dtype.kind == "c":
        return numpy.flatnonzero(values)
    return _written.run("true" if values.dtype == BOOL else "nonzero", values.dtype,
                        [values], values.size, lambda: numpy.flatnonzero(values))


def indices(values: numpy.ndarray) -> tuple:
    """The indices of elements that are not 0, an array for each dimension."""
    if values.ndim < 2:
        return (places(values),) if values.ndim else numpy.nonzero(values)
    found, parts = places(values.reshape(-1)), []
    for size in values.shape[:0:-1]:
        rest = found // size
        parts.append(found - rest * size)
        found = rest
    return (found, *parts[::-1])


@covered()
def nonzero(a):
    return tuple(wrap(found) for found in indices(as_array(a)._now()))


@covered()
def flatnonzero(a):
    return wrap(places(as_array(a)._now().reshape(-1)))


@covered()
def argwhere(a):
    values = as_array(a)._now()
    if not values.ndim:
        return wrap(numpy.argwhere(values))
    if values.ndim == 1:
        return wrap(places(values).reshape(-1, 1))
    return wrap(numpy.stack(indices(values), 1))


@covered()
def compress(condition, a, axis=None, out=None):
    kept, a = as_array(condition), as_array(a)
    if kept.ndim != 1 or out is not None:
        raise NotCovered("compress by other than a row, or with out=")
    if axis is None:
        a, axis = a.reshape(-1), 0
    if a.ndim == 1 and a.shape == kept.shape and axis in (0, -1):
        return wrap(filtered(a._now(), kept.astype(bool, copy=False)._now()))
    from ._functions import take
    return take(a, wrap(places(kept._now())), axis)


@covered()
def extract(condition, arr):
    kept, a = as_array(condition).reshape(-1), as_array(arr).reshape(-1)
    if kept.shape == a.shape:
        return wrap(filtered(a._now(), kept.astype(bool, copy=False)._now()))
    return a[wrap(places(kept._now()))]
