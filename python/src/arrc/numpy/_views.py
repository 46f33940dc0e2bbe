"""Where the elements of a view lie in its base, as NumPy's basic indexing says.

A view maps its axes to the dimensions of a dense array: dimension d of that is read at
`start + step * index[axis]`, with no axis at `start`. A view of another shape over the
same elements (reshape) stands on the view whose elements they are.

A `View` has `source`, the shape that the elements have beneath: the base's, or as `inner` is
reshaped; its own `shape`; `dims`, for each dimension of `source` start, step and axis (-1:
none); and `inner`, the view it stands on, or None. `whole(shape)` is all of an array.
"""

from __future__ import annotations

import operator

from .._core import View, whole

__all__ = ["View", "whole"]


#: What is noted of a view to which nobody writes.
LOCKED = "locked"


class Mark(tuple):
    """The `dims` of a whole view with a `note` of all views that stand on it.

    The extension leaves writes to what has an inner view to Python, which looks for notes.
    """


def marked(view: View, note) -> View:
    """The same view with a note, which views of it have as well."""
    if view.inner is not None:
        inner = marked(view.inner, note)
    else:
        dims = Mark(whole(view.source).dims)
        dims.note = note
        inner = View(view.source, view.source, dims)
    return View(view.source, view.shape, view.dims, inner)


def unmarked(view: View, note) -> View:
    """The same view without a note."""
    inner = view.inner
    if inner is None:
        return whole(view.source) if type(view.dims) is Mark and view.dims.note is note else view
    if type(inner.dims) is Mark and inner.dims.note is note:
        under = inner.inner
        if under is None and inner.shape != view.source:
            under = whole(inner.source)
        return View(view.source, view.shape, view.dims, under)
    return View(view.source, view.shape, view.dims, unmarked(inner, note))


def notes(view: View | None) -> list:
    """All notes of a view."""
    found = []
    while view is not None:
        if type(view.dims) is Mark:
            found.append(view.dims.note)
        view = view.inner
    return found


def strides_of(shape: tuple) -> tuple:
    """Strides in elements of a dense row-major array."""
    steps, pitch = [], 1
    for size in reversed(shape):
        steps.append(pitch)
        pitch *= size
    return tuple(reversed(steps))


def _compose(view: View, shape: tuple, axes: list) -> View:
    """Of each axis of `view` start, step and the new axis (-1: none)."""
    dims = []
    for start, step, axis in view.dims:
        if axis >= 0:
            lo, by, new = axes[axis]
            start, step, axis = start + step * lo, step * by, new
        if axis < 0 or shape[axis] == 1:
            step, axis = 0, -1
        dims.append((start, step, axis))
    return View(view.source, shape, tuple(dims), view.inner)


def index(view: View, key: tuple) -> View:
    """The view of a basic index: integers, slices, None, one Ellipsis."""
    taken = sum(1 for item in key if item is not None and item is not Ellipsis)
    rank = len(view.shape)
    if taken > rank:
        raise IndexError(f"too many indices for array: array is {rank}-dimensional, "
                         f"but {taken} were indexed")
    if Ellipsis not in key:
        key += (Ellipsis,)
    shape, axes, at = [], [], 0
    for item in key:
        if item is None:
            shape.append(1)
        elif item is Ellipsis:
            for size in view.shape[at:at + rank - taken]:
                axes.append((0, 1, len(shape)))
                shape.append(size)
            at += rank - taken
        elif isinstance(item, slice):
            size = view.shape[at]
            lo, hi, by = item.indices(size)
            axes.append((lo, by, len(shape)))
            shape.append(len(range(lo, hi, by)))
            at += 1
        else:
            number, size = operator.index(item), view.shape[at]
            if not -size <= number < size:
                raise IndexError(f"index {number} is out of bounds for axis {at} "
                                 f"with size {size}")
            axes.append((number % size, 0, -1))
            at += 1
    return _compose(view, tuple(shape), axes)


def plain_index(view: View, key: tuple) -> View | None:
    """`index` for integers and slices of Python's, one a dimension of all of an array."""
    sizes = view.shape
    if len(key) > len(sizes) or view.dims is not whole(sizes).dims:
        return None
    shape, dims, at = [], [], 0
    for item, size in zip(key, sizes):
        kind = type(item)
        if kind is slice:
            lo, hi, by = item.indices(size)
            count = (hi - lo + by - (1 if by > 0 else -1)) // by
            if count < 0:
                count = 0
            dims.append((lo, by, at) if count != 1 else (lo, 0, -1))
            shape.append(count)
            at += 1
        elif kind is int and -size <= item < size:
            dims.append((item + size if item < 0 else item, 0, -1))
        else:
            return None
    for size in sizes[len(key):]:
        dims.append((0, 1, at) if size != 1 else (0, 0, -1))
        shape.append(size)
        at += 1
    return View(view.source, tuple(shape), tuple(dims), view.inner)


def transpose(view: View, order: tuple) -> View:
    """The view whose axis k is axis `order[k]`."""
    place = {axis: k for k, axis in enumerate(order)}
    return _compose(view, tuple(view.shape[axis] for axis in order),
                    [(0, 1, place[axis]) for axis in range(len(order))])


def diagonal(view: View, offset: int, first: int, second: int) -> View:
    """The view of a diagonal, which becomes the last axis."""
    rows, columns = view.shape[first], view.shape[second]
    size = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    rest = [axis for axis in range(len(view.shape)) if axis not in (first, second)]
    shape = tuple(view.shape[axis] for axis in rest) + (size,)
    axes = [None] * len(view.shape)
    for new, axis in enumerate(rest):
        axes[axis] = (0, 1, new)
    axes[first] = (max(-offset, 0), 1, len(rest))
    axes[second] = (max(offset, 0), 1, len(rest))
    return _compose(view, shape, axes)


def broadcast(view: View, shape: tuple) -> View:
    """The view of repeated elements; ValueError where the shapes do not fit."""
    lead = len(shape) - len(view.shape)
    fits = lead >= 0 and all(a in (1, b) for a, b in zip(view.shape, shape[lead:]))
    if not fits:
        raise ValueError(f"could not broadcast input array from shape {view.shape} "
                         f"into shape {shape}")
    axes = [(0, 1, lead + axis) if size == shape[lead + axis] else (0, 0, -1)
            for axis, size in enumerate(view.shape)]
    return _compose(view, shape, axes)


def renamed(view: View, axes: list, rank: int) -> View:
    """The view whose axis `axes[k]` is axis k of `view`; two of one name are its diagonal."""
    shape = [1] * rank
    for size, axis in zip(view.shape, axes):
        shape[axis] = size
    return _compose(view, tuple(shape), [(0, 1, axis) for axis in axes])


def squeeze(view: View, gone) -> View:
    """The view without some axes of size 1."""
    kept = [axis for axis in range(len(view.shape)) if axis not in gone]
    axes = [(0, 0, -1)] * len(view.shape)
    for new, axis in enumerate(kept):
        axes[axis] = (0, 1, new)
    return _compose(view, tuple(view.shape[axis] for axis in kept), axes)


def reshape(view: View, shape: tuple) -> View | None:
    """The view of the same elements in another shape, or None where NumPy copies."""
    if shape == view.shape:
        # A note stays with what stands on it.
        return view if type(view.dims) is not Mark else View(shape, shape, whole(shape).dims, view)
    if view.is_whole and not _is_apart(view):
        if view.inner is None:
            return View(shape, shape, whole(shape).dims, view)
        return reshape(view.inner, shape) if view.inner.is_whole else \
            View(shape, shape, whole(shape).dims, view.inner)
    made = _reshaped(view.shape, pitches(view), shape)
    return None if made is None else View(shape, shape, whole(shape).dims, view)


def _is_apart(view: View) -> bool:
    """Whether what it stands on does not lie as densely in memory as it says."""
    return view.inner is not None and any(hasattr(note, "pitches") for note in notes(view))


def pitches(view: View) -> tuple:
    """The strides, in elements, that NumPy's view would have."""
    if type(view.dims) is Mark and hasattr(view.dims.note, "pitches"):
        return view.dims.note.pitches
    under = strides_of(view.source)
    if view.inner is not None and (not view.inner.is_whole or _is_apart(view)):
        under = _reshaped(view.inner.shape, pitches(view.inner), view.source) or under
    steps = [0] * len(view.shape)
    for (start, step, axis), pitch in zip(view.dims, under):
        if axis >= 0:
            steps[axis] += step * pitch
    return tuple(steps)


def is_columns_first(array) -> bool:
    """Whether the elements of an array lie behind each other, those of the first axis first."""
    return _is_dense(zip(array.shape, array.strides), array)


def is_rows_first(array) -> bool:
    """Whether they do, those of the last axis first."""
    return _is_dense(zip(reversed(array.shape), reversed(array.strides)), array)


def _is_dense(axes, array) -> bool:
    pitch = array.itemsize
    for size, step in axes:
        if size != 1 and step != pitch:
            return not array.size
        pitch *= size
    return True


def _reshaped(shape: tuple, steps: tuple, new: tuple) -> tuple | None:
    """The strides of the same elements in another shape, None where they have none.

    Dimensions of both shapes are taken together until their sizes agree; those of the old
    one that are taken together have to lie behind each other.
    """
    if 0 in shape:
        return strides_of(new)
    old = [(size, step) for size, step in zip(shape, steps) if size != 1]
    made, first, at = [0] * len(new), 0, 0
    while at < len(new) and first < len(old):
        end, last, size, count = at + 1, first + 1, new[at], old[first][0]
        while size != count:
            if size < count:
                size, end = size * new[end], end + 1
            else:
                count, last = count * old[last][0], last + 1
        for (_, outer), (inner_size, inner) in zip(old[first:last], old[first + 1:last]):
            if outer != inner_size * inner:
                return None
        pitch = old[last - 1][1]
        for axis in range(end - 1, at - 1, -1):
            made[axis] = pitch
            pitch *= new[axis]
        first, at = last, end
    return tuple(made)
