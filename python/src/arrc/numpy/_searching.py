"""Places among bounds in order."""

from __future__ import annotations

import numpy

from . import _dtypes, _fallback, _graph
from ._array import ndarray
from ._dtypes import FLOAT, INT
from ._elementwise import NotCovered, ufunc_call
from ._fallback import covered
from ._reductions import as_array, fold

#: Bounds that are all compared with each element, which no search is quicker than.
_FEW = 16


def whole(array: ndarray) -> tuple:
    """An array as an operand that is read wherever the operation says."""
    return _graph.dense(*_graph.settle(array._base.node, array._own_view)), None


def element(array: ndarray) -> tuple:
    """An array as an operand that is read by the loop over its shape."""
    return _graph.operand_of(array._base.node, array._own_view, array.shape)


def numbers_of(given, what: str) -> numpy.ndarray:
    """A row of NumPy's that has to be known."""
    found = numpy.asarray(_fallback.down(given))
    if found.ndim != 1 or not found.size or not _dtypes.is_known(found.dtype) or \
            found.dtype.kind == "c":
        raise NotCovered(f"{what} of such bounds")
    return found


def _many(x) -> ndarray:
    x = as_array(x)
    if x.dtype.kind == "c" or not x.ndim or x.ndim == 8:
        raise NotCovered("bounds of numbers, or of complex ones")
    return x


def _passed(x: ndarray, bounds: numpy.ndarray, is_right: bool):
    """How many bounds lie before each element, as all do before what is no number."""
    kind = _dtypes.promote(bounds.dtype, x.dtype)
    if 0 in x.shape:
        return ndarray.of(_graph.leaf(numpy.empty(x.shape, INT)))
    if bounds.size <= _FEW and not (bounds != bounds).any():
        compare = numpy.less if is_right else numpy.less_equal
        behind = ufunc_call(compare, (x[..., None], as_array(bounds)))
        return fold("add", ufunc_call(numpy.logical_not, (behind,)), -1, INT)
    node = _graph.record("library", (whole(as_array(bounds)), element(x)), x.shape, INT,
                         ("search", kind, is_right))
    return ndarray.of(node)


@covered()
def digitize(x, bins, right=False):
    bounds, x = numbers_of(bins, "digitize"), _many(x)
    if (bounds[1:] >= bounds[:-1]).all():
        return _passed(x, bounds, not right)
    if not (bounds[1:] <= bounds[:-1]).all():
        raise ValueError("bins must be monotonically increasing or decreasing")
    return bounds.size - _passed(x, bounds[::-1].copy(), not right)


@covered()
def searchsorted(a, v, side="left", sorter=None):
    bounds, v = numbers_of(a, "searchsorted"), _many(v)
    if sorter is not None or side not in ("left", "right"):
        raise NotCovered("searchsorted in another order")
    behind = bounds[1:] >= bounds[:-1]
    if not behind.all() and not (behind | numpy.isnan(bounds[1:])).all():
        raise NotCovered("searchsorted among what is in no order")
    return _passed(v, bounds, side == "right")


@covered()
def interp(x, xp, fp, left=None, right=None, period=None):
    x = as_array(x)
    xp, fp = numbers_of(xp, "interp").astype(FLOAT), numbers_of(fp, "interp")
    if not x.ndim or x.dtype.kind == "c" or not x.size or xp.size != fp.size or xp.size == 1 or \
            period is not None or not all(
                end is None or isinstance(end, (int, float, numpy.floating, numpy.integer))
                for end in (left, right)):
        raise NotCovered("interp of a number, of complex ones or with a period")
    fp = fp.astype(FLOAT)
    ends = tuple(numpy.float64(value if end is None else end)
                 for end, value in ((left, fp[0]), (right, fp[-1])))
    node = _graph.record("library", (element(x), whole(as_array(xp)), whole(as_array(fp))),
                         x.shape, FLOAT, ("interp",), ends)
    return ndarray.of(node)
