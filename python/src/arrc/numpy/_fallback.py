"""What programs cannot do goes to NumPy, with one warning that names it."""

from __future__ import annotations

import functools
import warnings

import numpy

from . import _elementwise
from ._elementwise import NotCovered

_warned: set = set()
_mode = ["warn"]


class FallbackWarning(UserWarning):
    """Something was computed by NumPy."""


def errors(mode: str | None = None) -> str:
    """What happens where NumPy has to compute: `warn` (once each), `raise`, `ignore`."""
    if mode is not None:
        if mode not in ("warn", "raise", "ignore"):
            raise ValueError("the mode is 'warn', 'raise' or 'ignore'")
        _mode[0] = mode
        from ._execute import settle_eager
        settle_eager()
    return _mode[0]


def note(name: str, why: str = "") -> None:
    """Says once that NumPy computes `name`."""
    if _mode[0] == "raise":
        raise NotImplementedError(f"arrc.numpy does not cover {why or name}")
    if _mode[0] == "warn" and name not in _warned:
        _warned.add(name)
        warnings.warn(f"NumPy computes {name}" + (f": {why}" if why and why != name else ""),
                      FallbackWarning, stacklevel=_level())


def _level() -> int:
    import os
    import sys
    own, level, frame = os.path.dirname(__file__) + os.sep, 1, sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(own):
        frame, level = frame.f_back, level + 1
    return level


def down(value):
    """The same with arrays of NumPy's, which may be written to."""
    kind = type(value)
    if kind is _elementwise.array_type():
        found = value._now()
        return found[()] if value.is_scalar else numpy.array(found)
    if kind in (list, tuple):
        return kind(down(item) for item in value)
    if kind is dict:
        return {name: down(item) for name, item in value.items()}
    return value


def up(value):
    """The same with arrays of ours."""
    from ._array import wrap
    if type(value) is numpy.ndarray:
        return wrap(value)
    if type(value) in (list, tuple):
        return type(value)(up(item) for item in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(up(item) for item in value))
    return value


def plain(value):
    """A scalar that is computed already as NumPy's, which is quicker than ours."""
    if type(value) is _elementwise.array_type() and value._held is None and value.is_scalar:
        found = value._base.node.value
        if type(found) is numpy.ndarray and not found.shape:
            return found[()]
    return value


def call(name: str, function, args: tuple, kwargs: dict, why: str = ""):
    """NumPy's function; what it writes to its arguments comes back."""
    note(name, why)
    ndarray = _elementwise.array_type()
    pairs = [(value, down(value)) for value in args]
    named = {key: (value, down(value)) for key, value in kwargs.items()}
    # What NumPy gets is a copy: the array itself has the elements from before.
    before = [(value, made, value._now()) for value, made in [*pairs, *named.values()]
              if type(value) is ndarray and isinstance(made, numpy.ndarray)]
    result = function(*[made for _, made in pairs],
                      **{key: made for key, (_, made) in named.items()})
    # All are compared before one is written, which another may share memory with.
    changed = [(value, made) for value, made, old in before
               if not numpy.array_equal(made, old) and not (
                   made.dtype.kind in "fc" and numpy.array_equal(made, old, equal_nan=True))]
    for value, made, _ in before:
        if made is result:
            result = value
    before.clear()
    for value, made in changed:
        value._write(made)
    return up(result)


def ufunc(function: numpy.ufunc, inputs: tuple, **kwargs):
    """A call of a ufunc, by a program or by NumPy."""
    try:
        if function is numpy.matmul:
            from . import _products
            return _products.matmul(*inputs, **kwargs)
        return plain(_elementwise.ufunc_call(function, inputs, **kwargs))
    except NotCovered as problem:
        return call(function.__name__, function, inputs, kwargs, str(problem))


def ufunc_method(function: numpy.ufunc, method: str, inputs: tuple, kwargs: dict):
    """What NumPy asks of arrays of ours that it meets in a ufunc."""
    if method == "__call__":
        return ufunc(function, inputs, **kwargs)
    from . import _ufuncs
    return getattr(_ufuncs.Ufunc(function), method)(*inputs, **kwargs)


def function(function, args: tuple, kwargs: dict):
    """What NumPy asks of arrays of ours that it meets in its other functions."""
    import arrc.numpy as ours
    home = ours
    module = getattr(function, "__module__", "numpy") or "numpy"
    for part in module.split(".")[1:]:
        home = getattr(home, part, ours) if not part.startswith("_") else home
    found = getattr(home, function.__name__, None) or getattr(ours, function.__name__, None)
    if found is None or found is function:
        return call(function.__name__, function, args, kwargs)
    return found(*args, **kwargs)


def covered(original=None, name: str | None = None):
    """Marks a function that records, and gives NumPy what it does not cover."""
    def decorate(body):
        title = name or body.__name__
        numpys = original if original is not None else getattr(numpy, title, None)

        @functools.wraps(body)
        def recorded(*args, **kwargs):
            try:
                return plain(body(*args, **kwargs))
            except NotCovered as problem:
                if numpys is None:
                    raise NotImplementedError(str(problem)) from None
                return call(title, numpys, args, kwargs, str(problem))
        return recorded
    return decorate
