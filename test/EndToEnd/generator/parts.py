"""Arrays whose elements stand at places of their own: small vectors that loops
update by slices, rows and components; rows of different sizes; segments
between offsets; elements at guarded places, far ones too."""

from .arrays import MODES, Arrays
from .scope import FLOATS, INTS, UNORDERED

# Numbers that arithmetic of places overflows with.
FAR = ["9223372036854775807", "4611686018427387904", "4294967296", "2147483648",
       "-9223372036854775807", "-4294967297"]

# What a step does with small vectors.
VECTORS = ["whole", "row", "component", "element", "slice", "components", "last", "stencil",
           "swap", "fill", "sum"]


class Parts(Arrays):

    def value(self, kind, indices, depth=1, more=()):
        """An expression that stays small, of `more` too."""
        text = self.scalar(kind, indices, depth)
        for other in more:
            text = f"({text} {self.pick('+', '-', '+')} {other})"
        return self.bounded(kind, text) if kind in FLOATS else text

    # Small vectors in loops.

    def s_vectors(self, indices, depth, way=None):
        """Small vectors in a loop, which is sure to change them in one way."""
        kind = self.kind(no=UNORDERED)
        n, count = self.pick(*self.sizes), self.number(2, 3)
        with self.within("small vectors", kind):
            name, first = self.vector_var(kind, n, count, indices)
            lines, vectors = [first], [name]
            if self.chance(0.4):
                other, line = self.vector_var(kind, n, count, indices)
                lines.append(line)
                vectors.append(other)
            total = None
            if way == "sum" or self.chance(0.4):
                var, line = self.define("t", kind, (), self.scalar(kind, indices, 0),
                                        var=True, soft=kind in FLOATS)
                lines.append(line)
                total = var.name
            counter = self.name("q")
            lines.append(f"loop {counter} in {self.number(0, 3)} {{")
            with self.block():
                for wanted in [way] + [None] * self.number(0, 2):
                    lines += self.vector_update(kind, n, count, vectors, total, indices, wanted)
            lines.append("}")
        self.soft |= kind in FLOATS
        return lines

    def vector_var(self, kind, n, count, indices):
        var, line = self.define(
            "v", kind, (n, str(count)),
            self.vectors_of(kind, n, count, indices, lambda i: []), var=True,
            soft=kind in FLOATS)
        # What assigns to other arrays does not know these sizes.
        self.mutable.remove(var)
        return var.name, line

    def vectors_of(self, kind, n, count, indices, reads):
        """`n` vectors; `reads(i)` may stand in those of index i."""
        i, q = self.name("j"), self.name("j")
        with self.block(pure=True, deeper=True):
            inner = {**indices, i: n}
            if self.chance(0.3) and not reads(i):
                inner[q] = str(count)
                return f"(for {i} in {n}, {q} in {count} {{ {self.value(kind, inner)} }})"
            return f"(for {i} in {n} {{ {self.vector(kind, count, inner, reads(i))} }})"

    def vector(self, kind, count, indices, reads):
        values = [self.value(kind, indices, 1 if self.chance(0.4) else 0,
                             [self.random.choice(reads)] if reads else ())
                  for _ in range(count)]
        if kind not in ("int", "f32"):
            values = [f"{kind}({value})" for value in values]
        return f"[{', '.join(values)}]"

    def vector_update(self, kind, n, count, vectors, total, indices, way=None):
        v, w, i = self.random.choice(vectors), self.random.choice(vectors), self.name("j")
        c, d = self.number(0, count - 1), self.number(0, count - 1)
        inner = {**indices, i: n}

        def there(text):
            return f"if {n} > 0 {{ {text} }}"

        def of(*places):
            return [f"{w}[{place}, {k}]" for place in places for k in {c, d}]
        way = way or self.pick("whole", *VECTORS)
        self.use(f"vectors: {way}", kind)
        if way == "whole":
            return [f"{v} = " + self.vectors_of(kind, n, count, indices, lambda i: of(i))]
        if way == "row":
            return [there(f"{v}[0] = {self.vector(kind, count, indices, of('0'))}")]
        if way == "component":
            with self.block(pure=True, deeper=True):
                text = self.value(kind, inner, 1, [of(i)[0]])
            return [f"{v}[:, {c}] = for {i} in {n} {{ {text} }}"]
        if way == "element":
            op = self.pick("=", "+=", "-=")
            return [there(f"{v}[({self.index(indices)}) % {n}, {c}] {op} "
                          f"{self.value(kind, indices, 1)}")]
        if way == "slice":
            with self.block(pure=True, deeper=True):
                text = self.vector(kind, count, indices, of(i, f"{i} + 1"))
            return [f"if {n} > 1 {{ {v}[{self.pick('1:' + n, '0:' + n + ' - 1')}] = "
                    f"for {i} in {n} - 1 {{ {text} }} }}"]
        if way == "components":
            q = self.name("j")
            with self.block(pure=True, deeper=True):
                text = self.value(kind, inner, 0, [f"{w}[{i}, {q}]"])
            part = self.pick(":2", "0:2", f"{count - 2}:{count}", f"0:{count}:{count - 1}")
            return [f"{v}[:, {part}] = for {i} in {n}, {q} in 2 {{ {text} }}"]
        if way == "last":
            return [there(f"{v}[{n} - 1] = {w}[{self.pick('0', n + ' - 1', n + ' // 2')}]")]
        if way == "stencil":
            e, modes = self.name("e"), self.pick("clamp", "wrap", "mirror", "reflect")
            reads = [f"{e}[{i} {self.pick('+', '-')} {self.number(0, 2)}, {self.pick(c, d)}]"
                     for _ in range(3)]
            with self.block(pure=True, deeper=True):
                text = self.vector(kind, count, indices, reads)
            return [f"let {e} = extend({w}, {modes}, none)",
                    f"{v} = stencil {i} in {n} {{ {text} }}"]
        if way == "swap":
            return [f"({v}, {w}) = ({w}, {v})" if v != w and self.chance(0.5)
                    else f"{v} = {w}"]
        if way == "fill":
            return [f"{v}[{self.pick(':', '::2', ':' + n + ' // 2')}, {c}] = "
                    f"{self.value(kind, indices, 0)}"]
        if not total:
            return [f"{v} = {v} + {w}" if kind in INTS else f"{v} = 0.5 * ({v} + {w})"
                    if kind == "f32" else f"{v} = {w}"]
        text = f"{kind}(sum for {i} in {n} {{ {w}[{i}, {c}] }})"
        return [f"{total} = " + (self.bounded(kind, text) if kind in FLOATS else text)]

    # Rows of different sizes.

    def s_ragged(self, indices, depth):
        if self.stack or indices or self.level:
            return self.s_guarded(indices, depth)
        kind = self.pick(*[k for k in ("int", *self.kinds) if k in INTS])
        n, r = self.pick(*self.sizes), self.name("r")
        with self.within("ragged", kind):
            change = self.chance(0.5)
            lines = [f"{'var' if change else 'let'} {r}: {kind}[{n}, ?] = "
                     + self.rows_of(kind, n, None)]
            if self.chance(0.5):
                other = self.name("r")
                lines.append(f"let {other}: {kind}[{n}, ?] = {self.rows_of(kind, n, r)}")
                if change:
                    lines += self.rows_assigned(kind, n, r, other)
                else:
                    r = other
            elif change:
                lines += self.rows_assigned(kind, n, r, None)
            for way in self.random.sample(["flat", "folds", "sum", "axis"], 2):
                lines.append(self.rows_read(kind, n, r, way))
        return lines

    def rows_of(self, kind, n, source):
        """The text of rows, of those of `source` if there is one."""
        i, j = self.name("j"), self.name("j")
        with self.block(pure=True, deeper=True):
            inner = {i: n}
            value = self.value(kind, inner, 1)
            if kind != "int":
                value = f"{kind}({value})"
            size = self.pick(i, f"({self.index(inner)}) % 4", f"{i} % 3", f"{n} - {i}")
            if source is None:
                return self.pick(
                    f"for {i} in {n} {{ for {j} in {size} {{ {value} }} }}",
                    f"for {i} in {n} {{ for {j} in {size} if {j} % 2 == {i} % 2 {{ {value} }} }}")
            return self.pick(
                f"for {i} in {n} {{ for {j} {{ {source}[{i}, {j}] + {value} }} }}",
                f"for {i} in {n} {{ for {j} in {source}[{i}] if {j} > {kind}(1) {{ {j} }} }}",
                f"for {i} in {n} {{ sort({source}[{i}]) }}",
                f"for {i} in {n} {{ scan((+)) for {j} {{ {source}[{i}, {j}] }} }}",
                f"for {i} in {n} {{ {source}[{n} - 1 - {i}] }}",
                f"{source} + {source}")

    def rows_assigned(self, kind, n, r, other):
        i = self.name("j")
        ways = [f"loop {i} in {n} {{ if size({r}[{i}]) > 0 {{ {r}[{i}, {i} % size({r}[{i}])] "
                f"+= {self.literal(kind)} }} }}",
                f"if {n} > 0 {{ {r}[0] = {r}[0] }}"]
        if other:
            ways += [f"loop {i} in 2 {{ if sum({other}) % {kind}(2) == {kind}(0) {{ {r} = {other} }} }}"]
        return [self.random.choice(ways)]

    def rows_read(self, kind, n, r, way):
        i, j = self.name("j"), self.name("j")
        if way == "flat":
            return self.define("v", kind, ("?",), f"flatten({r})")[1]
        if way == "sum":
            return self.define("t", kind, (), f"{kind}(sum({r}))")[1]
        if way == "axis":
            return self.define("v", kind, (n,), f"{kind}(sum({r}, axis = 1))")[1]
        with self.block(pure=True, deeper=True):
            value = self.value(kind, {i: n}, 1)
        return self.define("v", kind, (n,), f"for {i} in {n} {{ {kind}(sum for {j} {{ "
                           f"{r}[{i}, {j}] * {value} }}) }}")[1]

    # Segments between offsets.

    def s_segments(self, indices, depth):
        if self.level > 1:
            return self.s_let(indices, depth)
        kind = self.kind(no=UNORDERED)
        n, m, offsets = self.pick(*self.sizes), self.pick(*self.sizes), self.name("o")
        i, p, k = self.name("j"), self.name("j"), self.name("j")
        with self.within("segments", kind), self.softness() as soft:
            step = self.pick(f"min({i} * {self.number(1, 4)}, {m})", f"{i} * {m} // ({n} + 1)",
                             f"max({m} - ({n} - {i}) * 2, 0)")
            sources = [v for v in self.readable(self.arrays, kind, (m,))]
            lines = [f"let {offsets} = for {i} in {n} + 1 {{ {step} }}"]
            with self.block(pure=True, deeper=True):
                inner = {**indices, i: n, p: m}
                reads = []
                if sources:
                    source = self.random.choice(sources)
                    self.soft |= source.soft
                    reads.append(source.at(p))
                body = self.value(kind, inner, 1, reads)
                gathered = self.guarded_read(kind, inner)
                if gathered and self.chance(0.6):
                    body = f"({body} + {gathered})"
                fold = self.pick("sum", "sum", "max", "min")
                if self.exact and kind in FLOATS:
                    fold = "max"
                self.soft |= kind in FLOATS and fold == "sum"
                table = self.chance(0.3)
                if table:
                    body = f"({body}) * {kind}({k})"
                text = self.bounded(kind, f"{kind}({fold} for {p} in {offsets}[{i}]:"
                                    f"{offsets}[{i} + 1] {{ {body} }})")
                if table:
                    text = f"for {k} in 2 {{ {text} }}"
        dims = (n, "2") if table else (n,)
        lines.append(self.define("v", kind, dims, f"(for {i} in {n} {{ {text} }})",
                                 soft=soft[0])[1])
        return lines

    # Guarded places.

    def place(self, indices):
        """An int that may lie far outside of arrays."""
        # With an index: a constant place outside is an error of compilation.
        text = f"{self.index(indices, 1)} - bitand({self.random.choice(list(indices))}, 255)"
        return self.pick(text, f"({text}) - 2", f"({text}) * {self.pick(*FAR)}",
                         f"({text}) + {self.pick(*FAR)}", f"2 * ({text})")

    def guarded_read(self, kind, indices):
        """An element at any place, if it is one."""
        options = [v for v in self.readable(self.arrays, kind)
                   if len(v.dims) == 1 and not v.field]
        if not options:
            return None
        var, place = self.random.choice(options), self.place(indices)
        self.soft |= var.soft
        size = f"size({var.name})" if var.dims == ("?",) else var.dims[0]
        self.use("guarded read", kind)
        return (f"(if {place} >= 0 and {place} < {size} {{ {var.name}[{place}] }} "
                f"else {{ {self.literal(kind)} }})")

    def s_far(self, indices, depth):
        """A view with a boundary, read at places that may lie far outside."""
        kind = self.kind()
        options = [v for v in self.readable(self.arrays, kind)
                   if len(v.dims) == 1 and v.dims != ("?",) and not v.field]
        if not options:
            return self.s_let(indices, depth)
        i, e, n = self.name("j"), self.name("e"), self.pick(*self.sizes)
        with self.within("far view", kind), self.softness() as soft:
            var, mode = self.random.choice(options), self.pick(*MODES, self.literal(kind))
            self.soft |= var.soft
            with self.block(pure=True, deeper=True):
                inner = {**indices, i: n}
                text = (f"(for {i} in {n} {{ if {var.dims[0]} > 0 {{ {e}[{self.place(inner)}] }} "
                        f"else {{ {self.scalar(kind, inner, 1)} }} }})")
        return [f"let {e} = extend({var.name}, {mode})",
                self.define("v", kind, (n,), text, soft=soft[0])[1]]

    def s_guarded(self, indices, depth):
        kind = self.kind(no=UNORDERED)
        i, p, n = self.name("j"), self.name("p"), self.pick(*self.sizes)
        options = [v for v in self.readable(self.arrays, kind)
                   if len(v.dims) == 1 and not v.field]
        if not options:
            return self.s_let(indices, depth)
        with self.within("guarded", kind), self.softness() as soft:
            var = self.random.choice(options)
            self.soft |= var.soft
            size = f"size({var.name})" if var.dims == ("?",) else var.dims[0]
            with self.block(pure=True, deeper=True):
                inner = {**indices, i: n}
                place, other = self.place(inner), self.value(kind, inner, 1)
                text = self.pick(
                    f"(for {i} in {n} {{\nlet {p} = {place}\nif {p} >= 0 and {p} < {size} "
                    f"{{ {var.name}[{p}] }} else {{ {other} }}\n}})",
                    f"(for {i} in {n} {{\nlet {p} = {place}\nif {p} < 0 or {p} >= {size} "
                    f"{{ {other} }} else {{ {var.name}[{p}] }}\n}})",
                    f"(for {i} in {n} {{ if {place} > 0 and {place} - 1 < {size} "
                    f"{{ {var.name}[{place} - 1] }} else {{ {other} }} }})"
                    .replace(f"{place} - 1", f"({place}) - 1"))
        return self.define("v", kind, (n,), text, soft=soft[0])[1].split("\n")
