"""Results in memory of the caller: `f(x, out=y)`."""

from __future__ import annotations

import numpy

from . import _core
from ._arrays import _DTYPES, without_mask
from ._signature import Tree


def take(name: str, out, results: list[Tree]) -> list:
    """The arrays of `out=`, one a result or None, looked at before anything runs."""
    if any(not tree.is_leaf for tree in results):
        raise TypeError(f"{name}() gives structs or tuples: out= takes arrays")
    places = list(out) if isinstance(out, (tuple, list)) else [out]
    if len(places) != len(results):
        raise TypeError(f"{name}() gives {len(results)} results, and out= has {len(places)}")
    found: list = []
    for tree, place in zip(results, places):
        found.append(None if place is None else _look(place, tree.param))
    for k, first in enumerate(found):
        for second in found[:k]:
            if first is not None and second is not None and _may_share(first, second):
                raise ValueError(f"out= of {name}() has two arrays with the same memory")
    return found


def _look(place, param: tuple) -> numpy.ndarray:
    text = f"out= of result {param[1]}"
    if not param[3]:
        raise TypeError(f"{text}: a number comes back as a number, None stands for it")
    if isinstance(place, numpy.ma.MaskedArray):
        place = without_mask(place, text)
    if isinstance(place, _core.Held):
        from .numpy import _memory
        place = _memory.memory_of(place)  # its own from now on
    if not isinstance(place, numpy.ndarray):
        try:
            view = memoryview(place)
        except TypeError:
            raise TypeError(f"{text}: memory of the host is wanted (the buffer protocol), "
                            f"not {type(place).__name__}") from None
        place = numpy.asarray(view)
    wanted = _DTYPES.get(param[2])
    if wanted is None or place.dtype != numpy.dtype(wanted):
        raise TypeError(f"{text} has elements of type {place.dtype}")
    if place.ndim != param[3]:
        raise TypeError(f"{text} has rank {place.ndim}")
    if not place.flags.writeable:
        raise ValueError(f"{text} is read-only")
    if any(step == 0 and size > 1 for step, size in zip(place.strides, place.shape)):
        raise ValueError(f"{text} has one place for several elements")
    return place


def _may_share(first: numpy.ndarray, second: numpy.ndarray) -> bool:
    if not numpy.may_share_memory(first, second):
        return False
    try:
        return numpy.shares_memory(first, second, max_work=1000)
    except numpy.exceptions.TooHardError if hasattr(numpy, "exceptions") else numpy.TooHardError:
        return True


def put(name: str, places: list, values: list, given) -> list:
    """Writes results to their places, all or none; what the caller is given instead."""
    for place, value in zip(places, values):
        if place is not None and place.shape != value.shape:
            raise ValueError(f"{name}() gives an array of sizes {tuple(value.shape)}, and out= "
                             f"has {place.shape}")
    arrays = list(given) if isinstance(given, (tuple, list)) else [given]
    for k, (place, value) in enumerate(zip(places, values)):
        if place is not None:
            numpy.copyto(place, numpy.asarray(value))
            values[k] = arrays[k]
    return values
