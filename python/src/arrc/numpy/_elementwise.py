"""Functions of elements: ufuncs, `where`, conversions."""

from __future__ import annotations

import numpy

from . import _dtypes, _graph, _text
from ._dtypes import BOOL

_SAME = {"true_divide": "divide", "abs": "absolute", "mod": "remainder", "conj": "conjugate",
         "deg2rad": "radians", "rad2deg": "degrees"}
_LOGICAL = ("logical_and", "logical_or", "logical_xor", "logical_not")


class NotCovered(Exception):
    """What programs cannot do; NumPy does."""


#: The class of arrays, which stands above this file and puts itself here.
known: list = [type(None)]


def array_type():
    """The class of arrays."""
    return known[0]


def is_derived(value) -> bool:
    """Whether a value is of a class that scripts or NumPy derive from arrays.

    What is mapped from a file is an array like any other.
    """
    return isinstance(value, numpy.ndarray) and \
        type(value) not in (numpy.ndarray, numpy.memmap, array_type())


def lift(value):
    """An operand: an array of ours, a scalar of NumPy, or a number of Python."""
    kind = type(value)
    ndarray = array_type()
    if kind is ndarray or _dtypes.is_weak(value):
        return value
    if isinstance(value, numpy.generic):
        if not _dtypes.is_known(value.dtype):
            raise NotCovered(f"elements of type {value.dtype}")
        return value
    if isinstance(value, (bool, int, float, complex)):
        return next(base for base in (bool, int, float, complex) if isinstance(value, base))(value)
    if isinstance(value, numpy.ma.MaskedArray):
        raise NotCovered("arrays with masks")
    if is_derived(value):
        raise NotCovered(f"arrays of the class {type(value).__name__}")
    from ._array import array
    # Results are in the machine's order of bytes, as those of NumPy's ufuncs.
    made = array(_dtypes.native(value) if isinstance(value, numpy.ndarray) else value)
    if type(made) is not ndarray:
        raise NotCovered(f"elements of type {getattr(made, 'dtype', type(value).__name__)}")
    return made


def dtype_or_weak(value):
    """The type of an operand, None for a number of Python."""
    return None if _dtypes.is_weak(value) else value.dtype


def shape_of(values) -> tuple:
    """The shape over which operands are repeated."""
    shapes = [value.shape for value in values if not _dtypes.is_weak(value)]
    first = shapes[0] if shapes else ()
    for shape in shapes:
        if shape != first:
            return numpy.broadcast_shapes(*shapes)
    return first


def apply(name: str, types: tuple, result: numpy.dtype, values: list):
    """A function of operands with these types at each index."""
    ndarray = array_type()
    shape = shape_of(values)
    if len(shape) > 8:
        raise NotCovered("arrays of more than 8 dimensions")
    if 0 in shape:
        return ndarray.of(_graph.leaf(numpy.empty(shape, result)))
    operands, numbers, pattern = [], [], ""
    for value, wanted in zip(values, types):
        if type(value) is ndarray:
            operands.append(_graph.operand_of(value._base.node, value._view, shape))
            pattern += "a"
        else:
            numbers.append(_dtypes.number(value, wanted) if _dtypes.is_weak(value)
                           else value.astype(wanted))
            pattern += "n"
    _check_complex(name, types)
    # A number is a parameter of the operand's type already.
    node = _graph.record("map", tuple(operands), shape, result, (name, types, pattern),
                         tuple(numbers))
    return ndarray.of(node, is_scalar=not shape and all(
        value.is_scalar for value in values if type(value) is ndarray))


def ufunc_call(ufunc: numpy.ufunc, inputs: tuple, out=None, where=True, dtype=None,
               casting="same_kind", **rest):
    """A call of a ufunc, recorded; NotCovered where programs cannot do it."""
    name = _SAME.get(ufunc.__name__, ufunc.__name__)
    if rest or ufunc.nout != 1 or len(inputs) != ufunc.nin:
        raise NotCovered(f"this call of {ufunc.__name__}")
    values = [lift(value) for value in inputs]
    ndarray = array_type()
    out = out[0] if isinstance(out, tuple) else out
    if not any(type(value) is ndarray for value in values) and out is None and where is True:
        with numpy.errstate(all="ignore"):
            return ufunc(*values, **({"dtype": dtype} if dtype is not None else {}))
    made = _call(name, ufunc, values, dtype)
    if out is None and where is True:
        return made
    if out is None:
        raise NotCovered(f"{ufunc.__name__} with where= and no out=")
    if type(out) is not ndarray:
        raise NotCovered(f"{ufunc.__name__} into an array of another kind")
    if not numpy.can_cast(made.dtype, out.dtype, casting):
        raise TypeError(
            f"Cannot cast ufunc '{ufunc.__name__}' output from dtype('{made.dtype}') to "
            f"dtype('{out.dtype}') with casting rule '{casting}'")
    if where is not True:
        made = select(where, made, out)
    if numpy.broadcast_shapes(made.shape, out.shape) != out.shape:
        raise ValueError(f"non-broadcastable output operand with shape {out.shape} doesn't "
                         f"match the broadcast shape {made.shape}")
    out._write(made)
    return out


def _call(name: str, ufunc: numpy.ufunc, values: list, dtype):
    strong = [dtype_or_weak(value) for value in values]
    if name in ("radians", "degrees"):
        factor = numpy.pi / 180 if name == "radians" else 180 / numpy.pi
        wanted = numpy.dtype(dtype) if dtype is not None else \
            ufunc(numpy.ones(1, strong[0] or type(values[0]))).dtype
        return ufunc_call(numpy.multiply, (values[0], float(factor)), dtype=wanted)
    if name in _LOGICAL:
        values = [value.astype(bool) if value_type not in (None, BOOL) else value
                  for value, value_type in zip(values, strong)]
        values = [bool(value) if _dtypes.is_weak(value) else value for value in values]
        return apply(name, (BOOL,) * len(values), BOOL, values)
    if name == "power" and _is_negative(values[1]) and strong[0] is not None and \
            strong[0].kind in "iu" and dtype is None:
        raise ValueError("Integers to negative integer powers are not allowed.")
    if name == "power" and type(values[1]) in (int, float) and values[1] in (1, 2):
        shape = {1: numpy.positive, 2: numpy.square}[values[1]]
        met = _dtypes.common(values, strong)
        if dtype is None and met.kind != "b":
            return ufunc_call(shape, (values[0],), dtype=met)
    if name == "power" and type(values[1]) is float and values[1] == 0.5:
        return ufunc_call(numpy.sqrt, (values[0],), dtype=_dtypes.common(values, strong))
    types, result = _loop(name, ufunc, values, strong, dtype)
    return apply(name, types, result, values)


def _is_negative(value) -> bool:
    return isinstance(value, (int, numpy.integer)) and type(value) is not array_type() and value < 0


def loop_for(ufunc: numpy.ufunc, kinds: tuple) -> tuple | None:
    """Name, types and result of the loop for operands of types, or of classes of numbers.

    None where more than types counts, or programs cannot do it.
    """
    name = _SAME.get(ufunc.__name__, ufunc.__name__)
    if ufunc.nout != 1 or ufunc.nin != len(kinds) or name in _LOGICAL + ("radians", "degrees") or \
            ufunc is not getattr(numpy, ufunc.__name__, None):
        return None
    strong = [kind if isinstance(kind, numpy.dtype) else None for kind in kinds]
    if name == "power" and strong[0] is not None and strong[0].kind in "iu":
        return None  # a negative power is an error
    values = [None if isinstance(kind, numpy.dtype) else kind(1) for kind in kinds]
    try:
        types, result = _loop(name, ufunc, values, strong, None)
        _check_complex(name, types)
    except NotCovered:
        return None
    return name, types, result


def _loop(name: str, ufunc: numpy.ufunc, values: list, strong: list, dtype) -> tuple:
    if name not in _text.FUNCTIONS:
        raise NotCovered(ufunc.__name__)
    if dtype is not None:
        wanted = (numpy.dtype(dtype),) * len(values)
    else:
        wanted = tuple(_dtypes.weak_with(value, _dtypes.promote(*[t for t in strong if t is not None]))
                       if value_type is None else value_type
                       for value, value_type in zip(values, strong))
        _check_fits(name, values, strong, wanted)
    if name == "divide" and all(kind.kind in "biu" for kind in wanted):
        wanted = (_dtypes.FLOAT,) * 2
    loop = _dtypes.loop_of(ufunc, wanted)
    if loop is None:
        raise NotCovered(f"{ufunc.__name__} of {', '.join(map(str, wanted))}")
    types, (result,) = loop
    if name == "reciprocal" and types[0].kind in "iu":
        raise NotCovered("reciprocal of integers")
    return types, result


def _check_complex(name: str, types: tuple) -> None:
    if name not in _text.COMPLEX and any(wanted.kind == "c" for wanted in types):
        raise NotCovered(f"{name} of complex numbers")


def _check_fits(name: str, values: list, strong: list, wanted: tuple) -> None:
    for value, value_type, dtype in zip(values, strong, wanted):
        if value_type is None and dtype.kind in "iu":
            info = numpy.iinfo(dtype)
            if not info.min <= value <= info.max and name in (
                    "less", "less_equal", "greater", "greater_equal", "equal", "not_equal"):
                raise NotCovered("comparison with an integer that the type does not hold")


def put_out(out, made, name: str, spreads: bool = False):
    """What a function gives: `out` with the result in it, where there is one.

    Ufuncs alone spread their results.
    """
    out = out[0] if isinstance(out, tuple) else out
    if out is None:
        return made
    shape = numpy.broadcast_shapes(out.shape, made.shape) if spreads else made.shape
    if out.shape != shape:
        raise ValueError(f"output parameter of {name} has the shape {out.shape}, and the result "
                         f"has {made.shape}")
    if type(out) is array_type():
        out._write(made)
    else:
        out[...] = made._now() if type(made) is array_type() else made
    return out


def convert(value, dtype: numpy.dtype):
    """The elements in another type."""
    return apply("copy", (dtype,), dtype, [value])


def select(condition, first, second):
    """`where(condition, first, second)`."""
    condition, first, second = lift(condition), lift(first), lift(second)
    strong = [dtype_or_weak(value) for value in (first, second)]
    met = _dtypes.common((first, second), strong)
    if dtype_or_weak(condition) is None:
        condition = numpy.bool_(condition)
    elif condition.dtype != BOOL:
        condition = condition.astype(bool)
    ndarray = array_type()
    if not any(type(value) is ndarray for value in (condition, first, second)):
        return numpy.where(condition, first, second)
    made = apply("where", (BOOL, met, met), met, [condition, first, second])
    made.is_scalar = False
    return made
