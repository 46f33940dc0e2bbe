"""Loops in time: edges assigned by steps, buffers that are swapped, steps until
nothing changes, recurrences along rows."""

from .arrays import MODES
from .scope import FLOATS, INEXACT, INTS, UNORDERED
from .whole import Whole


class Steps(Whole):

    def start(self, kind, dims, indices):
        """A variable that steps change, and the line that makes it."""
        text = self.array(kind, dims, 1, indices)
        var, line = self.define("v", kind, dims, text, var=True, soft=kind in INEXACT)
        # What else assigns does not keep its values small.
        self.mutable.remove(var)
        return var.name, line

    def small(self, kind, text):
        return self.bounded(kind, text) if kind in FLOATS else text

    def edge(self, kind, v, places):
        """One edge, as a number or as what stands inside."""
        at, others = places[0], places[1:]
        value = self.pick(self.literal(kind), *(f"{v}[{other}]" for other in others))
        if kind != "bool" and value.startswith(v) and self.chance(0.3):
            value = f"-{value}" if kind in INEXACT else f"{value} - {value}"
        return f"{v}[{at}] = {value}"

    def s_line_edges(self, indices, depth):
        kind, (n,) = self.kind(no=("bool",)), self.shape()[:1]
        i = self.name("j")
        with self.within("edges of a line", kind):
            v, first = self.start(kind, (n,), indices)
            with self.block(pure=True, deeper=True):
                text = self.small(kind, f"{v}[{i}] {self.pick('+', '-')} {v}[{i} + 2]"
                                  f"{self.pick('', f' + {v}[{i} + 1]')}")
            places = [("0", "1", "end-2", "2"), ("end-1", "end-2", "1")]
            self.random.shuffle(places)
            edges = [self.edge(kind, v, p) for p in places[:self.number(1, 2)]]
            inside = f"{v}[1:end-1] = for {i} in {n} - 2 {{ {text} }}"
            steps = [inside, *edges] if self.chance(0.7) else [*edges, inside]
        return [first, f"if {n} > 2 {{", f"loop {self.name('q')} in {self.number(1, 3)} {{",
                *steps, "}", "}"]

    def s_plane_edges(self, indices, depth):
        kind, (n, m) = self.kind(no=("bool",)), self.plane()
        i, j = self.name("j"), self.name("j")
        with self.within("edges of a plane", kind):
            v, first = self.start(kind, (n, m), indices)
            reads = [f"{v}[{i}, {j} + 1]", f"{v}[{i} + 2, {j} + 1]", f"{v}[{i} + 1, {j}]",
                     f"{v}[{i} + 1, {j} + 2]", f"{v}[{i} + 1, {j} + 1]"]
            self.random.shuffle(reads)
            text = self.small(kind, " - ".join(reads[:self.number(2, 5)]))
            places = [("0", "1", "end-2"), ("end-1", "end-2", "1"), (":, 0", ":, 1", ":, end-2"),
                      (":, end-1", ":, end-2", ":, 1"), ("0, 0", "1, 1"), ("1:end-1, 0", "1:end-1, 1")]
            self.random.shuffle(places)
            edges = [self.edge(kind, v, p) for p in places[:self.number(1, 4)]]
            inside = f"{v}[1:end-1, 1:end-1] = for {i} in {n} - 2, {j} in {m} - 2 {{ {text} }}"
            steps = [inside, *edges] if self.chance(0.7) else [*edges, inside]
        return [first, f"if {n} > 2 and {m} > 2 {{",
                f"loop {self.name('q')} in {self.number(1, 3)} {{", *steps, "}", "}"]

    def s_leapfrog(self, indices, depth):
        """Two states by turns, the next one from both."""
        kind, dims = self.kind(), self.pick(self.shape()[:1], self.plane())
        e, names = self.name("e"), [self.name("j") for _ in dims]
        with self.within("buffers by turns", kind):
            v, first = self.start(kind, dims, indices)
            w, second = self.start(kind, dims, indices)
            here = ", ".join(names)
            there = ", ".join([f"{names[0]} - 1", *names[1:]])
            other = ", ".join([*names[:-1], f"{names[-1]} + 1"])
            text = self.mixed(kind, self.mixed(kind, f"{e}[{there}]", f"{e}[{other}]"), f"{w}[{here}]")
            head = ", ".join(f"{i} in {n}" for i, n in zip(names, dims))
            mode = self.pick(*MODES)
        next_ = self.name("v")
        return [first, second, f"loop {self.name('q')} in {self.number(0, 3)} {{",
                f"let {e} = extend({v}, {mode})", f"let {next_} = for {head} {{ {text} }}",
                f"({w}, {v}) = ({v}, {next_})", "}"]

    def s_settled(self, indices, depth):
        """Steps until the largest change is small; the values are exact."""
        kind, (n,) = self.pick(*[k for k in ("int", *self.kinds) if k in INTS]), self.shape()[:1]
        i, e, next_, q = self.name("j"), self.name("e"), self.name("v"), self.name("q")
        err = self.name("t")
        with self.within("steps until settled", kind):
            with self.exactly():
                v, first = self.start(kind, (n,), indices)
            return [first, f"var {err}: {kind} = 9", f"var {q} = 0",
                    f"while {err} > {kind}({self.number(0, 2)}) and {q} < {self.number(2, 5)} {{",
                    f"let {e} = extend({v}, {self.pick(*MODES)})",
                    f"let {next_} = stencil {i} in {n} {{ ({e}[{i} - 1] // 2 + {e}[{i} + 1] // 3) }}",
                    f"{err} = max({kind}(0), max for {i} in {n} {{ bitxor({next_}[{i}], {v}[{i}]) }})",
                    f"{v} = {next_}", f"{q} += 1", "}"]

    def s_recurrence(self, indices, depth):
        """A sequential loop along each row: a number carried, or the row itself."""
        kind, (n, m) = self.kind(), self.plane()
        i, q, s, row = self.name("j"), self.name("q"), self.name("t"), self.name("v")
        with self.softness() as soft:
            a, lines = self.named(kind, (n, m), indices)
            with self.block(pure=True, deeper=True), self.within("recurrence", kind):
                self.soft |= kind in INEXACT
                inner = {**indices, i: n}
                order = self.pick(f"loop {q} in {m}", f"loop {q} in 0:{m}:2", "while")
                if self.chance(0.5):
                    carried = self.mixed(kind, s, f"{a}[{i}, {q}]")
                    body = [f"{s} = {carried}"]
                    before, after, dims = [f"var {s}: {kind} = {self.scalar(kind, inner, 1)}"], s, (n,)
                else:
                    value = self.mixed(kind, f"{row}[max({q} - 1, 0)]", f"{row}[{q}]")
                    body = [f"{row}[{q}] = {value}"]
                    if self.chance(0.3):
                        body.append(f"{row}[{m} - 1 - {q}] = {self.mixed(kind, f'{row}[{q}]', self.literal(kind))}")
                    before, after, dims = [f"var {row} = {a}[{i}]"], row, (n, m)
                if order == "while":
                    before.append(f"var {q} = 0")
                    order, body = f"while {q} < {m}", [*body, f"{q} += 1"]
        text = "\n".join([f"(for {i} in {n} {{", *before, f"{order} {{", *body, "}", after, "})"])
        return self.made(kind, dims, lines, text, soft)

    def s_tuple_vars(self, indices, depth):
        """Variables of tuples, and several assigned at once."""
        kind = self.kind(no=UNORDERED)
        p, q, r = self.name("t"), self.name("t"), self.name("t")
        with self.within("variables of tuples", kind):
            a, b = (self.scalar(kind, indices, 1) for _ in range(2))
            values = [f"{q}", self.small(kind, f"{p} + {q}")]
            lines = [f"var ({p}, {q}): ({kind}, {kind}) = ({a}, {b})",
                     f"loop {self.name('q')} in {self.number(0, 3)} {{",
                     f"({p}, {q}) = ({', '.join(values)})", "}",
                     f"let {r}: ({kind}, ({kind}, int)) = ({p}, ({q}, 3))"]
        return self.made(kind, (), lines, self.small(kind, f"{r}.0 - {r}.1.0"), [kind in FLOATS])

    def s_nested_tuples(self, indices, depth):
        kinds, (n,) = [self.kind() for _ in range(3)], self.shape()[:1]
        i, v = self.name("j"), self.name("v")
        with self.softness() as soft:
            with self.block(pure=True, deeper=True), self.within("nested tuples", kinds[0]):
                inner = {**indices, i: n}
                a, b, c = (f"{k}({self.scalar(k, inner, 1)})" for k in kinds)
        lines = [f"let {v} = for {i} in {n} {{ ({a}, ({b}, {c})) }}"]
        for k, place in zip(kinds, ("0", "1.0", "1.1")):
            lines = self.made(k, (n,), lines, f"{v}.{place}", soft)
        return lines

    def s_bodies(self, indices, depth):
        """Structs that hold small vectors and structs."""
        kind, n = self.kind(no=UNORDERED), self.pick(*self.sizes)
        name, i, z = self.name("S"), self.name("j"), self.name("z")
        v = self.name("b")
        self.declarations += [f"struct {name} {{ at: {kind}[2], part: S, count: int = 3 }}"]
        with self.within("structs of vectors", kind), self.softness() as soft:
            with self.block(pure=True, deeper=True):
                inner = {**indices, i: n}
                a, b = (f"{kind}({self.value(kind, inner)})" for _ in range(2))
                part = ", ".join(f"{k}({self.scalar(k, inner, 1)})" for _, k in self.struct)
                x, y = (self.scalar(kind, {**indices, z: n}, 1) for _ in range(2))
            lines = [f"var {v} = for {i} in {n} {{ {name}([{a}, {b}], S({part})) }}"]
            field, k = self.pick(*self.struct)
            ways = [[f"loop {z} in {n} {{ {v}[{z}].at[{self.number(0, 1)}] = {self.small(kind, x)} }}"],
                    [f"loop {z} in {n} {{ {v}[{z}].at = [{kind}({x}), {kind}({y})] }}"],
                    [f"loop {z} in {n} {{ {v}[{z}].count += {z} }}",
                     f"loop {z} in {n} {{ {v}[{z}].part.{field} = {self.scalar(k, {**indices, z: n}, 1)} }}"],
                    [f"if {n} > 1 {{ ({v}[0], {v}[{n} - 1]) = ({v}[{n} - 1], {v}[0]) }}"]]
            lines += self.pick(*ways)
        is_soft = [soft[0] or kind in FLOATS or k in FLOATS]
        lines = self.made(kind, (n, "2"), lines, f"{v}.at", is_soft)
        lines = self.made(k, (n,), lines, f"{v}.part.{field}", is_soft)
        return self.made("int", (n,), lines, f"{v}.count", [False])
