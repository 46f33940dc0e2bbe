"""Modules of NumPy whose functions take and give arrays of ours."""

from __future__ import annotations

import functools
import importlib
import sys
import types

import numpy

from .._core import Forward
from . import _fallback, _functions, _products, _reductions, _standard
from ._elementwise import NotCovered, ufunc_call
from ._fallback import covered
from ._reductions import as_array


#: Functions whose results are named tuples.
_NAMED = {"eig", "eigh", "qr", "slogdet", "svd"}
#: Functions whose operands do not meet in one type.
_APART = 5


#: What has no array in it.
_PLAIN = {int, float, str, bool, type(None), type}


def _are_plain(values) -> bool:
    """Whether no value has an array in it, which shows at once."""
    return all(type(value) in _PLAIN or type(value) is tuple and
               _PLAIN.issuperset(map(type, value)) for value in values)


def _new(made):
    """What NumPy has just made, with arrays of ours."""
    if type(made) is numpy.ndarray and made.base is None:
        return _functions.wrap(made)
    return made if isinstance(made, (float, int)) else _fallback.up(made)


def stand_in(name: str, function, is_covered: bool = False, home: dict | None = None):
    """A function of NumPy's between arrays of ours.

    In `home`, where it is a name, it makes way for one that calls NumPy without a detour where
    all is small.
    """
    if isinstance(function, type) or not callable(function):
        return function

    def called(*args, **kwargs):
        if is_covered:
            if _are_plain(args) and (not kwargs or _are_plain(kwargs.values())):
                return _new(function(*args, **kwargs))
            return _fallback.run(function, args, kwargs)
        made = _fallback.call(name, function, args, kwargs)
        if home is not None and quick is not None and home.get(short) is called:
            home[short] = quick  # what it is has been said
        return made
    functools.update_wrapper(called, function)
    short = name.rpartition(".")[2]
    quick = Forward(function, called, short, _APART) if _fallback.reads(function) and \
        short not in _NAMED else None
    return called


class Grid:
    """What makes arrays of what stands in brackets, as `numpy.r_`."""

    def __init__(self, numpys):
        self._numpys = numpys

    def __getitem__(self, key):
        return _fallback.up(self._numpys[_fallback.down(key)])

    def __getattr__(self, name: str):
        return getattr(self._numpys, name)


class Module(types.ModuleType):
    """A module of NumPy's with some functions of ours."""

    def __init__(self, name: str, own: dict, is_covered: bool = False):
        super().__init__(f"arrc.numpy.{name}")
        self._name, self._numpys = name, importlib.import_module(f"numpy.{name}")
        self._is_covered = is_covered
        self.__dict__.update(own)
        sys.modules[self.__name__] = self

    def __getattr__(self, name: str):
        found = getattr(self._numpys, name)
        made = stand_in(f"{self._name}.{name}", found, self._is_covered, self.__dict__)
        setattr(self, name, made)
        return made

    def __dir__(self):
        return dir(self._numpys)


#: Methods of generators that only read arrays.
_READING = {"choice", "integers", "multivariate_normal", "normal", "permutation", "poisson",
            "uniform"}


def _read(value):
    """What a method that only reads is given."""
    array = _fallback.array_in(value)
    return array.numpy() if type(array) is _functions.ndarray else array


class _Source:
    """A generator of random numbers: NumPy's, its arrays ours."""

    def __init__(self, *args, **kwargs):
        seeds = [seed._source if isinstance(seed, _Source) else seed for seed in args]
        self._source = self._numpys(*_fallback.down(seeds), **_fallback.down(kwargs))

    @classmethod
    def of(cls, source):
        """The one of ours with a source of NumPy's."""
        made = cls.__new__(cls)
        made._source = source
        return made

    @property
    def __class__(self):
        # NumPy's for `isinstance` as well.
        return type(self._source)

    def __reduce__(self):
        return type(self).of, (self._source,)

    def __repr__(self) -> str:
        return repr(self._source)

    def __getattr__(self, name: str):
        found = getattr(self._source, name)
        if not callable(found):
            return found

        def called(*args, **kwargs):
            if _are_plain(args) and (not kwargs or _are_plain(kwargs.values())):
                return _new(found(*args, **kwargs))
            if name in _READING:
                return _new(found(*_fallback.mapped(args, _read),
                                  **_fallback.mapped(kwargs, _read)))
            return _fallback.run(found, args, kwargs)
        self.__dict__[name] = called
        return called


class Generator(_Source):
    __doc__ = numpy.random.Generator.__doc__
    _numpys = numpy.random.Generator


class RandomState(_Source):
    __doc__ = numpy.random.RandomState.__doc__
    _numpys = numpy.random.RandomState


@functools.wraps(numpy.random.default_rng)
def _default_rng(seed=None):
    if type(seed) is Generator:
        return seed
    seed = seed._source if isinstance(seed, _Source) else _fallback.down(seed)
    return Generator.of(numpy.random.default_rng(seed))


random = Module("random", {"default_rng": _default_rng, "Generator": Generator,
                           "RandomState": RandomState}, is_covered=True)


@covered(numpy.linalg.norm, "linalg.norm")
def _norm(x, ord=None, axis=None, keepdims=False):
    x = as_array(x)
    if x.dtype.kind in "biu":
        x = x.astype(float)
    if ord is None or ord == "fro" and x.ndim == 2 or ord == 2 and (
            x.ndim == 1 or isinstance(axis, int)):
        size = x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x
        return ufunc_call(numpy.sqrt, (_reductions.sum(size, axis, keepdims=keepdims),))
    if x.ndim == 1 or isinstance(axis, int):
        if ord == 1:
            return _reductions.sum(abs(x), axis, keepdims=keepdims)
        if ord == numpy.inf:
            return _reductions.max(abs(x), axis, keepdims=keepdims)
    raise NotCovered(f"the norm {ord!r}")


linalg = Module("linalg", {
    "norm": _norm, "matmul": _products.matmul, "tensordot": _products.tensordot,
    "vecdot": _products.vecdot, "LinAlgError": numpy.linalg.LinAlgError})
fft = Module("fft", {"fftfreq": _standard.fftfreq, "rfftfreq": _standard.rfftfreq})


def _as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    return _fallback.run(numpy.lib.stride_tricks.as_strided, (x, shape, strides),
                         {"subok": subok, "writeable": writeable}, shares=True)


@functools.wraps(numpy.lib.stride_tricks.sliding_window_view)
def _sliding_window_view(x, *args, **kwargs):
    return _fallback.run(numpy.lib.stride_tricks.sliding_window_view, (x, *args), kwargs,
                         shares=True)


lib = Module("lib", {"stride_tricks": Module("lib.stride_tricks", {
    "as_strided": _as_strided, "sliding_window_view": _sliding_window_view,
    "broadcast_to": _functions.broadcast_to,
    "broadcast_arrays": _functions.broadcast_arrays})})
