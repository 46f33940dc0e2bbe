"""The arrays of `arrc.numpy`: views of bases whose values are recorded."""

from __future__ import annotations

import math
import operator
import types

import numpy

from .. import _core
from . import _dtypes, _evaluate, _fallback, _graph, _indexing, _memory, _views
from ._elementwise import NotCovered, convert, is_derived, known, loop_for, ufunc_call


_recorder = _graph.recorder
_new = object.__new__


class _Arrays(type):
    """`ndarray(shape, dtype)` as NumPy has it; ours are made by `ndarray.made`."""

    def __call__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if buffer is not None or strides is not None:
            if type(buffer) is ndarray:
                buffer = _memory.memory_of(buffer)
            return _fallback.view_of(numpy.ndarray(shape, dtype, buffer, offset, strides, order))
        from ._functions import empty
        return empty(shape, dtype, order or "C")

    def __new__(mcls, name: str, bases: tuple, names: dict, **options):
        # What scripts derive is NumPy's: its elements are memory, which others make views of.
        if any(isinstance(base, _Arrays) for base in bases):
            bases = tuple(numpy.ndarray if isinstance(base, _Arrays) else base for base in bases)
            return type(name, bases, names, **options)
        return super().__new__(mcls, name, bases, names, **options)

    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, numpy.ndarray) or super().__instancecheck__(value)

    def __subclasscheck__(cls, other) -> bool:
        return issubclass(other, numpy.ndarray) or super().__subclasscheck__(other)

    def __getattr__(cls, name: str):
        # Methods that are none of the class's own: `ndarray.fill(a, 3)`.
        if name.startswith("_") or not callable(getattr(numpy.ndarray, name, None)):
            raise AttributeError(f"type object 'ndarray' has no attribute {name!r}")

        def method(array, *args, **kwargs):
            return getattr(array, name)(*args, **kwargs)
        return method


class ndarray(_core.Held, metaclass=_Arrays):
    """An array whose elements are computed when they are wanted.

    It is one of two: a view of a base, whose value may be recorded, or, if it is small and
    NumPy computes what is small, an array of NumPy's, `_held`, which it has from the start.
    Who asks such an array for its base gets one of a copy.
    """

    __class_getitem__ = classmethod(types.GenericAlias)

    def __new__(cls, *args, **kwargs):
        # `ndarray.__new__(cls, shape)` in a class that a script derives.
        return numpy.ndarray.__new__(cls, *args, **kwargs)

    # What it has is the extension's: without members of Python's it costs no collection of garbage.
    __slots__ = ()
    __array_priority__ = 1000.0

    @staticmethod
    def made(base: _graph.Base, view: _views.View | None, shape: tuple, dtype: numpy.dtype,
             is_scalar: bool = False) -> "ndarray":
        """A view of a base, None for all of it."""
        self = _new(ndarray)
        self._base, self._view, self.shape_, self.dtype_ = base, view, shape, dtype
        #: Whether NumPy would give a scalar, which nothing changes in place.
        self.is_scalar = is_scalar
        return self

    @staticmethod
    def of(node: _graph.Node, is_scalar: bool = False) -> "ndarray":
        """An array of its own memory with the value of a node."""
        value = node.value
        if type(value) is numpy.ndarray and not node.refs and node.shape and \
                0 < value.size <= _recorder.eager:
            # Nobody else has a value that has its own memory and belongs to no base.
            return ndarray.holding(value if value.base is None else value.copy())
        return ndarray.made(_graph.Base(node), None, node.shape, node.dtype, is_scalar)

    @staticmethod
    def holding(value: numpy.ndarray) -> "ndarray":
        """An array on memory of NumPy's, which is its own or that of others that hold it."""
        self = _new(ndarray)
        self._held = value
        return self

    def _seen(self, view: _views.View) -> "ndarray":
        """Another view of the same memory."""
        if self._held is not None:
            return ndarray.holding(_indexing.look(self._held, view))
        return ndarray.made(self._base, view, view.shape, self.dtype)

    @property
    def _own_view(self) -> _views.View:
        return self._view or _views.whole(self.shape)

    # What it is.

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def base(self):
        if self._held is not None:
            owner = self._held.base
            return ndarray.holding(owner) if type(owner) is numpy.ndarray else None
        if self._view is None:
            return None
        shape, view = self._base.node.shape, self._view
        bare, note = view, None
        for note in _views.notes(view):
            bare = _views.unmarked(bare, note)
        if bare.inner is None and bare.is_whole and bare.source == shape and \
                note is not _views.LOCKED:
            return None
        whole = _views.whole(shape)
        for note in _views.notes(view):
            if note is not _views.LOCKED:
                whole = _views.marked(whole, note)
        return ndarray.made(self._base, None if note is None else whole, shape, self.dtype)

    @property
    def device(self) -> str:
        return "cpu"

    def to_device(self, device, /, *, stream=None) -> "ndarray":
        if device != "cpu":
            raise ValueError(f"unsupported device {device!r}: arrc.numpy.device() says "
                             "where programs run")
        return self

    @property
    def mT(self) -> "ndarray":
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return self.swapaxes(-1, -2)

    @property
    def __class__(self):
        # What NumPy would give as a scalar is one for `isinstance` as well.
        if self._held is None and self.is_scalar:
            return self.dtype.type
        return ndarray

    def __hash__(self) -> int:
        if self._held is None and self.is_scalar:
            return hash(self.numpy()[()])
        raise TypeError("unhashable type: 'ndarray'")

    # Parts of complex numbers, and what else can be set.

    @property
    def real(self):
        return _methods().part(self, "real")

    @real.setter
    def real(self, value):
        _memory.memory_of(self).real = _fallback.down(value)

    @property
    def imag(self):
        return _methods().part(self, "imag")

    @imag.setter
    def imag(self, value):
        _memory.memory_of(self).imag = _fallback.down(value)

    @property
    def flat(self):
        return _methods().Flat(self)

    @flat.setter
    def flat(self, value):
        _memory.memory_of(self).flat = _fallback.down(value)

    @property
    def flags(self):
        return _methods().Flags(self)

    @property
    def strides(self) -> tuple:
        if self._held is not None:
            return self._held.strides
        return tuple(step * self.itemsize for step in _views.pitches(self._own_view))

    # What comes out of it.

    def numpy(self) -> numpy.ndarray:
        """The elements, now; not to be written to."""
        if self._held is not None:
            value = self._held.copy()
            value.flags.writeable = False
            return value
        node, view = self._base.node, self._view
        value = _graph.value_of(node)
        if not isinstance(value, numpy.ndarray):  # on a card
            value = numpy.asarray(value.host())
        if view is not None:
            value = _indexing.look(value, view)
        value = value.view()
        value.flags.writeable = False
        return value

    def _now(self) -> numpy.ndarray:
        """The elements, to be read at once."""
        return self.numpy() if self._held is None else self._held

    def __array__(self, dtype=None, copy=None) -> numpy.ndarray:
        value = self._now()
        if dtype is not None and numpy.dtype(dtype) != value.dtype:
            return value.astype(dtype)
        return value if copy is False and self._held is None else value.copy()

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
        return self._now().item(*args)

    def tolist(self):
        return self._now().tolist()

    def tobytes(self, order="C") -> bytes:
        return self._now().tobytes(order)

    def __repr__(self) -> str:
        return repr(self.numpy()[()] if self.is_scalar else self.numpy())

    def __str__(self) -> str:
        return str(self.numpy()[()] if self.is_scalar else self.numpy())

    def __format__(self, spec: str) -> str:
        value = self.numpy()
        return format(value[()] if not self.shape else value, spec)

    def __bool__(self) -> bool:
        return bool(self._now())

    def __int__(self) -> int:
        return int(self._now())

    def __float__(self) -> float:
        return float(self._now())

    def __complex__(self) -> complex:
        return complex(self._now())

    def __index__(self) -> int:
        return operator.index(self._now()[()])

    def __round__(self, digits=None):
        return round(self._now()[()], digits) if not self.shape else self.round(digits or 0)

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        if self._held is not None and self._held.ndim == 1:
            return iter(self._held)
        return (self[k] for k in range(self.shape[0]))

    def __reversed__(self):
        return (self[k] for k in range(len(self) - 1, -1, -1))

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __contains__(self, value) -> bool:
        found = self == value
        return found if type(found) is bool else bool(found.any())

    def __reduce__(self):
        return array, (numpy.array(self.numpy()),)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    # NumPy's protocols.

    def __array_function__(self, func, types, args, kwargs):
        return _fallback.function(func, args, kwargs)

    # Elements, views and writes.

    def _write(self, value) -> None:
        """Puts values into all elements, converted and repeated."""
        _indexing.write(self, value)

    def copy(self, order="C") -> "ndarray":
        if order == "F" or order == "A" and _views.is_columns_first(self):
            return self.transpose().copy().transpose()
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
            return self.copy("F" if order == "F" else "C") if copy else self
        made = convert(self, dtype)
        if order == "F":
            made = made.copy("F")
        made.is_scalar = self.is_scalar
        return made

    def __getattr__(self, name: str):
        # Methods that are functions of the namespace, else NumPy's.
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _OF_HELD and self._held is not None:
            return _OF_HELD[name](self)
        return _methods().find(self, name)


def _methods():
    from . import _methods as found
    return found


def _not_there(array: ndarray):
    raise AttributeError("_copied")


#: What recorded arrays have in slots, of those that hold an array of NumPy's.
_OF_HELD = {"_base": _memory.base_of, "_view": lambda array: None, "is_scalar": lambda array: False,
            "shape_": lambda array: array._held.shape, "dtype_": lambda array: array._held.dtype,
            "_copied": _not_there}


#: Whether NumPy itself has the promotion of version 2, by types alone.
_IS_WEAK = int(numpy.__version__.split(".")[0]) >= 2

#: Products of small matrices, by their multiplications.
_LARGEST_PRODUCT = 1 << 20


def _small(array: ndarray):
    """The elements of an array that is there and small enough for NumPy, else None."""
    if array._held is not None:
        # A large view, or what has one, could only be copied.
        return array._held if 0 < array._held.size and (
            array._held.size <= _recorder.eager or not _memory.is_hers(array)) else None
    value, view = array._base._node.value, array._view
    if type(value) is not numpy.ndarray:
        return None
    if view is None:
        return value if value.size <= _recorder.eager else None
    if not 0 < math.prod(view.shape) <= _recorder.eager or view.inner is not None or \
            view.source != value.shape:
        return None
    return _evaluate.look(value, view.dims, view.shape)


def _there(array: ndarray):
    """The elements of an array whose value is there, however many, else None."""
    if array._held is not None:
        return array._held
    value, view = array._base._node.value, array._view
    if type(value) is not numpy.ndarray or view is None:
        return value if type(value) is numpy.ndarray else None
    if 0 in view.shape or view.inner is not None or view.source != value.shape:
        return None
    return _evaluate.look(value, view.dims, view.shape)


def _product_at_once(first: ndarray, second):
    """A product of matrices or vectors, for which NumPy calls a library; else None."""
    a, b = _there(first), _there(second) if type(second) is ndarray else None
    if a is None or b is None or a.dtype != b.dtype or a.dtype.kind not in "fc" or \
            a.dtype.itemsize < 4 or not 1 <= a.ndim <= 2 or not 1 <= b.ndim <= 2:
        return None
    return numpy.matmul(a, b)


def at_once(ufunc, first: ndarray, other, is_reflected: bool = False):
    """What NumPy makes of small operands of one type, None where it is for the others to say."""
    if ufunc is numpy.matmul and not is_reflected:
        made = _product_at_once(first, other)
        if made is not None:
            return made if type(made) is not numpy.ndarray else ndarray.of(_graph.leaf(made))
    a = _small(first)
    if a is None:
        return None
    kind, dtype = type(other), a.dtype
    if kind is ndarray:
        b = _small(other)
        if b is None or b.dtype != dtype and not _IS_WEAK and not (a.ndim and b.ndim):
            return None
        if ufunc is numpy.matmul:
            if not 1 <= a.ndim <= 2 or not 1 <= b.ndim <= 2 or \
                    a.size * (b.shape[-1] if b.ndim > 1 else 1) > _LARGEST_PRODUCT:
                return None
        elif a.shape != b.shape and a.size * b.size > _recorder.eager and \
                math.prod(numpy.broadcast_shapes(a.shape, b.shape)) > _recorder.eager:
            return None
        is_scalar = first.is_scalar and other.is_scalar or ufunc is numpy.matmul
    elif ufunc is numpy.matmul:
        return None
    elif _IS_WEAK and (kind in (float, int, complex, bool) or isinstance(other, numpy.generic)):
        b, is_scalar = other, first.is_scalar
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
            return _no_number(ufunc, self, other)
        if ufunc is numpy.power and type(other) is int and other == 2 and not is_reflected and \
                self.shape and self.dtype.kind == "b":
            return self.astype("int8")  # an operator's own way: `power` gives int64
        if ufunc is numpy.multiply and type(other) in (list, tuple) and self.is_scalar and \
                self.dtype.kind in "iu":
            return other * operator.index(self)
        if not isinstance(other, (ndarray, numpy.ndarray, numpy.generic)) and hasattr(
                other, "__array_ufunc__") and other.__array_ufunc__ is None:
            return NotImplemented
        operands = (other, self) if is_reflected else (self, other)
        if is_derived(other):  # whose operators may be its own
            return _fallback.call(ufunc.__name__, _operator_of(ufunc), operands, {},
                                  f"operands of the class {type(other).__name__}")
        return _fallback.ufunc(ufunc, operands)
    return operation


def _no_number(ufunc, array: ndarray, other):
    """What an operator makes of what is no number, and so equals no element."""
    if ufunc is not numpy.equal and ufunc is not numpy.not_equal:
        return NotImplemented
    # Of text some versions of NumPy say it once for all elements.
    made = ufunc is numpy.not_equal if other is None else \
        _operator_of(ufunc)(numpy.ones(1, array.dtype), other)
    if array.is_scalar or other is not None and type(made) is not numpy.ndarray:
        return bool(made)
    from ._functions import full
    return full(array.shape, bool(made))


_NAMES = {"true_divide": "truediv", "divide": "truediv", "floor_divide": "floordiv",
          "remainder": "mod", "power": "pow", "multiply": "mul", "subtract": "sub",
          "bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor", "left_shift": "lshift",
          "right_shift": "rshift", "equal": "eq", "not_equal": "ne", "less": "lt",
          "less_equal": "le", "greater": "gt", "greater_equal": "ge"}


def _operator_of(ufunc):
    """Python's operator of a ufunc."""
    return getattr(operator, _NAMES.get(ufunc.__name__, ufunc.__name__))


def _inplace(ufunc):
    is_plain = ufunc is not numpy.matmul and ufunc is not numpy.power

    def operation(self, other):
        if is_plain and _recorder.eager and self.shape:
            made = at_once(ufunc, self, other)
            if made is not None and made.dtype == self.dtype and made.shape == self.shape:
                self._write(made)
                return self
        if self.is_scalar:  # like a number: a new one
            return _fallback.ufunc(ufunc, (self, other))
        return _fallback.ufunc(ufunc, (self, other), out=self)
    return operation


def _unary(ufunc):
    return lambda self: _fallback.ufunc(ufunc, (self,))


known[0] = ndarray

_OPERATORS = [numpy.add, numpy.subtract, numpy.multiply, numpy.true_divide, numpy.floor_divide,
              numpy.remainder, numpy.bitwise_and, numpy.bitwise_or, numpy.bitwise_xor,
              numpy.left_shift, numpy.right_shift, numpy.matmul, numpy.power]


def _set_shape(array: ndarray, shape) -> None:
    if array._held is not None:
        array._held.shape = _indexing.full_shape(array, shape)
        return
    view = _views.reshape(array._own_view, _indexing.full_shape(array, shape))
    if view is None:
        raise AttributeError("Incompatible shape for in-place modification. "
                             "Use `.reshape()` to make a copy with the desired shape.")
    array._view, array.shape_ = view, view.shape


def _met_ufunc(ufunc, method, *inputs, **kwargs):
    if method == "__call__" and not kwargs and len(inputs) == 2 and _recorder.eager and \
            ufunc.nout == 1:
        is_second = type(inputs[0]) is not ndarray
        made = at_once(ufunc, inputs[is_second], inputs[not is_second], is_second)
        if made is not None:
            return made
    return _fallback.ufunc_method(ufunc, method, inputs, kwargs)


def _from_numpy(value: numpy.ndarray):
    """What NumPy made that is no small array of its own."""
    if not _dtypes.is_known(value.dtype) or value.ndim > 8:
        return value
    if value.base is not None and value.size and not (value.ndim and value.flags.writeable):
        return ndarray.holding(value)
    if value.base is None and value.flags.f_contiguous and not value.flags.c_contiguous:
        return ndarray.of(_graph.leaf(value.T)).transpose()
    is_own = value.base is None and value.flags.carray and value.ndim
    value = value if is_own else numpy.array(value, order="C")
    return ndarray.of(_graph.leaf(value))


# The operators and their like are the extension's, which asks these where it has to.
_core.set_up_arrays(ndarray, {
    "ndarray": numpy.ndarray, "generic": numpy.generic, "dtype": numpy.dtype,
    "known": list(_dtypes.NAMES), "promotes_weakly": _IS_WEAK,
    "wrap": _from_numpy,
    "binary": [_binary(ufunc) for ufunc in _OPERATORS],
    "reflected": [_binary(ufunc, True) for ufunc in _OPERATORS],
    "inplace": [_inplace(ufunc) for ufunc in _OPERATORS],
    "binary_ufuncs": _OPERATORS,
    "unary_ufuncs": [numpy.negative, numpy.positive, numpy.absolute, numpy.invert],
    "compare_ufuncs": [numpy.less, numpy.less_equal, numpy.equal, numpy.not_equal, numpy.greater,
                       numpy.greater_equal],
    "square": numpy.square, "loop": loop_for, "write": _indexing.write,
    "unary": [_unary(ufunc) for ufunc in (numpy.negative, numpy.positive, numpy.absolute,
                                          numpy.invert)],
    "compare": [_binary(ufunc) for ufunc in (numpy.less, numpy.less_equal, numpy.equal,
                                             numpy.not_equal, numpy.greater,
                                             numpy.greater_equal)],
    "ufunc": _met_ufunc, "method": types.MethodType, "get": _indexing.get, "put": _indexing.put, "set_shape": _set_shape,
    "transposed": lambda array: array.transpose(),
    "options": frozenset({"axis", "dtype", "keepdims", "ddof", "k", "offset", "decimals", "axis1",
                          "axis2", "indexing", "optimize", "out", "where", "weights", "mode",
                          "constant_values", "equal_nan", "rtol", "atol", "dx", "x", "nan",
                          "posinf", "neginf", "right", "side", "bins", "range", "density",
                          "minlength", "left", "rowvar", "bias", "return_counts", "return_index",
                          "return_inverse", "q", "assume_unique", "invert", "to_begin", "to_end",
                          "increasing", "default", "N"})})


def wrap(value):
    """An array of NumPy's as one of ours, if programs have its type; nobody else writes it."""
    if isinstance(value, numpy.ndarray) and _dtypes.is_known(value.dtype) and value.ndim <= 8:
        if not (value.flags.carray and value.dtype.isnative):
            value = numpy.require(value, value.dtype.newbyteorder("="), "CA")
        return ndarray.of(_graph.leaf(value))
    return value


_NUMBERS = {int, float}


def array(value, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    """`numpy.array`; of elements that programs have not, NumPy's own."""
    if type(value) is list and value and dtype is None and not ndmin:
        kinds = set(map(type, value))
        if kinds <= _NUMBERS:
            return wrap(numpy.array(value))
        if kinds == {ndarray} and value[0]._held is not None and len(value) <= 32:
            held = [one._held for one in value]
            if all(type(one) is numpy.ndarray for one in held) and \
                    held[0].size <= _recorder.eager:
                return wrap(numpy.array(held))
    if type(value) is ndarray:
        made = value
        if dtype is not None and numpy.dtype(dtype) != value.dtype:
            made = value.astype(dtype)
        elif copy:
            made = value.copy("F" if order == "F" else "C")
        if type(made) is ndarray and (
                order == "F" and not _views.is_columns_first(made) or
                order == "C" and not _views.is_rows_first(made)):
            made = made.copy(order)
        if type(made) is ndarray:
            while made.ndim < ndmin:
                made = made[None]
        return made
    if subok and is_derived(value):
        return numpy.array(value, dtype, copy=copy, order=order, subok=True, ndmin=ndmin)
    if hasattr(value, "__dlpack__") and not isinstance(value, (numpy.ndarray, numpy.generic)) \
            and not hasattr(value, "__array__"):
        value = numpy.from_dlpack(value)
    if type(value) in (list, tuple) and _are_alike(value) and dtype is None and order in "KC":
        from ._functions import stack
        return array(stack(value), copy=False, ndmin=ndmin)
    value = unlazy(value)
    if type(value) is ndarray:
        return array(value, dtype, copy=copy, order=order, ndmin=ndmin)
    if order == "F":
        return wrap(numpy.array(value, dtype=dtype, order="F", ndmin=ndmin).T).transpose()
    return wrap(numpy.array(value, dtype=dtype, copy=True, order="C", ndmin=ndmin))


def _are_alike(values) -> bool:
    """Whether a few large arrays of one shape and type make one, which is recorded."""
    first = values[0] if 2 <= len(values) <= 32 else None
    return type(first) is ndarray and first.ndim in range(1, 8) and \
        first.size * len(values) > _recorder.eager and all(
            type(other) is ndarray and other.shape == first.shape and other.dtype == first.dtype
            for other in values)


def unlazy(value):
    """What NumPy makes an array of, with what is an array of ours as one of NumPy's."""
    if isinstance(value, (list, tuple)):
        items = [_inner(item) for item in value]
        return items if isinstance(value, list) else tuple(items)  # one element, with fields
    return _fallback.array_in(value)


def _inner(value):
    value = unlazy(value)
    return numpy.asarray(value)[()] if type(value) is ndarray else value
