"""The methods of arrays that are functions of the namespace."""

from __future__ import annotations

import operator

import numpy

from . import (_evaluate, _fallback, _filters, _functions, _memory, _products, _reductions,
               _searching, _views)
from ._elementwise import apply

_DIRECT = {name: getattr(home, name) for home, names in (
    (_reductions, "sum prod min max all any mean var std argmin argmax cumsum cumprod"),
    (_functions, "ravel transpose swapaxes squeeze diagonal repeat take round clip "
                 "argsort"),
    (_filters, "nonzero"), (_searching, "searchsorted"),
    (_products, "dot trace")) for name in names.split()}


def part(a, name: str):
    """The real or the imaginary part of an array, which is a part of its memory."""
    if a.dtype.kind != "c":
        return a if name == "real" else _memory.lock(_functions.zeros_like(a))
    if a._held is not None:
        return type(a).holding(getattr(a._held, name))
    kind = numpy.dtype(f"f{a.itemsize // 2}")

    def record():
        return apply(name, (a.dtype,), kind, [a])
    if not a.shape or not a.size:
        return record()
    return _memory.part_of(a, name, record)


class Flags:
    """What NumPy says of the memory of an array, of which `writeable` can be set."""

    __slots__ = ("_array",)

    def __init__(self, array):
        object.__setattr__(self, "_array", array)

    def _found(self):
        array = self._array
        if array._held is not None:
            return array._held.flags
        is_locked = _views.LOCKED in _views.notes(array._view)
        one = numpy.empty(1, array.dtype)
        return numpy.lib.stride_tricks.as_strided(one, array.shape, array.strides,
                                                  writeable=not is_locked).flags

    @property
    def owndata(self) -> bool:
        return self._array.base is None

    def __getattr__(self, name: str):
        return getattr(self._found(), name)

    def __getitem__(self, name: str):
        return self.owndata if name in ("OWNDATA", "O") else self._found()[name]

    def __setattr__(self, name: str, value) -> None:
        array = self._array
        if name != "writeable":
            setattr(_memory.memory_of(array).flags, name, value)
        elif array._held is not None:
            array._held.flags.writeable = value
        elif not value:
            _memory.lock(array)
        elif not self.writeable:
            view = _views.unmarked(array._own_view, _views.LOCKED)
            if not view.is_whole:
                raise ValueError("cannot set WRITEABLE flag to True of this array")
            array._view = view

    def __setitem__(self, name: str, value) -> None:
        setattr(self, "writeable" if name == "W" else name.lower(), value)

    def __repr__(self) -> str:
        return repr(self._found())


class Flat:
    """The elements in a row, of which some can be written."""

    __slots__ = ("base",)

    def __init__(self, array):
        self.base = array

    def _row(self):
        return _functions.ravel(self.base)

    def __getitem__(self, key):
        found = self._row()[key]
        return found.copy() if isinstance(found, numpy.ndarray) or \
            type(found) is type(self.base) and found.shape else found

    def __setitem__(self, key, value) -> None:
        key, value = _fallback.down(key), _fallback.down(value)
        _memory.memory_of(self.base).flat[key] = value

    def __len__(self) -> int:
        return self.base.size

    def __iter__(self):
        return iter(self._row())

    def __array__(self, dtype=None, copy=None):
        return self._row().__array__(dtype)

    def copy(self):
        return self.base.flatten()

    def __getattr__(self, name: str):
        return getattr(self._row(), name)


def _reshape(a, *shape, order="C", copy=None):
    shape = shape[0] if len(shape) == 1 else shape
    return _functions.reshape(a, shape, order=order, copy=copy)


def _transpose(a, *axes):
    return _functions.transpose(a, None if not axes else axes[0] if len(axes) == 1 else axes)


def _flatten(a, order="C"):
    return _functions.ravel(a, order).copy()


def _fill(a, value):
    a._write(value)


def _sort(a, axis=-1, kind=None, order=None):
    a._write(_functions.sort(a, axis))


def _compress(a, condition, axis=None, out=None):
    return _filters.compress(condition, a, axis, out)


def _conj(a):
    return _fallback.ufunc(numpy.conjugate, (a,))


def _view(a, dtype=None, type=None):
    ours = a.__class__ if not a.is_scalar else None
    kinds = [kind for kind in (dtype, type) if kind is not None]
    if all(kind in (ours, numpy.ndarray) or isinstance(kind, numpy.dtype) and kind == a.dtype
           for kind in kinds):
        return a._seen(a._own_view) if a._held is None else a.holding(a._held.view())
    return _fallback.run(numpy.ndarray.view, (a, *kinds), {}, shares=True)


def _resize(a, *shape, refcheck=True):
    held = _memory.memory_of(a)
    shape = tuple(shape[0]) if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape
    sizes = [operator.index(size) for size in shape]
    if isinstance(held.base, numpy.ndarray) or not held.flags.writeable or a.is_scalar:
        raise ValueError("cannot resize this array: it does not own its data")
    if refcheck and not _evaluate.is_alone(held):
        raise ValueError("cannot resize an array that references or is referenced\n"
                         "by another array in this way.\nUse the np.resize function or "
                         "refcheck=False")
    made = numpy.zeros(sizes, held.dtype)
    count = min(made.size, held.size)
    made.reshape(-1)[:count] = held.reshape(-1)[:count]
    a._held = None
    a._held = made


def _setflags(a, write=None, align=None, uic=None):
    if write is not None:
        a.flags.writeable = write


_METHODS = {**_DIRECT, "reshape": _reshape, "transpose": _transpose, "flatten": _flatten,
            "fill": _fill, "sort": _sort, "compress": _compress, "conj": _conj, "conjugate": _conj, "view": _view,
            "resize": _resize, "setflags": _setflags}


def find(array, name: str):
    """A method or property of an array."""
    method = _METHODS.get(name)
    if method is not None:
        return lambda *args, **kwargs: method(array, *args, **kwargs)
    found = getattr(numpy.ndarray, name, None)
    if found is None:
        if array._held is None and array.is_scalar and hasattr(array.dtype.type, name):
            return getattr(array.numpy()[()], name)  # as `is_integer` of a float
        raise AttributeError(f"'ndarray' object has no attribute {name!r}")
    if not callable(found):  # `data` and `ctypes` are memory
        return getattr(_memory.memory_of(array), name)
    return lambda *args, **kwargs: _fallback.call(f"ndarray.{name}", found, (array, *args),
                                                  kwargs)
