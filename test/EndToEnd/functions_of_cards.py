"""What the PTX target computes by code of its own: exp and tanh of f64, quotients.

    functions_of_cards.py --arrc bin/arrc [--target cuda] [--count 20000] [--seed 1]

Numbers of every size, zeros, infinities, NaN, and those beside which exp leaves
the range. Prints the largest error in units of the last place against long double;
fails where it is more than what lib/Target/PTX/Functions.cpp promises, or what no
rounding explains. Quotients of f32 and f64, three an element, have NumPy's bits.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

#: Units of the last place.
MOST = {"exp": 1.1, "tanh": 3}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 709.782712893384, 709.7827128933841,
           -745.1332191019411, -745.1332191019412, -745.14, 745.13, 745.14, 1e308, -1e308,
           5e-324, -5e-324, 2.2e-308, -708.39, -708.4, -740.0, 22.0, 22.0000001, -30.0]


def make_numbers(rng, count):
    """`count` numbers of each of five kinds, and the special ones."""
    return np.concatenate([
        rng.normal(size=count), rng.uniform(-745.5, 710.5, count),
        np.exp(rng.uniform(-700, 6.6, count)) * rng.choice([-1, 1], count),
        rng.uniform(-25, 25, count), rng.uniform(-0.4, 0.4, count), SPECIAL])


def get_error(got, wanted):
    """The largest difference of finite results in units of the last place of
    `wanted` (long double), infinite where one is finite and the other is not,
    or a sign or a NaN is wrong."""
    with np.errstate(over="ignore"):
        near = wanted.astype(np.float64)
    same = (np.isnan(got) == np.isnan(near)) & (np.isfinite(got) == np.isfinite(near))
    same &= np.isnan(near) | (np.signbit(got) == np.signbit(near))
    if not same.all():
        return np.inf
    finite = np.isfinite(near)
    units = np.spacing(np.abs(near[finite])).astype(np.longdouble)
    return float(np.max(np.abs(got[finite].astype(np.longdouble) - wanted[finite]) / units))


def make_operands(rng, count, dtype):
    """Any bits, numbers around 1, zeros of both signs, infinities and subnormals."""
    bits = {"f32": np.uint32, "f64": np.uint64}[dtype]
    wide = np.dtype(bits).itemsize * 8
    low = rng.integers(0, 2 ** (wide - 10), count, dtype=np.uint64).astype(bits)
    any_bits = rng.integers(0, 2 ** 64 - 1, count, dtype=np.uint64, endpoint=True)
    floats = {"f32": np.float32, "f64": np.float64}[dtype]
    numbers = np.concatenate([
        (any_bits >> np.uint64(64 - wide)).astype(bits).view(floats),
        rng.normal(size=2 * count).astype(floats), low.view(floats),
        np.repeat(np.array([0.0, -0.0, np.inf, -np.inf, 1.0], floats), count // 20)])
    rng.shuffle(numbers)
    return numbers


def check_quotients(run, rng, count, dtype):
    """The number of quotients that are not NumPy's."""
    a, b, c = (make_operands(rng, count, dtype) for _ in range(3))
    got = run(f"export def f(a: {dtype}[n], b: {dtype}[n], c: {dtype}[n]) -> "
              f"(x: {dtype}[n], y: {dtype}[n], z: {dtype}[n]) =\n"
              "  for i { (a[i] / b[i], c[i] / b[i], a[i] / c[i]) }\n",
              {"a": a, "b": b, "c": c}, ["x", "y", "z"])
    wrong = 0
    for out, (over, under) in zip(got, [(a, b), (c, b), (a, c)]):
        with np.errstate(all="ignore"):
            want = over / under
        same = (out == want) & (np.signbit(out) == np.signbit(want))
        wrong += int(np.sum(~(same | (np.isnan(out) & np.isnan(want)))))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arrc", required=True)
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    numbers = make_numbers(rng, options.count)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        def run(text, inputs, outputs):
            """The results of the program `text` that are called `outputs`."""
            source = os.path.join(folder, "f.arr")
            with open(source, "w") as file:
                file.write(text)
            command = [options.arrc, "run", source, f"--target={options.target}"]
            for name, array in inputs.items():
                np.save(os.path.join(folder, name), array)
                command.append(f"{name}=@{folder}/{name}.npy")
            for name in outputs:
                command += ["--output", f"{name}=@{folder}/{name}.npy"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            return [np.load(f"{folder}/{name}.npy") for name in outputs]

        for name, most in MOST.items():
            text = f"export def f(a: f64[n]) -> f64[n] = for i {{ {name}(a[i]) }}\n"
            with np.errstate(all="ignore"):
                wanted = getattr(np, name)(numbers.astype(np.longdouble))
            error = get_error(run(text, {"a": numbers}, ["out"])[0], wanted)
            failed += error > most
            print(f"{name}: {error:.2f} units of the last place, at most {most}")
        for dtype in ("f32", "f64"):
            wrong = check_quotients(run, rng, options.count, dtype)
            failed += wrong != 0
            print(f"{dtype} / {dtype}: {wrong} wrong quotients")
    print(f"{len(MOST) + 2 - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
