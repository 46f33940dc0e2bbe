"""Arrays that change sides: from recorded values to memory of NumPy's, and back.

A large array is recorded. Where a script reads and writes small parts of it, each of which
NumPy computes at once, its value becomes memory of NumPy's, `_held`, on which the extension
does that; where it is taken as a whole again, or in a large part, it is a recorded value again.
Nothing is copied: who knows the value or the memory besides the array keeps it as it is.
"""

from __future__ import annotations

import sys
import weakref

import numpy

from .. import _core
from . import _evaluate, _graph, _indexing, _views

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


def memory_of(array) -> numpy.ndarray:
    """The memory of an array, which is NumPy's from now on, as that of all views of it.

    What others are to write to, or what has views that a graph cannot say.
    """
    if array._held is None:
        if array.is_scalar:
            return numpy.array(array.numpy())
        with _graph.lock:
            group = _group_of(array)
            if group is not None:
                group.hold()
            else:
                _take_over(array._base, _own_memory(array._base))
    return array._held


def _own_memory(base) -> numpy.ndarray:
    """The value of a base, or a copy where others have it as well."""
    _graph.value_of(base._node)
    node = base._node
    if type(node.value) is numpy.ndarray and node.refs == 1 and \
            sys.getrefcount(node) <= _graph._alone and _evaluate.is_alone_in(node) and \
            node.value.flags.carray:
        return node.value
    value = node.value
    return numpy.array(value if isinstance(value, numpy.ndarray) else value.host(), order="C")


def _take_over(base, memory: numpy.ndarray) -> None:
    """Makes all arrays of a base views of some memory."""
    for other in _core.arrays_of(base):
        view = other._view
        held = memory if view is None else _indexing.look(memory, view)
        if view is not None and _views.LOCKED in _views.notes(view):
            held = held.view()
            held.flags.writeable = False
        del other._base, other._view, other.shape_, other.dtype_, other.is_scalar
        other._held = held
    counts["held"] += 1


class _Group:
    """A complex value and its parts, of which each is a value of its own until one is written.

    Arrays know it by the notes of their views, which live as long as they do.
    """

    def __init__(self):
        self.whole = lambda: None
        self.parts: list = []
        #: Holds the whole where parts may overlap.
        self.kept = None

    def others(self, part) -> list:
        """The parts that live, but for one."""
        return [other for other in (known() for known in self.parts)
                if other is not None and other is not part]

    def hold(self) -> None:
        """Makes the parts views of the memory of the whole."""
        whole = self.whole()
        parts = self.others(None)
        base, self.kept = whole.base, None
        memory = _own_memory(base)
        _take_over(base, memory)
        for part in parts:
            _take_over(part.base, getattr(_indexing.look(memory, part.view), part.name))


class _Whole:
    """Noted of arrays of which there are parts."""

    __slots__ = ("base", "group", "__weakref__")

    def __init__(self, base, group: _Group):
        self.base, self.group = base, group

    def is_free(self) -> bool:
        """Whether nobody sees what is written."""
        return not self.group.others(None)


class _Part:
    """Noted of arrays that are a part of another one, as `view` sees that."""

    __slots__ = ("base", "group", "name", "view", "pitches", "__weakref__")

    def __init__(self, base, group: _Group, name: str, view):
        self.base, self.group, self.name, self.view = base, group, name, view
        #: Where its elements would lie for NumPy.
        self.pitches = tuple(2 * pitch for pitch in _views.pitches(view))

    def is_free(self) -> bool:
        return self.group.whole() is None and not any(
            other.name == self.name for other in self.group.others(self))


def _group_of(array) -> _Group | None:
    """The group of an array that others see; what nobody sees any more has none."""
    for note in _views.notes(array._view):
        if note is _views.LOCKED:
            continue
        if not note.is_free():
            return note.group
        for other in _core.arrays_of(array._base):
            view = _views.unmarked(other._own_view, note)
            is_all = view.inner is None and view.is_whole and \
                view.source == array._base._node.shape
            other._view = None if is_all else view
    return None


def part_of(array, name: str, record):
    """The part `real` or `imag` of a recorded array, whose node `record` makes."""
    with _graph.lock:
        whole = next((note for note in _views.notes(array._view) if type(note) is _Whole), None)
        if whole is None:
            group = _Group()
            whole = _Whole(array._base, group)
            group.whole = weakref.ref(whole)
            for other in _core.arrays_of(array._base):
                other._view = _views.marked(other._own_view, whole)
        group, view = whole.group, _views.unmarked(array._view, whole)
        parts = group.others(None)
        for part in parts:
            if part.name == name:
                if part.view.is_same(view):
                    base = part.base
                    break
                group.kept = whole
        else:
            base = record()._base
            part = _Part(base, group, name, view)
            group.parts = [weakref.ref(other) for other in [*parts, part]]
    shape = base._node.shape
    made = type(array).made(base, _views.marked(_views.whole(shape), part), shape,
                            base._node.dtype)
    return lock(made) if _views.LOCKED in _views.notes(view) else made


def guard(array) -> None:
    """Before a recorded array is written: refuses it, or makes it memory that others see."""
    if _views.LOCKED in _views.notes(array._view):
        raise ValueError("assignment destination is read-only")
    with _graph.lock:
        group = _group_of(array)
        if group is not None:
            group.hold()


def lock(array):
    """Makes an array one that nobody writes to."""
    if array._held is not None:
        array._held = _read_only(array)
    elif _views.LOCKED not in _views.notes(array._view):
        array._view = _views.marked(array._own_view, _views.LOCKED)
    return array


def _read_only(array) -> numpy.ndarray:
    held = array._held.view()
    held.flags.writeable = False
    array._held = None
    return held


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


def has_same_bits(copy: numpy.ndarray, held: numpy.ndarray) -> bool:
    """Whether a dense array has the elements of another one, to the sign of zeros."""
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
        if has_same_bits(base.node.value, held):
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
