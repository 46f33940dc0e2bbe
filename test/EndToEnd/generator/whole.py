"""Statements on whole arrays and their elements: what is said without indices, or
with more of them than others have."""

from .arrays import MODES, Arrays
from .scalars import OPERATORS
from .scope import COMPLEX, FLOATS, INEXACT, INTS, UNORDERED


class Whole(Arrays):

    def named(self, kind, dims, indices, exact=False):
        """The name of an array, and the lines that it needs."""
        names = [v for v in self.readable(self.arrays, kind, dims)
                 if not v.field and not (exact and v.soft)]
        if names and self.chance(0.7):
            return self.whole(self.random.choice(names)), []
        with self.softness() as soft:
            if exact:
                with self.exactly():
                    text = self.array(kind, dims, 1, indices)
            else:
                text = self.array(kind, dims, 1, indices)
        var, line = self.define("v", kind, dims, text, soft=soft[0])
        self.soft |= soft[0]
        return var.name, [line]

    def plane(self):
        return self.pick(tuple(self.sizes[:2]), tuple(self.sizes[1::-1]))

    def mixed(self, kind, first, second):
        """Two values made one."""
        if kind == "bool":
            return f"({first} {self.pick('and', 'or', '==', '!=')} {second})"
        text = f"({first} {self.pick('+', '-', '*')} {second})"
        return self.bounded(kind, text) if kind in FLOATS else text

    def made(self, kind, dims, lines, text, soft):
        """The lines, and a name for the value behind them."""
        with_ints = kind in INTS and kind != "int" and not dims
        text = f"{kind}({text})" if with_ints else text
        soft = soft[0] if soft else False
        return lines + [self.define("v" if dims else "t", kind, dims, text, soft=soft)[1]]

    def s_compared(self, indices, depth):
        kind, dims = self.kind(), self.shape()
        a, lines = self.named(kind, dims, indices, exact=True)
        b, more = self.named(kind, dims, indices, exact=True)
        if self.chance(0.3):
            with self.exactly():
                b = f"({self.scalar(kind, indices, 1)})"
        self.use("compared arrays", kind)
        op = self.pick("==", "!=") if kind in UNORDERED else self.pick("<", "<=", ">", ">=", "==")
        text = self.pick(f"({a} {op} {b})", f"not ({a} {op} {b})",
                         f"({a} {op} {b}) or ({a} == {a})", f"({a} {op} {b}) and ({b} != {a})")
        return self.made("bool", dims, lines + more, text, None)

    def s_folded(self, indices, depth):
        """A fold of an array by its name alone, of everything or along axes."""
        kind, dims = self.kind(no=("bool",)), self.plane()
        with self.softness() as soft:
            exact = self.chance(0.5) or kind in COMPLEX
            a, lines = self.named(kind, dims, indices, exact and kind not in COMPLEX)
            self.use("fold by name", kind)
            ways = ["sum", "two axes", "sum"]
            if kind not in COMPLEX:
                ways += ["least", "least of axis", "where", "compared"]
            if kind in INTS:
                ways += ["reduce", "prod"]
            way = self.pick(*ways)
            there = f"{dims[0]} > 0 and {dims[1]} > 0"
            if way in ("sum", "two axes"):
                self.soft |= kind in INEXACT
                text = self.pick(f"sum({a})", f"(if {there} {{ mean({a}) }} else {{ {self.literal(kind)} }})"
                                 ) if kind in INEXACT else f"sum({a})"
                if way == "two axes":
                    text = f"sum({a}, axis = (0, 1))"
            elif way == "least":
                text = self.bounded(kind, f"{self.pick('max', 'min')}({a})")
            elif way == "least of axis":
                axis = self.number(0, 1)
                text = self.bounded(kind, f"{self.pick('max', 'min')}({a}, axis = {axis})")
                return self.made(kind, (dims[1 - axis],), lines, text, soft)
            elif way == "prod":
                text = f"prod({a})"
            elif way == "reduce":
                function, neutral = self.pick(*OPERATORS)
                text = f"reduce({function}, {kind}({neutral}), {a})"
        if way == "where":
            if kind in FLOATS and soft[0]:
                text = "0"
            else:
                text = (f"(if {there} {{ {self.pick('argmin', 'argmax')}({a}[0]) }} else {{ 0 }})")
            return self.made("int", (), lines, text, None)
        if way == "compared":
            if soft[0]:
                text = "true"
            else:
                text = self.pick(f"any({a} > {kind}(1))", f"all({a} < {kind}(2))",
                                 f"count({a} > {kind}(1)) > 2")
            return self.made("bool", (), lines, text, None)
        return self.made(kind, (), lines, text, soft)

    # Elements without indices.

    def s_elements(self, indices, depth):
        kind, dims, x = self.kind(), self.shape()[:1], self.name("x")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            with self.block(pure=True, deeper=True), self.within("elements", kind):
                text = f"for {x} in {a} {{ {self.mixed(kind, x, self.scalar(kind, indices, 1))} }}"
        if kind in INTS and self.chance(0.3):
            text, dims = f"{kind}(sum {text})", ()
        return self.made(kind, dims, lines, text, soft)

    def s_row_elements(self, indices, depth):
        kind, dims, row = self.kind(no=("bool",)), self.plane(), self.name("x")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            with self.block(pure=True, deeper=True), self.within("rows as elements", kind):
                if self.chance(0.5):
                    self.soft |= kind in INEXACT
                    text = f"{kind}(sum({row}))" if kind in INTS else f"sum({row})"
                    result = dims[:1]
                else:
                    text, result = f"{row} {self.pick('+', '-')} {row}[0]", dims
                    text = f"if {dims[1]} > 0 {{ {text} }} else {{ {row} }}"
        return self.made(kind, result, lines, f"for {row} in {a} {{ {text} }}", soft)

    def s_zipped(self, indices, depth):
        kind, dims, x, y = self.kind(), self.shape()[:1], self.name("x"), self.name("y")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            b, more = self.named(kind, dims, indices)
            with self.block(pure=True, deeper=True), self.within("zipped", kind):
                text = self.mixed(kind, x, y)
        return self.made(kind, dims, lines + more,
                         f"for ({x}, {y}) in zip({a}, {b}) {{ {text} }}", soft)

    def s_bare(self, indices, depth):
        """Indices that range over what they index."""
        kind, dims = self.kind(), self.pick(self.shape()[:1], self.plane())
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            b, more = self.named(kind, dims[::-1], indices)
            self.use("bare index", kind)
            names = [self.name("j") for _ in dims]
            reads = f"{a}[{', '.join(names)}]", f"{b}[{', '.join(names[::-1])}]"
            text = self.mixed(kind, *reads)
            if kind != "bool" and self.chance(0.3):
                self.soft |= kind in INEXACT
                fold = f"sum for {', '.join(names)} {{ {text} }}"
                fold = f"{kind}({fold})" if kind in INTS else fold
            else:
                fold = None
        if fold:
            return self.made(kind, (), lines + more, fold, soft)
        return self.made(kind, dims, lines + more, f"for {', '.join(names)} {{ {text} }}", soft)

    # Ranges.

    def s_dependent(self, indices, depth):
        """Folds over points whose ranges depend on each other."""
        kind, dims = self.kind(no=UNORDERED), self.plane()
        i, j = self.name("j"), self.name("j")
        with self.softness() as soft:
            a, lines = self.named(kind, dims, indices)
            with self.block(pure=True, deeper=True), self.within("dependent ranges", kind):
                # Below the diagonal, or a band beside it.
                range_ = self.pick(f"min({i}, {dims[1]})", f"max({i} - 2, 0):min({i} + 2, {dims[1]})",
                                   f"min({i}, {dims[1]}):{dims[1]}")
                text = self.mixed(kind, f"{a}[{i}, {j}]", self.scalar(kind, {**indices, i: dims[0]}, 1))
                head = f"{i} in {dims[0]}, {j} in {range_}"
                self.soft |= kind in FLOATS
                if kind in INTS and self.chance(0.4):
                    text = (f"hist((+), {kind}(0), {dims[1]}) for {head} {{ ({j}, {kind}({text})) }}")
                    result = dims[1:]
                else:
                    text, result = f"sum for {head} {{ {text} }}", ()
        return self.made(kind, result, lines, text, soft)

    def s_two_indices(self, indices, depth):
        """What a condition keeps of a plane."""
        kind, dims = self.kind(), self.plane()
        i, j = self.name("j"), self.name("j")
        with self.block(pure=True, deeper=True), self.softness() as soft, \
                self.within("filter of two indices", kind):
            inner = {**indices, i: dims[0], j: dims[1]}
            text = (f"for {i} in {dims[0]}, {j} in {self.pick(dims[1], f'min({i}, {dims[1]})')} "
                    f"if {self.condition(inner)} {{ {self.scalar(kind, inner, 1)} }}")
        return self.made(kind, ("?",), [], text, soft)

    def s_stepped(self, indices, depth):
        """Ranges by steps that the compiler may not know."""
        kind, (n,) = self.kind(), self.shape()[:1]
        i, p = self.name("j"), self.name("p")
        with self.softness() as soft:
            a, lines = self.named(kind, (n,), indices)
            self.use("range by steps", kind)
            step = self.pick("2", "3", p, p)
            lines.append(f"let {p} = 1 + bitand({self.index(indices)}, 3)")
            if self.chance(0.5):
                text = f"{a}[{self.pick('', f'min(1, {n})')}::{step}]"
            else:
                text = f"for {i} in 0:{n}:{step} {{ {self.mixed(kind, f'{a}[{i}]', self.literal(kind))} }}"
        return self.made(kind, ("?",), lines, text, soft)

    def s_from_end(self, indices, depth):
        kind, (n,) = self.kind(), self.shape()[:1]
        with self.softness() as soft:
            a, lines = self.named(kind, (n,), indices)
            self.use("from the end", kind)
            other = self.literal(kind)
            if kind == "bool":
                text = f"(if {n} > 1 {{ all({a}[:end-1]) }} else {{ {a}[end-1] }})"
            else:
                self.soft |= kind in INEXACT
                text = (f"(if {n} > 2 {{ {self.pick(f'sum({a}[1:end-1])', f'sum({a}[end-2:])')} }} "
                        f"else {{ {kind}({a}[end-1] + {other}) }})" if kind == "int" or kind in INEXACT
                        else f"({a}[end-1] - {a}[end // 2])")
        return self.made(kind, (), lines, f"(if {n} > 0 {{ {text} }} else {{ {other} }})", soft)

    def s_gathered(self, indices, depth):
        """Rows, columns, and elements in the shape of their places."""
        kind, (n, m) = self.kind(), self.plane()
        i, j = self.name("j"), self.name("j")
        with self.softness() as soft:
            way = self.pick("rows", "columns", "plane")
            a, lines = self.named(kind, (n,) if way == "plane" else (n, m), indices)
            with self.block(pure=True, deeper=True), self.within("gather of rows", kind):
                if way == "plane":
                    place = self.index({**indices, i: n, j: m})
                    text, dims = f"{a}[(for {i} in {n}, {j} in {m} {{ ({place}) % {n} }})]", (n, m)
                elif way == "rows":
                    place = self.index({**indices, i: n})
                    text, dims = f"{a}[(for {i} in {n} {{ ({place}) % {n} }})]", (n, m)
                else:
                    place = self.index({**indices, i: m})
                    text, dims = f"{a}[:, (for {i} in {m} {{ ({place}) % {m} }})]", (n, m)
        return self.made(kind, dims, lines, text, soft)

    # More dimensions, and products.

    def s_cube(self, indices, depth):
        if self.level > 1:
            return self.s_elements(indices, depth)
        kind, dims = self.kind(), (*self.plane(), str(self.number(2, 3)))
        names = [self.name("j") for _ in dims]
        with self.block(pure=True, deeper=True), self.softness() as soft, \
                self.within("three dimensions", kind):
            inner = {**indices, **dict(zip(names, dims))}
            body = self.scalar(kind, inner, 1)
        head = ", ".join(f"{i} in {n}" for i, n in zip(names, dims))
        lines = self.made(kind, dims, [], f"for {head} {{ {body} }}", soft)
        cube, (n, m, k) = self.arrays[-1].name, dims
        ways = [(f"transpose({cube}, 2, 0, 1)", (k, n, m)), (f"{cube}[:, :, 1]", (n, m)),
                (f"reverse({cube}, axis = 1)", dims), (f"roll({cube}, 1, axis = {self.number(0, 2)})", dims)]
        if kind != "bool":
            total = "{}" if kind == "int" or kind in INEXACT else kind + "({})"
            ways += [(total.format(f"sum({cube}, axis = (0, 2))"), (m,)),
                     (total.format(f"sum({cube}, axis = {self.number(0, 1)})"), None),
                     (total.format(f"scan((+), {cube}, axis = 1)"), dims)]
        if kind not in UNORDERED and not soft[0]:
            ways.append((f"sort({cube}, axis = {self.number(0, 2)})", dims))
        text, result = self.pick(*ways)
        if result is None:
            axis = int(text.rstrip(")")[-1])
            result = dims[:axis] + dims[axis + 1:]
        rounds = kind in INEXACT and ("sum" in text or "scan" in text)
        return self.made(kind, result, lines, text, [soft[0] or rounds])

    def s_vector_product(self, indices, depth):
        kind, (n, m) = self.kind(no=("bool",)), self.plane()
        with self.softness() as soft:
            t, lines = self.named(kind, (n, m), indices)
            v, more = self.named(kind, (m,), indices)
            w, last = self.named(kind, (n,), indices)
            self.use("product with a vector", kind)
            self.soft |= kind in INEXACT
            i = self.name("j")
            text, dims = self.pick((f"{t} @ {v}", (n,)), (f"{w} @ {t}", (m,)), (f"{v} @ {v}", ()), (
                f"(for {i} in 2 {{ {t} }}) @ {v}", ("2", n)), (
                f"(for {i} in 2 {{ {t} }}) @ transpose({t})", ("2", n, n)))
        # Sums of integers are ints.
        text = f"{kind}({text})" if kind in INTS and dims else text
        return self.made(kind, dims, lines + more + last, text, soft)

    # Bins and places.

    def s_bins(self, indices, depth):
        """Bins in a plane."""
        kind, (n, m) = self.kind(no=("bool",)), self.plane()
        i, size = self.name("j"), self.pick(*self.sizes)
        with self.block(pure=True, deeper=True), self.softness() as soft, \
                self.within("bins in a plane", kind):
            inner = {**indices, i: size}
            self.soft |= kind in INEXACT
            value = f"{kind}({self.scalar(kind, inner, 1)})"
            places = [f"({self.index(inner)}) % {self.number(2, 5)}" for _ in range(2)]
            # Nothing can be clamped into what is empty.
            mode = self.pick("drop", "clamp")
            text = (f"hist((+), {kind}(0), ({n}, {m}), oob = {mode}) for {i} in {size} "
                    f"{{ (({', '.join(places)}), {value}) }}")
        return self.made(kind, (n, m), [], text, soft)

    def s_float_bins(self, indices, depth):
        kind = self.pick(*[k for k in ["f32", *self.kinds] if k in INEXACT])
        (n,), i, size = self.shape()[:1], self.name("j"), self.pick(*self.sizes)
        with self.block(pure=True, deeper=True), self.softness() as soft, \
                self.within("bins of floats", kind):
            inner = {**indices, i: size}
            op = "(+)" if kind in COMPLEX else self.pick("(+)", "(+)", "max", "min")
            neutral = {"(+)": f"{kind}(0)", "max": f"{kind}(-9.0)", "min": f"{kind}(9.0)"}[op]
            value = self.scalar(kind, inner, 1)
            if op != "(+)":
                value = f"clamp({value}, {kind}(-9.0), {kind}(9.0))"
            self.soft |= op == "(+)"
            text = (f"hist({op}, {neutral}, {n}, oob = {self.pick('drop', 'clamp')}) for {i} in {size} "
                    f"{{ (({self.index(inner)}) % 4, {kind}({value})) }}")
        return self.made(kind, (n,), [], text, soft)

    def s_scattered(self, indices, depth):
        """Rows, or elements of a plane, at places that are all different."""
        kind, (n, m) = self.kind(), self.plane()
        i, j = self.name("j"), self.name("j")
        with self.softness() as soft:
            a, lines = self.named(kind, (n, m), indices)
            with self.block(pure=True, deeper=True), self.within("scatter of rows", kind):
                inner = {**indices, i: n}
                place = self.pick(f"{n} - 1 - {i}", f"{i} + 1", f"({i} + 2) % {n}")
                if self.chance(0.5):
                    text = (f"scatter({a}, oob = drop) for {i} in {n} "
                            f"{{ ({place}, {self.array(kind, (m,), 1, inner)}) }}")
                else:
                    value = self.scalar(kind, {**inner, j: m}, 1)
                    text = (f"scatter({a}, oob = drop) for {i} in {n}, {j} in {m} "
                            f"{{ (({place}, {m} - 1 - {j}), {value}) }}")
        return self.made(kind, (n, m), lines, text, soft)

    # Stencils of other shapes.

    def s_summed_stencil(self, indices, depth):
        """A stencil whose neighbours a fold runs over."""
        kind, (n,) = self.kind(no=("bool",)), self.shape()[:1]
        e, i, d = self.name("e"), self.name("j"), self.name("j")
        with self.softness() as soft:
            a, lines = self.named(kind, (n,), indices)
            self.use("stencil by a fold", kind)
            self.soft |= kind in INEXACT
            low, high = self.number(-2, 0), self.number(1, 3)
            text = f"sum for {d} in {low}:{high} {{ {e}[{i} + {d}] * {self.literal(kind)} }}"
            text = f"{kind}({text})" if kind in INTS else text
        lines.append(f"let {e} = extend({a}, {self.pick(*MODES)})")
        return self.made(kind, (n,), lines, f"stencil {i} in {n} {{ {text} }}", soft)

    def s_half_view(self, indices, depth):
        """A boundary in one dimension, none in the other."""
        kind, (n, m) = self.kind(), self.plane()
        e, i, j = self.name("e"), self.name("j"), self.name("j")
        with self.softness() as soft:
            a, lines = self.named(kind, (n, m), indices)
            self.use("extend none", kind)
            mode, offset = self.pick(*MODES, self.literal(kind)), self.number(1, 2)
            first = self.chance(0.5)
            lines.append(f"let {e} = extend({a}, {f'{mode}, none' if first else f'none, {mode}'})")
            at = f"{i} - {offset}, {j}" if first else f"{i}, {j} + {offset}"
            text = self.mixed(kind, f"{e}[{at}]", f"{e}[{i}, {j}]")
        form = self.pick("stencil", "for")
        return self.made(kind, (n, m), lines, f"{form} {i} in {n}, {j} in {m} {{ {text} }}", soft)
