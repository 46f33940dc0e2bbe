"""Arrays that change sides: from recorded values to memory of NumPy's, and back.

A large array is recorded. Where a script reads and writes small parts of it, each of which
NumPy computes at once, its value becomes memory of NumPy's, `_held`, on which the extension
does that; where it is taken as a whole again, or in a large part, it is a recorded value again.
Nothing is copied: who knows the value or the memory besides the array keeps it as it is.
"""

from __future__ import annotations

import sys

import numpy

from .. import _core
from . import _evaluate, _graph, _indexing

#: How many operations on small parts come before that: one change costs as much.
TOUCHES = 2
#: How many, one after the other, where it has views.
VIEWED = 64

#: What was done: for tests and the curious.
counts = {"held": 0, "released": 0}


def hold(array) -> bool:
    """Makes the value of a recorded array its memory, if it is there and nobody else's.

    Views of it become views of that memory. As it is no recorded value again while there are
    any, they have to have been used long enough without a large part of it.
    """
    base = array._base
    node = base._node
    if node.refs != 1 or sys.getrefcount(node) > _alone[1] or not _evaluate.is_alone_in(node):
        return False
    flags = node.value.flags
    if not flags.carray or not node.value.size or not node.shape:
        return False
    others = _core.arrays_of(base)
    if len(others) > 1 and base.touches < VIEWED or \
            sys.getrefcount(base) - len(others) >= _alone[0] or \
            not all(_is_plain(other, node.shape) for other in others):
        return False
    with _graph.lock:
        value = node.value
        for other in others:
            view = other._view
            memory = value if view is None else _indexing.look(value, view)
            del other._base, other._view, other.shape_, other.dtype_, other.is_scalar
            other._held = memory
    counts["held"] += 1
    return True


def _is_plain(array, shape: tuple) -> bool:
    """Whether an array is all of a value, or a view that NumPy has."""
    view = array._view
    if view is None:
        return array.shape_ == shape
    return view.inner is None and view.source == shape and 0 not in view.shape


def is_hers(array) -> bool:
    """Whether the large memory of an array is no view, has no view, and is nobody else's."""
    held = array._held
    return held.size > _graph.recorder.eager and held.flags.carray and \
        (held.base is None or type(held.base) is not numpy.ndarray) and _evaluate.is_alone(held)


def release(array) -> bool:
    """Makes large memory of an array a recorded value again, if it is nobody else's."""
    if not is_hers(array):
        return False
    held = array._held
    with _graph.lock:
        array._held = None
        array._base, array._view = _graph.Base(_graph.leaf(held)), None
        array.shape_, array.dtype_, array.is_scalar = held.shape, held.dtype, False
    counts["released"] += 1
    return True


def _has_same_bits(copy: numpy.ndarray, held: numpy.ndarray) -> bool:
    if not held.flags.c_contiguous or not held.ndim:
        return copy.tobytes() == held.tobytes()
    return copy.shape == held.shape and numpy.array_equal(copy.view("u1"), held.view("u1"))


def base_of(array) -> _graph.Base:
    """A base of what is memory of NumPy's: of that, or else of a copy as the elements are now.

    The copy is the same one as long as they stay.
    """
    if release(array):
        return array._base
    held = array._held
    try:
        base = array._copied
        if _has_same_bits(base.node.value, held):
            return base
    except AttributeError:
        pass
    base = array._copied = _graph.Base(_graph.leaf(numpy.array(held, order="C")))
    return base


class _Probe:
    """What has a base as arrays have it."""

    __slots__ = ("_base",)


def _references(array) -> tuple:
    base = array._base
    node = base._node
    return sys.getrefcount(base), sys.getrefcount(node)


# By the counting of this interpreter.
_probe = _Probe()
_probe._base = _graph.Base(_graph.Node("leaf", (), (), numpy.dtype("f8")))
_alone = _references(_probe)
del _probe
