"""What an operation costs on this machine: recorded, and by NumPy at once.

Recording takes the same time for any size, NumPy a time for each element. Where NumPy's is
shorter a program could only lose, even one that took no time itself; where it is a few times
longer a program may win. Both are measured once a process, in a few milliseconds.
"""

from __future__ import annotations

import time

import numpy

from . import _graph, _views

#: How many operations are recorded for it, fewer than a loop that starts a program.
OPERATIONS = 12
#: By what NumPy's time has to exceed that of recording: a program takes time itself.
FACTOR = 2
#: Seconds that a few operations cost beyond their computing, once measured.
overhead = [40e-6]
#: Elements that are few in any case, and many.
FEW, MANY = 1 << 15, 1 << 18


def _least(function) -> float:
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        function()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _recorder():
    """A function that records so many operations on parts of a small array, one on the other."""
    from ._array import ndarray
    shape = (2, 2)
    first = ndarray.made(_graph.Base(_graph.leaf(numpy.zeros(shape))), _views.whole(shape), shape,
                         numpy.dtype("f8"))

    def record(operations: int):
        made = first
        for _ in range(operations):
            made = first[:] + made[:]
        return made
    return record


def recording() -> float:
    """Seconds of a recorded operation on two parts, up to the call of its program."""
    from ._execute import _Plan
    operations = _recorder()

    def record():
        made = operations(OPERATIONS)  # held while its program is looked for
        _Plan([made._base.node])
        _graph.forget()
    return _least(record) / OPERATIONS


def flushing() -> float:
    """Seconds of what four operations on parts cost to record and to compute one by one."""
    operations = _recorder()

    def run():
        made = operations(4)  # held until it is computed
        _graph.flush()
        return made
    return _least(run)


def at_once(elements: int) -> float:
    """Seconds of an operation on so many elements by NumPy, which takes memory for it."""
    first, second = numpy.ones(elements), numpy.ones(elements)
    return _least(lambda: first + second)


def break_even() -> int:
    """Up to how many elements an operation is better computed at once."""
    with _graph.lock:
        limit = _graph.eager()
        _graph.flush()
        _graph.eager(0)
        try:
            wanted = FACTOR * recording()
            _graph.eager(1)
            overhead[0] = flushing()
        finally:
            _graph.eager(limit)
    elements, taken = FEW, at_once(FEW)
    while elements < MANY and taken < wanted:
        elements, before = 2 * elements, taken
        taken = at_once(elements)
        if taken >= wanted:  # between the two, as if the time were a line
            return elements // 2 + int(elements / 2 * (wanted - before) / max(taken - before, 1e-9))
    return elements
