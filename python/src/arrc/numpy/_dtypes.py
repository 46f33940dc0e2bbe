"""Types of elements: names in the language, promotion, loops of ufuncs.

Promotion is NumPy 2's whichever NumPy is installed: Python's numbers are weak and
take the type that they meet, everything else counts with its type alone.
"""

from __future__ import annotations

import functools

import numpy

#: What the language calls the types that it has.
NAMES = {numpy.dtype(name): short for name, short in {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16",
    "float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128"}.items()}

BOOL, INT, FLOAT = numpy.dtype(bool), numpy.dtype("int64"), numpy.dtype("float64")
UINT, COMPLEX = numpy.dtype("uint64"), numpy.dtype("complex128")

_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_WEAK = {bool: 0, int: 1, float: 2, complex: 3}
_DEFAULTS = (BOOL, INT, FLOAT, COMPLEX)
#: Loops of ufuncs that programs can have.
_CHARS = frozenset(dtype.char for dtype in NAMES) | frozenset("qQ")


def is_known(dtype) -> bool:
    """Whether the language has the type."""
    return dtype in NAMES


def native(value: numpy.ndarray) -> numpy.ndarray:
    """An array with its elements in the machine's order of bytes."""
    return value if value.dtype.isnative else value.astype(value.dtype.newbyteorder("="))


def is_weak(value) -> bool:
    """Whether a value is a number of Python, which takes the type that it meets."""
    return type(value) in _WEAK


def weak_with(value, strong: numpy.dtype | None) -> numpy.dtype:
    """The type that a number of Python takes beside the type `strong`."""
    rank = _WEAK[type(value)]
    if strong is None or _RANK[strong.kind] < rank:
        if rank == 3 and strong is not None and strong.kind == "f":
            return numpy.result_type(strong, numpy.complex64)
        return _DEFAULTS[rank]
    return BOOL if rank == 0 else strong


def promote(*dtypes: numpy.dtype) -> numpy.dtype:
    """The type in which values of these types meet."""
    first = dtypes[0]
    for dtype in dtypes:
        if dtype is not first:
            return functools.reduce(numpy.promote_types, dtypes)
    return first


def common(values, dtypes) -> numpy.dtype:
    """The type in which values meet; the type of a number of Python is None."""
    strong = [dtype for dtype in dtypes if dtype is not None]
    met = promote(*strong) if strong else None
    for value, dtype in zip(values, dtypes):
        if dtype is None:
            weak = weak_with(value, met)
            met = weak if met is None else promote(met, weak)
    return met


def number(value, dtype: numpy.dtype):
    """A number of Python in a type; OverflowError where an integer does not fit."""
    if dtype.kind in "iu" and type(value) is int:
        info = numpy.iinfo(dtype)
        if not info.min <= value <= info.max:
            raise OverflowError(f"Python integer {value} out of bounds for {dtype}")
    with numpy.errstate(all="ignore"):
        return dtype.type(value)


@functools.lru_cache(maxsize=None)
def loop_of(ufunc: numpy.ufunc, dtypes: tuple) -> tuple | None:
    """The types of operands and results of the loop that a ufunc takes, or None.

    TypeError where NumPy has no such operation, as between truths and their `-`.
    """
    with numpy.errstate(all="ignore"):
        wanted = ufunc(*[numpy.ones(1, dtype) for dtype in dtypes]).dtype
    for loop in ufunc.types:
        operands, _, results = loop.partition("->")
        if not _CHARS.issuperset(operands + results):
            continue
        types = [numpy.dtype(char) for char in operands]
        if len(set(types)) > 1 and len(types) == 2:
            continue  # of two types: comparisons of signed and unsigned integers
        if all(numpy.can_cast(a, b) for a, b in zip(dtypes, types)):
            if results == wanted.char or numpy.dtype(results) == wanted:
                return tuple(types), (wanted,)
    return None


def sum_type(dtype: numpy.dtype) -> numpy.dtype:
    """The type in which values of a type are added and multiplied up."""
    if dtype.kind in "bi" and dtype.itemsize < 8:
        return INT
    return UINT if dtype.kind == "u" else dtype
