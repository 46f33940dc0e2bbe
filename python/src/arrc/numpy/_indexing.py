"""Elements read and written: basic and advanced indices, shapes."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence

import numpy

from .._core import Held
from . import _graph, _memory, _views
from ._dtypes import BOOL, INT, is_known
from ._elementwise import NotCovered, lift, select


def look(value: numpy.ndarray, view: _views.View) -> numpy.ndarray:
    """The elements of a view in memory of NumPy's."""
    if view.inner is not None:
        value = look(value, view.inner)
    value = value.reshape(view.source)
    steps, offset = [0] * len(view.shape), 0
    for (start, step, axis), pitch in zip(view.dims, value.strides):
        offset += start * pitch
        if axis >= 0:
            steps[axis] += step * pitch
    if 0 in view.shape:
        return numpy.empty(view.shape, value.dtype)
    if value.flags.c_contiguous:
        return numpy.ndarray(view.shape, value.dtype, value, offset, steps)
    origin = value[tuple(slice(start, start + 1) for start, _, _ in view.dims)]
    return numpy.lib.stride_tricks.as_strided(origin, view.shape, steps)


def full_shape(array, shape) -> tuple:
    """A shape with its -1 filled in."""
    if isinstance(shape, (list, tuple)):
        shape = tuple(operator.index(size) for size in shape)
    else:
        shape = (operator.index(shape),)
    size = array.size
    if -1 in shape:
        known = -math.prod(shape)
        if shape.count(-1) > 1:
            raise ValueError("can only specify one unknown dimension")
        if known == 0 or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
        shape = tuple(size // known if item == -1 else item for item in shape)
    if math.prod(shape) != size or any(item < 0 for item in shape):
        raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
    if len(shape) > 8:
        raise NotCovered("arrays of more than 8 dimensions")
    return shape


def reshape(array, shape: tuple):
    """The elements in another shape: a view where NumPy has one."""
    shape = full_shape(array, shape)
    view = _views.reshape(array._own_view, shape)
    if view is None:
        array = array.copy()
        view = _views.reshape(array._own_view, shape)
    return array._seen(view)


def _has_ellipsis(items: tuple) -> bool:
    return any(item is Ellipsis for item in items)


def _split(key) -> tuple[tuple, bool]:
    """The items of a key, and whether all of them are basic."""
    if not isinstance(key, tuple):
        key = (key,)
    is_basic, items = True, []
    from ._array import ndarray
    for item in key:
        if isinstance(item, (bool, numpy.bool_)):
            item, is_basic = lift(numpy.array(item)), False
        elif type(item) is ndarray and not item.shape and item.dtype.kind in "iu":
            item = int(item)
        elif isinstance(item, (list, numpy.ndarray, ndarray)) and not (
                isinstance(item, numpy.ndarray) and not item.shape and item.dtype.kind in "iu"):
            if isinstance(item, list) and not item:
                item = numpy.array([], INT)
            item, is_basic = lift(numpy.asarray(item) if isinstance(item, numpy.ndarray) else item), False
            if item.dtype.kind not in "biu":
                raise IndexError("arrays used as indices must be of integer (or boolean) type")
        elif not (item is None or item is Ellipsis or isinstance(item, slice)):
            item, is_basic = _index_of(item, is_basic)
        items.append(item)
    return tuple(items), is_basic


def _index_of(item, is_basic: bool) -> tuple:
    """An integer, or the array of another sequence, as a range."""
    try:
        return operator.index(item), is_basic
    except TypeError:
        if isinstance(item, Sequence) and not isinstance(item, (str, bytes)) or \
                hasattr(item, "__array__"):
            found = lift(numpy.asarray(item) if len(item) else numpy.array([], INT))
            if found.dtype.kind in "biu":
                return found, False
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
            "and integer or boolean arrays are valid indices") from None


def get(array, key):
    """`array[key]`."""
    if _is_held(array):
        made = array._held[_plain_key(key)]
        if not _is_large_view(made):
            return _from_held(array, made)
        del made  # an array with a view could not be recorded
        if not _memory.release(array):
            return _from_held(array, array._held[_plain_key(key)])
    view = _views.plain_index(array._own_view, key if type(key) is tuple else (key,))
    if view is not None:
        seen = array._seen(view)
        return seen if view.shape else _element(seen)
    items, is_basic = _split(key)
    if not is_basic:
        return _get_advanced(array, items)
    seen = array._seen(_views.index(array._own_view, items))
    if not seen.shape and not _has_ellipsis(items):
        return _element(seen)
    return seen


def _is_large_view(made) -> bool:
    return type(made) is numpy.ndarray and made.base is not None and \
        made.size > _graph.recorder.eager


def _is_held(array) -> bool:
    """Whether an array is memory of NumPy's, or is so now because small parts are used."""
    if array._held is not None:
        return True
    base = array._base
    if base.touches < _memory.TOUCHES or not _graph.recorder.eager:
        return False
    del base  # it would be counted
    if _memory.hold(array):
        return True
    array._base.touches += 1
    return False


def _element(seen):
    """A single element: NumPy's scalar where it is there, else a scalar to come."""
    node = seen._base.node
    if isinstance(node.value, numpy.ndarray):
        seen._base.touches += 1
        return look(node.value, seen._view)[()]
    made = seen.copy()
    made.is_scalar = True
    return made


def put(array, key, value) -> None:
    """`array[key] = value`."""
    if _is_held(array):
        array._held[_plain_key(key)] = _given(value, array.dtype)
        return
    view = _views.plain_index(array._own_view, key if type(key) is tuple else (key,))
    if view is None:
        items, is_basic = _split(key)
        if is_basic:
            view = _views.index(array._own_view, items)
    if view is not None:
        # Behind `array[key] += x` the elements are there already.
        if type(value) is not type(array) or value._base is not array._base or \
                value._view is None or not value._view.is_same(view):
            write(array._seen(view), value)
        return
    if len(items) == 1 and items[0].dtype == BOOL and items[0].shape == array.shape:
        value = _taken(value, array.dtype)
        if getattr(value, "shape", ()) == ():
            write(array, select(items[0], convert_to(value, array.dtype), array))
            return
    if _graph.recorder.eager and isinstance(_graph.value_of(array._base.node), numpy.ndarray) and \
            _memory.hold(array):
        put(array, key, value)
        return
    changed = numpy.array(array.numpy())
    changed[tuple(_plain(item) for item in items)] = _given(value, array.dtype)
    write(array, changed)


def _from_held(array, made):
    """What NumPy found in an array that is held: a view of its memory, or new."""
    if type(made) is not numpy.ndarray:
        return made
    is_view = made.base is not None
    return type(array).holding(made) if is_view and made.size else \
        type(array).of(_graph.leaf(made))


def _plain_key(key):
    """An index without arrays of ours."""
    if isinstance(key, (tuple, list)):
        return type(key)(_plain_key(item) for item in key)
    return _now(key)


def _given(value, dtype):
    """What is written, as NumPy takes it, numbers in the type that they are written to."""
    if isinstance(value, Held):
        return value._now()
    if isinstance(value, (list, tuple)):
        return _listed(value, dtype)
    return convert_to(value, dtype) if dtype.kind != "c" and not isinstance(value, complex) and \
        (value is None or isinstance(value, _SINGLE)) else value


def _taken(value, dtype):
    """What is written, as programs take it: an array of ours or a number."""
    if isinstance(value, Held):
        return value
    if isinstance(value, numpy.ndarray):
        value = numpy.asarray(value)  # without a mask, as NumPy has it
        if not is_known(value.dtype):
            value = _assigned(value, dtype)
    elif value is None or isinstance(value, (str, bytes)):
        value = convert_to(value, dtype)
    elif isinstance(value, (list, tuple)):
        value = _listed(value, dtype)
    return lift(value)


def _assigned(value, dtype) -> numpy.ndarray:
    """What an assignment makes of the elements of an array of NumPy's."""
    made = numpy.empty(value.shape, dtype)
    with numpy.errstate(all="ignore"):
        made[...] = value
    return made


#: Classes of what is one element.
_SINGLE = (bool, int, float, complex, str, bytes, numpy.generic)


def _now(value):
    return value._now() if isinstance(value, Held) else value


def convert_to(value, dtype):
    """A number in the type of the array that it is written to; NumPy's error if it has none."""
    if hasattr(value, "astype") and not isinstance(value, numpy.generic):
        return value.astype(dtype)
    made = numpy.empty((), dtype)
    with numpy.errstate(all="ignore"):
        made[()] = value
    return made[()]


def _listed(value, dtype):
    """A list in the type of the array that it is written to."""
    from ._array import unlazy
    with numpy.errstate(all="ignore"):
        return numpy.array(unlazy(value), dtype)


def _plain(value):
    return value.numpy() if isinstance(value, Held) else value


def _get_advanced(array, items: tuple):
    from ._array import wrap
    if len(items) == 1 and items[0] is not None and getattr(items[0], "dtype", None) == BOOL:
        return _masked(array, items[0])
    if any(getattr(item, "dtype", None) == BOOL for item in items):
        return wrap(array.numpy()[tuple(_plain(item) for item in items)])
    # Integers beside arrays are arrays; slices are taken first.
    taken = sum(1 for item in items if item is not None and item is not Ellipsis)
    if taken > array.ndim:
        raise IndexError(f"too many indices for array: array is {array.ndim}-dimensional, "
                         f"but {taken} were indexed")
    if not _has_ellipsis(items):
        items += (Ellipsis,)
    at = next(k for k, item in enumerate(items) if item is Ellipsis)
    items = items[:at] + (slice(None),) * (array.ndim - taken) + items[at + 1:]
    basic = tuple(item if item is None or isinstance(item, slice) else slice(None)
                  for item in items)
    seen = array._seen(_views.index(array._own_view, basic))
    indices = {}
    for axis, item in enumerate(items):
        if not (item is None or isinstance(item, slice)):
            item = lift(numpy.asarray(item)) if isinstance(item, int) else item
            _check(item, seen.shape[axis], axis)
            indices[axis] = item
    return _gather(seen, indices)


def _masked(array, mask):
    """The elements, or rows, where a mask is true; how many is known now."""
    from . import _filters
    from ._array import wrap
    values, kept = array._now(), _now(mask)
    if kept.shape == values.shape and kept.ndim:
        return wrap(_filters.filtered(values, kept))
    if kept.ndim == 1 and kept.shape == values.shape[:1]:
        return wrap(values.take(_filters.places(kept), 0))
    return wrap(values[kept])


def _check(index, size: int, axis: int) -> None:
    """Refuses an index that is known to be outside."""
    value = index._base.node.value
    if isinstance(value, numpy.ndarray) and value.size and value.size <= 1 << 16:
        low, high = value.min(), value.max()
        if low < -size or high >= size:
            raise IndexError(f"index {low if low < -size else high} is out of bounds for "
                             f"axis {axis} with size {size}")


def _gather(array, indices: dict):
    shape = numpy.broadcast_shapes(*[item.shape for item in indices.values()])
    axes = sorted(indices)
    is_together = axes == list(range(axes[0], axes[-1] + 1))
    kept = [axis for axis in range(array.ndim) if axis not in indices]
    lead = sum(1 for axis in kept if axis < axes[0]) if is_together else 0
    sizes = [array.shape[axis] for axis in kept]
    result = tuple(sizes[:lead]) + shape + tuple(sizes[lead:])
    if len(result) > 8:
        raise NotCovered("arrays of more than 8 dimensions")
    if 0 in result:
        return type(array).of(_graph.leaf(numpy.empty(result, array.dtype)))
    place = {axis: k if k < lead else k + len(shape) for k, axis in enumerate(kept)}
    array._base.touches += math.prod(result) <= _graph.recorder.eager
    source = _graph.dense(*_graph.settle(array._base.node, array._own_view))
    operands, parts = [(source, None)], []
    for axis in range(array.ndim):
        if axis in indices:
            item = indices[axis]
            node, dims = _graph.operand_of(item._base.node, item._view, shape)
            operands.append((node, tuple((start, step, at + lead if at >= 0 else -1)
                                         for start, step, at in dims)))
            parts.append(None)
        else:
            parts.append((0, 1, place[axis]) if array.shape[axis] != 1 else (0, 0, -1))
    node = _graph.record("gather", tuple(operands), result, array.dtype, tuple(parts))
    return type(array).of(node)


def write(array, value) -> None:
    """Puts values into all elements of a view, converted and repeated."""
    if array._held is None and array._view is not None and array._view.inner is not None:
        _memory.guard(array)
    if array._held is not None:
        array._held[...] = _given(value, array.dtype)
        return
    value = _taken(value, array.dtype)
    ndarray = type(array)
    if type(value) is not ndarray:
        if array._view is not None and value.__class__ is not complex and \
                getattr(value, "dtype", BOOL).kind != "c" and \
                _graph.fill(array._base, array._view, convert_to(value, array.dtype)):
            return
        value = ndarray.of(_graph.leaf(numpy.asarray(convert_to(value, array.dtype))))
    if value.dtype.kind == "c" and array.dtype.kind not in "cb":
        import warnings
        warnings.warn("Casting complex values to real discards the imaginary part",
                      numpy.exceptions.ComplexWarning if hasattr(numpy, "exceptions")
                      else numpy.ComplexWarning, stacklevel=4)
    while value.ndim > array.ndim and value.shape[0] == 1:
        value = value[0] if value.ndim > 1 else value.reshape(())
    if 0 in array.shape:
        _views.broadcast(value._own_view, array.shape)
        return
    node, view = _graph.settle(value._base.node, value._own_view)
    spread = _views.broadcast(view, array.shape)
    base = array._base
    if array._view is None or array._view.is_whole and array._view.inner is None:
        if node.shape != array.shape or node.dtype != array.dtype or not spread.is_whole:
            node = _graph.record("map", ((node, spread.dims),), array.shape, array.dtype,
                                 ("copy", (array.dtype,), "a"))
        if node.shape != base.node.shape:
            node = _graph.record("reshape", ((node, None),), base.node.shape, array.dtype)
        base.node = node
        return
    if _graph.overwrite(base, array._view, node, spread.dims):
        return
    base.node = _written(base.node, array._view, node, spread.dims)


def _written(node, view: _views.View, value, dims):
    """The node with a value written to a view of it."""
    under = node
    if view.inner is not None:
        under = _graph.dense(*_graph.settle(node, view.inner))
    if view.source != under.shape:
        under = _graph.record("reshape", ((under, None),), view.source, node.dtype)
    if view.is_whole:
        new = _graph.record("map", ((value, dims),), view.shape, node.dtype,
                            ("copy", (node.dtype,), "a"))
    else:
        new = _graph.record("update", ((under, None), (value, dims)), under.shape, node.dtype,
                            loop=view.shape, place=view.dims)
    if view.inner is None:
        if new.shape != node.shape:
            new = _graph.record("reshape", ((new, None),), node.shape, node.dtype)
        return new
    if new.shape != view.inner.shape:
        new = _graph.record("reshape", ((new, None),), view.inner.shape, node.dtype)
    return _written(node, view.inner, new, _views.whole(new.shape).dims)
