"""The text of functions that are one operation of a graph (`_library.py`)."""

from __future__ import annotations

import numpy

from . import _text
from ._dtypes import INT, NAMES

_F64 = numpy.dtype("float64")

#: Which of a step's halves goes on: `b` is the bound in the middle.
_SEARCH = ("var lo = 0\nvar hi = {count}\nwhile lo < hi {{\nlet mid = (lo + hi) // 2\n"
           "let b = {bound}\nif {before} {{ lo = mid + 1 }} else {{ hi = mid }}\n}}\n")


def _search_text(count, bound: str, is_right: bool, is_float: bool) -> str:
    """How many bounds in order lie before `x`: `lo` afterwards. NaN is behind all numbers."""
    before = "b <= x" if is_right else "b < x"
    if is_float:
        before += " or isnan(x)" if is_right else " or (isnan(x) and not isnan(b))"
    return _SEARCH.format(count=count, bound=bound, before=before)


class Library:
    """What a builder writes of them."""

    def _element(self, read: tuple, dtype: numpy.dtype) -> str:
        return _text.cast(self._read(*read), read[0].dtype, dtype)

    def search(self, dtype, extra, reads, numbers, loop, sizes):
        """How many bounds lie before each element."""
        kind, is_right = extra
        bounds, read = reads[0][0], reads[1]
        kind = _text.U8 if kind.kind == "b" else kind
        text = f"let x = {self._element(read, kind)}\n" + _search_text(
            bounds.sizes[0], _text.cast(f"{bounds.name}[mid]", bounds.dtype, kind), is_right,
            kind.kind == "f")
        return self._let(dtype, sizes, self._for(sizes, text + "lo"))

    def interp(self, dtype, extra, reads, numbers, loop, sizes):
        """Values between given ones, on straight lines."""
        xp, fp = (read[0] for read in reads[1:])
        left, right = (number.name for number in numbers)
        count = xp.sizes[0]

        def at(value, index):
            return _text.cast(f"{value.name}[{index}]", value.dtype, _F64)
        text = (f"let x = {self._element(reads[0], _F64)}\n"
                + _search_text(count, at(xp, "mid"), True, True) +
                f"if isnan(x) {{ x }} else if lo == 0 {{ {left} }} else {{\n"
                f"let k = lo - 1\nlet f = {at(fp, 'k')}\nlet a = {at(xp, 'k')}\n"
                f"if lo == {count} {{ if x > a {{ {right} }} else {{ f }} }} "
                f"else if x == a {{ f }} else {{\n"
                f"let g = {at(fp, 'lo')}\nlet c = {at(xp, 'lo')}\nlet s = (g - f) / (c - a)\n"
                "let first = s * (x - a) + f\n"
                "if not isnan(first) { first } else {\nlet second = s * (x - c) + g\n"
                "if isnan(second) and f == g { f } else { second } } } }")
        return self._let(dtype, sizes, self._for(sizes, text))

    def correlate(self, dtype, extra, reads, numbers, loop, sizes):
        """Sums of products with elements around each, 0 beyond both ends."""
        (a, _), (v, _) = reads
        (count,), (_, taps), left = sizes, loop, numbers[0].name
        short, (size,) = NAMES[dtype], a.sizes
        element = _text.cast(f"{a.name}[i0 - {left}]", a.dtype, dtype)
        wide = self._let(dtype, (f"({count} + {taps} - 1)",), (
            f"for i0 in {count} + {taps} - 1 {{ if i0 < {left} {{ {short}(0) }} "
            f"else if i0 - {left} >= {size} {{ {short}(0) }} else {{ {element} }} }}"))
        weight = _text.cast(f"{v.name}[j]", v.dtype, dtype)
        return self._let(dtype, sizes, f"for i0 in {count} {{ sum for j in {taps} "
                                       f"{{ {wide.name}[i0 + j] * {weight} }} }}")

    def hist(self, dtype, extra, reads, numbers, loop, sizes):
        """Folds of what has one index: how many, a sum, the least."""
        name, short = extra[0], NAMES[dtype]
        value = f"{short}(1)" if len(reads) == 1 else self._element(reads[1], dtype)
        fold = f"min, {short}({numpy.iinfo(dtype).max})" if name == "min" else f"(+), {short}(0)"
        return self._hist(dtype, sizes, loop, fold,
                          f"({self._element(reads[0], INT)}, {value})")

    def histogram(self, dtype, extra, reads, numbers, loop, sizes):
        """How many elements, or what sum of weights, lies between bounds in order."""
        edges, count, short = reads[1][0], sizes[0], NAMES[dtype]
        value = f"{short}(1)" if len(reads) == 2 else self._element(reads[2], dtype)
        text = self._bin(reads[0], edges, count, extra[0], numbers)
        return self._hist(dtype, sizes, loop, f"(+), {short}(0)", f"{text}(at, {value})")

    def bins(self, dtype, extra, reads, numbers, loop, sizes):
        """The places of elements between bounds in order, -1 beyond them."""
        edges = reads[1][0]
        text = self._bin(reads[0], edges, f"({edges.sizes[0]} - 1)", extra[0], numbers)
        return self._let(dtype, sizes, self._for(sizes, text + "at"))

    def _bin(self, read, edges, count, is_even: bool, numbers) -> str:
        """The place `at` of an element between bounds, -1 beyond them."""
        def edge(index):
            return _text.cast(f"{edges.name}[{index}]", edges.dtype, _F64)
        if is_even:  # at equal distances: about where, and one aside
            found = (f"let k = min(max(int((x - {edge(0)}) * {numbers[0].name}), 0), {count} - 1)\n"
                     f"if x < {edge('k')} {{ k - 1 }} "
                     f"else if x >= {edge('k + 1')} {{ min(k + 1, {count} - 1) }} else {{ k }}")
        else:
            found = _search_text(f"{count} + 1", edge("mid"), True, False) + \
                f"min(lo - 1, {count} - 1)"
        inside = f"x >= {edge(0)} and x <= {edge(count)}"
        return (f"let x = {self._element(read, _F64)}\n"
                f"let at = if {inside} {{ {found} }} else {{ -1 }}\n")

    def _hist(self, dtype, sizes, loop, fold: str, body: str):
        over = ", ".join(f"i{axis} in {size}" for axis, size in enumerate(loop))
        return self._let(dtype, sizes, f"hist({fold}, {sizes[0]}, oob = drop) for {over} "
                                       f"{{ {body} }}")
