"""Expressions for one number."""

import re

from .scope import COMPLEX, FLOATS, INEXACT, INTS, NARROWER, PART, SIGNED, UNORDERED, Scope, Var

ANY = ["({x} + {x})", "({x} - {x})", "({x} * {x})"]
REAL = ["min({x}, {x})", "max({x}, {x})", "abs({x})", "sign({x})", "clamp({x}, 0, 9)",
        "select({bool}, {x}, {x})"]
INT = ["({x} // 2)", "({x} // 3)", "({x} % 3)", "({x} % 4)", "({x} // max({x}, 1))",
       "({x} % max({x}, 1))", "bitand({x}, 7)", "bitor({x}, {x})", "bitxor({x}, {x})",
       "bitnot({x})", "shl({x}, 2)", "shr({x}, 1)", "({x})**2"]
SIGNED_ONLY = ["(-{x})", "({x} // -2)", "({x} % -3)"]
FLOAT = ["(-{x})", "({x} / (abs({x}) + 1.0))", "sqrt(abs({x}))", "fma({x}, {x}, {x})",
         "copysign({x}, {x})", "fmin({x}, {x})", "fmax({x}, {x})"]
JUMPS = ["floor({x})", "ceil({x})", "round({x})", "trunc({x})", "({x} % 2.0)",
         "({x} // 2.0)"]
SOFT = ["exp(-abs({x}))", "tanh({x})", "sin({x})", "cos({x})", "log1p(abs({x}))",
        "atan({x})", "hypot({x}, {x})", "cbrt({x})", "erf({x})", "exp2(-abs({x}))"]
OF_COMPLEX = ["({x} + {x})", "({x} - {x})", "({x} * {x})", "conj({x})", "(-{x})",
              "complex({part}, {part})", "select({bool}, {x}, {x})", "({part} * {x})"]
COMPARE = ["<", "<=", ">", ">=", "==", "!="]
# An operator of one's own that is associative, and its neutral element.
OPERATORS = [("(+)", "0"), ("bitxor", "0"), ("fn(l1, l2) => l1 * l2", "1"),
             ("fn(l1, l2) => bitor(l1, l2)", "0"),
             ("fn(l1, l2) => l1 + l2 + l1 * l2", "0")]


class Scalars(Scope):
    """Numbers of a type. `indices` maps an index to the size it ranges over."""

    def literal(self, kind):
        if kind == "bool":
            return self.pick("true", "false")
        if kind in COMPLEX:
            return f"{kind}({self.number(0, 3)}.5 + {self.number(0, 3)}.0j)"
        number = str(self.number(0, 4))
        if kind in FLOATS:
            number += self.pick(".0", ".5")
        return number if kind in ("int", "f32") else f"{kind}({number})"

    def index(self, indices, depth=1):
        """An int, for subscripts and sizes."""
        with self.exactly():
            return self.scalar("int", indices, depth)

    def condition(self, indices, depth=1):
        with self.exactly():
            return self.scalar("bool", indices, depth)

    def scalar(self, kind, indices, depth):
        r = self.random.random()
        if depth <= 0 or self.budget < 0 or r < 0.12:
            return self.leaf(kind, indices)
        if r < 0.42:
            read = self.read(kind, indices)
            if read:
                return read
        if r < 0.58 and depth >= 2:
            made = self.reduction(kind, indices, depth - 1)
            if made:
                return made
        if r < 0.64:
            called = self.call_scalar(kind, indices, depth - 1)
            if called:
                return called
        if r < 0.70 and kind != "bool":
            return self.cast(kind, indices, depth - 1)
        if r < 0.76:
            with self.within("if value", kind):
                return (f"(if {self.condition(indices, depth - 1)} "
                        f"{{ {self.scalar(kind, indices, depth - 1)} }} "
                        f"else {{ {self.scalar(kind, indices, depth - 1)} }})")
        if r < 0.79 and kind in ("int", "u32", *FLOATS):
            return self.random_number(kind, indices)
        if r < 0.81 and kind in NARROWER:
            return self.meeting(kind, indices, depth - 1)
        return self.fill(kind, self.form(kind), indices, depth - 1)

    def leaf(self, kind, indices):
        leaves = [v.name for v in self.readable(self.scalars, kind)]
        if kind == "int":
            leaves += list(indices)
        elements = [v for v in self.readable(self.arrays, kind)
                    if set(v.dims) <= set(indices.values())]
        if elements and self.chance(0.6):
            # An element at indices over its own sizes needs no more.
            self.use("read", kind)
            var = self.random.choice(elements)
            self.soft |= var.soft
            return var.at(*(self.random.choice([i for i, over in indices.items() if over == size])
                            for size in var.dims))
        if not leaves or self.chance(0.2):
            return self.literal(kind)
        name = self.random.choice(leaves)
        self.soft |= any(v.name == name and v.soft for v in self.scalars)
        return name

    def form(self, kind):
        if kind == "bool":
            other = self.pick("int", "f32", *self.kinds)
            if other in UNORDERED or self.chance(0.25):
                return self.pick("({x} and {x})", "({x} or {x})", "(not {x})")
            if other in FLOATS and self.chance(0.2):
                return f"{self.pick('isnan', 'isinf', 'isfinite')}({{{other}}})"
            return f"({{{other}}} {self.pick(*COMPARE)} {{{other}}})"
        if kind in COMPLEX:
            self.use("complex operators", kind)
            return self.pick(*OF_COMPLEX).replace("part", PART[kind])
        forms = ANY + REAL
        if kind in INTS:
            self.use("integer operators", kind)
            forms = forms + INT + (SIGNED_ONLY if kind in SIGNED else [])
            return self.pick(f"{kind}(popcount({{x}}))", f"{kind}(clz({{x}}))",
                             f"{kind}(ctz({{x}}))", *forms, *forms)
        self.use("float operators", kind)
        forms = forms + FLOAT
        if self.exact:
            forms = forms + JUMPS
        elif self.chance(0.15):
            self.soft = True
            self.use("functions", kind)
            return self.pick(*SOFT)
        return self.pick(*forms)

    def fill(self, kind, form, indices, depth):
        """A form with {x} made an expression of the same type, {K} of K."""
        def made(match):
            wanted = match.group(1)
            if kind in COMPLEX and wanted == PART[kind]:
                return self.part(wanted, indices, depth)
            if wanted == "bool" or (kind == "bool" and wanted != "x"):
                with self.exactly():
                    return self.scalar(wanted, indices, depth)
            return self.scalar(kind if wanted == "x" else wanted, indices, depth)
        return re.sub(r"\{(\w+)\}", made, form)

    def part(self, kind, indices, depth):
        """A real number beside complex ones, whose type an open one would take,
        with the functions in it that have no complex meaning."""
        return f"{kind}({self.scalar(kind, indices, depth)})"

    def cast(self, kind, indices, depth):
        """A conversion; what jumps converts exact values."""
        self.use("conversion", kind)
        if kind in COMPLEX:
            other = self.pick(PART[kind], PART[kind], *COMPLEX)
            make = self.part if other == PART[kind] else self.scalar
            return f"{kind}({make(other, indices, depth)})"
        other = self.pick("bool", "int", "f32", *self.kinds)
        if other in COMPLEX:
            if PART[other] == kind:
                return f"{self.pick('re', 'im')}({self.scalar(other, indices, depth)})"
            other = PART[other]
        if kind in FLOATS and other in FLOATS:
            return f"{kind}({self.scalar(other, indices, depth)})"
        with self.exactly():
            return f"{kind}({self.scalar(other, indices, depth)})"

    def random_number(self, kind, indices):
        self.use("random", kind)
        key = self.name("")
        counters = [self.index(indices, 0)]
        if self.chance(0.4):
            counters.append(self.index(indices, 0))
        text = f"{key}, {', '.join(counters)}"
        if kind == "u32":
            return f"philox({key}, {counters[0]}, {counters[-1]})[{self.number(0, 3)}]"
        if kind == "int":
            return f"randint({text}, lo = -3, hi = {self.number(1, 9)})"
        if not self.exact and self.chance(0.3):
            self.soft = True
            return f"{kind}(normal({text}))"
        return f"{kind}(uniform({text}))"

    def meeting(self, kind, indices, depth):
        """An operator of two types, of which one holds what the other does."""
        self.use("types that meet", kind)
        other = self.random.choice(NARROWER[kind])
        op = self.pick("+", "-", "*")
        a, b = self.scalar(kind, indices, depth), self.scalar(other, indices, depth)
        if other in INTS and kind in INEXACT:
            b = f"clamp({b}, {other}(0), {other}(9))"
        # Neither is open.
        a, b = f"{kind}({a})", f"{other}({b})"
        return f"({a} {op} {b})" if self.chance(0.5) else f"({b} {op} {a})"

    # Reads.

    def read(self, kind, indices):
        """An element: at indices over the array's own sizes, or guarded."""
        options = self.readable(self.arrays, kind)
        if not options:
            return None
        var = self.random.choice(options)
        if not indices and "?" not in var.dims and not self.chance(0.3):
            return None
        self.soft |= var.soft
        if var.dims == ("?",):
            self.use("read of ?", kind)
            place = f"{var.name}[({self.index(indices)}) % size({var.name})]"
            return (f"(if size({var.name}) > 0 {{ {place} }} "
                    f"else {{ {self.literal(kind)} }})")
        places, guards = [], []
        for size in var.dims:
            fitting = [i for i, over in indices.items() if over == size]
            if fitting and not self.chance(0.1):
                places.append(self.random.choice(fitting))
                continue
            # Any index, taken around; guarded, since the size may be 0.
            places.append(f"({self.index(indices)}) % {size}")
            if not size.isdigit() and f"{size} > 0" not in guards:
                guards.append(f"{size} > 0")
        self.use("read", kind)
        text = var.at(*places)
        if not guards:
            return text
        return (f"(if {' and '.join(guards)} {{ {text} }} "
                f"else {{ {self.literal(kind)} }})")

    # Folds.

    def over(self, indices):
        """An index for a fold, what its body may read, and its range."""
        i, r = self.name("j"), self.random.random()
        size = self.pick(*self.sizes)
        if r < 0.15 and indices:
            # A range that depends on an index outside.
            return f"{i} in {self.random.choice(list(indices))}", dict(indices), None
        if r < 0.25:
            part = self.pick(f"1:{size}", f"0:{size}:2", f"0:{size} // 2", f"-1:{size}")
            return f"{i} in {part}", dict(indices), i
        growing = self.readable(self.arrays, dims=("?",))
        if r < 0.45 and growing:
            x = self.random.choice(growing)
            return f"{i} in size({x.name})", dict(indices), i
        return f"{i} in {size}", {**indices, i: size}, None

    def bounded(self, kind, text):
        """Of nothing 'max' gives the least number, which everything overflows."""
        if kind in INTS:
            low = "-100" if kind in SIGNED else "0"
            return f"clamp({text}, {low}, 100)"
        return f"clamp({text}, -100.0, 100.0)"

    def reduction(self, kind, indices, depth, op=None):
        """A fold over a range; null where none gives this type."""
        if op:
            pass
        elif self.exact and kind in INEXACT:
            if kind in COMPLEX or self.chance(0.5):
                return None
            op = self.pick("max", "min")
        elif kind == "bool":
            op = self.pick("any", "all")
        elif kind in COMPLEX:
            op = "sum"
        elif kind in FLOATS:
            op = self.pick("sum", "sum", "max", "min", "mean")
        else:
            op = self.pick("sum", "sum", "max", "min", "prod", "reduce", "argmin",
                           "count")
        if op in ("count", "argmin") and kind != "int":
            op = "sum"
        with self.block(pure=True, deeper=True), self.within(f"{op} for", kind):
            if op == "argmin":
                return self.best(indices, depth)
            head, inner, extra = self.over(indices)
            if extra:
                self.scalars.append(Var(extra, "int"))
            guard = ""
            if self.chance(0.2):
                guard = f" if {self.condition(inner)}"
            if kind in INEXACT and op in ("sum", "mean"):
                self.soft = True
            if op == "count":
                return f"(count for {head} {{ {self.condition(inner, depth)} }})"
            body = self.body(kind, inner, depth)
            if op == "reduce":
                function, neutral = self.pick(*OPERATORS)
                neutral = neutral if kind == "int" else f"{kind}({neutral})"
                return f"(reduce({function}, {neutral}) for {head}{guard} {{ {body} }})"
            text = f"({op} for {head}{guard} {{ {body} }})"
            if op in ("sum", "prod", "any", "all"):
                # Integers are added as ints unless something says otherwise.
                return f"{kind}{text}" if kind in INTS and kind != "int" else text
            if op == "mean":
                return f"(if {self.pick(*self.sizes)} > 0 {{ {text} }} else {{ {self.literal(kind)} }})"
            return self.bounded(kind, text)

    def best(self, indices, depth):
        """The place of the least or the greatest, if there is one."""
        size, i, op = self.pick(*self.sizes), self.name("j"), self.pick("argmin", "argmax")
        with self.exactly():
            body = self.scalar(self.pick("int", "f32"), {**indices, i: size}, depth)
        return f"(if {size} > 0 {{ ({op} for {i} in {size} {{ {body} }}) }} else {{ 0 }})"

    def body(self, kind, indices, depth):
        """The body of a 'for': an expression, at times behind statements."""
        if depth < 1 or self.budget < 6 or self.exact or not self.chance(0.25):
            return self.scalar(kind, indices, depth)
        lines = self.statements(indices, self.number(1, 2), depth)
        lines.append(self.scalar(kind, indices, depth))
        return "\n" + "\n".join(lines) + "\n"

