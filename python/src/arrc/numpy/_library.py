"""Functions that are one operation of a graph: NumPy's, where a program would not pay.

The text of each is the builder's (`_library_text.py`). An operand is read whole (its `dims` are
None) or by the loop.
"""

from __future__ import annotations

import numpy


def _search(node, values: list) -> numpy.ndarray:
    _, kind, is_right = node.extra
    bounds, x = (value.astype(kind, copy=False) for value in values)
    return numpy.searchsorted(bounds, x, "right" if is_right else "left")


def _interp(node, values: list) -> numpy.ndarray:
    x, xp, fp = values
    return numpy.interp(x, xp, fp, *node.numbers)


def _inside(node, values: list) -> list:
    """Indices, and what stands beside them, without those that lie outside."""
    flat = [value.reshape(-1) for value in values]
    kept = (flat[0] >= 0) & (flat[0] < node.shape[0])
    return flat if kept.all() else [value[kept] for value in flat]


def _hist(node, values: list) -> numpy.ndarray:
    index, *rest = _inside(node, values)
    size, name = node.shape[0], node.extra[1]
    if name == "min":
        made = numpy.full(size, numpy.iinfo(node.dtype).max, node.dtype)
        numpy.minimum.at(made, index, rest[0])
        return made
    if not rest or node.dtype == "f8":
        return numpy.bincount(index, *rest, minlength=size)
    made = numpy.zeros(size, node.dtype)
    numpy.add.at(made, index, rest[0].astype(node.dtype, copy=False))
    return made


def _histogram(node, values: list) -> numpy.ndarray:
    x, edges, *weights = values
    bins = node.shape[0] if node.extra[1] else edges
    reach = (edges[0], edges[-1]) if node.extra[1] else None
    if not weights:
        return numpy.histogram(x, bins, reach)[0]
    return numpy.histogram(x, bins, reach, weights=weights[0].astype(node.dtype, copy=False))[0]


def _correlate(node, values: list) -> numpy.ndarray:
    a, v = (value.astype(node.dtype, copy=False) for value in values)
    count, left = node.shape[0], int(node.numbers[0])
    if not left and count == a.size - v.size + 1:
        return numpy.correlate(a, v.conj(), "valid")
    found = numpy.correlate(a, v.conj(), "full")
    at = v.size - 1 - left
    return found[at:at + count]


def _bins(node, values: list) -> numpy.ndarray:
    x, edges = values
    found = numpy.searchsorted(edges, x, "right") - 1
    found[x == edges[-1]] -= 1
    found[~((x >= edges[0]) & (x <= edges[-1]))] = -1
    return found


_FUNCTIONS = {"bins": _bins, "correlate": _correlate, "search": _search, "interp": _interp,
              "hist": _hist, "histogram": _histogram}
#: Nanoseconds of an element.
DEAR = {"bins": 30, "correlate": 1, "search": 50, "interp": 25, "hist": 1, "histogram": 6}


def evaluate(node, values: list) -> numpy.ndarray:
    """The value of a node whose operands are as it reads them."""
    return _FUNCTIONS[node.extra[0]](node, values)
