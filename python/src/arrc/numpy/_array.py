"""The arrays of `arrc.numpy`: views of bases whose values are recorded."""

from __future__ import annotations

import math
import operator

import numpy

from . import _dtypes, _evaluate, _fallback, _graph, _indexing, _views
from ._elementwise import NotCovered, convert, known, ufunc_call


_recorder = _graph.recorder
_new = object.__new__


class _Arrays(type):
    """`ndarray(shape, dtype)` as NumPy has it; ours are made by `ndarray.made`."""

    def __call__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if buffer is not None or strides is not None:
            return wrap(numpy.ndarray(shape, dtype, _fallback.down(buffer), offset, strides,
                                      order).copy())
        from ._functions import empty
        return empty(shape, dtype)


class ndarray(metaclass=_Arrays):
    """An array whose elements are computed when they are wanted."""

    __slots__ = ("_base", "_view", "shape_", "dtype", "is_scalar", "__weakref__")
    __array_priority__ = 1000.0
    __hash__ = None

    @staticmethod
    def made(base: _graph.Base, view: _views.View | None, shape: tuple, dtype: numpy.dtype,
             is_scalar: bool = False) -> "ndarray":
        """A view of a base."""
        self = _new(ndarray)
        self._base, self._view, self.shape_, self.dtype = base, view, shape, dtype
        #: Whether NumPy would give a scalar, which nothing changes in place.
        self.is_scalar = is_scalar
        return self

    @staticmethod
    def of(node: _graph.Node, is_scalar: bool = False) -> "ndarray":
        """An array of its own memory with the value of a node."""
        return ndarray.made(_graph.Base(node), None, node.shape, node.dtype, is_scalar)

    def _seen(self, view: _views.View) -> "ndarray":
        """Another view of the same memory."""
        return ndarray.made(self._base, view, view.shape, self.dtype)

    @property
    def _own_view(self) -> _views.View:
        return self._view or _views.whole(self.shape_)

    # What it is.

    @property
    def shape(self) -> tuple:
        return self.shape_

    @shape.setter
    def shape(self, shape):
        view = _views.reshape(self._own_view, _indexing.full_shape(self, shape))
        if view is None:
            raise AttributeError("Incompatible shape for in-place modification. "
                                 "Use `.reshape()` to make a copy with the desired shape.")
        self._view, self.shape_ = view, view.shape

    @property
    def ndim(self) -> int:
        return len(self.shape_)

    @property
    def size(self) -> int:
        return math.prod(self.shape_)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def base(self):
        return None if self._view is None else ndarray.of(self._base.node)

    @property
    def device(self) -> str:
        return "cpu"

    def to_device(self, device, /, *, stream=None) -> "ndarray":
        if device != "cpu":
            raise ValueError(f"unsupported device {device!r}: arrc.numpy.device() says "
                             "where programs run")
        return self

    @property
    def T(self) -> "ndarray":
        return self.transpose()

    @property
    def mT(self) -> "ndarray":
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return self.swapaxes(-1, -2)

    def __len__(self) -> int:
        if not self.shape_:
            raise TypeError("len() of unsized object")
        return self.shape_[0]

    # What comes out of it.

    def numpy(self) -> numpy.ndarray:
        """The elements, now; not to be written to."""
        node, view = self._base.node, self._view
        value = _graph.value_of(node)
        if not isinstance(value, numpy.ndarray):  # on a card
            value = numpy.asarray(value.host())
        if view is not None:
            value = _indexing.look(value, view)
        value = value.view()
        value.flags.writeable = False
        return value

    def __array__(self, dtype=None, copy=None) -> numpy.ndarray:
        value = self.numpy()
        if dtype is not None and numpy.dtype(dtype) != value.dtype:
            return value.astype(dtype)
        return value if copy is False else value.copy()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        given = {"stream": stream, "max_version": max_version, "dl_device": dl_device,
                 "copy": copy}
        return numpy.array(self.numpy()).__dlpack__(
            **{name: value for name, value in given.items() if value is not None})

    def __dlpack_device__(self):
        return (1, 0)

    def __array_namespace__(self, *, api_version=None):
        import arrc.numpy
        return arrc.numpy

    def item(self, *args):
        return self.numpy().item(*args)

    def tolist(self):
        return self.numpy().tolist()

    def tobytes(self, order="C") -> bytes:
        return self.numpy().tobytes(order)

    def __repr__(self) -> str:
        return repr(self.numpy()[()] if self.is_scalar else self.numpy())

    def __str__(self) -> str:
        return str(self.numpy()[()] if self.is_scalar else self.numpy())

    def __format__(self, spec: str) -> str:
        value = self.numpy()
        return format(value[()] if not self.shape_ else value, spec)

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __int__(self) -> int:
        return int(self.numpy())

    def __float__(self) -> float:
        return float(self.numpy())

    def __complex__(self) -> complex:
        return complex(self.numpy())

    def __index__(self) -> int:
        return operator.index(self.numpy()[()])

    def __round__(self, digits=None):
        return round(self.numpy()[()], digits) if not self.shape_ else self.round(digits or 0)

    def __iter__(self):
        if not self.shape_:
            raise TypeError("iteration over a 0-d array")
        return (self[k] for k in range(self.shape_[0]))

    def __contains__(self, value) -> bool:
        return bool((self == value).any())

    def __reduce__(self):
        return array, (numpy.array(self.numpy()),)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    # NumPy's protocols.

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return _fallback.ufunc_method(ufunc, method, inputs, kwargs)

    def __array_function__(self, func, types, args, kwargs):
        return _fallback.function(func, args, kwargs)

    # Elements, views and writes.

    def __getitem__(self, key):
        return _indexing.get(self, key)

    def __setitem__(self, key, value) -> None:
        _indexing.put(self, key, value)

    def _write(self, value) -> None:
        """Puts values into all elements, converted and repeated."""
        _indexing.write(self, value)

    def copy(self, order="C") -> "ndarray":
        node, view = self._base.node, self._view
        if view is not None:
            node = _graph.dense(*_graph.settle(node, view))
        return ndarray.of(node)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True, device=None):
        dtype = numpy.dtype(dtype)
        if not numpy.can_cast(self.dtype, dtype, casting):
            raise TypeError(f"Cannot cast array data from {self.dtype!r} to {dtype!r} "
                            f"according to the rule '{casting}'")
        if not _dtypes.is_known(dtype):
            return _fallback.call("astype", lambda a: a.astype(dtype), (self,), {})
        if dtype == self.dtype:
            return self.copy() if copy else self
        made = convert(self, dtype)
        made.is_scalar = self.is_scalar
        return made

    def __getattr__(self, name: str):
        # Methods that are functions of the namespace, else NumPy's.
        if name.startswith("__"):
            raise AttributeError(name)
        from . import _methods
        return _methods.find(self, name)


#: Products of small matrices, by their multiplications.
_LARGEST_PRODUCT = 1 << 20


def _small(array: ndarray):
    """The elements of an array that is there and small enough for NumPy, else None."""
    value, view = array._base._node.value, array._view
    if type(value) is not numpy.ndarray:
        return None
    if view is None:
        return value if value.size <= _recorder.eager else None
    if not 0 < math.prod(view.shape) <= _recorder.eager or view.inner is not None or \
            view.source != value.shape:
        return None
    return _evaluate.look(value, view.dims, view.shape)


def at_once(ufunc, first: ndarray, other, is_reflected: bool = False):
    """What NumPy makes of small operands of one type, None where it is for the others to say."""
    a = _small(first)
    if a is None:
        return None
    kind, dtype = type(other), a.dtype
    if kind is ndarray:
        b = _small(other)
        if b is None or b.dtype != dtype:
            return None
        if ufunc is numpy.matmul:
            if not 1 <= a.ndim <= 2 or not 1 <= b.ndim <= 2 or \
                    a.size * (b.shape[-1] if b.ndim > 1 else 1) > _LARGEST_PRODUCT:
                return None
        elif a.shape != b.shape and a.size * b.size > _recorder.eager:
            return None
        is_scalar = first.is_scalar and other.is_scalar or ufunc is numpy.matmul
    elif ufunc is numpy.matmul:
        return None
    elif kind is float and dtype.kind == "f" and a.ndim or other.__class__ is dtype.type and (
            a.ndim or first.is_scalar) or kind is int and a.ndim and (
            dtype.kind in "fi" and -128 <= other < 128):
        b, is_scalar = other, first.is_scalar
    else:
        return None
    made = ufunc(b, a) if is_reflected else ufunc(a, b)
    if type(made) is not numpy.ndarray:
        if is_scalar:
            return made
        made = numpy.asarray(made)
    return ndarray.of(_graph.leaf(made)) if made.flags.c_contiguous else None


def one_at_once(ufunc, array: ndarray):
    """What NumPy makes of a small operand of floats, else None."""
    value = _small(array)
    if value is None or value.dtype.kind not in "fc":
        return None
    made = ufunc(value)
    if type(made) is not numpy.ndarray:
        return made if array.is_scalar else ndarray.of(_graph.leaf(numpy.asarray(made)))
    return ndarray.of(_graph.leaf(made)) if made.flags.c_contiguous else None


def _binary(ufunc, is_reflected=False):
    is_plain = ufunc is not numpy.power

    def operation(self, other):
        if is_plain and _recorder.eager:
            made = at_once(ufunc, self, other, is_reflected)
            if made is not None:
                return made
        if other is None or isinstance(other, (str, bytes)):
            return NotImplemented
        if not isinstance(other, (ndarray, numpy.ndarray, numpy.generic)) and hasattr(
                other, "__array_ufunc__") and other.__array_ufunc__ is None:
            return NotImplemented
        operands = (other, self) if is_reflected else (self, other)
        return _fallback.ufunc(ufunc, operands)
    return operation


def _inplace(ufunc):
    is_plain = ufunc is not numpy.matmul and ufunc is not numpy.power

    def operation(self, other):
        if is_plain and _recorder.eager and self.shape_:
            made = at_once(ufunc, self, other)
            if made is not None and made.dtype == self.dtype and made.shape == self.shape_:
                self._write(made)
                return self
        if self.is_scalar:  # like a number: a new one
            return _fallback.ufunc(ufunc, (self, other))
        return _fallback.ufunc(ufunc, (self, other), out=self)
    return operation


def _unary(ufunc):
    return lambda self: _fallback.ufunc(ufunc, (self,))


known[0] = ndarray

for _name, _ufunc in {
        "add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply,
        "truediv": numpy.true_divide, "floordiv": numpy.floor_divide, "mod": numpy.remainder,
        "pow": numpy.power, "and": numpy.bitwise_and, "or": numpy.bitwise_or,
        "xor": numpy.bitwise_xor, "lshift": numpy.left_shift, "rshift": numpy.right_shift,
        "matmul": numpy.matmul}.items():
    setattr(ndarray, f"__{_name}__", _binary(_ufunc))
    setattr(ndarray, f"__r{_name}__", _binary(_ufunc, True))
    setattr(ndarray, f"__i{_name}__", _inplace(_ufunc))
for _name, _ufunc in {"eq": numpy.equal, "ne": numpy.not_equal, "lt": numpy.less,
                      "le": numpy.less_equal, "gt": numpy.greater,
                      "ge": numpy.greater_equal}.items():
    setattr(ndarray, f"__{_name}__", _binary(_ufunc))
for _name, _ufunc in {"neg": numpy.negative, "pos": numpy.positive, "abs": numpy.absolute,
                      "invert": numpy.invert}.items():
    setattr(ndarray, f"__{_name}__", _unary(_ufunc))


def wrap(value):
    """An array of NumPy's as one of ours, if programs have its type; nobody else writes it."""
    if isinstance(value, numpy.ndarray) and _dtypes.is_known(value.dtype) and value.ndim <= 8:
        if not (value.flags.carray and value.dtype.isnative):
            value = numpy.require(value, value.dtype.newbyteorder("="), "CA")
        return ndarray.of(_graph.leaf(value))
    return value


def array(value, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    """`numpy.array`; of elements that programs have not, NumPy's own."""
    if type(value) is ndarray:
        made = value
        if dtype is not None and numpy.dtype(dtype) != value.dtype:
            made = value.astype(dtype)
        elif copy:
            made = value.copy()
        if type(made) is ndarray:
            while made.ndim < ndmin:
                made = made[None]
        return made
    if hasattr(value, "__dlpack__") and not isinstance(value, (numpy.ndarray, numpy.generic)) \
            and not hasattr(value, "__array__"):
        value = numpy.from_dlpack(value)
    if isinstance(value, (list, tuple)):
        value = _unlazy(value)
    return wrap(numpy.array(value, dtype=dtype, copy=True, order="C", ndmin=ndmin))


def _unlazy(value):
    if isinstance(value, (list, tuple)):
        return [_unlazy(item) for item in value]
    return numpy.asarray(value)[()] if type(value) is ndarray else value
