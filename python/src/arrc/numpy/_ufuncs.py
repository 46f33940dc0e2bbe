"""Ufuncs as objects: called, and their methods."""

from __future__ import annotations

import functools

import numpy

from .._core import Forward
from . import _dtypes, _fallback, _graph
from ._array import at_once, ndarray, one_at_once
from ._elementwise import NotCovered

_recorder = _graph.recorder

#: The kind of functions whose results have the shapes of all operands together.
SPREADS = 1

_FOLDS = ("add", "multiply", "minimum", "maximum", "logical_and", "logical_or")


def _call(function: numpy.ufunc, *inputs, **kwargs):
    count = function.nin
    if not kwargs and len(inputs) == count and type(inputs[0]) is ndarray and \
            _recorder.eager and function.nout == 1 and function is not numpy.power:
        made = one_at_once(function, *inputs) if count == 1 else \
            at_once(function, *inputs) if count == 2 else None
        if made is not None:
            return made
    if len(inputs) > count:  # the results by position
        kwargs["out"], inputs = inputs[count:], inputs[:count]
    if "out" in kwargs:
        out = kwargs["out"]
        if out is None or type(out) is tuple and all(place is None for place in out):
            del kwargs["out"]
    return _fallback.ufunc(function, inputs, **kwargs)


def _is_of_one_kind(arrays, name: str) -> bool:
    """Whether arrays are few and alike, so that one may be folded with the next."""
    if type(arrays) not in (list, tuple) or not 2 <= len(arrays) <= 32:
        return False
    first = arrays[0]
    return type(first) is ndarray and bool(first.shape) and all(
        type(other) is ndarray and other.shape == first.shape and other.dtype == first.dtype
        for other in arrays) and not name.startswith("logical") and (
            name in ("minimum", "maximum") or _dtypes.sum_type(first.dtype) == first.dtype)


class Ufunc(Forward):
    """A ufunc of NumPy's whose calls are recorded."""

    def __new__(cls, function: numpy.ufunc):
        made = super().__new__(cls, function, functools.partial(_call, function),
                               function.__name__, SPREADS)
        made._function = function
        if function.nin == 2 and function.nout == 1 and function.signature is None:
            made.reduce = Forward(function.reduce, made._reduce, "reduce")
            made.accumulate = Forward(function.accumulate, made._accumulate, "accumulate")
        return made

    def _reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, **kwargs):
        """A fold along an axis."""
        if self.__name__ in _FOLDS:
            from . import _reductions
            if (axis, dtype, out, keepdims) == (0, None, None, False) and not kwargs and \
                    _is_of_one_kind(array, self.__name__):
                return functools.reduce(self, array)
            try:
                return _fallback.plain(_reductions.fold(self.__name__, array, axis, dtype, out,
                                                        keepdims, **kwargs))
            except NotCovered:
                pass
        return _fallback.call(f"{self.__name__}.reduce", self._function.reduce, (array,),
                              dict(axis=axis, dtype=dtype, out=out, keepdims=keepdims, **kwargs))

    def _accumulate(self, array, axis=0, dtype=None, out=None):
        """All folds along an axis."""
        if self.__name__ in ("add", "multiply", "minimum", "maximum") and out is None:
            from . import _reductions
            try:
                return _reductions.scan(self.__name__, array, axis, dtype)
            except NotCovered:
                pass
        return _fallback.call(f"{self.__name__}.accumulate", self._function.accumulate,
                              (array,), dict(axis=axis, dtype=dtype, out=out))

    def outer(self, first, second, **kwargs):
        """The function of all pairs."""
        from ._array import array
        first, second = array(first, copy=False), array(second, copy=False)
        return self(first.reshape(first.shape + (1,) * second.ndim), second, **kwargs)

    def __getattr__(self, name: str):
        found = getattr(self._function, name)
        if name == "at":
            from . import _counting
            return functools.partial(_counting.at, self._function)
        if name == "reduceat":
            return lambda *args, **kwargs: _fallback.call(
                f"{self.__name__}.{name}", found, args, kwargs)
        return found

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}' of arrc.numpy>"
