"""Functions that a statement declares and calls, and what stands before a 'for':
defaults and names, sizes of their own, conditions, functions given, attributes."""

from .scope import COMPLEX, FLOATS, INEXACT, INTS, PART, UNORDERED, Var
from .steps import Steps

# Where complex functions are smooth.
SMOOTH = ["sqrt({})", "log({})", "exp({})", "sin({})", "cos({})", "tanh({})"]
# A file of the standard library, a number that a call comes to, and the least size.
LIBRARY = [("arrays", "sum(arrays.diff(concat({v}, {v})))", 1),
           ("arrays", "arrays.trace(arrays.outer({v}, {v}))", 0),
           ("arrays", "sum(arrays.lower(arrays.outer({v}, {v})))", 0),
           ("arrays", "arrays.norm({v})", 0),
           ("statistics", "statistics.variance({v})", 1),
           ("statistics", "statistics.median({v})", 1),
           ("statistics", "statistics.quantile({v}, 0.25)", 1),
           ("interpolation", "sum(interpolation.linear({v}, for l3 in {n} {{ {kind}(l3) }}, {v}))", 1),
           ("fft", "(sum for l3 in fft.fft_real({v}) {{ abs(l3) }})", 1)]


class Calls(Steps):

    def declare(self, *lines):
        self.declarations += lines

    def s_defined(self, indices, depth):
        """A function of numbers, by position, by name, and mapped over arrays."""
        kind, dims = self.kind(no=("bool",)), self.shape()
        f, x, by = self.name("h"), self.name("a"), self.name("a")
        body = self.small(kind, f"{x} {self.pick('+', '-', '*')} {by}")
        default = "0.5 + 2.0j" if kind in COMPLEX else self.literal(kind)
        self.declare(f"def {f}({x}: {kind}, {by}: {kind} = {default}) -> {kind} = {body}")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            self.use("function of numbers, mapped", kind)
            value = self.scalar(kind, indices, 1)
            text = self.pick(f"{f}({a})", f"{f}({a}, {by} = {value})", f"{f}({x} = {a}, {by} = {a})",
                             f"{a} |> {f}({value})", f"{a} |> {f}")
        return self.made(kind, dims, lines, text, soft)

    def s_given(self, indices, depth):
        """A function that is given a function."""
        kind, dims = self.kind(no=("bool",)), self.shape()[:1]
        f, x, g, i = self.name("h"), self.name("a"), self.name("a"), self.name("j")
        self.declare(f"def {f}({g}: fn({kind}) -> {kind}, {x}: {kind}) -> {kind} = {g}({g}({x}))")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            self.use("function given", kind)
            with self.block(pure=True, deeper=True):
                inner, value = {**indices, i: dims[0]}, self.literal(kind)
                body = self.small(kind, f"l4 {self.pick('+', '-')} {value}")
                text = (f"for {i} in {dims[0]} {{ {f}(fn(l4: {kind}) => {body}, "
                        f"{self.mixed(kind, f'{a}[{i}]', self.scalar(kind, inner, 1))}) }}")
        return self.made(kind, dims, lines, text, soft)

    def s_generic(self, indices, depth):
        """A function of arrays of any type."""
        kind, dims = self.kind(no=("bool",)), self.shape()[:1]
        f, n = self.name("h"), self.name("n")
        kinds = "num" if kind in COMPLEX else "real"
        body = self.pick("for i { a[i] + b[i] * T(2) }", "scan((+), a) + b", "reverse(a) - b",
                         "for i { a[i] * a[i] + b[i] }")
        self.declare(f"def {f}[T: {kinds}](a: T[{n}], b: T[{n}]) -> T[{n}] {{",
                     self.pick("let r = ", "var r: T[%s] = " % n) + body, "r", "}")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            b, more = self.named(kind, dims, indices)
            self.use("generic of arrays", kind)
            self.soft |= kind in INEXACT
        return self.made(kind, dims, lines + more, f"{f}({a}, {b})", soft)

    def s_where(self, indices, depth):
        """A condition on sizes and numbers, which the caller keeps."""
        kind, dims = self.kind(), self.shape()[:1]
        f, n, k = self.name("h"), self.name("n"), self.name("a")
        body = self.pick(f"l5[{k} % {n}]", f"l5[{k}]", f"l5[{n} - 1 - {k}]")
        self.declare(f"def {f}(l5: {kind}[{n}], {k}: int) -> {kind} where {n} >= 1, {k} >= 0, {k} < {n} = {body}")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            self.use("where", kind)
            text = (f"(if {dims[0]} > 0 {{ {f}({a}, ({self.index(indices)}) % {dims[0]}) }} "
                    f"else {{ {self.literal(kind)} }})")
        return self.made(kind, (), lines, text, soft)

    def s_sizes(self, indices, depth):
        """Sizes that a function takes apart, and sizes that only it knows."""
        kind, dims = self.kind(no=UNORDERED), self.shape()[:1]
        f, g, n, k = self.name("h"), self.name("h"), self.name("n"), self.name("n")
        self.declare(
            f"def {f}(l5: {kind}[{n} + 1]) -> {kind}[{n}] = for l6 in {n} {{ l5[l6 + 1] - l5[l6] }}",
            f"def {g}(l5: {kind}[{n}]) -> ({kind}[?{k}], int[{k}]) {{",
            f"let l7 = for l6 in l5 if l6 > {kind}(1) {{ l6 }}", "(l7, for l6 in size(l7) { l6 })", "}")
        v, w = self.name("v"), self.name("v")
        a, lines = self.named(kind, dims, indices, exact=True)
        self.use("sizes of calls", kind)
        lines.append(f"let ({v}, {w}) = {g}({a})")
        self.arrays += [Var(v, kind, ("?",)), Var(w, "int", ("?",))]
        return self.made(kind, dims, lines, f"{f}(concat({a}, [{self.literal(kind)}]))", [kind in FLOATS])

    def s_assert(self, indices, depth):
        """Assertions that hold, in a statement, a body and a fold."""
        kind, (n,) = self.kind(), self.shape()[:1]
        i, j = self.name("j"), self.name("j")
        with self.softness() as soft:
            with self.block(pure=True, deeper=True), self.within("assert", kind):
                inner = {**indices, i: n}
                value = self.scalar(kind, inner, 1)
                said = self.pick("", ', "stays inside"')
                test = self.pick(f"{i} >= 0", f"{i} < {n}", f"{i} * 2 <= {i} + {n}")
                if kind in INTS and self.chance(0.5):
                    text = (f"for {i} in {n} {{ {kind}(sum for {j} in {self.pick(*self.sizes)} {{\n"
                            f"assert {test}{said}\n{value}\n}}) }}")
                else:
                    text = f"for {i} in {n} {{\nassert {test}{said}\n{value}\n}}"
        return self.made(kind, (n,), [f"assert {n} >= 0"], f"({text})", soft)

    def s_noinline(self, indices, depth):
        """A call whose arrays are kept apart from what reads them."""
        kind, dims = self.kind(), self.pick(self.shape()[:1], self.plane())
        f, names = self.name("h"), [self.name("n") for _ in dims]
        body = self.pick("l5", f"reverse(l5{'' if len(dims) == 1 else ', axis = 1'})",
                         "for l6 in l5 { l6 }")
        self.declare(f"@noinline def {f}(l5: {kind}[{', '.join(names)}]) -> {kind}[{', '.join(names)}] = {body}")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            self.use("@noinline", kind)
        first = self.made(kind, dims, lines, f"{f}({a})", soft)
        return self.made(kind, dims, first, f"{f}({self.arrays[-1].name})", soft)

    # Attributes.

    def attributed(self, name, attribute, indices, no=()):
        kind, dims = self.kind(no=no), self.shape()
        inner = {self.name("j"): n for n in dims}
        head = ", ".join(f"{i} in {n}" for i, n in inner.items())
        if name == "@tile":
            attribute = "@tile(8)" if len(dims) == 1 else "@tile(4, 16)"
        with self.softness() as soft:
            with self.block(pure=True, deeper=True), self.within(name, kind):
                body = self.scalar(kind, {**indices, **inner}, 2)
                self.soft |= name == "@fast"
        return self.made(kind, dims, [], f"{attribute} for {head} {{ {body} }}", soft)

    def s_tile(self, indices, depth):
        return self.attributed("@tile", "", indices)

    def s_exact(self, indices, depth):
        return self.attributed("@exact", "@exact", indices)

    def s_unsafe(self, indices, depth):
        return self.attributed("@unsafe", "@unsafe", indices)

    def s_fast(self, indices, depth):
        """Only where the rest of the program does not jump by its results."""
        return self.attributed("@fast", "@fast", indices, no=("bool", *INTS))

    def s_seq(self, indices, depth):
        return self.attributed("@seq", "@seq", indices)

    def s_unroll(self, indices, depth):
        """A loop in copies."""
        kind, dims, q = self.kind(), self.shape()[:1], self.name("q")
        with self.within("@unroll", kind):
            v, first = self.start(kind, dims, indices)
            i = self.name("j")
            text = self.mixed(kind, f"{v}[{i}]", self.scalar(kind, {**indices, i: dims[0]}, 1))
            body = self.pick([f"{v} = for {i} in {dims[0]} {{ {text} }}"],
                             [f"if {q} < {dims[0]} {{ {v}[{q}] = {self.literal(kind)} }}"])
        return [first, f"@unroll({self.number(2, 4)}) loop {q} in {self.pick('5', dims[0])} {{", *body, "}"]

    # Forms of numbers that others seldom draw.

    def elementwise(self, construct, kind, indices, form, soft=False):
        """A form over an array; {x} is made an expression."""
        i, dims = self.name("j"), self.shape()[:1]
        with self.softness() as made:
            with self.block(pure=True, deeper=True), self.within(construct, kind):
                text = self.fill(kind, form, {**indices, i: dims[0]}, 1)
                self.soft |= soft
        return self.made(kind, dims, [], f"(for {i} in {dims[0]} {{ {text} }})", made)

    def s_meeting(self, indices, depth):
        kind = self.pick(*[k for k in ("int", "f32", *self.kinds) if k not in ("bool", "i8", "u8")])
        i, dims = self.name("j"), self.shape()[:1]
        with self.softness() as soft, self.block(pure=True, deeper=True):
            text = self.meeting(kind, {**indices, i: dims[0]}, 1)
        return self.made(kind, dims, [], f"(for {i} in {dims[0]} {{ {text} }})", soft)

    def s_power(self, indices, depth):
        kind = self.kind(no=("bool",))
        if kind in INTS:
            form = self.pick("({x})**3", "({x})**4", f"({{x}})**{kind}(bitand(int({{x}}), 3))", "({x})**0")
        elif kind in FLOATS and self.chance(0.4):
            return self.elementwise("power", kind, indices, "clamp((abs({x}) + 0.5)**0.75, 0.0, 99.0)", True)
        else:
            form = self.pick("({x})**2", "({x})**3", "({x})**4")
            form = f"clamp({form}, -99.0, 99.0)" if kind in FLOATS else form
        return self.elementwise("power", kind, indices, form)

    def s_complex(self, indices, depth):
        """Functions of complex numbers, where they do not jump, and their parts."""
        kind = self.pick(*COMPLEX)
        part, i, (n,) = PART[kind], self.name("j"), self.shape()[:1]
        with self.softness() as soft, self.block(pure=True, deeper=True), \
                self.within("complex functions", kind):
            z = self.name("p")
            value = self.scalar(kind, {**indices, i: n}, 1)
            # Within the unit circle around 2.
            near = f"let {z} = {kind}(2.0) + ({value}) / ({part}(1) + abs({value}))"
            self.soft = True
            text = self.pick(*SMOOTH).format(z)
            result = self.pick(kind, kind, part)
            if result == part:
                text = f"{self.pick('re', 'im', 'abs', 'arg')}({text})"
        return self.made(result, (n,), [], f"(for {i} in {n} {{\n{near}\n{text}\n}})", soft)

    def s_random(self, indices, depth):
        kind = self.pick("int", "u32", *FLOATS)
        i, (n,), key = self.name("j"), self.shape()[:1], self.name("")
        with self.block(pure=True, deeper=True):
            inner = {**indices, i: n}
            self.use("random numbers", kind)
            more = "".join(f", {self.index(inner, 0)}" for _ in range(self.number(0, 3)))
        if kind == "u32":
            text = f"philox({key}, {i}, {self.index(inner, 0)})[{self.number(0, 3)}]"
        elif kind == "int":
            text = f"randint({key}, {i}{more}, lo = -{self.number(0, 9)}, hi = {self.number(1, 9)})"
        else:
            text = f"{kind}({self.pick('uniform', 'uniform', 'normal')}({key}, {i}{more}))"
        return self.made(kind, (n,), [], f"(for {i} in {n} {{ {text} }})", ["normal" in text])

    def s_blocks(self, indices, depth):
        """Branches with statements of their own, and a chain of them."""
        kind, i, (n,) = self.kind(), self.name("j"), self.shape()[:1]
        p, q = self.name("t"), self.name("t")
        with self.softness() as soft:
            with self.block(pure=True, deeper=True), self.within("blocks in branches", kind):
                inner = {**indices, i: n}
                a, b, c = (self.scalar(kind, inner, 1) for _ in range(3))
                text = (f"if {self.condition(inner)} {{\nvar {p}: {kind} = {a}\n"
                        f"if {self.condition(inner)} {{ {p} = {self.mixed(kind, p, b)} }}\n{p}\n}} "
                        f"else if {self.condition(inner)} {{\nlet {q}: {kind} = {b}\n"
                        f"{self.mixed(kind, q, c)}\n}} else {{ {c} }}")
        return self.made(kind, (n,), [], f"(for {i} in {n} {{\n{text}\n}})", soft)

    def s_library(self, indices, depth):
        """A function of the standard library, of an array or of each row."""
        kind = self.pick(*[k for k in ("f32", *self.kinds) if k in ("f32", "f64")])
        file, call, least = self.pick(*LIBRARY)
        line = f'import "std/{file}.arr" as {file}'
        if line not in self.declarations:
            self.declarations.insert(0, line)
        with self.softness():
            n = self.pick(*self.sizes)
            v, lines = self.named(kind, (n,), indices, exact=True)
            self.use("library", kind)
        text = (f"(if {n} >= {least} {{ {call.format(v=v, n=n, kind=kind)} }} "
                f"else {{ {kind}(0) }})")
        return self.made(kind, (), lines, text, [True])
