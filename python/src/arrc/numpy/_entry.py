"""Programs that say `numpy`: `arrc.lazy()`, `@arrc.jit`, `python -m arrc`."""

from __future__ import annotations

import builtins
import contextlib
import functools
import os
import sys
import types

import numpy

from . import _fallback


def _ours():
    import arrc.numpy
    return arrc.numpy


def _counterparts(names: dict) -> dict:
    """Names that mean NumPy or a function of it, with what of ours takes their place."""
    found = {}
    for name, value in names.items():
        if value is numpy:
            found[name] = _ours()
        elif isinstance(value, types.ModuleType) and value.__name__ in (
                "numpy.random", "numpy.linalg", "numpy.fft"):
            found[name] = getattr(_ours(), value.__name__.rpartition(".")[2])
        elif callable(value) and not isinstance(value, type) and \
                getattr(numpy, getattr(value, "__name__", ""), None) is value:
            found[name] = getattr(_ours(), value.__name__)
        elif value is numpy.lib.stride_tricks.as_strided:
            found[name] = _ours().lib.stride_tricks.as_strided
    return found


class lazy:
    """Within, the names of the caller's module that mean `numpy` mean `arrc.numpy`."""

    def __init__(self, names: dict | None = None):
        self._names = names

    def __enter__(self):
        names = self._names if self._names is not None else sys._getframe(1).f_globals
        new = _counterparts(names)
        self._changed = {name: names[name] for name in new}
        self._within = names
        names.update(new)
        return _ours()

    def __exit__(self, *problem):
        self._within.update(self._changed)
        _ours().flush()
        return False


def _numpys(value):
    """A result as an array of NumPy's."""
    ours = _ours().ndarray
    if type(value) is ours:
        made = numpy.array(value.numpy())
        return made[()] if value.is_scalar else made
    return value


def _is_unchanged(array: numpy.ndarray, made, before) -> bool:
    """Whether a function has left an argument as it was."""
    if made._held is not None:
        return made._held.tobytes() == array.tobytes()
    return made._base.node is before


def _overlap(first: numpy.ndarray, second: numpy.ndarray) -> bool:
    """Whether two arrays share elements, as far as that is found out soon."""
    if not numpy.may_share_memory(first, second):
        return False
    try:
        return numpy.shares_memory(first, second, max_work=10000)
    except Exception:  # too hard to say
        return True


def jit(function):
    """A function on arrays of NumPy's that is recorded and run as programs.

    Arrays among the arguments are copied: what the function writes to them is written
    back when it ends. Those that share memory are not: NumPy computes with them as they are.
    """
    if isinstance(function, type) or not hasattr(function, "__globals__"):
        raise TypeError(f"arrc.jit takes a function, not {function!r}")

    @functools.wraps(function)
    def called(*args, **kwargs):
        ours = _ours()
        pairs: list = []
        arrays = [value for value in (*args, *kwargs.values()) if type(value) is numpy.ndarray]

        def take(value):
            if type(value) is not numpy.ndarray:
                return value
            for array, made, _ in pairs:
                if array is value:
                    return made
            if any(_overlap(value, other) for other in arrays if other is not value):
                made = _fallback.view_of(value)
            else:
                made = ours.array(value)
            if type(made) is not ours.ndarray:
                return value  # elements of a type that programs do not have
            pairs.append((value, made, made._held is None and made._base.node))
            return made
        given = [take(value) for value in args]
        named = {name: take(value) for name, value in kwargs.items()}
        with lazy(function.__globals__):
            try:
                result = function(*given, **named)
            finally:  # what was written before an error, too
                for array, made, before in pairs:
                    if array.shape != made.shape and array.size == made.size:
                        array.shape = made.shape
                    if made._held is not array and not _is_unchanged(array, made, before):
                        array[...] = made._now()
            taken = {id(made): array for array, made, _ in pairs}
            taken.update((id(value), value) for value in (*args, *kwargs.values()))
            return _fallback.mapped(result, lambda value: taken[id(value)] if id(value) in taken
                                    else _numpys(value))
    return called


@contextlib.contextmanager
def answering(folder: str):
    """Within, `import numpy` in the script and in modules of a folder gives `arrc.numpy`."""
    imports = builtins.__import__

    def answered(name, globals=None, locals=None, fromlist=(), level=0):
        if not level and (name == "numpy" or name.startswith("numpy.")) and globals:
            file = globals.get("__file__") or ""
            if globals.get("__name__") == "__main__" or \
                    os.path.dirname(os.path.abspath(file)) == folder:
                imports(name, globals, locals, fromlist, level)  # modules of NumPy's own, too
                module = _ours()
                if fromlist:
                    for part in name.split(".")[1:]:
                        module = getattr(module, part)
                return module
        return imports(name, globals, locals, fromlist, level)
    builtins.__import__ = answered
    try:
        yield
    finally:
        builtins.__import__ = imports


def run(path: str, arguments: list[str]) -> None:
    """Runs a script whose `numpy`, and that of modules beside it, is `arrc.numpy`."""
    folder = os.path.dirname(os.path.abspath(path))
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    sys.argv = [path, *arguments]
    sys.path[0] = folder
    with answering(folder):
        exec(code, main.__dict__)
        _ours().flush()
