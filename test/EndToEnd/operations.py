#!/usr/bin/env python3
"""Every operation on every type, corner values included, against the evaluator.

    operations.py --arrc build/dev/bin/arrc [--only NAME] [--sizes 1,7,1000]
                  [--target T] [--jobs N]

Writes a map of each operation as array text and runs it by 'arrc run --check': so
the table of units in the last place that the language promises is a test, and so
are NaN, infinities, zeros of both signs, subnormals and the least integers.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("operations.py: skipped, there is no NumPy (Debian: python3-numpy)")
    sys.exit(0)

INTS = ["i8", "i16", "i32", "i64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
LARGE = ["f32", "f64"]
COMPLEX = {"c64": "complex<f32>", "c128": "complex<f64>"}
CORNERS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 1e-3, 3.0, 100.0, -100.0,
           np.inf, -np.inf, np.nan, 1e-40, -1e-40, 65504.0, 1e30, -1e30, 88.0, -88.0,
           0.99999994, 1e-45, 3.4e38, np.pi, np.pi / 2, 1e6, 12345.678]

# name: (operation, operand types, result type or None for that of the operands)
OPS = {}


def add(op, types, operands=2, result=None, name=None, suffix=""):
    for t in types:
        key = f"{name or op.split('.')[-1]}-{t}"
        OPS[key] = (op, [t] * operands, result or t, suffix)


for op in ["addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui",
           "maxui"]:
    add("arith." + op, INTS)
for op in ["addf", "subf", "mulf", "divf", "minimumf", "maximumf", "minnumf", "maxnumf"]:
    add("arith." + op, FLOATS)
add("arith.remf", LARGE)
add("arith.negf", FLOATS, 1)
for p in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]:
    add(f"arith.cmpi {p},", INTS, 2, "i1", "cmpi." + p)
for p in ["oeq", "ogt", "oge", "olt", "ole", "one", "une", "ueq", "ult", "uno", "ord"]:
    add(f"arith.cmpf {p},", FLOATS, 2, "i1", "cmpf." + p)
for op in ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt",
           "cbrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan",
           "asinh", "acosh", "atanh", "erf", "erfc", "floor", "ceil", "trunc",
           "roundeven", "round", "absf"]:
    add("math." + op, FLOATS, 1)
for op in ["isnan", "isinf", "isfinite"]:
    add("math." + op, FLOATS, 1, "i1")
for op in ["atan2", "powf", "copysign"]:
    add("math." + op, FLOATS)
add("math.fma", FLOATS, 3)
for op in ["ctpop", "ctlz", "cttz", "absi"]:
    add("math." + op, INTS, 1)
for a, b in [("i8", "i32"), ("i32", "i64"), ("i8", "i64")]:
    OPS[f"extsi-{a}-{b}"] = ("arith.extsi", [a], b, f" to {b}")
    OPS[f"extui-{a}-{b}"] = ("arith.extui", [a], b, f" to {b}")
    OPS[f"trunci-{b}-{a}"] = ("arith.trunci", [b], a, f" to {a}")
for f in FLOATS:
    for i in INTS:
        OPS[f"sitofp-{i}-{f}"] = ("arith.sitofp", [i], f, f" to {f}")
        OPS[f"uitofp-{i}-{f}"] = ("arith.uitofp", [i], f, f" to {f}")
for a, b in [("f32", "f64"), ("f16", "f32"), ("bf16", "f32"), ("f16", "f64")]:
    OPS[f"extf-{a}-{b}"] = ("arith.extf", [a], b, f" to {b}")
    OPS[f"truncf-{b}-{a}"] = ("arith.truncf", [b], a, f" to {a}")
for op in ["add", "sub", "mul", "div"]:
    add("complex." + op, COMPLEX, name="complex." + op)
for op in ["neg", "conj", "exp", "log", "sqrt", "sin", "cos"]:
    add("complex." + op, COMPLEX, 1, name="complex." + op)
for t, f in [("c64", "f32"), ("c128", "f64")]:
    for op in ["abs", "re", "im", "angle"]:
        OPS[f"complex.{op}-{t}"] = ("complex." + op, [t], f, "")

DTYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32,
          "i64": np.int64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
          "c64": np.complex64, "c128": np.complex128}


def module(key):
    """The text of one operation as an export."""
    op, types, result, suffix = OPS[key]
    mlir = lambda t: COMPLEX.get(t, t)
    # bf16 has no files: it comes and goes as f32.
    outside = lambda t: "f32" if t == "bf16" else t
    element = lambda t: {"i1": "bool"}.get(t, t)
    params, arguments, reads, names = [], [], [], []
    for k, t in enumerate(types):
        o = outside(t)
        params.append(f'{{name = "x{k}", element = "{element(o)}", rank = 1 : i64, '
                      f'type = "{element(o)}[n]", dims = ["n"]}}')
        arguments.append(f"%x{k}: tensor<?x{mlir(o)}> {{bufferization.writable = false}}")
        reads.append(f"    %e{k} = array.at %x{k}[%i] inbounds : tensor<?x{mlir(o)}>")
        names.append(f"%e{k}")
        if o != t:
            reads.append(f"    %t{k} = arith.truncf %e{k} : {o} to {t}")
            names[-1] = f"%t{k}"
    o = outside(result)
    kind = op.split()[0]
    body = f"    %r = {op} {', '.join(names)} : {mlir(types[0])}{suffix}"
    value = "%r"
    if o != result:
        body += f"\n    %s = arith.extf %r : {result} to {o}"
        value = "%s"
    binds = []
    for k, t in enumerate(types):
        binds.append(f"  %d{k} = tensor.dim %x{k}, %c0 : tensor<?x{mlir(outside(t))}>")
    for k in range(1, len(types)):
        binds.append(f"  %ok{k} = arith.cmpi eq, %d0, %d{k} : index\n"
                     f'  array.check input %ok{k}, "sizes differ"')
    lines = "\n".join(binds + [f'  %a = array.map (%i "i") in (%d0) {{'] + reads
                      + [body, f"    array.yield {value} : {mlir(o)}"])
    return f"""func.func @main({', '.join(arguments)}) -> tensor<?x{mlir(o)}> attributes {{arrc.export,
    arrc.params = [{', '.join(params)}],
    arrc.results = [{{name = "out", element = "{element(o)}", rank = 1 : i64, type = "{element(o)}[n]", dims = ["n"]}}]}} {{
  %c0 = arith.constant 0 : index
{lines}
  }} : tensor<?x{mlir(o)}>
  return %a : tensor<?x{mlir(o)}>
}}
"""


def values(rng, t, count):
    """Corner values first, then random ones of all magnitudes."""
    if t in INTS:
        info = np.iinfo(DTYPES[t])
        corners = np.array([0, 1, -1, 2, -2, info.max, info.min, info.max - 1, 7, -7])
        rest = rng.integers(info.min, info.max, count, dtype=np.int64, endpoint=True)
        return np.resize(np.concatenate([rng.permutation(corners), rest]), count).astype(DTYPES[t])
    if t in COMPLEX:
        part = "f32" if t == "c64" else "f64"
        mild = lambda: rng.standard_normal(count) * 10.0 ** rng.integers(-2, 3, count)
        return (mild() + 1j * mild()).astype(DTYPES[t])
    with np.errstate(over="ignore"):
        corners = rng.permutation(np.array(CORNERS))
        rest = rng.standard_normal(count) * 10.0 ** rng.uniform(-6, 4, count)
        every = np.concatenate([corners, rest]) if count > 40 else rng.choice(corners, count)
        return np.resize(every, count).astype(DTYPES[t])


def check(options, key, folder):
    """What is wrong with one operation, or nothing."""
    path = os.path.join(folder, "op.mlir")
    with open(path, "w") as f:
        f.write(module(key))
    for size in map(int, options.sizes.split(",")):
        rng = np.random.default_rng(size)
        command = [options.arrc, "run", path, "--check"]
        command += [options.opt] if options.opt else []
        command += [f"--target={options.target}"] if options.target else []
        for k, t in enumerate(OPS[key][1]):
            t = "f32" if t == "bf16" else t
            file = os.path.join(folder, f"x{k}.npy")
            np.save(file, values(rng, t, size))
            command.append(f"x{k}=@{file}")
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return f"{size} elements: no end after 120 s"
        said = " ".join(done.stderr.split())[:300]
        # What a device lacks it refuses with its name.
        if options.allow_refusal and done.returncode == 1 and options.allow_refusal in said:
            return None
        if done.returncode:
            return f"{size} elements: exit code {done.returncode}: {said}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--only", action="append", help="a part of a name")
    parser.add_argument("--sizes", default="7,1000")
    parser.add_argument("--opt", default="", help="-O0 .. -O3")
    parser.add_argument("--target", help="cpu, cuda, opencl, with :N for the N-th")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--allow-refusal", help="a text that a refusal must have to pass")
    options = parser.parse_args()
    keys = [key for key in OPS
            if not options.only or any(part in key for part in options.only)]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        places = [tempfile.mkdtemp(dir=folder) for _ in keys]
        for key, bad in zip(keys, pool.map(check, [options] * len(keys), keys, places)):
            passed, failed = passed + (not bad), failed + bool(bad)
            if bad:
                print(f"{key}, {bad}", flush=True)
    print(f"operations.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
