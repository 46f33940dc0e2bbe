"""What the array API's standard asks for beyond NumPy, or otherwise than NumPy has it."""

from __future__ import annotations

import numpy

from ._array import ndarray, wrap


def _type_of(value):
    return value.dtype if type(value) is ndarray else value


class finfo:
    """`numpy.finfo`, which takes arrays of ours as well."""

    def __new__(cls, dtype):
        return numpy.finfo(_type_of(dtype))


def isdtype(dtype, kind) -> bool:
    """Whether a type is of a kind: a type, a name, or several."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    dtype = numpy.dtype(dtype)
    if isinstance(kind, str):
        letters = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu",
                   "real floating": "f", "complex floating": "c", "numeric": "iufc"}
        if kind not in letters:
            raise ValueError(f"kind {kind!r} is none of {', '.join(letters)}")
        return dtype.kind in letters[kind]
    return dtype == numpy.dtype(kind)


def _frequencies(name: str):
    def function(n, d=1.0, *, dtype=None, device=None):
        made = getattr(numpy.fft, name)(n, d)
        return wrap(made if dtype is None else made.astype(dtype))
    function.__name__ = name
    function.__doc__ = getattr(numpy.fft, name).__doc__
    return function


fftfreq, rfftfreq = _frequencies("fftfreq"), _frequencies("rfftfreq")
