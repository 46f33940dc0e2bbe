"""What is recorded: values that are not computed yet, and the bases that hold them.

A node is one dense, immutable value. An array is a view of a base, and a write to a
view gives the base a new node: whoever read the old one keeps that, so nothing is ever
reordered across a write. What no base holds when a program is made is not stored.
"""

from __future__ import annotations

import os
import sys
import threading

import numpy

from . import _views

#: One recorder for all threads.
lock = threading.RLock()

#: From how many recorded operations on a place of the script that comes again
#: (a loop) starts a new program, and from how many any place does.
LOOP, MOST = 24, 160


class Node:
    """A value: an operation on operands, or an array that is there.

    An operand is `(node, dims)`: for each dimension of the node start, step and the
    axis of this node's loop, as in views. `extra` is what else the operation knows.
    """

    __slots__ = ("op", "operands", "extra", "numbers", "shape", "dtype", "loop", "place",
                 "value", "refs", "order")

    def __init__(self, op: str, operands: tuple, shape: tuple, dtype: numpy.dtype,
                 extra=None, numbers: tuple = (), loop: tuple | None = None, place=None):
        self.op, self.operands, self.shape, self.dtype = op, operands, shape, dtype
        #: The sizes of the loop over the operands, where it is not over `shape`.
        self.loop = shape if loop is None else loop
        #: Where an update writes: `dims` of a view, whose axes are those of `loop`.
        self.place = place
        #: What tells operations of one kind apart: hashable, part of the structure.
        self.extra = extra
        #: Numbers of the program's parameters: NumPy's scalars.
        self.numbers = numbers
        self.value = None
        #: How many bases hold it.
        self.refs = 0
        self.order = 0


class Base:
    """What a write changes: it holds the newest value of some memory."""

    __slots__ = ("_node",)

    def __init__(self, node: Node):
        self._node = node
        node.refs += 1

    @property
    def node(self) -> Node:
        return self._node

    @node.setter
    def node(self, node: Node) -> None:
        node.refs += 1
        self._node.refs -= 1
        self._node = node

    def __del__(self):
        self._node.refs -= 1


class _Recorder:
    """The nodes that are not computed, in the order in which they came."""

    def __init__(self):
        self.pending: list[Node] = []
        self.count = 0
        self.first = None


_recorder = _Recorder()
_own = os.path.dirname(__file__) + os.sep


def _place():
    """Where in the script the operation stands."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_own):
        frame = frame.f_back
    return frame and (frame.f_code, frame.f_lasti)


def leaf(value) -> Node:
    """A node of an array that is there; nobody may write to it."""
    node = Node("leaf", (), tuple(value.shape), value.dtype)
    node.value = value
    return node


def record(op: str, operands: tuple, shape: tuple, dtype: numpy.dtype, extra=None,
           numbers: tuple = (), loop: tuple | None = None, place=None) -> Node:
    """A node that is computed when it is wanted."""
    node = Node(op, operands, shape, dtype, extra, numbers, loop, place)
    with lock:
        pending = _recorder.pending
        _recorder.count += 1
        node.order = _recorder.count
        if not pending:
            _recorder.first = _place()
        elif len(pending) >= LOOP and (len(pending) >= MOST or _place() == _recorder.first):
            flush()
            _recorder.first = _place()
            pending = _recorder.pending
        pending.append(node)
    return node


def flush() -> None:
    """Computes all that is recorded and still held."""
    from . import _execute
    with lock:
        pending, _recorder.pending = _recorder.pending, []
        wanted = [node for node in pending if node.refs > 0 and node.value is None]
        if wanted:
            _execute.compute(wanted)


def value_of(node: Node):
    """The array of a node, computed now if it is not there."""
    if node.value is None:
        with lock:
            if node.value is None:
                # Held while it is computed, like what a base holds.
                node.refs += 1
                try:
                    flush()
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
