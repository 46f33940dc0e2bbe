"""Programs of the language `arr`, as functions of Python.

    >>> import arrc, numpy
    >>> program = arrc.compile('''
    ... # The sum of x, each element times a.
    ... export def scaled(x: f32[n], a: f32 = 2.0) -> f32 = sum(for i { a * x[i] })
    ... ''', target="cpu")
    >>> program.scaled(numpy.ones(4, "float32"))
    8.0
    >>> program.scaled(numpy.ones(4, "float32"), a=0.5)
    2.0

`arrc.load("heat.arr")` does so with a file. A function takes positional and
keyword arguments, knows the defaults of the program, and gives what the program
gives: a number, an array, or a named tuple of several. Arrays come as NumPy's,
torch's, CuPy's, JAX's, or anything else with the buffer protocol or DLPack, and
results are of the kind that came in.
"""

from __future__ import annotations

import os as _os

from . import _core
from ._core import Array
from ._errors import (CompileError, CompileWarning, CopyWarning, Error, InputError,
                      RunError)
from ._program import Function, Program, compile, load

__version__ = _core.__version__
__all__ = ["Array", "CompileError", "CompileWarning", "CopyWarning", "Error", "Function",
           "InputError", "Program", "RunError", "compile", "jit", "lazy", "load"]



def __getattr__(name: str):
    # NumPy's programs are made when they are asked for.
    if name in ("lazy", "jit"):
        from .numpy import _entry
        return getattr(_entry, name)
    raise AttributeError(f"module 'arrc' has no attribute {name!r}")


# A forked process has none of the threads that contexts have.
_os.register_at_fork(after_in_child=_core.forget_devices)


def load_ipython_extension(shell):
    """`%load_ext arrc`: the magic `%%arr`."""
    from ._notebook import register
    register(shell)
