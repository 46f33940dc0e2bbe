"""Ufuncs as objects: called, and their methods."""

from __future__ import annotations

import functools

import numpy

from .._core import Forward
from . import _fallback, _graph
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


class Ufunc(Forward):
    """A ufunc of NumPy's whose calls are recorded."""

    def __new__(cls, function: numpy.ufunc):
        made = super().__new__(cls, function, functools.partial(_call, function),
                               function.__name__, SPREADS)
        made._function = function
        return made

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, **kwargs):
        """A fold along an axis."""
        if self.__name__ in _FOLDS:
            from . import _reductions
            try:
                return _fallback.plain(_reductions.fold(self.__name__, array, axis, dtype, out,
                                                        keepdims, **kwargs))
            except NotCovered:
                pass
        return _fallback.call(f"{self.__name__}.reduce", self._function.reduce, (array,),
                              dict(axis=axis, dtype=dtype, out=out, keepdims=keepdims, **kwargs))

    def accumulate(self, array, axis=0, dtype=None, out=None):
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
