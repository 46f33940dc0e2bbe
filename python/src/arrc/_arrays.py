"""Which kind of array comes in, and results of that kind."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy

from ._core import Array

_DTYPES = {"bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
           "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
           "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
           "c128": "complex128"}


_KNOWN = frozenset(map(numpy.dtype, _DTYPES.values()))


class Kind(NamedTuple):
    """What becomes of results: whether they go to the host, and into what."""
    on_host: bool
    convert: Callable | None


def to_numpy(array: Array):
    """An array as NumPy's, if NumPy has its elements: bf16 it has not."""
    return array if array.element == "bf16" else numpy.asarray(array)


_NUMPY = Kind(True, numpy.asarray)
_OWN = Kind(False, None)


def _is_on_host(value) -> bool:
    if hasattr(value, "__dlpack_device__"):
        return int(value.__dlpack_device__()[0]) in (1, 3)
    return not hasattr(value, "__cuda_array_interface__")


#: How arrays of a type are made by DLPack, as it was found for one of them.
_known: dict[type, Callable] = {}


def _library_of(value) -> Callable | None:
    """How the library that an array is of takes one by DLPack."""
    found = _known.get(type(value))
    if found is None:
        found = _find_library(value)
        if found is not None:
            if len(_known) > 64:
                _known.clear()
            _known[type(value)] = found
    return found


def _find_library(value) -> Callable | None:
    name = type(value).__module__.partition(".")[0]
    if name == "jaxlib":
        name = "jax"
    module = sys.modules.get(name)
    if module is not None and name == "jax":
        import jax.dlpack as module
    found = getattr(module, "from_dlpack", None)
    if found is None and hasattr(value, "__array_namespace__"):
        found = getattr(value.__array_namespace__(), "from_dlpack", None)
    return found


def kind_of(value) -> Kind | None:
    """What results are to be if `value` is an argument; None if it says nothing."""
    if isinstance(value, numpy.ndarray):
        return _NUMPY
    if isinstance(value, Array):
        return _OWN
    if hasattr(value, "__dlpack__") or hasattr(value, "__cuda_array_interface__"):
        convert = _library_of(value)
        if convert is not None:
            return Kind(_is_on_host(value), convert)
        return _NUMPY if _is_on_host(value) else _OWN
    return None


def _from_numbers(value, param: tuple):
    """An array of numbers that Python wrote down: lists, and single ones of rank 0.

    Like literals of the language they take the type that they are given to, if they fit.
    """
    wanted = numpy.dtype(_DTYPES.get(param[2], "float32"))
    # An array would take a bool for 0 or 1, and what is masked for a number.
    if isinstance(value, (list, tuple)) and wanted.kind != "b" and _has(value, (bool, numpy.bool_)):
        raise TypeError(f"'{param[0]}' is a list with a bool, and {param[1]} is wanted")
    if isinstance(value, (list, tuple)) and _has(value, (_MASKED,), _has_mask):
        raise TypeError(f"'{param[0]}' is a list with what has a mask")
    try:
        made = numpy.asarray(value)
    except ValueError as problem:
        raise TypeError(f"'{param[0]}' is no array: {problem}") from None
    order = "biufc"
    kinds = {"u": "i"}
    found, needed = (kinds.get(k, k) for k in (made.dtype.kind, wanted.kind))
    fits = (found in order and order.index(found) <= order.index(needed)
            and (found == "b") == (needed == "b")) or made.size == 0
    if not fits and made.dtype.kind == "O" and _has(value, (int,), _is_wide):
        raise ValueError(f"'{param[0]}': a number does not fit {param[2]}")
    if not fits:
        raise TypeError(f"'{param[0]}' is a list of {_elements(made.dtype)}, and {param[1]} is "
                        "wanted")
    with numpy.errstate(all="ignore"):
        converted = made.astype(wanted)
    if needed == "i":
        same = numpy.array_equal(converted.astype(object), made.astype(object))
    else:
        same = numpy.array_equal(numpy.isinf(converted), numpy.isinf(made))
    if not same:
        raise ValueError(f"'{param[0]}': a number does not fit {param[2]}")
    return converted


def _has(value, kinds: tuple, test: Callable = lambda item: True) -> bool:
    """Whether something in a list is of one of some classes, and passes a test."""
    return any(_has(item, kinds, test) if isinstance(item, (list, tuple)) else
               isinstance(item, kinds) and test(item) for item in value)


def _is_wide(number: int) -> bool:
    """Whether no type of NumPy's holds an integer."""
    return number.bit_length() > 63


def _elements(dtype: numpy.dtype) -> str:
    """What the elements of a type of NumPy's are called."""
    if dtype.names:
        return f"records ({', '.join(f'{name}: {dtype[name]}' for name in dtype.names)})"
    word = {"U": "text", "S": "bytes", "O": "objects", "V": "raw bytes"}.get(dtype.kind)
    return str(dtype) if word is None else word if dtype.kind == "O" else f"{word} ({dtype})"


_MASKED = numpy.ma.MaskedArray


def _has_mask(value) -> bool:
    """Whether elements of an array of `numpy.ma` are masked."""
    return bool(numpy.any(numpy.ma.getmask(value)))


def without_mask(value, name: str) -> numpy.ndarray:
    """The array beneath one of `numpy.ma`; refused where elements are masked.

    Of these programs would see the data alone.
    """
    if _has_mask(value):
        raise TypeError(f"{name} has a mask, which programs do not know: .filled() makes it an "
                        "array, .data is the one beneath")
    return numpy.asarray(value.data)


def explain(values, places: list[int], trees: list) -> TypeError | None:
    """What is said of an array whose elements programs have not, with the name of the parameter."""
    params = [leaf.param for tree in trees for leaf in tree.leaves()]
    for place in places:
        value = values[place]
        if isinstance(value, numpy.ndarray) and value.dtype not in _KNOWN:
            return TypeError(f"'{params[place][0]}' is an array of {_elements(value.dtype)}, and "
                             f"{params[place][1]} is wanted: convert it first")
    return None


def _field(value):
    """A field of a structured array is strided by nature: copied without a word."""
    base = value.base
    if isinstance(base, numpy.ndarray) and base.dtype.names and value.flags.c_contiguous is False:
        return numpy.ascontiguousarray(value)
    return value


def prepare(core, values, places: list[int], trees: list) -> tuple[Kind, list]:
    """The kind of the results, and the values as the extension module takes them."""
    kind, changed = None, None
    for place, value in enumerate(values):
        if isinstance(value, _MASKED):
            params = [leaf.param for tree in trees for leaf in tree.leaves()]
            changed = list(values) if changed is None else changed
            changed[place] = without_mask(value, f"'{params[place][0]}'")
    values = values if changed is None else changed
    for place in places:
        value = values[place]
        if type(value) is numpy.ndarray:
            kind = kind or _NUMPY
            if value.base is not None:
                field = _field(value)
                if field is not value:
                    changed = list(values) if changed is None else changed
                    changed[place] = field
            continue
        if isinstance(value, (list, tuple)):
            params = [leaf.param for tree in trees for leaf in tree.leaves()]
            changed = list(values) if changed is None else changed
            changed[place] = _from_numbers(value, params[place])
        elif kind is None and value is not ...:
            kind = kind_of(value)
    return kind or _NUMPY, values if changed is None else changed
