"""Expressions for arrays of known sizes."""

from .scalars import OPERATORS, Scalars
from .scope import COMPLEX, FLOATS, INEXACT, INTS, PART, UNORDERED, Var

MODES = ["clamp", "wrap", "mirror", "reflect"]
EXTENSIONS = MODES + ["fill"]


class Arrays(Scalars):

    def array(self, kind, dims, depth, indices={}):
        """An array of `kind` with the sizes `dims`."""
        names = self.readable(self.arrays, kind, dims)
        if depth <= 0 or self.budget < 0:
            if names and self.chance(0.8):
                return self.whole(self.random.choice(names))
            return self.comprehension(kind, dims, 0, indices)
        ways = ["for"] * 4 + ["if", "elementwise"]
        ways += ["name"] if names else []
        if len(dims) == 2:
            ways += ["transpose", "reshape", "rows", "rows", "product", "axis_ops",
                     "row_hist", "row_scan"]
        elif dims[0] in self.sizes:
            ways += ["scan", "hist", "axis", "reverse", "roll", "gather", "concat",
                     "sort", "scatter", "row", "flatten", "call", "row_reduce"] * 2
        ways += ["cast", "mapped", "slice"]
        for _ in range(4):
            made = getattr(self, "_" + self.pick(*ways))(
                kind, tuple(dims), depth - 1, indices)
            if made:
                return made
        return self.comprehension(kind, dims, depth, indices)

    def whole(self, var):
        self.soft |= var.soft
        return var.whole

    def comprehension(self, kind, dims, depth, indices={}):
        inner = {self.name("j"): size for size in dims}
        head = ", ".join(f"{i} in {size}" for i, size in inner.items())
        with self.block(pure=True, deeper=True), self.within("for", kind):
            return f"(for {head} {{ {self.body(kind, {**indices, **inner}, depth)} }})"

    def _for(self, kind, dims, depth, indices):
        return self.comprehension(kind, dims, depth + 1, indices)

    def _name(self, kind, dims, depth, indices):
        names = self.readable(self.arrays, kind, dims)
        return self.whole(self.random.choice(names)) if names else None

    def _if(self, kind, dims, depth, indices):
        with self.within("if of arrays", kind):
            return (f"(if {self.condition(indices)} "
                    f"{{ {self.array(kind, dims, depth, indices)} }} "
                    f"else {{ {self.array(kind, dims, depth, indices)} }})")

    def _elementwise(self, kind, dims, depth, indices):
        self.use("elementwise", kind)
        a = self.array(kind, dims, depth, indices)
        if kind == "bool":
            return f"({a} {self.pick('and', 'or')} {self.array(kind, dims, depth, indices)})"
        b = (self.scalar(kind, indices, 1) if self.chance(0.3)
             else self.array(kind, dims, depth, indices))
        return f"({a} {self.pick('+', '-', '*')} {b})"

    def _cast(self, kind, dims, depth, indices):
        if kind == "bool":
            return None
        other = self.pick("int", "f32", *self.kinds)
        if kind in COMPLEX:
            other = self.pick(PART[kind], *COMPLEX)
        elif other in COMPLEX:
            if PART[other] != kind:
                return None
            self.use("conversion", kind)
            return f"{self.pick('re', 'im')}({self.array(other, dims, depth, indices)})"
        self.use("conversion", kind)
        if kind in FLOATS and other in FLOATS:
            return f"{kind}({self.array(other, dims, depth, indices)})"
        if kind in COMPLEX:
            made = self.array(other, dims, depth, indices)
            # Open numbers would be complex in it, with functions that take none.
            return f"{kind}({made})" if other in COMPLEX else f"{kind}({other}({made}))"
        with self.exactly():
            return f"{kind}({self.array(other, dims, depth, indices)})"

    def _mapped(self, kind, dims, depth, indices):
        """A function of numbers over an array, or a pipe."""
        if kind not in FLOATS + INTS:
            return None
        a = self.array(kind, dims, depth, indices)
        self.use("mapped function", kind)
        if self.chance(0.5):
            return f"({a} |> min({self.literal(kind)}))"
        return f"max({a}, {self.literal(kind)})"

    def _slice(self, kind, dims, depth, indices):
        """An array put together of slices, so that the size stays."""
        if len(dims) != 1 or dims[0] not in self.sizes:
            return None
        names = self.readable(self.arrays, kind, dims)
        if not names:
            return None
        self.use("slice", kind)
        a, b, n = (self.whole(self.random.choice(names)),
                   self.whole(self.random.choice(names)), dims[0])
        at = self.pick("0", f"{n} // 2", f"{n} // 3")
        return f"concat({a}[:{at}], {b}[{at}:])"

    # Two dimensions.

    def _transpose(self, kind, dims, depth, indices):
        self.use("transpose", kind)
        return f"transpose({self.array(kind, dims[::-1], depth, indices)})"

    def _reshape(self, kind, dims, depth, indices):
        self.use("reshape", kind)
        other = self.pick(dims[::-1], dims)
        return f"reshape({self.array(kind, other, depth, indices)}, {', '.join(dims)})"

    def _rows(self, kind, dims, depth, indices):
        """A 'for' whose body gives rows, behind statements."""
        if self.exact:
            return None
        i = self.name("j")
        with self.block(pure=True, deeper=True), self.within("for of rows", kind):
            inner = {**indices, i: dims[0]}
            lines = self.statements(inner, self.number(0, 2), depth)
            row = self.array(kind, dims[1:], depth, inner)
        return f"(for {i} in {dims[0]} {{\n" + "\n".join([*lines, row]) + "\n})"

    def _product(self, kind, dims, depth, indices):
        if kind not in ("int", *INEXACT) or (self.exact and kind != "int"):
            return None
        self.use("matrix product", kind)
        self.soft |= kind != "int"
        middle = self.pick(*self.sizes)
        return (f"({self.array(kind, (dims[0], middle), depth - 1, indices)} @ "
                f"{self.array(kind, (middle, dims[1]), depth - 1, indices)})")

    def _axis_ops(self, kind, dims, depth, indices):
        axis = self.pick("0", "1")
        op = self.pick("reverse(%s, axis = {})", "roll(%s, 1, axis = {})",
                       "sort(%s, axis = {})", "scan((+), %s, axis = {})")
        if kind in UNORDERED or (op.startswith("scan") and self.exact and kind in FLOATS):
            return None
        if op.startswith("sort"):
            with self.exactly():
                return self._along(op, axis, kind, dims, depth, indices)
        self.soft |= op.startswith("scan") and kind in FLOATS
        return self._along(op, axis, kind, dims, depth, indices)

    def _along(self, op, axis, kind, dims, depth, indices):
        self.use("along an axis", kind)
        return op.format(axis) % self.array(kind, dims, depth, indices)

    # One dimension.

    def _axis(self, kind, dims, depth, indices):
        if kind == "bool" or (self.exact and kind not in INTS):
            return None
        self.use("fold of an axis", kind)
        self.soft |= kind not in INTS
        other = self.pick(*self.sizes)
        axis = self.pick(0, 1)
        shape = (other, dims[0]) if axis == 0 else (dims[0], other)
        text = f"sum({self.array(kind, shape, depth, indices)}, axis = {axis})"
        return f"{kind}({text})" if kind in INTS and kind != "int" else text

    def _scan(self, kind, dims, depth, indices):
        if kind not in INTS and (self.exact or kind == "bool"):
            return None
        i = self.name("j")
        head, inner = f"{i} in {dims[0]}", {**indices, i: dims[0]}
        with self.block(pure=True, deeper=True), self.within("scan", kind):
            if kind not in INTS:
                self.soft = True
                if self.chance(0.5):
                    return f"scan((+), {self.array(kind, dims, depth, indices)})"
                return f"(scan((+)) for {head} {{ {self.body(kind, inner, depth)} }})"
            function, neutral = self.pick(*OPERATORS)
            if kind != "int":
                neutral = f"{kind}({neutral})"
            form = self.pick(f"scan({function})", f"exscan({function}, {neutral})")
            body = self.body(kind, inner, depth)
            if kind != "int" and "\n" not in body:
                body = f"{kind}({body})"
            return f"({form} for {head} {{ {body} }})"

    def maps_behind(self, dims, indices):
        """Maps x -> a * x + b, one behind the other: a scan of pairs."""
        i, other = self.name("j"), self.name("j")
        inner = {**indices, i: dims[0]}
        with self.block(pure=True, deeper=True), self.within("scan of tuples", "int"):
            a, b = (self.scalar("int", inner, 1) for _ in range(2))
        return (f"(for {other} in (scan(fn(l1, l2) => (l1.0 * l2.0, l1.1 * l2.0 + l2.1)) "
                f"for {i} in {dims[0]} {{ ({a}, {b}) }}) {{ {other}.0 + {other}.1 }})")

    def _hist(self, kind, dims, depth, indices):
        if kind not in INTS:
            return None
        i, size = self.name("j"), self.pick(*self.sizes)
        inner = {**indices, i: size}
        with self.block(pure=True, deeper=True), self.within("hist", kind):
            guard = f" if {self.condition(inner)}" if self.chance(0.2) else ""
            op, neutral = self.pick(("(+)", "0"), ("max", "0"), ("bitxor", "0"))
            value = self.scalar(kind, inner, depth)
            if op == "max":
                value = self.bounded(kind, f"max({value}, {kind}(0))")
            zero = "0" if kind == "int" else f"{kind}({neutral})"
            return (f"(hist({op}, {zero}, {dims[0]}, oob = drop) for {i} in {size}{guard} "
                    f"{{ (({self.index(inner)}) % 4, {kind}({value})) }})")

    # An operator on rows, what is neutral for it, and the text of a row.
    def row_operator(self, kind, dims, depth, inner):
        function, neutral = self.pick(*OPERATORS, (
            f"fn(l1, l2) => (for l3 in {dims[0]} {{ l1[l3] + l2[l3] * (1 + 0 * l1[0]) }})", "0"))
        zero = neutral if kind == "int" else f"{kind}({neutral})"
        return (function, f"(for {self.name('j')} in {dims[0]} {{ {zero} }})",
                self.array(kind, dims, depth, inner))

    def _row_hist(self, kind, dims, depth, indices):
        """Rows of the bins; the operators are commutative."""
        if kind not in INTS:
            return None
        i, size = self.name("j"), self.pick(*self.sizes)
        inner = {**indices, i: size}
        with self.block(pure=True, deeper=True), self.within("hist of rows", kind):
            guard = f" if {self.condition(inner)}" if self.chance(0.2) else ""
            function, zero, row = self.row_operator(kind, dims[1:], depth, inner)
            return (f"(hist({function}, {zero}, {dims[0]}, oob = drop) for {i} in {size}{guard} "
                    f"{{ (({self.index(inner)}) % 4, {row}) }})")

    def _row_scan(self, kind, dims, depth, indices):
        if kind not in INTS:
            return None
        i = self.name("j")
        inner = {**indices, i: dims[0]}
        with self.block(pure=True, deeper=True), self.within("scan of rows", kind):
            function, zero, row = self.row_operator(kind, dims[1:], depth, inner)
            form = self.pick(f"scan({function})", f"exscan({function}, {zero})")
            return f"({form} for {i} in {dims[0]} {{ {row} }})"

    def _row_reduce(self, kind, dims, depth, indices):
        if kind not in INTS:
            return None
        i, size = self.name("j"), self.pick(*self.sizes)
        inner = {**indices, i: size}
        with self.block(pure=True, deeper=True), self.within("fold of rows", kind):
            function, zero, row = self.row_operator(kind, dims, depth, inner)
            return f"(reduce({function}, {zero}) for {i} in {size} {{ {row} }})"

    def _scatter(self, kind, dims, depth, indices):
        """Values to places that are all different."""
        i = self.name("j")
        inner = {**indices, i: dims[0]}
        with self.block(pure=True, deeper=True), self.within("scatter", kind):
            into = self.array(kind, dims, 0, indices)
            guard = f" if {self.condition(inner)}" if self.chance(0.3) else ""
            place = self.pick(f"{dims[0]} - 1 - {i}", f"{i} + 1", f"({i} + 2) % {dims[0]}")
            return (f"(scatter({into}, oob = drop) for {i} in {dims[0]}{guard} "
                    f"{{ ({place}, {self.scalar(kind, inner, depth)}) }})")

    def _reverse(self, kind, dims, depth, indices):
        self.use("reverse", kind)
        return f"reverse({self.array(kind, dims, depth, indices)})"

    def _roll(self, kind, dims, depth, indices):
        self.use("roll", kind)
        return f"roll({self.array(kind, dims, depth, indices)}, {self.number(-2, 2)})"

    def _gather(self, kind, dims, depth, indices):
        names = [v for v in self.readable(self.arrays, kind)
                 if len(v.dims) == 1 and v.dims[0] == dims[0] and not v.field]
        if not names:
            return None
        self.use("gather", kind)
        i = self.name("j")
        source = self.random.choice(names)
        self.soft |= source.soft
        place = self.index({**indices, i: dims[0]})
        return f"{source.name}[(for {i} in {dims[0]} {{ ({place}) % {dims[0]} }})]"

    def _concat(self, kind, dims, depth, indices):
        """The middle of two arrays behind each other."""
        self.use("concat", kind)
        a, b = (self.array(kind, dims, depth, indices) for _ in range(2))
        n, at = dims[0], self.pick("0", f"{dims[0]} // 2", dims[0])
        return f"concat({a}, {b})[{at}:{at} + {n}]"

    def _sort(self, kind, dims, depth, indices):
        if kind in UNORDERED:
            return None
        with self.exactly():
            self.use("sort", kind)
            a = self.array(kind, dims, depth, indices)
            if kind == "int" and self.chance(0.3):
                return f"argsort({a})"
            if self.chance(0.3):
                return f"sort({a}, by = fn(l1) => -f64(l1))"
            return f"sort({a})"

    def _row(self, kind, dims, depth, indices):
        """A row or a column; of nothing where there are none."""
        names = [v for v in self.readable(self.arrays, kind)
                 if len(v.dims) == 2 and dims[0] in v.dims and not v.field]
        if not names:
            return None
        var = self.random.choice(names)
        self.soft |= var.soft
        self.use("row", kind)
        axis = self.pick(*[d for d in (0, 1) if var.dims[d] == dims[0]])
        other = var.dims[1 - axis]
        fitting = [i for i, over in indices.items() if over == other]
        place = (self.random.choice(fitting) if fitting
                 else f"({self.index(indices)}) % {other}")
        text = f"{var.name}[:, {place}]" if axis == 0 else f"{var.name}[{place}]"
        if fitting or other.isdigit():
            return text
        return f"(if {other} > 0 {{ {text} }} else {{ {self.comprehension(kind, dims, 0, indices)} }})"

    def _flatten(self, kind, dims, depth, indices):
        self.use("reshape", kind)
        return f"flatten({self.array(kind, ('1', dims[0]), 0, indices)})"

    def _call(self, kind, dims, depth, indices):
        """A function of arrays, whatever it does, or a generic one."""
        options = [f for f in self.functions if f.kind == kind and len(f.dims) == 1
                   and not (self.exact and f.soft)]
        if not options:
            return None
        function = self.random.choice(options)
        self.soft |= function.soft
        other = self.pick(*self.sizes)
        named = {function.dims[0]: dims[0]}
        with self.within("call", kind):
            arguments = [self.array(k, [named.get(d, other) for d in ds], 0, indices)
                         if ds else self.scalar(k, indices, 1)
                         for k, ds in function.parameters]
        return f"{function.name}({', '.join(arguments)})"

    # Boundaries.

    def view(self, kind, dims, mode=None):
        """A view with a boundary; its name is read at any index."""
        names = [v for v in self.readable(self.arrays, kind, dims) if not v.field]
        if not names:
            return None
        u, source = self.name("e"), self.random.choice(names)
        modes = [self.pick(*MODES, self.literal(kind)) for _ in dims]
        if mode:
            modes[-1] = mode if mode in MODES else self.literal(kind)
        for mode in modes:
            self.use(f"extend {mode if mode in MODES else 'fill'}", kind)
        self.views.append(Var(u, kind, dims, source.soft))
        return f"let {u} = extend({source.name}, {', '.join(modes)})"

    def stencil(self, kind, dims):
        """A stencil over a view that exists."""
        view = self.random.choice(self.readable(self.views, kind, dims))
        self.soft |= view.soft
        indices = [self.name("j") for _ in dims]
        reads = []
        for _ in range(self.number(1, 5)):
            offsets = [self.number(-2, 2) for _ in dims]
            places = ", ".join(f"{i} {'+' if o >= 0 else '-'} {abs(o)}"
                               for i, o in zip(indices, offsets))
            reads.append(f"{view.name}[{places}]")
        form = self.pick("stencil", "stencil", "for")
        self.use(form if form == "stencil" else "for of a view", kind)
        head = ", ".join(f"{i} in {size}" for i, size in zip(indices, dims))
        body = reads[0]
        for read in reads[1:]:
            body = (f"({body} {self.pick('and', 'or')} {read})" if kind == "bool"
                    else f"{body} {self.pick('+', '-')} {read}")
        return f"({form} {head} {{ {body} }})"
