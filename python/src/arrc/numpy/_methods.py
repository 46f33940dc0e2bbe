"""The methods of arrays that are functions of the namespace."""

from __future__ import annotations

import numpy

from . import _fallback, _functions, _products, _reductions

_DIRECT = {name: getattr(home, name) for home, names in (
    (_reductions, "sum prod min max all any mean var std argmin argmax cumsum cumprod"),
    (_functions, "ravel transpose swapaxes squeeze diagonal repeat take nonzero round clip "
                 "argsort"),
    (_products, "dot trace")) for name in names.split()}


def _reshape(a, *shape, order="C", copy=None):
    shape = shape[0] if len(shape) == 1 else shape
    return _functions.reshape(a, shape, order=order, copy=copy)


def _transpose(a, *axes):
    axes = axes[0] if len(axes) == 1 else axes
    return _functions.transpose(a, axes or None)


def _flatten(a, order="C"):
    return _functions.ravel(a, order).copy()


def _fill(a, value):
    a._write(value)


def _sort(a, axis=-1, kind=None, order=None):
    a._write(_functions.sort(a, axis))


def _conj(a):
    return _fallback.ufunc(numpy.conjugate, (a,))


_METHODS = {**_DIRECT, "reshape": _reshape, "transpose": _transpose, "flatten": _flatten,
            "fill": _fill, "sort": _sort, "conj": _conj, "conjugate": _conj}
_PROPERTIES = {"real": lambda a: _functions.real(a), "imag": lambda a: _functions.imag(a),
               "flat": lambda a: _functions.ravel(a),
               "strides": lambda a: a.numpy().strides, "flags": lambda a: a.numpy().flags}


def find(array, name: str):
    """A method or property of an array."""
    method = _METHODS.get(name)
    if method is not None:
        return lambda *args, **kwargs: method(array, *args, **kwargs)
    if name in _PROPERTIES:
        return _PROPERTIES[name](array)
    found = getattr(numpy.ndarray, name, None)
    if found is None:
        raise AttributeError(f"'ndarray' object has no attribute {name!r}")
    if not callable(found):
        return _fallback.call(f"ndarray.{name}", lambda a: getattr(a, name), (array,), {})
    return lambda *args, **kwargs: _fallback.call(f"ndarray.{name}", found, (array, *args),
                                                  kwargs)
