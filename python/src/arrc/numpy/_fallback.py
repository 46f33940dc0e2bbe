"""What programs cannot do goes to NumPy, with one warning that names it."""

from __future__ import annotations

import functools
import inspect
import warnings

import numpy

from . import _dtypes, _elementwise
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


def array_in(value):
    """What something else says its array is; anything else as it is."""
    if hasattr(type(value), "__array__") and type(value) is not _elementwise.array_type() and \
            not isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.__array__()
    return value


def mapped(value, change):
    """The same with what `change` makes of all that is no list, tuple or dictionary."""
    kind = type(value)
    if kind in (list, tuple):
        return kind([mapped(item, change) for item in value])
    if kind is dict:
        return {name: mapped(item, change) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(mapped(item, change) for item in value))
    return change(value)


def _down(value):
    if type(value) is slice:
        return slice(*map(_down, (value.start, value.stop, value.step)))
    array = array_in(value)
    if type(array) is _elementwise.array_type():
        found = array._now()
        return found[()] if array.is_scalar else numpy.array(found)
    return value


def down(value):
    """The same with arrays of NumPy's, which may be written to."""
    return mapped(value, _down)


def _up(value):
    from . import _memory
    from ._array import wrap
    if type(value) is not numpy.ndarray:
        return value
    owner = value
    while isinstance(owner, numpy.ndarray):
        owner = owner.base
    if owner is None:
        return wrap(value)
    # Memory that is nobody's array, as that of `frombuffer`.
    if value.flags.writeable and value.size:
        return view_of(value)
    made = wrap(value)
    return _memory.lock(made) if type(made) is _elementwise.array_type() else made


def up(value):
    """The same with arrays of ours."""
    return mapped(value, _up)


def view_of(value):
    """An array of NumPy's as one of ours on the same memory, if programs have its type."""
    if type(value) is not numpy.ndarray or value.ndim > 8 or not _dtypes.is_known(value.dtype):
        return value
    return _elementwise.array_type().holding(value) if value.size else _up(value.copy())


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
    return run(function, args, kwargs)


class _Given:
    """The arrays of a call, with what NumPy gets of each."""

    def __init__(self):
        self.pairs: dict = {}

    def down(self, value):
        array = array_in(value)
        if type(array) is not _elementwise.array_type():
            return value
        if id(array) not in self.pairs:
            made = self.take(array)
            if not isinstance(made, numpy.ndarray):
                return made
            self.pairs[id(array)] = array, made
        return self.pairs[id(array)][1]

    def write(self) -> None:
        """Writes to the arrays what NumPy wrote."""

    def is_view(self, value) -> bool:
        """Whether a result shares memory with what NumPy got, and is none of that."""
        return isinstance(value, numpy.ndarray) and value.base is not None and any(
            value is not made and numpy.may_share_memory(value, made)
            for _, made in self.pairs.values())

    def up(self, value):
        for array, made in self.pairs.values():
            if made is value:
                return array
        return view_of(value) if self.is_view(value) else _up(value)


class _Copies(_Given):
    """NumPy gets copies, and what it has written to them is written to the arrays."""

    def __init__(self, calls_back: bool):
        super().__init__()
        self.calls_back = calls_back
        self.before: dict = {}

    def take(self, value):
        made = _down(value)
        if isinstance(made, numpy.ndarray):
            # A function that is called back may write to the array itself meanwhile.
            if self.calls_back:
                self.before[id(value)] = made.copy()
            if not value.flags.writeable:
                made.flags.writeable = False
        return made

    def write(self) -> None:
        from . import _memory
        # Of an array itself the elements are those from before. All are compared before one is
        # written, which another may share memory with.
        changed = [(array, made) for array, made in self.pairs.values()
                   if not _memory.has_same_bits(made, self.before[id(array)] if self.calls_back
                                                else array._now())]
        for array, made in changed:
            array._write(made)


class _Reads(_Given):
    """NumPy gets what the arrays hold, and cannot write to it."""

    @staticmethod
    def take(value):
        found = value._now()
        if value.is_scalar:
            return found[()]
        made = found.view()
        made.flags.writeable = False
        return made


#: Functions of NumPy's that write to none of their arguments.
_READERS = frozenset("""
    angle argpartition argwhere array2string array_equal array_equiv array_repr array_str average
    bincount block cholesky choose column_stack compress cond convolve corrcoef correlate cov
    delete det diff digitize dstack ediff1d eig eigh eigvals eigvalsh einsum extract fft fft2
    fftn fftshift flatnonzero gradient hfft histogram histogram2d histogram_bin_edges histogramdd
    i0 ifft ifft2 ifftn ifftshift ihfft in1d insert interp intersect1d inv irfft irfft2 irfftn
    isclose isin kron lexsort lstsq matrix_power matrix_rank max mean median min multi_dot
    nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin
    nanpercentile nanprod nanquantile nanstd nansum nanvar norm packbits pad partition percentile
    pinv polyadd polyfit polymul polysub polyval qr quantile ravel_multi_index real_if_close
    repeat resize rfft rfft2 rfftn roll roots save savetxt savez savez_compressed searchsorted
    select setdiff1d setxor1d sinc slogdet solve sum svd take_along_axis tensordot tile trapezoid
    trapz trim_zeros union1d unique unpackbits unravel_index unwrap vander""".split())
#: Methods of arrays of which this is true.
_READING = frozenset({"argpartition", "dump", "dumps", "searchsorted", "tofile"})
#: Arguments by which functions are told to write.
_PLACES = {"out", "overwrite_input", "copy"}


@functools.cache
def _parameters(function) -> tuple:
    """The names of a function's parameters, in order."""
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()


def reads(function) -> bool:
    """Whether a function of NumPy's writes to none of its arguments, if it is not told to."""
    module = getattr(function, "__module__", None) or ""
    return module.partition(".")[0] == "numpy" and getattr(function, "__name__", "") in _READERS


def _only_reads(function, args: tuple, kwargs: dict) -> bool:
    """Whether a call writes to none of its arguments."""
    name = getattr(function, "__name__", "")
    if isinstance(function, numpy.ufunc):
        return len(args) <= function.nin and "out" not in kwargs
    if getattr(function, "__objclass__", None) is numpy.ndarray:
        return name in _READING
    if isinstance(getattr(function, "__self__", None), numpy.ufunc):
        return name == "reduceat" and len(args) < 5 and kwargs.get("out") is None
    return reads(function) and \
        _PLACES.isdisjoint((*_parameters(function)[:len(args)], *kwargs))


class _Memory(_Given):
    """NumPy gets the memory of arrays, which is theirs from then on."""

    @staticmethod
    def take(value):
        from . import _memory
        return _down(value) if value.is_scalar else _memory.memory_of(value)


def _calls_back(function, args: tuple, kwargs: dict) -> bool:
    """Whether NumPy may run functions of the program's in a call."""
    if isinstance(function, numpy.ufunc) and function.ntypes == 1 and \
            set(function.types[0]) <= set("O->"):
        return True  # `frompyfunc`
    return any(callable(value) and not isinstance(value, (type, numpy.ufunc))
               for value in (*args, *kwargs.values()))


def run(function, args: tuple, kwargs: dict, shares: bool = False):
    """NumPy's function; what it writes comes back, and views are views of the arrays.

    That needs the memory of the arrays: at once with `shares`, else if a result turns out to be
    a view.
    """
    calls_back = _calls_back(function, args, kwargs)
    if shares:
        given = _Memory()
    elif not calls_back and _only_reads(function, args, kwargs):
        given = _Reads()
    else:
        given = _Copies(calls_back)
    args_down, options = mapped(args, given.down), mapped(kwargs, given.down)
    try:
        made = function(*args_down, **options)
    except Exception:
        given.write()  # what came before the error
        raise
    if shares:
        return mapped(made, given.up)
    found: list = []
    mapped(made, lambda value: found.append(given.is_view(value)))
    if any(found):
        return run(function, args, kwargs, shares=True)
    given.write()
    return mapped(made, given.up)


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
        parameters = inspect.signature(body).parameters

        @functools.wraps(body)
        def recorded(*args, **kwargs):
            try:
                return plain(body(*args, **kwargs))
            except NotCovered as problem:
                if numpys is None:
                    raise NotImplementedError(str(problem)) from None
                # What is as it is anyway need not be known to the NumPy that is installed.
                said = {key: value for key, value in kwargs.items() if value is not getattr(
                    parameters.get(key), "default", inspect.Parameter.empty)}
                return call(title, numpys, args, said, str(problem))
        return recorded
    return decorate
