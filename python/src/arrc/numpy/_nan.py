"""Folds that leave out what is no number, and `nan_to_num`."""

from __future__ import annotations

import numpy

from . import _reductions
from ._array import ndarray
from ._dtypes import INT
from ._elementwise import NotCovered, put_out, select, ufunc_call
from ._fallback import covered
from ._reductions import as_array, fold

_NONE = numpy._NoValue


def _apart(a) -> tuple:
    """An array, and where it is no number: None where that cannot be."""
    array = as_array(a)
    if array.dtype == numpy.float16:
        raise NotCovered("folds of f16 without NaN")
    return array, ufunc_call(numpy.isnan, (array,)) if array.dtype.kind in "fc" else None


def _without(array: ndarray, gone, value):
    """An array with another value where it is no number."""
    return array if gone is None else select(gone, array.dtype.type(value), array)


def _number(made):
    """A result without axes is a number."""
    if type(made) is ndarray and not made.shape:
        made.is_scalar = True
    return made[()] if type(made) is numpy.ndarray else made


def _adding(title: str, name: str, neutral: int):
    @covered(name=title)
    def function(a, axis=None, dtype=None, out=None, keepdims=_NONE, initial=_NONE, where=_NONE):
        array, gone = _apart(a)
        made = fold(name, _without(array, gone, neutral), axis, dtype, None, keepdims, initial,
                    True if where is _NONE else where)
        return put_out(out, _number(made), title)
    function.__name__ = title
    return function


nansum, nanprod = _adding("nansum", "add", 0), _adding("nanprod", "multiply", 1)


def _scanning(title: str, scan, neutral: int):
    @covered(name=title)
    def function(a, axis=None, dtype=None, out=None):
        array, gone = _apart(a)
        return scan(_without(array, gone, neutral), axis, dtype, out)
    function.__name__ = title
    return function


nancumsum = _scanning("nancumsum", _reductions.cumsum, 0)
nancumprod = _scanning("nancumprod", _reductions.cumprod, 1)


def _choosing(title: str, name: str):
    @covered(name=title)
    def function(a, axis=None, out=None, keepdims=_NONE, initial=_NONE, where=_NONE):
        if initial is not _NONE or where is not _NONE:
            raise NotCovered(f"{title} with initial= or where=")
        array = as_array(a)
        # Where no other one is there the result is no number, as that of `fmax.reduce`.
        kind = name if array.dtype.kind == "f" else {"fmax": "maximum", "fmin": "minimum"}[name]
        return put_out(out, _number(fold(kind, array, axis, None, None, keepdims)), title)
    function.__name__ = title
    return function


nanmax, nanmin = _choosing("nanmax", "fmax"), _choosing("nanmin", "fmin")


def _sum_type(array: ndarray, dtype):
    wanted = array.dtype if dtype is None else numpy.dtype(dtype)
    if wanted.kind not in "fc" or wanted == numpy.float16 or \
            array.dtype.kind == "c" and wanted.kind != "c":
        raise NotCovered(f"folds of {array.dtype} in {wanted}")
    return wanted


def _shared(total, count):
    """A sum divided by how many there were, in the sum's type."""
    return (total / count).astype(total.dtype, copy=False)


@covered()
def nanmean(a, axis=None, dtype=None, out=None, keepdims=_NONE, *, where=_NONE):
    if where is not _NONE:
        raise NotCovered("nanmean with where=")
    array, gone = _apart(a)
    if gone is None:
        return _reductions.mean(array, axis, dtype, out, keepdims)
    wanted = _sum_type(array, dtype)
    count = fold("add", ufunc_call(numpy.logical_not, (gone,)), axis, INT, None, keepdims)
    total = fold("add", _without(array, gone, 0), axis, wanted, None, keepdims)
    return put_out(out, _number(_shared(total, count)), "nanmean")


def _spread(array, gone, axis, wanted, ddof, keepdims):
    """The variance of what is a number."""
    count = fold("add", ufunc_call(numpy.logical_not, (gone,)), axis, INT, None, True)
    middle = _shared(fold("add", _without(array, gone, 0), axis, wanted, None, True), count)
    distance = _without((array - middle).astype(array.dtype, copy=False), gone, 0)
    total = fold("add", distance * distance, axis, wanted, None, keepdims)
    free = count.reshape(total.shape) - ddof
    made = _shared(total, free)
    return select(ufunc_call(numpy.less_equal, (free, 0)), made.dtype.type(numpy.nan), made)


@covered()
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=_NONE, *, where=_NONE,
           mean=_NONE, correction=_NONE):
    if where is not _NONE or mean is not _NONE:
        raise NotCovered("nanvar with where= or mean=")
    ddof = ddof if correction is _NONE else correction
    array, gone = _apart(a)
    if gone is None:
        return _reductions.var(array, axis, dtype, out, ddof, keepdims)
    if array.dtype.kind == "c":
        raise NotCovered("nanvar of complex numbers")
    made = _spread(array, gone, axis, _sum_type(array, dtype), ddof, keepdims)
    return put_out(out, _number(made), "nanvar")


@covered()
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=_NONE, *, where=_NONE,
           mean=_NONE, correction=_NONE):
    made = nanvar(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean,
                  correction=correction)
    return put_out(out, ufunc_call(numpy.sqrt, (made,)), "nanstd")


@covered()
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    array = as_array(x)
    if not copy or array.dtype.kind == "c":
        raise NotCovered("nan_to_num in place, or of complex numbers")
    if not all(value is None or isinstance(value, (int, float, numpy.floating))
               for value in (nan, posinf, neginf)):
        raise NotCovered("nan_to_num with arrays")
    if array.dtype.kind != "f":
        return array.copy()
    limits = numpy.finfo(array.dtype)
    made = array
    for test, value in (
            (made != made, nan),
            (made == numpy.inf, limits.max if posinf is None else posinf),
            (made == -numpy.inf, limits.min if neginf is None else neginf)):
        with numpy.errstate(all="ignore"):
            made = select(test, array.dtype.type(value), made)
    return _number(made)
