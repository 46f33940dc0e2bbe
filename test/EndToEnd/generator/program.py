"""Whole programs, and the values that they are run with."""

import os

from .design import features
from .scope import COMPLEX, INEXACT, KINDS, UNORDERED, Var
from .statements import FEATURES, Statements

# Parameters and results of an entry point, and more than one needs to see.
MOST_RESULTS = 40


class Function:
    """A function of arrays that calls may use. `dims` of sizes of its own."""

    def __init__(self, name, parameters, kind, dims, soft):
        self.name, self.parameters = name, parameters
        self.kind, self.dims, self.soft = kind, dims, soft


class Program(Statements):
    """A valid program: a function of the seed. The text is `declarations`, the
    `lines` of the body and the results, which a reducer may shorten."""

    def __init__(self, seed):
        super().__init__(seed)
        self.kinds = self.random.sample(KINDS, 3)
        self.struct = [("p", self.kind(no=UNORDERED)),
                       ("q", self.kind(no=UNORDERED))]
        fields = ", ".join(f"{f}: {k}" for f, k in self.struct)
        self.declarations = [
            f"struct S {{ {fields} }}",
            "def mix[T: real](x: T, y: T) -> T = min(x, y) + max(x, y) * x"]
        for _ in range(self.number(1, 2)):
            self.declarations += self.function()
        given = {"a": ("int", ("n", "m")), "x": ("f32", ("n", "m")),
                 "b": ("int", ("n",)), "y": ("f32", ("m",)),
                 "w": (self.kinds[0], ("n",)), "z": (self.kinds[1], ("m", "n"))}
        self.inputs, self.lines = {}, []
        for name, (kind, dims) in given.items():
            self.arrays.append(Var(name, kind, dims))
            if kind == "bf16":
                # NumPy has no such files.
                self.lines.append(f"let {name}: bf16[{', '.join(dims)}] = bf16({name}0)")
                self.inputs[name + "0"] = ("f32", dims)
            else:
                self.inputs[name] = kind, dims
        self.scalars += [Var("k", "int"), Var("s", "f32")]
        self.budget = self.number(10, 40)
        for _ in range(self.number(1, 3)):
            self.budget = max(self.budget, 5)
            self.lines += self.statement({}, self.number(1, 2))
        # Every two features meet (design.py), at the top or in the body of a 'for'.
        chosen = features(seed, FEATURES)
        self.random.shuffle(chosen)
        inside = chosen[:self.number(1, 4)] if self.chance(0.6) else []
        for feature in chosen[len(inside):]:
            self.budget = max(self.budget, 6)
            self.lines += self.feature(feature, {}, 1)
        if inside:
            self.lines += self.batch(inside)
        named = set(given) | {"k", "s"}
        self.results = [(v.whole, v.kind, v.dims) for v in self.arrays + self.scalars
                        if v.name not in named and not v.name.startswith("q")]
        if len(self.results) > MOST_RESULTS:
            self.results = self.random.sample(self.results, MOST_RESULTS)

    def function(self):
        """A whole program of sizes of its own, to be called in others."""
        name, sizes = self.name("h"), [self.name("n"), self.name("n")]
        kinds = self.kind(), self.kind()
        parameters = [(kinds[0], (sizes[0],)), (kinds[1], tuple(sizes)), ("int", ())]
        saved = self.sizes
        self.sizes, self.budget = sizes, self.number(5, 25)
        with self.block(pure=True), self.within("function", kinds[0]):
            self.arrays, self.scalars, self.views, self.lambdas = [], [], [], []
            names = [self.name("a") for _ in parameters]
            for text, (kind, dims) in zip(names, parameters):
                (self.arrays if dims else self.scalars).append(Var(text, kind, dims))
            with self.softness() as soft:
                lines = self.statements({}, self.number(1, 3), 1)
                options = [v for v in self.arrays if v.dims == (sizes[0],)]
                value = self.random.choice(options)
        self.sizes, self.soft = saved, False
        self.functions.append(Function(name, parameters, value.kind, (sizes[0],),
                                       soft[0] or value.soft))
        types = ", ".join(f"{text}: {kind}" + (f"[{', '.join(dims)}]" if dims else "")
                          for text, (kind, dims) in zip(names, parameters))
        apart = "@noinline " if self.chance(0.3) else ""
        return [f"{apart}def {name}({types}) -> {value.kind}[{sizes[0]}] {{", *lines,
                value.whole, "}"]

    def batch(self, inside):
        """A program for each row, with some features."""
        kind, dims = self.kind(), self.pick(("n", "m"), ("m", "n"))
        i = self.name("j")
        with self.softness() as soft:
            with self.block(pure=True, deeper=True), self.within("batch", kind):
                inner = {i: dims[0]}
                lines = self.statements(inner, self.number(0, 1), 1)
                for feature in inside:
                    self.budget = max(self.budget, 6)
                    lines += self.feature(feature, inner, 1)
                scalar = self.chance(0.4)
                value = (self.scalar(kind, inner, 2) if scalar
                         else self.array(kind, dims[1:], 1, inner))
        self.soft |= soft[0]
        text = "\n".join([f"for {i} in {dims[0]} {{", *lines, value, "}"])
        return self.define("v", kind, dims[:1] if scalar else dims, text,
                           soft=soft[0])[1].split("\n")

    def text(self, lines=None, results=None, declarations=None):
        lines = self.lines if lines is None else lines
        results = self.results if results is None else results
        declarations = self.declarations if declarations is None else declarations
        if not results:
            results = [("k", "int", ())]
        def of(kind, dims):
            return kind + (f"[{', '.join(dims)}]" if dims else "")
        types = ", ".join(f"r{k}: {of(kind, dims)}"
                          for k, (_, kind, dims) in enumerate(results))
        values = ", ".join(name for name, _, _ in results)
        inputs = ", ".join(f"{name}: {of(*type)}" for name, type in self.inputs.items())
        values = f"({values})" if len(results) > 1 else values
        body = "\n".join([*lines, values])
        return "\n".join([*declarations,
                          f"export def main({inputs}, k: int, s: f32) -> ({types}) {{",
                          body, "}"]) + "\n"

    def save(self, folder, seed, sizes):
        """The arrays as files: the arguments of a run."""
        import numpy as np
        rng = np.random.default_rng(seed)
        types = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32,
                 "int": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32,
                 "u64": np.uint64, "f16": np.float16, "f32": np.float32,
                 "f64": np.float64, "c64": np.complex64, "c128": np.complex128}
        arguments = []
        for name, (kind, dims) in self.inputs.items():
            shape = [sizes[d] for d in dims]
            low = 0 if kind in ("bool", "u8", "u16", "u32", "u64") else -5
            value = rng.integers(low, 2 if kind == "bool" else 6, shape)
            if kind in INEXACT:
                value = rng.integers(-40, 41, shape) / 8
            if kind in COMPLEX:
                value = value + 1j * (rng.integers(-8, 9, shape) / 4)
            path = os.path.join(folder, name + ".npy")
            np.save(path, value.astype(types[kind]))
            arguments.append(f"{name}=@{path}")
        return arguments + [f"k={rng.integers(-3, 4)}", f"s={rng.integers(-8, 9) / 4}"]
