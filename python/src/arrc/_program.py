"""Programs, and their exports as functions."""

from __future__ import annotations

import collections
import functools
import inspect
import os
import re
import threading
import warnings
import weakref
from collections.abc import Iterable, Iterator, Mapping

import numpy

from . import _arrays, _core, _out
from ._errors import CompileWarning
from ._signature import Tree, build_tree, names_for, python_name

#: Programs that are alive, by all that their code depends on.
_known: "weakref.WeakValueDictionary[tuple, Program]" = weakref.WeakValueDictionary()
_lock = threading.Lock()

_COMMENTS = re.compile(r"((?:^[ \t]*#[^\n]*\n)+)(?:^[ \t]*@[^\n]*\n)*"
                       r"^[ \t]*export[ \t]+def[ \t]+(\w+)", re.M)


def _comments(text: str) -> dict[str, str]:
    """The comment right above each export."""
    return {match.group(2): "\n".join(re.sub(r"^[ \t]*# ?", "", line)
                                      for line in match.group(1).splitlines())
            for match in _COMMENTS.finditer(text)}


#: More workers than any machine has cores.
_MOST_THREADS = 4096


def _check_threads(threads: int) -> None:
    if not isinstance(threads, int) or not 0 <= threads <= _MOST_THREADS:
        raise ValueError(f"threads is a number from 0 (one a core) to {_MOST_THREADS}, "
                         f"not {threads!r}")


def _several(given, name: str, kind: str, example: str) -> list:
    """The items of an argument that is a list, as which its characters would pass."""
    if isinstance(given, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} is a list of {kind}, [\"{example}\"], not {given!r}")
    return list(given)


def _links(link) -> list[str]:
    return [os.fspath(file) for file in _several(link, "link", "files", "gain.o")]


def _options(target, defines, include, optimize, link, options) -> list[str]:
    include = _several(include, "include", "folders", "lib")
    options = _several(options, "options", "options of the compiler", "--sanitize")
    words = []
    if target is not None:
        words.append(f"--target={target}")
    if optimize is not None:
        words.append(f"-O{int(optimize)}")
    for name, value in (defines or {}).items():
        words += ["-D", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    for folder in include:
        words += ["-I", os.fspath(folder)]
    for file in link:
        words += ["--link", os.fspath(file)]
    return words + [str(option) for option in options]


def compile(text: str, name: str = "program.arr", *, target: str | None = None,
            threads: int = 0, defines: Mapping[str, object] | None = None,
            include: Iterable[str | os.PathLike] = (), optimize: int | None = None,
            link: Iterable[str | os.PathLike] = (),
            options: Iterable[str] = ()) -> "Program":
    """Compiles the text of a program.

    `name` is the file's name in messages, and where imports start from. `target` is
    `cpu`, `cuda`, `cuda:1`, `opencl`, or `auto` (ARRC_TARGET, else a CUDA card if
    there is one, else the CPU); `threads` is how many the CPU uses (0: one a core).
    `defines` replaces constants and types of the program, `include` has folders for
    imports, `optimize` is 0 to 3, `link` has the objects, archives and libraries in which
    the program's `extern` functions are, and `options` are more of those of `arrc run`.

    What was compiled before, in this process or another, is not compiled again.
    """
    if not isinstance(text, str):
        raise TypeError(f"the program's text is a str, not {type(text).__name__}")
    text.encode()  # what is no text is an error here
    if "\0" in text:
        raise ValueError("the program's text has a zero in it")
    if not name.endswith(".arr") or name.startswith("-"):
        raise ValueError(f"the name of a program ends with .arr: {name!r}")
    _check_threads(threads)
    link = _links(link)
    words = _options(target, defines, include, optimize, link, options)
    # Imports and what is linked are read each time: their files may have changed.
    key = None if link or re.search(r"^\s*import\b", text, re.M) else (
        text, name, threads, tuple(words), os.environ.get("ARRC_TARGET"))
    with _lock:
        known = _known.get(key) if key else None
    if known is not None:
        return known
    program = Program(_core.Program(name, text, words), text, name, threads)
    if key:
        with _lock:
            _known[key] = program
    return program


def load(path: str | os.PathLike, *, target: str | None = None, threads: int = 0,
         defines: Mapping[str, object] | None = None,
         include: Iterable[str | os.PathLike] = (), optimize: int | None = None,
         link: Iterable[str | os.PathLike] = (), options: Iterable[str] = ()) -> "Program":
    """Compiles the program of a file; the arguments are those of `compile`."""
    path = os.fspath(path)
    if not path.endswith(".arr"):
        raise ValueError(f"a program's file ends with .arr: {path!r}")
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if path.startswith("-"):
        path = os.path.join(".", path)
    _check_threads(threads)
    link = _links(link)
    words = _options(target, defines, include, optimize, link, options)
    return Program(_core.Program(path, None, words), text, path, threads)


@functools.cache
def _result_type(name: str, fields: tuple) -> type:
    """The class of several results, which can be pickled although no module has it."""
    made = collections.namedtuple(name, fields)
    made.__reduce__ = lambda self: (_restored, (name, fields, tuple(self)))
    return made


def _restored(name: str, fields: tuple, values: tuple):
    return _result_type(name, fields)._make(values)


class Program:
    """The exports of a program, as attributes and by name: `p.heat`, `p["heat"]`."""

    def __init__(self, core: "_core.Program", text: str, file: str, threads: int):
        if core.messages:
            warnings.warn(core.messages.rstrip(), CompileWarning, stacklevel=3)
        #: The file of the program.
        self.__file__ = file
        self._device = _core.device(core.device, threads)
        comments = _comments(text)
        self._functions: dict[str, Function] = {}
        for index, (name, params, results) in enumerate(core.entries):
            function = Function(core, self._device, index, name, params, results,
                                comments.get(name, ""))
            self._functions[name] = function
            setattr(self, python_name(name), function)

    @property
    def device(self) -> str:
        """Where it runs: `cpu`, `cuda:0`."""
        return self._device.name

    def __getitem__(self, name: str) -> "Function":
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __call__(self, *args, **kwargs):
        """Calls the only export."""
        if len(self._functions) != 1:
            raise TypeError(f"the program has several exports: {', '.join(self)}")
        return next(iter(self._functions.values()))(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<arrc.Program {self.__file__!r} on {self.device}: {', '.join(self)}>"


def _default(param: tuple):
    """What help shows of a default."""
    return ... if param[6] is None else param[6]


class Function:
    """An export of a program."""

    def __init__(self, core, device, index: int, name: str, params: list, results: list,
                 comment: str):
        self._core, self._device, self._index = core, device, index
        self.__name__ = self.__qualname__ = python_name(name)
        self._params = build_tree(params)
        self._names = names_for(self._params)
        self._count = len(params)
        #: Whether each argument is one parameter of the runtime.
        self._is_flat = all(tree.is_leaf for tree in self._params)
        self._array_places = [i for i, param in enumerate(params) if param[3]]
        self._results = build_tree(results)
        self._is_flat_result = all(tree.is_leaf for tree in self._results)
        self._has_bf16 = any(result[2] == "bf16" for result in results)
        self._type = None
        if len(self._results) > 1:
            self._type = _result_type(self.__name__ + "_result", tuple(names_for(self._results)))
        self.__signature__ = self._sign()
        declared = f"{name}({', '.join(map(str, self._params))}) -> "
        declared += (str(self._results[0]).partition(": ")[2] if len(self._results) == 1
                     else f"({', '.join(map(str, self._results))})")
        self.__doc__ = f"{comment}\n\n{declared}" if comment else declared

    def _sign(self) -> inspect.Signature:
        parameters, kind = [], inspect.Parameter.POSITIONAL_OR_KEYWORD
        for name, tree in zip(self._names, self._params):
            default = inspect.Parameter.empty
            if tree.has_default:
                default = _default(tree.param) if tree.is_leaf else ...
            elif parameters and parameters[-1].default is not inspect.Parameter.empty:
                # Python has no required parameter behind one with a default.
                kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(inspect.Parameter(name, kind, default=default,
                                                annotation=tree.type_text))
        results = [tree.type_text for tree in self._results]
        return inspect.Signature(parameters, return_annotation=results[0] if len(results) == 1
                                 else f"({', '.join(results)})")

    def _bind(self, args: tuple, kwargs: dict) -> list:
        """The arguments in the order of the parameters; `...` is a default."""
        name = self.__name__
        if len(args) > len(self._names):
            raise TypeError(f"{name}() takes {len(self._names)} arguments, "
                            f"and {len(args)} are given")
        values = list(args) + [...] * (len(self._names) - len(args))
        for key, value in kwargs.items():
            if key not in self._names:
                raise TypeError(f"{name}() has no parameter '{key}'; it has "
                                f"{', '.join(self._names) or 'none'}")
            place = self._names.index(key)
            if place < len(args):
                raise TypeError(f"{name}() is given '{key}' twice")
            values[place] = value
        return values

    def __call__(self, *args, **kwargs):
        out = None
        if kwargs and "out" in kwargs and "out" not in self._names:
            out = kwargs.pop("out")
            places = None if out is None else _out.take(self.__name__, out, self._results)
        values = self._bind(args, kwargs) if kwargs or len(args) != self._count else args
        if not self._is_flat:
            flat: list = []
            for tree, value in zip(self._params, values):
                tree.flatten(value, flat)
            values = flat
        kind, values = _arrays.prepare(self._core, values, self._array_places, self._params)
        on_host = kind.on_host or out is not None
        try:
            results = self._core.call(self._index, self._device, values, on_host, True)
        except (TypeError, ValueError):
            problem = _arrays.explain(values, self._array_places, self._params)
            if problem is None:
                raise
            raise problem from None
        if out is not None:
            results = _out.put(self.__name__, places, results, out)
        if kind.convert is not None:
            convert = kind.convert
            if self._has_bf16 and convert is numpy.asarray:
                convert = _arrays.to_numpy
            results = [convert(r) if type(r) is _core.Array else r for r in results]
        if not self._is_flat_result:
            rest = iter(results)
            results = [tree.collect(rest) for tree in self._results]
        return self._type._make(results) if self._type else results[0]

    def __repr__(self) -> str:
        return f"<arrc.Function {self.__name__}{self.__signature__}>"
