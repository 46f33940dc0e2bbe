"""Folds and scans along axes."""

from __future__ import annotations

import math
import operator

import numpy

from . import _dtypes, _graph, _views
from ._array import ndarray
from ._dtypes import BOOL, FLOAT, INT
from ._elementwise import NotCovered, lift, put_out, select
from ._fallback import covered

_NONE = numpy._NoValue


def as_array(value) -> ndarray:
    """An array of ours of anything that NumPy makes an array of."""
    value = lift(value)
    if type(value) is ndarray:
        return value
    return ndarray.of(_graph.leaf(numpy.asarray(value)))


def axes_of(axis, rank: int) -> tuple:
    """Axes in order, counted from 0; None is all."""
    if axis is None:
        return tuple(range(rank))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = []
    for item in given:
        item = operator.index(item)
        if not -rank <= item < rank:
            raise axis_error(item, rank)
        found.append(item % rank)
    if len(set(found)) < len(found):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(found))


def _of_scalar(axis, array):
    """The axis of a fold; a number is one along its axis 0, which is the last one as well."""
    is_one = type(axis) is int and axis in (0, -1) and not array.ndim
    return None if is_one else axis


def axis_error(axis: int, rank: int) -> Exception:
    home = getattr(numpy, "exceptions", numpy)
    return home.AxisError(axis, rank)


def record_fold(name: str, array: ndarray, axes: tuple, dtype: numpy.dtype, keepdims: bool):
    """A fold along axes as a node; the elements are there."""
    kept = tuple(size for axis, size in enumerate(array.shape) if axis not in axes)
    node, view = _graph.settle(array._base.node, array._own_view)
    made = _graph.record("reduce", ((node, view.dims),), kept, dtype, (name, axes),
                         loop=array.shape)
    result = ndarray.of(made, is_scalar=not kept and not keepdims)
    if keepdims and axes:
        shape = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape))
        return result.reshape(shape)
    return result


def _fixed(value, dtype):
    return ndarray.of(_graph.leaf(numpy.asarray(value, dtype)))


def fold(name: str, array, axis=None, dtype=None, out=None, keepdims=False, initial=_NONE,
         where=True):
    """A ufunc's fold."""
    array = as_array(array)
    keepdims = bool(keepdims) if keepdims is not _NONE else False
    axes = axes_of(_of_scalar(axis, array), array.ndim)
    kind = array.dtype
    if name in ("logical_and", "logical_or"):
        array = array if kind == BOOL else array.astype(bool)
        dtype = BOOL
    elif dtype is not None:
        dtype = numpy.dtype(dtype)
    else:
        dtype = _dtypes.sum_type(kind) if name in ("add", "multiply") else kind
    if not _dtypes.is_known(dtype) or dtype.kind == "c" and name in ("minimum", "maximum"):
        raise NotCovered(f"{name}.reduce of {dtype}")
    if dtype.kind == "b" and name in ("add", "multiply"):
        name = {"add": "logical_or", "multiply": "logical_and"}[name]
    if array.dtype.kind == "c" and dtype.kind not in "c":
        raise NotCovered("folds of complex numbers in a real type")
    identity = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False}.get(name)
    if dtype.kind == "b" and name in ("minimum", "maximum"):
        name = {"minimum": "logical_and", "maximum": "logical_or"}[name]
    if where is not True and where is not _NONE:
        if identity is None:
            if initial is _NONE:
                raise ValueError(f"reduction operation '{name}' does not have an identity, so to "
                                 "use a where mask one has to specify 'initial'")
            identity = initial
        if array.dtype != dtype:
            array = array.astype(dtype)
        array = select(where, array, numpy.asarray(identity, dtype)[()])
    count = math.prod(array.shape[axis] for axis in axes)
    if not axes:
        result = array.astype(dtype)
        result.is_scalar = not array.shape
    elif 0 in array.shape:
        if identity is None and initial is _NONE and count == 0:
            raise ValueError(f"zero-size array to reduction operation {name} which has no "
                             "identity")
        shape = tuple(size for at, size in enumerate(array.shape) if at not in axes)
        if keepdims:
            shape = tuple(1 if at in axes else size for at, size in enumerate(array.shape))
        result = _fixed(numpy.full(shape, initial if identity is None else identity, dtype), dtype)
        result.is_scalar = not shape
    else:
        result = record_fold(name, array, axes, dtype, keepdims)
    if initial is not _NONE and initial is not None:
        from ._elementwise import ufunc_call
        result = ufunc_call(getattr(numpy, name), (result, numpy.asarray(initial, dtype)[()]))
    return put_out(out, result, name)


def _folding(title: str, name: str):
    @covered(name=title)
    def function(a, axis=None, dtype=None, out=None, keepdims=False, initial=_NONE, where=True):
        return fold(name, a, axis, dtype, out, keepdims, initial, where)
    function.__name__ = title
    return function


def _plain_folding(title: str, name: str):
    @covered(name=title)
    def function(a, axis=None, out=None, keepdims=False, initial=_NONE, where=True):
        return fold(name, a, axis, None, out, keepdims, initial, where)
    function.__name__ = title
    return function


def _testing(title: str, name: str):
    @covered(name=title)
    def function(a, axis=None, out=None, keepdims=False, *, where=True):
        return fold(name, a, axis, None, out, keepdims, _NONE, where)
    function.__name__ = title
    return function


sum, prod = _folding("sum", "add"), _folding("prod", "multiply")
min, max = _plain_folding("min", "minimum"), _plain_folding("max", "maximum")
amin, amax = min, max
all, any = _testing("all", "logical_and"), _testing("any", "logical_or")


def _mean_type(dtype: numpy.dtype) -> numpy.dtype:
    return FLOAT if dtype.kind in "biu" else dtype


def _count(array, axes, where):
    if where is True or where is _NONE:
        return float(math.prod(array.shape[axis] for axis in axes))
    mask = numpy.broadcast_to(numpy.asarray(where), array.shape)
    return mask.sum(axis=axes)


@covered()
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    array = as_array(a)
    keepdims = keepdims is not _NONE and bool(keepdims)
    axes = axes_of(axis, array.ndim)
    if where is not True and where is not _NONE:
        raise NotCovered("mean with where=")
    wanted = numpy.dtype(dtype) if dtype is not None else _mean_type(array.dtype)
    inner = numpy.dtype("float32") if wanted == numpy.float16 else wanted
    total = fold("add", array, axes, inner, None, keepdims)
    result = total / total.dtype.type(_count(array, axes, True))
    result = result.astype(wanted, copy=False)
    if type(result) is ndarray:
        result.is_scalar = total.is_scalar
    return put_out(out, result, "mean")


@covered()
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True,
        mean=_NONE, correction=_NONE):
    array = as_array(a)
    keepdims = keepdims is not _NONE and bool(keepdims)
    axes = axes_of(axis, array.ndim)
    if where is not True and where is not _NONE or mean is not _NONE:
        raise NotCovered("var with where= or mean=")
    ddof = ddof if correction is _NONE else correction
    wanted = numpy.dtype(dtype) if dtype is not None else _mean_type(array.dtype)
    inner = numpy.dtype("float32") if wanted == numpy.float16 else wanted
    array = array.astype(inner, copy=False)
    count = math.prod(array.shape[axis] for axis in axes)
    middle = fold("add", array, axes, inner, None, True) / inner.type(count)
    distance = array - middle
    if inner.kind == "c":
        distance = distance.real * distance.real + distance.imag * distance.imag
        wanted = distance.dtype
    else:
        distance = distance * distance
    total = fold("add", distance, axes, None, None, keepdims)
    result = total / total.dtype.type(builtin_max(count - ddof, 0))
    result = result.astype(wanted, copy=False)
    if type(result) is ndarray:
        result.is_scalar = total.is_scalar
    return put_out(out, result, "var")


builtin_max = __builtins__["max"] if isinstance(__builtins__, dict) else __builtins__.max


@covered()
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True,
        mean=_NONE, correction=_NONE):
    from ._elementwise import ufunc_call
    spread = var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean,
                 correction=correction)
    result = ufunc_call(numpy.sqrt, (spread,))
    return put_out(out, result, "std")


def _choosing(title: str):
    @covered(name=title)
    def function(a, axis=None, out=None, *, keepdims=False):
        array = as_array(a)
        keepdims = keepdims is not _NONE and bool(keepdims)
        if array.dtype.kind == "c":
            raise NotCovered(f"{title} of complex numbers")
        rank = array.ndim
        if axis is None:
            array, axes = array.reshape(-1), (0,)
        else:
            if _of_scalar(axis, array) is None:
                array = array.reshape(1)
            axes = axes_of(axis, array.ndim)
        if array.shape[axes[0]] == 0:
            raise ValueError(f"attempt to get {title} of an empty sequence")
        if 0 in array.shape:
            kept = keepdims and axis is not None
            shape = tuple(1 if at in axes else size for at, size in enumerate(array.shape)
                          if kept or at not in axes)
            return _fixed(numpy.empty(shape, INT), INT)
        result = record_fold(title, array, axes, INT, keepdims and axis is not None)
        if keepdims and axis is None:
            result = result.reshape((1,) * rank)
        return put_out(out, result, title)
    function.__name__ = title
    return function


argmin, argmax = _choosing("argmin"), _choosing("argmax")


def scan(name: str, a, axis=None, dtype=None):
    """All folds up to each element along an axis."""
    array = as_array(a)
    if axis is None:
        array, axis = array.reshape(-1), 0
    if array.ndim == 0:
        array = array.reshape(1)
    (axis,) = axes_of(axis, array.ndim)
    wanted = numpy.dtype(dtype) if dtype is not None else (
        _dtypes.sum_type(array.dtype) if name in ("add", "multiply") else array.dtype)
    if not _dtypes.is_known(wanted) or wanted.kind == "b" or \
            array.dtype.kind == "c" and wanted.kind != "c":
        raise NotCovered(f"{name}.accumulate of {wanted}")
    if wanted.kind == "c" and name in ("minimum", "maximum"):
        raise NotCovered(f"{name} of complex numbers")
    if 0 in array.shape:
        return _fixed(numpy.empty(array.shape, wanted), wanted)
    operand = _graph.operand_of(array._base.node, array._own_view, array.shape)
    return ndarray.of(_graph.record("scan", (operand,), array.shape, wanted, (name, axis)))


def _scanning(title: str, name: str):
    @covered(name=title)
    def function(a, axis=None, dtype=None, out=None):
        result = scan(name, a, axis, dtype)
        return put_out(out, result, title)
    function.__name__ = title
    return function


cumsum, cumprod = _scanning("cumsum", "add"), _scanning("cumprod", "multiply")


@covered()
def count_nonzero(a, axis=None, *, keepdims=False):
    return fold("add", as_array(a).astype(bool), axis, INT, None, keepdims)


@covered()
def ptp(a, axis=None, out=None, keepdims=False):
    result = max(a, axis, None, keepdims) - min(a, axis, None, keepdims)
    return put_out(out, result, "ptp")
