"""Programs that are written out: their results have sizes that they find themselves.

A graph has the sizes of its values before they are computed, so these are run at once, on
elements that are there. As with programs of graphs NumPy computes until one pays.
"""

from __future__ import annotations

import time

import numpy

from . import _compiling, _execute, _graph
from ._dtypes import NAMES

#: From how many elements on they run.
LEAST = 1 << 15

#: Programs by name; `X` is the type of the elements.
_TEXTS = {
    "filter": "(x: X[n], m: bool[n]) -> X[?] = for i in n if m[i] { x[i] }",
    "nonzero": "(x: X[n]) -> int[?] = for i in n if x[i] != X(0) { i }",
    "true": "(x: X[n]) -> int[?] = for i in n if x[i] { i }",
    "ends": "(x: X[n]) -> (X, X) = (min(x), max(x))",
    # Elements in as many parts of equal width, and those that lie in a part.
    "spread": "(m: int, x: X[n], low: f64, factor: f64) -> int[m] where m > 0 =\n"
              "  hist((+), 0, m, oob = drop) for i { (min(int((f64(x[i]) - low) * factor), m - 1), 1) }",
    "part": "(m: int, k: int, x: X[n], low: f64, factor: f64) -> X[?] =\n"
            "  for v in x if min(int((f64(v) - low) * factor), m - 1) == k { v }",
    # Where what is in order begins anew.
    "changes": "(x: X[n]) -> int[?] =\n  for i in n if (if i == 0 { true } else { x[i] != x[i - 1] }) { i }",
}
_programs: dict = {}
#: What NumPy has taken in place of each.
_spent: dict = {}


def is_host() -> bool:
    """Whether programs run where NumPy does."""
    return (_execute.device() or "cpu") == "cpu"


def ready(names: tuple, dtype: numpy.dtype, size: int) -> list | None:
    """Programs for elements of a type, and so many; None if NumPy is to compute."""
    eager = _graph.recorder.eager
    if not is_host() or not size or eager and (size < LEAST or eager == _execute.ALL):
        return None
    found = []
    for name in names:
        program = _programs.get((name, dtype))
        if program is None and not eager:
            program = _programs[name, dtype] = _compiled(name, dtype)
        if not callable(program):
            return None
        found.append(program)
    _execute.counts["runs"] += 1
    return found


def spend(names: tuple, dtype: numpy.dtype, seconds: float) -> None:
    """Says what NumPy has taken in place of programs, which are compiled if that is much."""
    _spent[names, dtype] = _spent.get((names, dtype), 0.0) + seconds
    if _spent[names, dtype] < _execute.SHARE * _execute.FIRST or not _graph.recorder.eager or \
            not is_host():
        return
    for name in names:
        if (name, dtype) not in _programs:
            _programs[name, dtype] = _compiling.Compiling()
            _start(name, dtype)


def _start(name: str, dtype: numpy.dtype) -> None:
    _compiling.Compiling.start(lambda: _compiled(name, dtype),
                               lambda found: _programs.__setitem__((name, dtype), found))


def run(name: str, dtype: numpy.dtype, values: list, size: int, by_numpy):
    """What a program gives for arrays, or what `by_numpy()` does where that pays."""
    programs = ready((name,), dtype, size)
    if programs is not None:
        made = programs[0]([numpy.ascontiguousarray(value) for value in values])
        return numpy.asarray(made[0])
    start = time.perf_counter()
    made = by_numpy()
    spend((name,), dtype, time.perf_counter() - start)
    return made


def _compiled(name: str, dtype: numpy.dtype):
    from ._builder import function_of
    text = _TEXTS[name].replace("X", NAMES[dtype])
    return function_of(f"export def run{text}\n", "cpu")
