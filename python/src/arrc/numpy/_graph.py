"""What is recorded: values that are not computed yet, and the bases that hold them.

A node is one dense, immutable value. An array is a view of a base, and a write to a
view gives the base a new node: whoever read the old one keeps that, so nothing is ever
reordered across a write. What no base holds when a program is made is not stored.
"""

from __future__ import annotations

import math
import os
import sys
import threading

import numpy

from .. import _core
from . import _evaluate, _views

#: One recorder for all threads.
lock = threading.RLock()

#: From how many recorded operations on a place of the script that comes again
#: (a loop) starts a new program, and from how many any place does.
LOOP, MOST = 24, 160
#: From how many elements on what is recorded is run when a loop comes again.
HEAVY = 1 << 15


#: `Node(op, operands, shape, dtype, extra, numbers, loop, place)` is a value: an operation on
#: operands, or an array that is there. An operand is `(node, dims)`: for each dimension of the
#: node start, step and the axis of this node's loop, as in views. `extra` tells operations of
#: one kind apart, hashable, part of the structure; `numbers` are parameters of the program,
#: NumPy's scalars. `loop` are the sizes of the loop over the operands, where it is not over
#: `shape`; `place` is where an update writes: `dims` of a view, whose axes are those of `loop`.
#: `value` is None until it is there, `refs` says how many bases hold it, `order` counts.
#: `respite` is, once it is put off, where it stands in its loop, and for how many programs.
Node = _core.Node
#: `Base(node)` is what a write changes: it holds in `node` the newest value of some memory.
#: `touches` counts the small parts of it that were computed with or written at once.
Base = _core.Base

_own = os.path.dirname(__file__) + os.sep

#: The nodes that are not computed, `pending`, in the order in which they came, and of all of
#: them the elements, `cost`. `first` is the place in the script of the first. `late` are values
#: that names hold although they have been used, and that most likely die when the loop comes
#: again: not computed yet; `kept` has the places where such a value was used after all.
#: Operations on up to `eager` elements are computed by NumPy at once.
recorder = _core.Recorder(lambda puts_off: _run(puts_off), _own)
recorder.loop, recorder.most, recorder.heavy = LOOP, MOST, HEAVY


def leaf(value) -> Node:
    """A node of an array that is there; nobody may write to it."""
    node = Node("leaf", (), tuple(value.shape), value.dtype)
    node.value = value
    return node


def record(op: str, operands: tuple, shape: tuple, dtype: numpy.dtype, extra=None,
           numbers: tuple = (), loop: tuple | None = None, place=None) -> Node:
    """A node that is computed when it is wanted."""
    node = Node(op, operands, shape, dtype, extra, numbers, loop, place)
    size = math.prod(node.loop)
    if op == "sort" or op == "library":
        size *= _evaluate.dearness(node)
    if recorder.eager and (size <= recorder.eager or op == "contract" and
                           _evaluate.is_product(node)) and _at_once(node):
        return node
    return _core.append(node)


def _at_once(node: Node) -> bool:
    """Computes an operation on few elements, and what its operands need."""
    values = []
    for source, _ in node.operands:
        value = source.value
        if value is None:
            value = value_of(source)
        if type(value) is not numpy.ndarray:
            return False
        values.append(value)
    if node.op == "update" and values[0].size > recorder.eager:
        return False  # a copy of much
    node.value = _evaluate.evaluate(node, values)
    node.operands, node.numbers = (), ()
    return True


def eager(elements: int | None = None) -> int:
    """Up to how many elements NumPy computes at once; sets it if it is given."""
    if elements is not None:
        recorder.eager = elements
        _core.set_small(elements)
    return recorder.eager


def overwrite(base: Base, view: _views.View | None, source: Node, dims: tuple) -> bool:
    """Writes elements that are there to memory that nobody else sees, if it is so."""
    if not recorder.eager or type(source.value) is not numpy.ndarray or \
            not _is_own(base, view) or not _evaluate.is_alone_in(base._node):
        return False
    _evaluate.assign(base._node.value, view.dims, view.shape, source.value, dims)
    _touch(base, view)
    return True


def fill(base: Base, view: _views.View | None, number) -> bool:
    """Writes a number likewise."""
    if not recorder.eager or view is None or 0 in view.shape or not _is_own(base, view) or \
            not _evaluate.is_alone_in(base._node):
        return False
    _evaluate.look(base._node.value, view.dims, view.shape)[...] = number
    _touch(base, view)
    return True


def _touch(base: Base, view: _views.View) -> None:
    """Counts an operation on a part, if it is small."""
    base.touches += math.prod(view.shape) <= recorder.eager


def _is_own(base: Base, view: _views.View) -> bool:
    """Whether no other array has the value of a base, which is there then if little is written."""
    if base._node.value is None and math.prod(view.shape) <= recorder.eager:
        value_of(base._node)
    node = base._node
    return node.refs == 1 and view.inner is None and view.source == node.shape and \
        sys.getrefcount(node) <= _alone


def _references(base: Base) -> int:
    # As many as a node has that a base alone holds.
    node = base._node
    return sys.getrefcount(node)


def flush() -> None:
    """Computes all that is recorded and still held."""
    _run(False)


def forget() -> None:
    """Drops what is recorded: it is not wanted, although it may be held."""
    recorder.take()


#: For how many programs a value is put off.
RESPITE = 3


def _run(puts_off: bool) -> None:
    """Computes what is recorded and still held, or what of it has to be now."""
    from . import _execute
    with lock:
        first = recorder.first
        pending = recorder.take()
        late, recorder.late = recorder.late, []
        wanted = [node for node in pending if node.refs > 0 and node.value is None]
        late = [node for node in late if node.value is None]
        if puts_off or late:
            read = {id(source) for node in pending for source, _ in node.operands}
            # A write to a part reads the old value, which no base holds then any more.
            recorder.kept.update(node.respite[0] for node in late if id(node) in read)
            wanted = [node for node in late if node.refs and _is_due(node, read, puts_off)] + \
                [node for node in wanted if not (puts_off and id(node) in read)
                 or not _is_put_off(node, pending, first)]
        late = read = None
        if wanted:
            _execute.compute(wanted, pending)


def _is_due(node: Node, read: set, puts_off: bool) -> bool:
    """Whether a value that was put off is computed now."""
    place, left = node.respite
    if id(node) not in read and puts_off and left:
        node.respite = place, left - 1
        recorder.late.append(node)
        return False
    return True


def _is_put_off(node: Node, pending: list[Node], first) -> bool:
    """Puts off a value that others of its program have used, the first time at this place."""
    place = first, node.order - pending[0].order
    if place in recorder.kept:
        return False
    node.respite = place, RESPITE
    recorder.late.append(node)
    return True


def value_of(node: Node):
    """The array of a node, computed now if it is not there."""
    if node.value is None:
        with lock:
            if node.value is None:
                # Held while it is computed, like what a base holds.
                node.refs += 1
                try:
                    _run(True)
                    if node.value is None:  # a flush in between took it for dead
                        from . import _execute
                        _execute.compute([node])
                finally:
                    node.refs -= 1
    return node.value


def operand_of(node: Node, view: _views.View | None, shape: tuple) -> tuple:
    """A view of a node as an operand of a loop over `shape`."""
    if view is None:
        view = _views.whole(node.shape)
    node, view = settle(node, view)
    if view.shape != shape:
        view = _views.broadcast(view, shape)
    return node, view.dims


def settle(node: Node, view: _views.View) -> tuple[Node, _views.View]:
    """The same elements as a view that stands on the node itself."""
    if view.inner is not None:
        node = dense(*settle(node, view.inner))
    if view.source != node.shape:
        node = (leaf(node.value.reshape(view.source))
                if isinstance(node.value, numpy.ndarray) else
                record("reshape", ((node, None),), view.source, node.dtype))
    return node, view


def dense(node: Node, view: _views.View) -> Node:
    """A node of the elements of a view that stands on `node`."""
    if view.is_whole:
        return node
    return record("map", ((node, view.dims),), view.shape, node.dtype,
                  ("copy", (node.dtype,), "a"))


_alone = _references(Base(Node("leaf", (), (), numpy.dtype("f8"))))
