"""Functions that are made of other ones."""

from __future__ import annotations

import operator

import numpy

from . import _array, _dtypes, _fallback, _indexing
from ._array import ndarray
from ._dtypes import FLOAT, INT
from ._elementwise import NotCovered, lift, ufunc_call
from ._fallback import covered
from ._functions import (_one_axis, _spread, arange, atleast_3d, concatenate, diff, full, zeros)
from ._reductions import as_array, fold, mean

_NONE = numpy._NoValue


# Arrays together.

@covered()
def column_stack(tup):
    arrays = [as_array(a) for a in tup]
    return concatenate([a if a.ndim > 1 else a.reshape(-1, 1) for a in arrays], 1)


@covered()
def dstack(tup, *, dtype=None, casting="same_kind"):
    return concatenate([atleast_3d(a) for a in tup], 2, dtype=dtype)


@covered()
def tri(N, M=None, k=0, dtype=float, *, like=None):
    rows, columns = max(operator.index(N), 0), max(operator.index(N if M is None else M), 0)
    if not rows or not columns:
        return zeros((rows, columns), dtype)
    return (arange(columns) <= arange(rows).reshape(rows, 1) + k).astype(dtype)


@covered()
def kron(a, b):
    a, b = as_array(a), as_array(b)
    if not a.ndim or not b.ndim:
        return a * b
    rank = max(a.ndim, b.ndim)
    if 2 * rank > 8:
        raise NotCovered("products of more than 4 dimensions")
    outer, inner = ((1,) * (rank - x.ndim) + x.shape for x in (a, b))
    made = a.reshape(tuple(size for n in outer for size in (n, 1))) * \
        b.reshape(tuple(size for n in inner for size in (1, n)))
    return made.reshape(tuple(n * m for n, m in zip(outer, inner)))


# Borders.

def _pairs(given, rank: int) -> list:
    """What is given for both ends of each axis."""
    return numpy.broadcast_to(numpy.asarray(given), (rank, 2)).tolist()


def _slice(a, axis: int, *bounds):
    return a[(slice(None),) * axis + (slice(*bounds),)]


def _repeated(a, axis: int, count: int):
    return _spread(a, a.shape[:axis] + (count,) + a.shape[axis + 1:])


def _borders(a, mode: str, axis: int, before: int, after: int, values) -> tuple:
    """What stands before and behind an array along an axis."""
    size = a.shape[axis]
    if mode == "constant":
        return tuple(full(a.shape[:axis] + (count,) + a.shape[axis + 1:],
                          _indexing.convert_to(value, a.dtype), a.dtype)
                     for count, value in zip((before, after), values[axis]))
    if not size or max(before, after) > size - (mode == "reflect") and mode != "edge":
        raise NotCovered(f"borders by {mode} that are longer than the array")
    if mode == "edge":
        return (_repeated(_slice(a, axis, 1), axis, before),
                _repeated(_slice(a, axis, size - 1, None), axis, after))
    if mode == "wrap":
        return _slice(a, axis, size - before, None), _slice(a, axis, after)
    return (_slice(_slice(a, axis, 1, before + 1), axis, None, None, -1),
            _slice(_slice(a, axis, size - 1 - after, size - 1), axis, None, None, -1))


@covered()
def pad(array, pad_width, mode="constant", **options):
    a = as_array(array)
    if mode not in ("constant", "edge", "wrap", "reflect") or isinstance(pad_width, dict) or \
            not set(options) <= ({"constant_values"} if mode == "constant" else set()):
        raise NotCovered(f"pad by {mode}, or with these options")
    widths, given = numpy.asarray(pad_width), options.get("constant_values", 0)
    if widths.dtype.kind not in "iu" or widths.size and widths.min() < 0 or not a.ndim:
        raise NotCovered("pad of such widths")  # the errors are NumPy's
    values, widths = _pairs(_fallback.down(given), a.ndim), _pairs(widths, a.ndim)
    if mode == "constant" and len({value for pair in values for value in pair}) == 1:
        return _framed(a, widths, values[0][0])
    return _bordered(a, mode, 0, widths, values).copy()


# Axis by axis in functions that call themselves: what comes again in a loop would end a program.

def _bordered(a, mode: str, axis: int, widths: list, values):
    """An array with borders along an axis and those behind it."""
    if axis == a.ndim:
        return a
    before, after = widths[axis]
    if before or after:
        first, last = _borders(a, mode, axis, before, after, values)
        a = concatenate([first, a, last], axis)
    return _bordered(a, mode, axis + 1, widths, values)


def _framed(a, widths: list, value):
    """An array within elements of one value."""
    shape = tuple(before + size + after for size, (before, after) in zip(a.shape, widths))
    made = full(shape, _indexing.convert_to(value, a.dtype), a.dtype)
    if a.size:
        made[tuple(slice(before, before + size)
                   for size, (before, _) in zip(a.shape, widths))] = a
    return made


# Sums.

def _weights(array, weights, axis):
    """Weights in a shape that goes with an array."""
    if weights.shape == array.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if isinstance(axis, tuple) or weights.ndim != 1:
        raise NotCovered("average with weights of another shape")
    axis = _one_axis(axis, array.ndim)
    if weights.shape[0] != array.shape[axis]:
        raise ValueError("Length of weights not compatible with specified axis.")
    return weights.reshape(tuple(-1 if k == axis else 1 for k in range(array.ndim)))


@covered()
def average(a, axis=None, weights=None, returned=False, *, keepdims=_NONE):
    array = as_array(a)
    if returned or not array.size:
        raise NotCovered("average with returned=, or of nothing")
    if weights is None:
        return mean(array, axis, keepdims=keepdims)
    weights = _weights(array, as_array(weights), axis)
    kind = _dtypes.promote(array.dtype, weights.dtype,
                           *([FLOAT] if array.dtype.kind in "biu" else []))
    total = fold("add", ufunc_call(numpy.multiply, (array, weights), dtype=kind), axis, None, None,
                 keepdims)
    scale = fold("add", weights, axis, kind, None, keepdims)
    if bool((scale == 0).any()):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return total / scale


def _trapezoid(y, x=None, dx=1.0, axis=-1):
    y = as_array(y)
    axis = _one_axis(axis, y.ndim)
    if x is None:
        steps = lift(dx)
    else:
        x = as_array(x)
        steps = diff(x, axis=axis if x.ndim > 1 else -1)
        if x.ndim == 1:
            steps = steps.reshape(tuple(-1 if k == axis else 1 for k in range(y.ndim)))
    middles = steps * (_slice(y, axis, 1, None) + _slice(y, axis, -1)) / 2.0
    return fold("add", middles, axis)


trapz = covered(name="trapz")(_trapezoid)
trapezoid = covered(getattr(numpy, "trapezoid", getattr(numpy, "trapz", None)),
                    "trapezoid")(_trapezoid)


def _inner_slopes(f, axis: int, step):
    """Slopes between the ends, by the distance of elements or by distances that differ."""
    if isinstance(step, float):
        return (_slice(f, axis, 2, None) - _slice(f, axis, -2)) / (2.0 * step)
    before, behind = _slice(step, axis, -1), _slice(step, axis, 1, None)
    return _slice(f, axis, -2) * (-behind / (before * (before + behind))) + \
        _slice(f, axis, 1, -1) * ((behind - before) / (before * behind)) + \
        _slice(f, axis, 2, None) * (before / (behind * (before + behind)))


def _slopes(f, steps: list) -> list:
    """Slopes along axes, with the distances of elements along each."""
    if not steps:
        return []
    (axis, step), *rest = steps
    ends = (step, step) if isinstance(step, float) else (
        _slice(step, axis, 0, 1), _slice(step, axis, -1, None))
    first = (_slice(f, axis, 1, 2) - _slice(f, axis, 0, 1)) / ends[0]
    last = (_slice(f, axis, -1, None) - _slice(f, axis, -2, -1)) / ends[1]
    made = concatenate([first, _inner_slopes(f, axis, step), last], axis)
    return [made.astype(f.dtype, copy=False), *_slopes(f, rest)]


def _distances(step, axis: int, f):
    """The distance of elements along an axis, or all of them as an array that goes with it."""
    if isinstance(step, (int, float, numpy.number)):
        return float(step)
    places = as_array(step)
    if not places.ndim:
        return float(places)
    if places.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if places.size != f.shape[axis]:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if places.dtype.kind not in "iuf":
        raise NotCovered("gradient along such coordinates")
    steps = diff(places.astype(FLOAT) if places.dtype.kind in "iu" else places)
    if places.size > 1 and bool((steps == steps[0]).all()):
        return float(steps[0])
    return steps.reshape(tuple(-1 if k == axis else 1 for k in range(f.ndim)))


@covered()
def gradient(f, *varargs, axis=None, edge_order=1):
    f = as_array(f)
    axes = range(f.ndim) if axis is None else \
        [_one_axis(k, f.ndim) for k in (axis if isinstance(axis, tuple) else (axis,))]
    steps = varargs * len(axes) if len(varargs) == 1 and not numpy.ndim(varargs[0]) else \
        varargs or (1.0,) * len(axes)
    if edge_order != 1 or len(steps) != len(axes) or not f.ndim:
        raise NotCovered("gradient of another order at the ends")
    steps = [_distances(step, k, f) for step, k in zip(steps, axes)]
    if any(f.shape[k] < 2 for k in axes):
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least "
                         "(edge_order + 1) elements are required.")
    f = f.astype(FLOAT) if f.dtype.kind in "iu" else f
    made = _slopes(f, list(zip(axes, steps)))
    return made[0] if len(made) == 1 else (tuple if _array._IS_WEAK else list)(made)


#: A quarter of the coefficients that are written out.
_FEW = 16


@covered()
def polyval(p, x):
    if isinstance(p, numpy.poly1d) or isinstance(x, numpy.poly1d):
        raise NotCovered("polynomials of polynomials")
    p = numpy.atleast_1d(numpy.asarray(_fallback.down(p)))
    x = lift(x)
    if p.ndim != 1 or not 0 < p.size <= 4 * _FEW or not _dtypes.is_known(p.dtype):
        raise NotCovered("polynomials of many coefficients")
    if type(x) is not ndarray:
        return numpy.polyval(p, x)
    kind = _dtypes.promote(x.dtype, p.dtype)
    x = x.astype(kind, copy=False)
    made = zeros(x.shape, kind)
    for number in p.astype(kind):
        made = made * x + number
    return made
