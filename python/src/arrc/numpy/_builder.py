"""Makes a program out of values and the operations on them.

All that knows how programs are made stands here: another builder with these methods
(one on the operations of the compiler themselves) can take its place. This one writes
text of the language and gives it to `arrc.compile`.

Sizes and starts are expressions that `integer`, `shifted` and Python's ints give;
values are what `array`, `number` and the operations give. A read is a value, the type
that its elements are converted to, and `dims`: for each dimension start, step and the
axis of the loop that it moves with (-1: none); `None` reads all as it is.
"""

from __future__ import annotations

import itertools

import numpy

from . import _text
from ._dtypes import BOOL, INT, NAMES
from ._library_text import Library

#: The parameters, and the results, that a program may have.
LIMIT = 60
#: How many arrays are put together by a condition of each element.
MOST_JOINED = 4

_FOLDS = {"add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max",
          "logical_and": "all", "logical_or": "any"}
_SCANS = {"add": "(+)", "multiply": "(*)", "minimum": "min", "maximum": "max"}


class Value:
    """A value of a program: its name, type and sizes."""

    __slots__ = ("name", "dtype", "sizes")

    def __init__(self, name: str, dtype: numpy.dtype, sizes: tuple):
        self.name, self.dtype, self.sizes = name, dtype, sizes


class Builder(Library):
    """A program as text."""

    def __init__(self):
        self._params: list[str] = []
        self._lines: list[str] = []
        self._conditions: dict[str, None] = {}
        self._results: list[Value] = []
        self._names = itertools.count()

    # What goes in, in the order of the arguments of the program.

    def integer(self) -> str:
        """A parameter that is a size or a start."""
        name = f"n{len(self._params)}"
        self._params.append(f"{name}: int")
        return name

    def array(self, dtype: numpy.dtype, sizes: tuple) -> Value:
        """A parameter that is an array, of rank 0 a number."""
        value = Value(f"p{len(self._params)}", dtype, sizes)
        self._params.append(f"{value.name}: {self._type(dtype, sizes)}")
        return value

    def number(self, dtype: numpy.dtype) -> Value:
        """A parameter that is a number."""
        return self.array(dtype, ())

    @staticmethod
    def shifted(size: str, by: int) -> str:
        """A size and a number."""
        return f"({size} {'-' if by < 0 else '+'} {abs(by)})" if by else size

    def inside(self, start, step: int, count, size) -> None:
        """States that `count` elements from `start` on lie in a dimension of `size`."""
        last = start if count == 1 else f"{start} + {step} * ({count} - 1)"
        self._conditions[f"{start} >= 0" if step >= 0 else f"{last} >= 0"] = None
        self._conditions[f"{last} < {size}" if step >= 0 else f"{start} < {size}"] = None

    # Operations.

    def map(self, name: str, dtype: numpy.dtype, types: tuple, reads: list, sizes: tuple) -> Value:
        """A function of what is read, with its operands in `types`, at each index."""
        return self._let(dtype, sizes, self._for(sizes, self._body(name, types, reads)))

    def arange(self, dtype: numpy.dtype, start: Value, step: Value, sizes: tuple) -> Value:
        """Numbers at equal distances."""
        index = _text.cast("i0", INT, dtype)
        return self._let(dtype, sizes, self._for(sizes, f"{start.name} + {step.name} * {index}"))

    def reduce(self, name: str, dtype: numpy.dtype, read: tuple, loop: tuple, axes: tuple,
               sizes: tuple) -> Value:
        """A fold along some axes of the loop, the others in order."""
        value, dims = read
        if name in ("fmin", "fmax"):
            return self._reduce_numbers(name, dtype, read, loop, axes, sizes)
        if name in ("argmin", "argmax"):
            body, fold = self._read(value, dims), name
            if value.dtype.kind == "b":
                body = f"u8({body})"
        else:
            fold = _FOLDS[name]
            body = _text.cast(self._read(value, dims), value.dtype,
                              BOOL if fold in ("all", "any") else dtype)
        over = ", ".join(f"i{axis} in {loop[axis]}" for axis in axes)
        inner = f"{fold} for {over} {{ {body} }}"
        kept = [axis for axis in range(len(loop)) if axis not in axes]
        if kept:
            outer = ", ".join(f"i{axis} in {loop[axis]}" for axis in kept)
            inner = f"for {outer} {{ {inner} }}"
        return self._let(dtype, sizes, inner)

    def _reduce_numbers(self, name: str, dtype: numpy.dtype, read: tuple, loop: tuple,
                        axes: tuple, sizes: tuple) -> Value:
        """The least or largest of what is a number; where there is none, no number."""
        body, short = _text.cast(self._read(*read), read[0].dtype, dtype), NAMES[dtype]
        over = ", ".join(f"i{axis} in {loop[axis]}" for axis in axes)
        kept = [axis for axis in range(len(loop)) if axis not in axes]
        outer = ", ".join(f"i{axis} in {loop[axis]}" for axis in kept)
        neutral = f"{short}({'-' if name == 'fmax' else ''}inf)"

        def let(kind, text):
            return self._let(kind, sizes, f"for {outer} {{ {text} }}" if kept else text)
        gone = let(BOOL, f"all for {over} {{ isnan({body}) }}")
        found = let(dtype, f"{name[1:]} for {over} {{ if isnan({body}) {{ {neutral} }} "
                           f"else {{ {body} }} }}")
        at = f"[{', '.join(f'i{axis}' for axis in kept)}]" if kept else ""
        return let(dtype, f"if {gone.name}{at} {{ {short}(nan) }} else {{ {found.name}{at} }}")

    def contract(self, dtype: numpy.dtype, reads: list, loop: tuple, sizes: tuple) -> Value:
        """Sums of products over the axes of the loop behind those of the result."""
        factors = [_text.cast(self._read(*read), read[0].dtype, dtype) for read in reads]
        fold, sign = ("any", " and ") if dtype.kind == "b" else ("sum", " * ")
        body = sign.join(factors)
        rank = len(sizes)
        if len(loop) > rank:
            over = ", ".join(f"i{axis} in {loop[axis]}" for axis in range(rank, len(loop)))
            body = f"{fold} for {over} {{ {body} }}"
        return self._let(dtype, sizes, self._for(sizes, body))

    def scan(self, name: str, dtype: numpy.dtype, read: tuple, axis: int, sizes: tuple) -> Value:
        """All folds of the elements up to each along an axis."""
        text = self._for(sizes, _text.cast(self._read(*read), read[0].dtype, dtype))
        inner = self._let(dtype, sizes, text)
        return self._let(dtype, sizes, f"scan({_SCANS[name]}, {inner.name}, axis = {axis})")

    def reshape(self, value: Value, sizes: tuple) -> Value:
        """The same elements in another shape."""
        if not value.sizes:
            return self._let(value.dtype, sizes, self._for(sizes, value.name))
        if not sizes:
            return self._let(value.dtype, sizes, f"{value.name}[{', '.join('0' for _ in value.sizes)}]")
        return self._let(value.dtype, sizes,
                         f"reshape({value.name}, {', '.join(map(str, sizes))})")

    def update(self, old: Value, read: tuple, place: tuple, loop: tuple) -> Value:
        """An array with what is read written to a place, whose axes are the loop's."""
        value, dims = read
        text = _text.cast(self._read(value, dims), value.dtype, old.dtype)
        if not old.sizes:
            return self._let(old.dtype, (), text)
        axes = [axis for _, _, axis in place if axis >= 0]
        if all(step == 1 or axis < 0 for _, step, axis in place) and axes == sorted(set(axes)):
            return self._assign(old, text, place, loop)
        return self._choose(old, text, place, loop)

    def _assign(self, old: Value, text: str, place: tuple, loop: tuple) -> Value:
        slots = [f"{start}:{self._end(start, loop[axis])}" if axis >= 0 else str(start)
                 for start, _, axis in place]
        axes = [axis for _, _, axis in place if axis >= 0]
        new = f"v{next(self._names)}"
        over = ", ".join(f"i{axis} in {loop[axis]}" for axis in axes)
        value = f"for {over} {{ {text} }}" if axes else text
        self._lines += [f"var {new} = {old.name}", f"{new}[{', '.join(slots)}] = {value}"]
        fixed = f"v{next(self._names)}"
        self._lines.append(f"let {fixed} = {new}")
        return Value(fixed, old.dtype, old.sizes)

    @staticmethod
    def _end(start, size):
        if isinstance(start, int) and isinstance(size, int):
            return start + size
        return str(size) if start == 0 else f"{start} + {size}"

    def _choose(self, old: Value, text: str, place: tuple, loop: tuple) -> Value:
        """The new elements where an index is one of the place, the old ones elsewhere."""
        tests, found = [], {}
        for dim, (start, step, axis) in enumerate(place):
            if axis < 0:
                tests.append(f"j{dim} == {start}")
                continue
            distance = f"(j{dim} - {start})" if step > 0 else f"({start} - j{dim})"
            at = distance if abs(step) == 1 else f"({distance} // {abs(step)})"
            if axis in found:
                tests.append(f"{at} == {found[axis]}")
                if abs(step) != 1:
                    tests.append(f"{distance} % {abs(step)} == 0")
                continue
            found[axis] = at
            tests += [f"{distance} >= 0", f"{at} < {loop[axis]}"]
            if abs(step) != 1:
                tests.append(f"{distance} % {abs(step)} == 0")
        # The indices of the loop exist where all tests hold.
        lets = "".join(f"let i{axis} = {at} \n" for axis, at in sorted(found.items())
                       if f"i{axis}" in text)
        over = ", ".join(f"j{dim} in {size}" for dim, size in enumerate(old.sizes))
        here = f"{old.name}[{', '.join(f'j{dim}' for dim in range(len(old.sizes)))}]"
        return self._let(old.dtype, old.sizes,
                         f"for {over} {{ if {' and '.join(tests)} {{ {lets}{text} }} "
                         f"else {{ {here} }} }}")

    def gather(self, value: Value, subscripts: list, sizes: tuple) -> Value:
        """Elements at computed indices, a negative one from the end.

        A subscript is the axis that it moves with as `(start, step, axis)`, or a read
        of an array of integers.
        """
        parts = []
        for dim, subscript in enumerate(subscripts):
            if len(subscript) == 3:
                parts.append(self._subscript(*subscript))
                continue
            index = f"int({self._read(*subscript)})"
            unsigned = subscript[0].dtype.kind == "u"
            size = value.sizes[dim]
            parts.append(index if unsigned else f"(if {index} < 0 {{ {index} + {size} }} else {{ {index} }})")
        return self._let(value.dtype, sizes, self._for(sizes, f"{value.name}[{', '.join(parts)}]"))

    def sort(self, value: Value, axis: int, gives_indices: bool) -> Value:
        """The elements in order along an axis, or their indices; equal ones stay in order."""
        name, dtype = ("argsort", INT) if gives_indices else ("sort", value.dtype)
        source = value.name
        if value.dtype.kind == "b":
            source = self._let(_text.U8, value.sizes, f"u8({value.name})").name
        text = f"{name}({source}, axis = {axis})"
        if value.dtype.kind == "b" and not gives_indices:
            text = f"bool({text})"
        return self._let(dtype, value.sizes, text)

    def concat(self, values: list, axis: int, sizes: tuple) -> Value:
        """Arrays one behind the other along an axis."""
        if 2 <= len(values) <= MOST_JOINED:
            return self._join(values, axis, sizes)
        names = ", ".join(value.name for value in values)
        return self._let(values[0].dtype, sizes, f"concat({names}, axis = {axis})")

    def _join(self, values: list, axis: int, sizes: tuple) -> Value:
        """A few arrays one behind the other, as elements that are one of theirs."""
        def element(value: Value, at: str) -> str:
            where = [at if k == axis else f"i{k}" for k in range(len(sizes))]
            return f"{value.name}[{', '.join(where)}]"
        *first, last = values
        at, text = f"i{axis}", ""
        for value in first:
            size = value.sizes[axis]
            text += f"if {at} < {size} {{ {element(value, at)} }} else {{ "
            at = f"({at} - {size})"
        return self._let(last.dtype, sizes,
                         self._for(sizes, text + element(last, at) + " }" * len(first)))

    # What comes out.

    def output(self, value: Value) -> None:
        """Makes a value a result of the program."""
        self._results.append(value)

    def text(self) -> str:
        """The program."""
        results = [self._type(value.dtype, value.sizes) for value in self._results]
        names = [value.name for value in self._results]
        if len(results) == 1:
            kind, value = results[0], names[0]
        else:
            kind = f"({', '.join(f'r{k}: {text}' for k, text in enumerate(results))})"
            value = f"({', '.join(names)})"
        where = f"\n    where {', '.join(self._conditions)}" if self._conditions else ""
        lines = "\n  ".join(self._lines + [value])
        return (_text.helpers(lines) + f"export def run({', '.join(self._params)})\n    -> {kind}{where} {{\n"
                f"  {lines}\n}}\n")

    def finish(self, target: str | None):
        """A function of a list of arguments that gives a list of results."""
        return function_of(self.text(), target)

    # Text.

    @staticmethod
    def _type(dtype: numpy.dtype, sizes: tuple) -> str:
        short = NAMES[dtype]
        return f"{short}[{', '.join(map(str, sizes))}]" if sizes else short

    def _let(self, dtype: numpy.dtype, sizes: tuple, text: str) -> Value:
        name = f"v{next(self._names)}"
        self._lines.append(f"let {name}: {self._type(dtype, sizes)} = {text}")
        return Value(name, dtype, sizes)

    @staticmethod
    def _for(sizes: tuple, body: str) -> str:
        if not sizes:
            return body
        over = ", ".join(f"i{axis} in {size}" for axis, size in enumerate(sizes))
        return f"for {over} {{ {body} }}"

    @staticmethod
    def _subscript(start, step: int, axis: int) -> str:
        if axis < 0:
            return str(start)
        if step == 1:
            return f"i{axis}" if start == 0 else f"i{axis} + {start}"
        moved = f"{abs(step)} * i{axis}" if abs(step) != 1 else f"i{axis}"
        return f"{start} - {moved}" if step < 0 else moved if start == 0 else f"{moved} + {start}"

    def _read(self, value: Value, dims) -> str:
        if not value.sizes:
            return value.name
        if dims is None:
            dims = [(0, 1, axis) for axis in range(len(value.sizes))]
        return f"{value.name}[{', '.join(self._subscript(*dim) for dim in dims)}]"

    def _body(self, name: str, types: tuple, reads: list) -> str:
        texts = []
        for (value, dims), wanted in zip(reads, types):
            texts.append(_text.cast(self._read(value, dims), value.dtype, wanted))
        return _text.FUNCTIONS[name](types[-1], *texts)


def function_of(text: str, target: str | None):
    """The function `run` of a program: of a list of arguments, it gives a list of results."""
    from .. import compile
    from .._arrays import _DTYPES  # noqa: F401  (the package is there)
    function = compile(text, "recorded.arr", target=target)["run"]
    core, device, index = function._core, function._device, function._index
    on_host = device.name == "cpu"

    def run(values: list) -> list:
        return core.call(index, device, values, on_host, False)
    return run
