"""Rows that go by each other: convolutions, differences, powers."""

from __future__ import annotations

import operator

import numpy

from . import _dtypes, _elementwise, _fallback, _graph
from ._array import ndarray, wrap
from ._elementwise import NotCovered, lift, ufunc_call
from ._fallback import covered
from ._functions import concatenate, flip, linspace, ones, _spread
from ._reductions import as_array, scan
from ._searching import whole


#: So few weights NumPy has a quick way for.
_FEW = 11


def _length(mode, size: int, taps: int) -> tuple[int, int]:
    """How many elements there are, and how many before the first are needed."""
    if mode in ("valid", 0):
        return size - taps + 1, 0
    if mode in ("same", 1):
        return size, taps // 2
    if mode in ("full", 2):
        return size + taps - 1, taps - 1
    raise NotCovered("such a mode")


def _correlated(a: ndarray, v: ndarray, mode) -> ndarray:
    """Sums of products of a row with a shorter one at each place."""
    kind = _dtypes.promote(a.dtype, v.dtype)
    if kind.kind not in "iuf" or kind == numpy.float16:
        raise NotCovered("such elements")
    if kind.kind == "f" and not numpy.isfinite(v._now()).all():
        raise NotCovered("weights that are no numbers")  # what lies beyond the ends is 0 here
    if _graph.recorder.eager and v.size <= _FEW:
        return wrap(numpy.correlate(a._now(), v._now(), mode))
    count, left = _length(mode, a.size, v.size)
    return ndarray.of(_graph.record("library", (whole(a), whole(v)), (count,), kind,
                                    ("correlate",), (numpy.int64(left),), (count, v.size)))


def _rows(a, v) -> tuple:
    a, v = as_array(a), as_array(v)
    a, v = (x.reshape(1) if not x.ndim else x for x in (a, v))
    if a.ndim != 1 or v.ndim != 1 or not a.size or not v.size:
        raise NotCovered("what is no row, or empty")  # the errors are NumPy's
    return a, v


@covered()
def convolve(a, v, mode="full"):
    a, v = _rows(a, v)
    if v.size > a.size:
        a, v = v, a
    return _correlated(a, v[::-1], mode)


@covered()
def correlate(a, v, mode="valid"):
    a, v = _rows(a, v)
    if v.size > a.size:
        return _correlated(v, a, mode)[::-1].copy()
    return _correlated(a, v, mode)


@covered()
def ediff1d(ary, to_end=None, to_begin=None):
    a = as_array(ary).reshape(-1)
    parts = [None if end is None else as_array(end).reshape(-1) for end in (to_begin, to_end)]
    if a.dtype.kind == "b" or any(part is not None and not numpy.can_cast(
            part.dtype, a.dtype, "same_kind") for part in parts):
        raise NotCovered("differences of such elements")
    made = a[1:] - a[:-1]
    before, behind = parts
    if before is None and behind is None:
        return made
    joined = [part.astype(a.dtype) for part in (before, made, behind) if part is not None]
    return concatenate(joined)


@covered()
def vander(x, N=None, increasing=False):
    x = as_array(x)
    columns = x.size if N is None else operator.index(N)
    kind = numpy.promote_types(x.dtype, int)
    if x.ndim != 1 or columns < 2 or not x.size or not _dtypes.is_known(kind):
        raise NotCovered("such powers")
    wide = _spread(x.astype(kind).reshape(-1, 1), (x.size, columns - 1))
    made = concatenate([ones((x.size, 1), kind), scan("multiply", wide, 1, kind)], 1)
    return made if increasing else flip(made, 1)


@covered()
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if not all(isinstance(value, (int, float, numpy.number)) for value in (start, stop, base)):
        raise NotCovered("logspace between arrays")
    if operator.index(num) <= _graph.recorder.eager:
        return wrap(numpy.logspace(start, stop, num, endpoint, base, dtype))
    made = ufunc_call(numpy.power, (lift(base), linspace(start, stop, num, endpoint)))
    return made if dtype is None else made.astype(dtype)


@covered()
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if not all(numpy.isscalar(value) for value in (start, stop)):
        raise NotCovered("geomspace between arrays")
    return wrap(numpy.geomspace(start, stop, num, endpoint, dtype))


# Blocks.

def _depth(arrays) -> tuple[int, int]:
    """How deep lists are, and the most dimensions of what is in them."""
    if isinstance(arrays, tuple) or isinstance(arrays, list) and not arrays:
        raise NotCovered("such blocks")  # the errors are NumPy's
    if not isinstance(arrays, list):
        return 0, as_array(arrays).ndim
    found = [_depth(inner) for inner in arrays]
    if len({depth for depth, _ in found}) > 1:
        raise NotCovered("blocks of several depths")
    return found[0][0] + 1, max(rank for _, rank in found)


def _block(arrays, rank: int, axis: int):
    if not isinstance(arrays, list):
        a = as_array(arrays)
        return a.reshape((1,) * (rank - a.ndim) + a.shape)
    return concatenate([_block(inner, rank, axis + 1) for inner in arrays], axis)


@covered()
def block(arrays):
    depth, rank = _depth(arrays)
    if _graph.recorder.eager:
        return wrap(numpy.block(_fallback.mapped(arrays, lambda part: part._now() if type(
            part) is ndarray else part)))
    rank = max(depth, rank)
    made = _block(arrays, rank, rank - depth)
    return made if depth else made.copy()


# One of several.

@covered()
def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist) or not 0 < len(condlist) <= 16:
        raise NotCovered("select of so many")
    conditions = [as_array(condition) for condition in condlist]
    if any(condition.dtype.kind != "b" for condition in conditions):
        raise NotCovered("select by other than truths")
    return _chosen(conditions, [lift(choice) for choice in choicelist], lift(default))


def _chosen(conditions: list, choices: list, default):
    """The choice whose condition is the first that holds, in the type in which all meet."""
    values = [*choices, default]
    kind = _dtypes.common(values, [_elementwise.dtype_or_weak(value) for value in values])
    if not _dtypes.is_known(kind):
        raise NotCovered(f"choices of {kind}")
    choices = [_dtypes.number(value, kind) if _dtypes.is_weak(value) else value.astype(kind)
               for value in values]
    made = choices[-1]
    for condition, choice in zip(reversed(conditions), reversed(choices[:-1])):
        made = _elementwise.select(condition, choice, made)
    return made


@covered()
def choose(a, choices, out=None, mode="raise"):
    a = as_array(a)
    if out is not None or mode != "raise" or a.dtype.kind not in "iub" or not a.size or \
            not isinstance(choices, (list, tuple)) or not 0 < len(choices) <= 16:
        raise NotCovered("such a choice")
    from ._counting import ends
    low, high = ends(a)
    if low < 0 or high >= len(choices):
        raise ValueError("invalid entry in choice array")
    given = [lift(choice) for choice in choices]
    made = _chosen([a == k for k in range(len(given) - 1)], given[:-1], given[-1])
    shape = numpy.broadcast_shapes(a.shape, *[
        choice.shape for choice in given if not _dtypes.is_weak(choice)])
    return made if made.shape == shape else _spread(made, shape).copy()


