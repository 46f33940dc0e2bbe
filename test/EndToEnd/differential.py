#!/usr/bin/env python3
"""Random programs through the compiler and the reference evaluator.

    differential.py --arrc build/dev/bin/arrc [--programs N] [--seed S] [--keep DIR]
                    [--target T] [--jobs N]

Writes valid random programs over integers and floats (maps, stencils, reductions,
scans, histograms, slices, branches, loops, nested), runs each by 'arrc run --check'
with sizes 0, 1 and odd ones, at -O0 and as usual, and reports every program that
differs, fails to compile or ends by a signal. Programs are a function of the seed.
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

SIZES = [{"n": 5, "m": 3}, {"n": 1, "m": 1}, {"n": 0, "m": 2}, {"n": 2, "m": 0},
         {"n": 33, "m": 17}]


FORMS = {
    "bool": [f"({{{k}}} {op} {{{k}}})" for k in "if"
             for op in ("<", "<=", ">", ">=", "==", "!=")]
            + ["({b} and {b})", "({b} or {b})", "(not {b})"],
    "int": ["({i} + {i})", "({i} - {i})", "({i} * {i})", "min({i}, {i})",
            "max({i}, {i})", "abs({i})", "(-{i})", "({i} // 2)", "({i} // 3)",
            "({i} // -2)", "({i} % 3)", "({i} % 4)", "({i} // (abs({i}) + 1))",
            "bitand({i}, 7)", "select({b}, {i}, {i})", "int({f})", "({i})**2"],
    "f32": ["({f} + {f})", "({f} - {f})", "({f} * {f})", "min({f}, {f})",
            "max({f}, {f})", "abs({f})", "(-{f})", "({f} / (1.0 + abs({f})))",
            "sqrt(abs({f}))", "floor({f})", "select({b}, {f}, {f})", "f32({i})",
            "exp(-abs({f}))", "tanh({f})", "fma({f}, {f}, {f})"],
}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arrays = {("int", ("n", "m")): ["a"], ("f32", ("n", "m")): ["x"],
                       ("int", ("n",)): ["b"], ("f32", ("m",)): ["y"],
                       ("bool", ("n", "m")): ["w"]}
        self.scalars = {"int": ["k"], "f32": ["s"], "bool": []}
        self.names = 0
        self.pure = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # Scalars. `indices` maps an index to the size that it ranges over.

    def literal(self, kind):
        if kind == "bool":
            return self.pick("true", "false")
        number = str(self.random.randint(0, 4))
        return number if kind == "int" else number + self.pick(".0", ".5")

    def scalar(self, kind, indices, depth):
        r = self.random.random()
        if depth <= 0 or r < 0.12:
            leaves = list(self.scalars[kind])
            if kind == "int":
                leaves += list(indices)
            if leaves and self.random.random() < 0.7:
                return self.random.choice(leaves)
            return self.literal(kind)
        if r < 0.45:
            read = self.read(kind, indices)
            if read:
                return read
        if r < 0.60 and depth >= 2 and kind != "bool":
            return self.reduction(kind, indices, depth - 1)
        forms = FORMS[kind]
        if r < 0.52:
            forms = [f"(if {{b}} {{{{ {{{kind[0]}}} }}}} else {{{{ {{{kind[0]}}} }}}})"]
        return self.fill(self.random.choice(forms), indices, depth - 1)

    def fill(self, form, indices, depth):
        """A form with {i}, {f}, {b} made ints, floats, bools."""
        kinds = {"i": "int", "f": "f32", "b": "bool"}
        return re.sub(r"\{(\{|\}|[ifb]\})|\}\}",
                      lambda m: {"{{": "{", "}}": "}"}.get(m.group(0))
                      or self.scalar(kinds[m.group(0)[1]], indices, depth), form)

    def read(self, kind, indices):
        """An element of an array: at indices over its own sizes, or guarded."""
        options = [(name, dims) for (k, dims), names in self.arrays.items()
                   if k == kind for name in names]
        if not options or not indices:
            return None
        name, dims = self.random.choice(options)
        places, guards = [], []
        for size in dims:
            fitting = [i for i, over in indices.items() if over == size]
            if fitting:
                places.append(self.random.choice(fitting))
                continue
            # Any index, taken around; guarded, since the size may be 0.
            i = self.random.choice(list(indices))
            places.append(f"{i} % {size}")
            guards.append(f"{size} > 0")
        text = f"{name}[{', '.join(places)}]"
        if not guards:
            return text
        return f"(if {' and '.join(guards)} {{ {text} }} else {{ {self.literal(kind)} }})"

    def reduction(self, kind, indices, depth):
        i, size = self.name("i"), self.pick("n", "m")
        inner = {**indices, i: size}
        extent = size
        if self.random.random() < 0.2 and indices:
            # A range that depends on an index outside.
            extent = self.random.choice(list(indices))
            inner = dict(indices)
        guard = ""
        if self.random.random() < 0.2:
            guard = f" if {self.scalar('bool', inner, 1)}"
        body = self.scalar(kind, inner, depth)
        op = self.pick("sum", "max", "min") if kind == "int" else self.pick("sum", "max")
        text = f"({op} for {i} in {extent}{guard} {{ {body} }})"
        # Of nothing max gives the least number, which everything overflows.
        if op == "sum":
            return text
        return f"clamp({text}, {'-1000, 1000' if kind == 'int' else '-1000.0, 1000.0'})"

    # Arrays.

    def array(self, kind, dims, depth):
        names = self.arrays.get((kind, dims), [])
        r = self.random.random()
        if depth <= 0:
            return (self.random.choice(names) if names
                    else self.comprehension(kind, dims, 0))
        if r < 0.15 and names:
            return self.random.choice(names)
        if r < 0.25 and kind != "bool":
            a, b = self.array(kind, dims, depth - 1), self.array(kind, dims, depth - 1)
            return f"({a} {self.pick('+', '-', '*')} {b})"
        if r < 0.32 and len(dims) == 2:
            return f"transpose({self.array(kind, dims[::-1], depth - 1)})"
        if r < 0.38 and len(dims) == 1 and kind != "bool":
            return f"scan((+), {self.array(kind, dims, depth - 1)})"
        if r < 0.44 and len(dims) == 1 and kind == "int" and depth > 0:
            i, size = self.name("i"), self.pick("n", "m")
            inner = {i: size}
            return (f"(hist((+), 0, {dims[0]}, oob = drop) for {i} in {size} {{ "
                    f"(({self.scalar('int', inner, 1)}) % 4, {self.scalar('int', inner, 1)}) }})")
        if r < 0.50 and len(dims) == 1:
            other = "m" if dims[0] == "n" else "n"
            if kind != "bool":
                return f"sum({self.array(kind, (dims[0], other), depth - 1)}, axis = 1)"
        if r < 0.56 and len(dims) == 1:
            form = self.pick("reverse(%s)", f"roll(%s, {self.random.randint(-2, 2)})")
            return form % self.array(kind, dims, depth - 1)
        if r < 0.62:
            return (f"(if {self.scalar('bool', {}, 1)} {{ {self.array(kind, dims, depth - 1)} }} "
                    f"else {{ {self.array(kind, dims, depth - 1)} }})")
        return self.comprehension(kind, dims, depth)

    def comprehension(self, kind, dims, depth):
        indices = {self.name("i"): size for size in dims}
        head = ", ".join(f"{i} in {size}" for i, size in indices.items())
        body = self.scalar(kind, indices, depth + 1)
        return f"(for {head} {{ {body} }})"

    def stencil(self, kind, dims):
        u = self.name("u")
        source = self.array(kind, dims, 0)
        modes = ", ".join(self.pick("clamp", "wrap", "mirror", "reflect", "0")
                          for _ in dims)
        indices = [self.name("i") for _ in dims]
        reads = []
        for _ in range(self.random.randint(1, 5)):
            offsets = [self.random.randint(-2, 2) for _ in dims]
            places = ", ".join(f"{i} {'+' if o >= 0 else '-'} {abs(o)}"
                               for i, o in zip(indices, offsets))
            reads.append(f"{u}[{places}]")
        head = ", ".join(f"{i} in {size}" for i, size in zip(indices, dims))
        body = reads[0]
        for read in reads[1:]:
            body = f"{body} {self.pick('+', '-')} {read}"
        return [f"let {u} = extend({source}, {modes})"], f"stencil {head} {{ {body} }}"

    # Statements.

    def statements(self):
        lines = []
        for _ in range(self.random.randint(2, 5)):
            kind = self.pick("int", "f32", "int", "f32", "bool")
            dims = self.pick(("n",), ("m",), ("n", "m"), ("m", "n"))
            r = self.random.random()
            type = f"{kind}[{', '.join(dims)}]"
            if r < 0.15:
                name = self.name("t")
                kind = self.pick("int", "f32")
                lines.append(f"let {name}: {kind} = {self.reduction(kind, {}, 2)}")
                self.scalars[kind].append(name)
                continue
            name = self.name("v")
            if r < 0.35 and kind != "bool" and self.arrays.get((kind, dims)):
                before, value = self.stencil(kind, dims)
                lines += before + [f"let {name}: {type} = {value}"]
            elif r < 0.50 and kind != "bool":
                lines += self.loop(name, kind, dims, type)
            elif r < 0.60 and len(dims) == 1 and kind != "bool":
                lines += self.update(name, kind, dims, type)
            else:
                lines.append(f"let {name}: {type} = {self.array(kind, dims, 2)}")
            self.arrays.setdefault((kind, dims), []).append(name)
        return lines

    def loop(self, name, kind, dims, type):
        """A time loop that carries an array and a number."""
        old, count, total = self.array(kind, dims, 0), self.name("q"), self.name("t")
        indices = {self.name("i"): size for size in dims}
        head = ", ".join(f"{i} in {size}" for i, size in indices.items())
        self.arrays.setdefault((kind, dims), []).append(name)
        body = self.scalar(kind, indices, 2)
        bound = (f"({body}) % 100" if kind == "int" else f"clamp({body}, -100.0, 100.0)")
        self.arrays[(kind, dims)].remove(name)
        limit = self.random.randint(0, 3)
        if self.random.random() < 0.5:
            return [f"var {name}: {type} = {old}",
                    f"loop {count} in {limit} {{",
                    f"  {name} = for {head} {{ {bound} }}", "}"]
        return [f"var {name}: {type} = {old}", f"var {count} = 0", f"var {total}: {kind} = 0",
                f"while {count} < {limit} and {total} < 50 {{",
                f"  {name} = for {head} {{ {bound} }}",
                f"  {total} = {total} + clamp(sum({name}), -20, 20)",
                f"  {count} += 1", "}"]

    def update(self, name, kind, dims, type):
        size, other = dims[0], self.literal(kind)
        lines = [f"var {name}: {type} = {self.array(kind, dims, 1)}"]
        lines.append(self.pick(
            f"if {size} > 2 {{ {name}[1:{size}-1] = {other} }}",
            f"if {size} > 0 {{ {name}[0] = {other} }}",
            f"loop z{self.names} in 1:{size} {{ {name}[z{self.names}] = {name}[z{self.names}] - {name}[z{self.names} - 1] }}",
            f"{name}[0:{size} // 2] = {other}"))
        return lines

    def program(self):
        body = self.statements()
        results = []
        for (kind, dims), names in self.arrays.items():
            for name in names:
                if name.startswith("v"):
                    results.append((name, f"{kind}[{', '.join(dims)}]"))
        for kind, names in self.scalars.items():
            results += [(name, kind) for name in names if name.startswith("t")]
        types = ", ".join(f"r{k}: {t}" for k, (_, t) in enumerate(results))
        values = ", ".join(name for name, _ in results)
        if len(results) > 1:
            values = f"({values})"
        return "\n".join(
            ["export def main(a: int[n, m], x: f32[n, m], b: int[n], y: f32[m], w: bool[n, m],",
             f"                k: int, s: f32) -> ({types}) {{"]
            + ["  " + line for line in body] + ["  " + values, "}"]) + "\n"


def save(folder, seed, sizes):
    """The arrays as files; an empty list of rows says nothing of their size."""
    import numpy as np
    rng = np.random.default_rng(seed)
    n, m = sizes["n"], sizes["m"]
    values = {"a": rng.integers(-5, 6, (n, m)), "b": rng.integers(-5, 6, n),
              "x": (rng.integers(-40, 41, (n, m)) / 8).astype(np.float32),
              "y": (rng.integers(-40, 41, m) / 8).astype(np.float32),
              "w": rng.random((n, m)) < 0.5}
    result = []
    for name, value in values.items():
        path = os.path.join(folder, name + ".npy")
        np.save(path, value)
        result.append(f"{name}=@{path}")
    return result + [f"k={rng.integers(-3, 4)}", f"s={rng.integers(-8, 9) / 4}"]


def check(options, seed, top):
    """What is wrong with the program of a seed, or nothing."""
    text, folder = Generator(seed).program(), tempfile.mkdtemp(dir=top)
    path = os.path.join(folder, f"p{seed}.arr")
    with open(path, "w") as f:
        f.write(text)
    target = [f"--target={options.target}"] if options.target else []
    for k, sizes in enumerate(SIZES):
        inputs = save(folder, seed * 100 + k, sizes)
        for level in [target] if target else [["-O0"], []]:
            try:
                done = subprocess.run(
                    [options.arrc, "run", path, "--check", *level, *inputs],
                    capture_output=True, text=True, timeout=120)
            except subprocess.TimeoutExpired:
                return f"{sizes} {level}: no end after 120 s"
            if done.returncode:
                errors = [line for line in done.stderr.splitlines() if "agrees" not in line]
                return (f"{sizes} {' '.join(level)}: exit code {done.returncode}\n  "
                        + "\n  ".join(errors[:12]))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the programs that fail")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    parser.add_argument("--target", help="cpu, cuda, opencl, with :N for the N-th")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    options = parser.parse_args()

    seeds = range(options.seed, options.seed + options.programs)
    if options.print:
        for seed in seeds:
            print(Generator(seed).program())
        return
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("differential.py: skipped, there is no NumPy (Debian: python3-numpy)")
        return
    failed = 0
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checks = [pool.submit(check, options, seed, top) for seed in seeds]
        for seed, bad in zip(seeds, checks):
            bad = bad.result()
            if not bad:
                continue
            failed += 1
            print(f"seed {seed}, {bad}", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"p{seed}.arr"), "w") as f:
                    f.write(Generator(seed).program())
    print(f"differential.py: {options.programs - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
