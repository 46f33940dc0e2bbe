"""Statements: at the top, in functions and in bodies."""

from .arrays import EXTENSIONS
from .calls import Calls
from .parts import VECTORS, Parts
from .scalars import OPERATORS, SOFT
from .scope import FLOATS, INEXACT, INTS, UNORDERED, Var


# What one statement can be made to use, for programs in which rare constructs
# meet: arrays of one and two dimensions, folds, assignments, statements.
LINES = ["if", "elementwise", "cast", "mapped", "slice", "scan", "hist", "axis",
         "reverse", "roll", "gather", "concat", "sort", "scatter", "row", "call", "row_reduce"]
TABLES = ["transpose", "reshape", "rows", "product", "axis_ops", "row_hist", "row_scan"]
FOLDS = ["sum", "prod", "max", "min", "mean", "any", "all", "count", "argmin", "reduce"]
ASSIGNMENTS = ["whole", "element", "elements", "slice", "half", "swap", "row", "column"]
STATEMENTS = ["filter", "growing", "looped", "pair", "tuple_fold", "scan_of_tuples",
              "functions", "called", "structs", "lambda", "row_folds",
              "ragged", "segments", "guarded", "far",
              "compared", "folded", "elements", "row_elements", "zipped", "bare", "dependent",
              "two_indices", "stepped", "from_end", "gathered", "cube", "vector_product",
              "bins", "float_bins", "scattered", "summed_stencil", "half_view",
              "line_edges", "plane_edges", "leapfrog", "settled", "recurrence", "tuple_vars",
              "nested_tuples", "bodies",
              "defined", "given", "generic", "where", "sizes", "assert", "noinline", "tile",
              "exact", "unsafe", "fast", "seq", "unroll", "meeting", "power", "complex",
              "random", "blocks", "library"]
FEATURES = ([("line", w) for w in LINES] + [("table", w) for w in TABLES]
            + [("fold", w) for w in FOLDS] + [("assign", w) for w in ASSIGNMENTS]
            + [("statement", w) for w in STATEMENTS] + [("view", w) for w in EXTENSIONS]
            + [("vectors", w) for w in VECTORS])


class Statements(Parts, Calls):

    def feature(self, feature, indices, depth):
        """A statement that uses one thing."""
        form, way = feature
        if form == "view":
            return self.s_stenciled(indices, depth, way)
        if form == "vectors":
            return self.s_vectors(indices, depth, way)
        if form == "statement":
            return getattr(self, "s_" + way)(indices, depth)
        for _ in range(40):
            kind = self.kind()
            if way == "call":
                kind = self.random.choice(self.functions).kind
            if form == "fold":
                dims = ()
                if way in ("any", "all"):
                    kind = "bool"
                elif way in ("count", "argmin"):
                    kind = "int"
                elif kind in UNORDERED or (way == "mean" and kind in INTS):
                    continue
                elif way in ("prod", "reduce") and kind in FLOATS:
                    continue
            else:
                dims = self.shape()
                if way in ("row", "column") and form == "assign":
                    dims = tuple(self.sizes[:2])
                elif form == "line":
                    dims = dims[:1]
                elif form == "table":
                    dims = tuple(self.sizes[:2])
            if form == "assign":
                var, line = self.define("v", kind, dims, self.array(kind, dims, 0, indices),
                                        var=True, soft=kind in INEXACT)
                return [line, *self.assign(var, indices, depth, way)]
            with self.softness() as soft:
                text = (self.reduction(kind, indices, depth, way) if form == "fold"
                        else getattr(self, "_" + way)(kind, dims, depth, indices))
            if text:
                return [self.define("v" if dims else "t", kind, dims, text,
                                    soft=soft[0])[1]]
        return []

    def statements(self, indices, count, depth):
        lines = []
        for _ in range(count):
            if self.budget < 0:
                break
            lines += self.statement(indices, depth)
        return lines

    def statement(self, indices, depth):
        ways = ["let", "let", "var", "filter", "growing", "growing", "looped", "looped",
                "pair", "structs", "stenciled", "lambda", "update",
                "row_folds", "vectors", "ragged", "segments", "guarded", "far"]
        ways += [self.pick(*STATEMENTS) for _ in range(2 if self.level < 2 else 0)]
        if self.mutable:
            ways += ["branch", "looping"] * 2
        way = self.pick(*ways)
        return getattr(self, "s_" + way)(indices, depth)

    # Definitions.

    def kind(self, no=()):
        options = [k for k in ["int", "f32", *self.kinds] if k not in no]
        return self.random.choice(options)

    def shape(self):
        a, b = self.sizes[0], self.sizes[-1]
        if self.level > 1:
            # The evaluator takes every element of every body.
            return self.pick((a,), (b,))
        return self.pick((a,), (b,), (a,), (b,), (a, b), (b, a))

    def define(self, stem, kind, dims, text, var=False, soft=False):
        name = self.name(stem)
        type = kind + (f"[{', '.join(dims)}]" if dims else "")
        made = Var(name, kind, dims, soft)
        (self.arrays if dims else self.scalars).append(made)
        if var:
            self.mutable.append(made)
        return made, f"{'var' if var else 'let'} {name}: {type} = {text}"

    def s_let(self, indices, depth, var=False):
        kind = self.kind()
        with self.softness() as soft:
            if self.chance(0.3):
                dims = ()
                text = (self.reduction(kind, indices, depth)
                        or self.scalar(kind, indices, depth))
            else:
                dims = self.shape()
                text = self.array(kind, dims, depth, indices)
        self.use(f"{'var' if var else 'let'} of {'an array' if dims else 'a number'}",
                 kind)
        # What a loop puts into it may be soft.
        soft = soft[0] or (var and kind in INEXACT)
        return [self.define("v" if dims else "t", kind, dims, text, var, soft)[1]]

    def s_var(self, indices, depth):
        return self.s_let(indices, depth, var=True)

    def s_lambda(self, indices, depth):
        kind = self.kind(no=UNORDERED)
        name, x, y = self.name("g"), self.name("p"), self.name("p")
        self.use("lambda", kind)
        body = self.fill_names(kind, x, y)
        self.lambdas.append((name, kind))
        return [f"let _{name} = fn({x}: {kind}, {y}: {kind}) => {body}"]

    def fill_names(self, kind, x, y):
        forms = ["({} + {})", "min({}, {})", "max({}, {})", "({} * {})", "({} - {})"]
        return self.pick(*forms).format(x, y)

    def call_scalar(self, kind, indices, depth):
        """A call of a lambda or of a function of numbers, if there is one."""
        names = ["_" + n for n, k in self.lambdas if k == kind]
        names += ["mix"] * (kind not in UNORDERED)
        if not names:
            return None
        name = self.random.choice(names)
        self.use("generic call" if name == "mix" else "lambda call", kind)
        x, y = (self.scalar(kind, indices, depth) for _ in range(2))
        if name == "mix":
            # A type is found from what is not open.
            x = f"{kind}({x})"
        return f"{name}({x}, {y})"

    def s_filter(self, indices, depth):
        kind = self.kind()
        i, size = self.name("j"), self.pick(*self.sizes)
        with self.block(pure=True, deeper=True), self.within("filter", kind), \
                self.softness() as soft:
            inner = {**indices, i: size}
            text = (f"for {i} in {size} if {self.condition(inner)} "
                    f"{{ {self.scalar(kind, inner, depth)} }}")
        return [self.define("v", kind, ("?",), text, soft=soft[0])[1]]

    def s_tuple_fold(self, indices, depth):
        kinds = [self.pick(*[k for k in ["int", *self.kinds] if k in INTS])] * 2
        return self.pair(indices, depth, kinds, fold=True)

    def s_pair(self, indices, depth):
        return self.pair(indices, depth, [self.kind(), self.kind()], fold=False)

    def s_scan_of_tuples(self, indices, depth):
        dims = self.shape()[:1]
        return [self.define("v", "int", dims, self.maps_behind(dims, indices))[1]]

    def s_functions(self, indices, depth):
        """A mathematical function, whose last bits depend on the target."""
        kind = self.pick(*[k for k in ["f32", *self.kinds] if k in FLOATS])
        i, dims = self.name("j"), self.shape()[:1]
        inner = {**indices, i: dims[0]}
        with self.block(pure=True, deeper=True), self.within("for", kind):
            self.use("functions", kind)
            text = self.fill(kind, self.pick(*SOFT), inner, 1)
        return [self.define("v", kind, dims, f"(for {i} in {dims[0]} {{ {text} }})",
                            soft=True)[1]]

    def s_called(self, indices, depth):
        """A lambda, and a call of it."""
        lines = self.s_lambda(indices, depth)
        name, kind = self.lambdas[-1]
        self.use("lambda call", kind)
        with self.softness() as soft:
            x, y = (self.scalar(kind, indices, 1) for _ in range(2))
        return lines + [self.define("t", kind, (), f"_{name}({x}, {y})", soft=soft[0])[1]]

    def pair(self, indices, depth, kinds, fold):
        """Two arrays or two numbers at once."""
        i, dims = self.name("j"), self.shape()[:1]
        inner = {**indices, i: dims[0]}
        with self.block(pure=True, deeper=True), self.softness() as soft, \
                self.within("tuple fold" if fold else "tuples", kinds[0]):
            a, b = (self.scalar(k, inner, depth) for k in kinds)
        names = self.name("t" if fold else "v"), self.name("t" if fold else "v")
        made = [Var(n, "int" if fold else k, () if fold else dims, soft[0])
                for n, k in zip(names, kinds)]
        if fold:
            a, b = f"int({a})", f"int({b})"
        (self.scalars if fold else self.arrays).extend(made)
        head = "sum for" if fold else "for"
        if fold:
            return [f"let ({', '.join(names)}) = {head} {i} in {dims[0]} {{ ({a}, {b}) }}"]
        a, b = (text if k in UNORDERED else f"{k}({text})"
                for k, text in zip(kinds, (a, b)))
        return [f"let ({', '.join(names)}) = {head} {i} in {dims[0]} {{ ({a}, {b}) }}"]

    def s_structs(self, indices, depth):
        """An array of structs, read by field, at times assigned."""
        i, size, name = self.name("j"), self.pick(*self.sizes), self.name("b")
        inner = {**indices, i: size}
        with self.block(pure=True, deeper=True), self.within("structs"), \
                self.softness() as soft:
            fields = ", ".join(f"{f} = {k}({self.scalar(k, inner, depth)})"
                               for f, k in self.struct)
        change = self.chance(0.5)
        lines = [f"{'var' if change else 'let'} {name} = for {i} in {size} {{ S({fields}) }}"]
        for f, k in self.struct:
            self.arrays.append(Var(name, k, (size,), soft[0] or change, field=f))
        if change:
            f, k = self.pick(*self.struct)
            z = self.name("z")
            self.use("field assigned", k)
            lines += [f"loop {z} in {size} {{ {name}[{z}].{f} {self.pick('+=', '=', '-=')} "
                      f"{self.scalar(k, {**indices, z: size}, 1)} }}"]
        return lines

    def s_stenciled(self, indices, depth, mode=None):
        before = None
        for _ in range(40):
            kind, dims = self.kind(), self.shape()
            before = before or self.view(kind, dims, mode)
            if before:
                break
        else:
            return self.s_let(indices, depth)
        with self.softness() as soft:
            text = self.stencil(kind, dims)
        return [before, self.define("v", kind, dims, text, soft=soft[0])[1]]

    def s_row_folds(self, indices, depth):
        """A fold and a scan of one computed row, both read at other places."""
        if self.level > 1:
            # Too many elements for the evaluator.
            return self.s_let(indices, depth)
        kind = self.kind(no=UNORDERED)
        dims = self.pick((self.sizes[0], self.sizes[-1]), (self.sizes[-1], self.sizes[0]))
        i, j, row, fold, sums = (self.name(stem) for stem in "jjvtv")
        inner, last = {**indices, i: dims[0]}, dims[1]
        with self.block(pure=True, deeper=True), self.softness() as soft, \
                self.within("fold and scan", kind):
            values = self.array(kind, dims[1:], 1, inner)
            whole = self.pick(f"max({row})", f"min({row})", f"{kind}(sum({row}))")
            of = self.pick(row, row, f"reverse({row})", f"(for {j} in {last} "
                           f"{{ {self.tame(kind, f'{row}[{j}] * {fold}')} }})")
            places = [self.pick(j, f"{last} - 1 - {j}", f"max({j} - 1, 0)",
                                f"({self.index({**inner, j: last})}) % {last}")
                      for _ in range(2)]
            value = f"{row}[{places[0]}] {self.pick('+', '-')} {fold} + {sums}[{places[1]}]"
            self.soft |= kind in FLOATS
        lines = [f"(for {i} in {dims[0]} {{", f"let {row}: {kind}[{last}] = {values}",
                 f"let {fold} = {whole}", f"let {sums} = scan((+), {of})",
                 f"for {j} in {last} {{ {self.tame(kind, value)} }}", "})"]
        return [self.define("v", kind, dims, "\n".join(lines), soft=soft[0])[1]]

    # Assignments.

    def s_update(self, indices, depth):
        """A 'var' and what is assigned to it."""
        kind, dims = self.kind(), self.shape()
        soft = kind in INEXACT
        var, line = self.define("v", kind, dims, self.array(kind, dims, 1, indices),
                                var=True, soft=soft)
        return [line] + [text for _ in range(self.number(1, 3))
                         for text in self.assign(var, indices, 1)]

    def tame(self, kind, text):
        """Values that stay small however often they are carried."""
        return self.bounded(kind, text) if kind in FLOATS else text

    def assign(self, var, indices, depth, way=None):
        if not var.dims:
            return self.assign_number(var, indices, depth)
        if var.dims == ("?",):
            return self.assign_growing(var, indices, depth)
        kind, n, z = var.kind, var.dims[0], self.name("z")
        inner = {**indices, z: n}
        one = "" if len(var.dims) == 1 else f", ({self.index(indices)}) % {var.dims[1]}"
        guard = "" if len(var.dims) == 1 else f"if {var.dims[1]} > 0 "
        ways = ["whole", "element", "elements", "slice", "half", "swap"]
        ways += ["row", "column"] if len(var.dims) == 2 else []
        way = way or self.pick(*ways)
        self.use(f"{way} assigned", kind)
        if way == "whole":
            text = self.array(kind, var.dims, depth, indices)
            if kind in FLOATS:
                text = self.tame(kind, text)
            op = "=" if kind == "bool" else self.pick("=", "=", "+=", "-=")
            return [f"{var.name} {op} {text}"]
        if way == "element":
            op = "=" if kind == "bool" else self.pick("=", "+=", "-=")
            text = f"{var.name}[({self.index(indices)}) % {n}{one}] {op} " \
                   f"{self.scalar(kind, indices, depth)}"
            return [f"if {n} > 0 {{ {guard}{{ {text} }} }}" if guard
                    else f"if {n} > 0 {{ {text} }}"]
        if way == "elements":
            op = "=" if kind == "bool" else self.pick("=", "+=", "*=")
            text = self.tame(kind, self.scalar(kind, inner, depth))
            lines = [f"{var.name}[{z}{one}] {op} {text}"]
            if kind in INTS and self.chance(0.4):
                lines.append(f"{var.name}[{z}{one}] -= "
                             f"{var.name}[max({z} - 1, 0){one}]")
            lines = [f"{guard}{{ {line} }}" if guard else line for line in lines]
            return [f"loop {z} in {n} {{", *lines, "}"]
        if way in ("slice", "half"):
            part = self.pick(f":{n} // 2", f"{n} // 2:", f"0:{n}:2", f"min(1, {n}):",
                             f":max({n} - 1, 0)")
            value = (self.scalar(kind, indices, depth) if way == "slice"
                     else f"{self.array(kind, var.dims, 0, indices)}[{part}]")
            op = "=" if kind == "bool" else self.pick("=", "+=")
            return [f"{var.name}[{part}] {op} {value}"]
        if way == "swap":
            others = [v for v in self.mutable if v is not var and v.kind == kind
                      and v.dims == var.dims]
            if others and self.chance(0.6):
                other = self.random.choice(others).name
                return [f"({var.name}, {other}) = ({other}, {var.name})"]
            first, last = f"{var.name}[0]", f"{var.name}[{n} - 1]"
            return [f"if {n} > 0 {{ ({first}, {last}) = ({last}, {first}) }}"]
        if way == "row":
            row = self.array(kind, var.dims[1:], depth, inner)
            source = self.pick(row, row, f"{var.name}[max({z} - 1, 0)]",
                               self.scalar(kind, inner, 1))
            return [f"loop {z} in {n} {{ {var.name}[{z}] = {source} }}"]
        column = f"{var.name}[:, ({self.index(indices)}) % {var.dims[1]}]"
        source = self.pick(self.scalar(kind, indices, 1),
                           self.array(kind, var.dims[:1], depth, indices))
        return [f"if {var.dims[1]} > 0 {{ {column} = {source} }}"]

    def assign_number(self, var, indices, depth):
        op = "=" if var.kind == "bool" else self.pick("=", "+=", "-=", "*=")
        self.use("number assigned", var.kind)
        if var.kind not in INEXACT:
            with self.exactly():
                value = self.scalar(var.kind, indices, depth)
        else:
            value = self.scalar(var.kind, indices, depth)
        return [f"{var.name} {op} {self.tame(var.kind, value)}"]

    def assign_growing(self, var, indices, depth):
        x, kind, y = var.name, var.kind, self.name("y")
        self.use("size changed", kind)
        exact = kind not in INEXACT
        self.exact += exact
        ways = [
            lambda: f"if size({x}) < 40 {{ {x} = concat({x}, "
                    f"{self.array(kind, self.shape()[:1], 0, indices)}) }}",
            lambda: f"if size({x}) < 40 {{ {x} = concat({x}, [{self.scalar(kind, indices, 1)}]) }}",
            lambda: f"{x} = {x}[min({self.number(1, 2)}, size({x})):]",
            lambda: f"{x} = {x}[:size({x}) // 2]",
            lambda: f"{x} = {x}[::2]",
            lambda: f"{x} = {self.pick('reverse(%s)', 'roll(%s, 1)') % x}",
            lambda: f"{x} = [{self.scalar(kind, indices, 1)}]",
            lambda: f"{x} = for {y} in size({x}) {{ {self.keep(kind, f'{x}[{y}]', indices)} }}",
            lambda: f"{x} = for {y} in size({x}) if {y} % 2 == ({self.index(indices)}) % 2 {{ {x}[{y}] }}",
        ]
        if exact and kind != "bool":
            ways += [lambda: f"{x} = for {y} in {x} if {y} > {self.scalar(kind, indices, 1)} {{ {y} }}",
                     lambda: f"{x} = sort({x})",
                     lambda: f"{x} = scan({self.pick(*OPERATORS)[0]}, {x})"]
        text = self.pick(*ways)()
        self.exact -= exact
        return [text]

    def keep(self, kind, element, indices):
        if kind == "bool":
            return f"not {element}"
        return self.tame(kind, f"{element} + {self.scalar(kind, indices, 1)}")

    def s_growing(self, indices, depth):
        """An array of any size, in loops and branches."""
        kind = self.kind()
        dims = self.shape()[:1]
        soft = kind in INEXACT
        with self.within("var of ?", kind):
            if soft:
                text = self.array(kind, dims, 0, indices)
            else:
                with self.exactly():
                    text = self.array(kind, dims, 0, indices)
            var, line = self.define("v", kind, ("?",), text, var=True, soft=soft)
            return [line] + self.looping(indices, depth, [var])

    # Loops and branches.

    def s_branch(self, indices, depth):
        with self.within("if statement"):
            with self.block():
                first = self.assign_any(indices, depth)
            lines = [f"if {self.condition(indices)} {{", *first]
            if self.chance(0.5):
                with self.block():
                    second = self.assign_any(indices, depth)
                lines += ["} else {", *second]
        return lines + ["}"]

    def assign_any(self, indices, depth, among=None):
        lines = []
        for _ in range(self.number(1, 2)):
            var = self.random.choice(among or self.mutable)
            lines += self.assign(var, indices, min(depth, 1))
        return lines

    def s_looping(self, indices, depth):
        return self.looping(indices, depth, None)

    def looping(self, indices, depth, among):
        """A loop that changes variables of before."""
        with self.block():
            counter, inner, limit = self.name("q"), dict(indices), self.number(0, 3)
            if self.chance(0.55):
                construct, before = "loop", []
                size = self.pick(*self.sizes)
                ranges = [f"{limit}", f"1:{limit + 1}", f"0:min({size}, 3)", "[2, 0, 1]"]
                ranges += [f"min({i}, 3)" for i in indices]
                head, last = f"loop {counter} in {self.pick(*ranges)} {{", []
                self.scalars.append(Var(counter, "int"))
            else:
                construct = "while"
                before = [f"var {counter} = 0"]
                test = f"{counter} < {limit}"
                growing = [v for v in among or self.mutable if v.dims == ("?",)]
                if growing:
                    test += f" and size({self.random.choice(growing).name}) > 1"
                elif self.chance(0.3):
                    test += f" and {self.condition(indices)}"
                head, last = f"while {test} {{", [f"{counter} += 1"]
                self.scalars.append(Var(counter, "int"))
            with self.within(construct):
                body = []
                if depth > 0 and self.budget > 8 and self.chance(0.35):
                    with self.block():
                        body += self.statement(inner, depth - 1)
                body += self.assign_any(inner, depth, among)
                if self.chance(0.25):
                    with self.block(), self.within("if statement"):
                        body += [f"if {self.condition(inner)} {{",
                                 *self.assign_any(inner, depth, among), "}"]
                if depth > 0 and self.chance(0.15):
                    body += self.looping(inner, depth - 1, among)
        return before + [head, *body, *last, "}"]

    def s_looped(self, indices, depth):
        """A variable and a loop that carries it."""
        lines = self.s_var(indices, depth)
        made = self.mutable[-1]
        among = [made] + [v for v in self.mutable[:-1] if self.chance(0.3)]
        return lines + self.looping(indices, depth, among)
