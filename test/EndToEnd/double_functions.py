"""Functions of f64 that the PTX target writes itself, against long double.

    double_functions.py --arrc bin/arrc [--target cuda] [--count 20000] [--seed 1]

Numbers of every size, zeros, infinities, NaN, and those beside which exp leaves
the range. Prints the largest error in units of the last place; fails where it is
more than what lib/Target/PTX/Functions.cpp promises, or what no rounding explains.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

#: Units of the last place.
MOST = {"exp": 1.1, "tanh": 2.5}
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
    near = wanted.astype(np.float64)
    same = (np.isnan(got) == np.isnan(near)) & (np.isfinite(got) == np.isfinite(near))
    same &= np.isnan(near) | (np.signbit(got) == np.signbit(near))
    if not same.all():
        return np.inf
    finite = np.isfinite(near)
    units = np.spacing(np.abs(near[finite])).astype(np.longdouble)
    return float(np.max(np.abs(got[finite].astype(np.longdouble) - wanted[finite]) / units))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arrc", required=True)
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    numbers = make_numbers(np.random.default_rng(options.seed), options.count)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, given, out = (os.path.join(folder, n) for n in ("f.arr", "a.npy", "o.npy"))
        np.save(given, numbers)
        for name, most in MOST.items():
            with open(source, "w") as file:
                file.write(f"export def f(a: f64[n]) -> f64[n] = for i {{ {name}(a[i]) }}\n")
            subprocess.run([options.arrc, "run", source, f"--target={options.target}",
                            f"a=@{given}", "--output", f"out=@{out}"], check=True)
            with np.errstate(all="ignore"):
                wanted = getattr(np, name)(numbers.astype(np.longdouble))
            error = get_error(np.load(out), wanted)
            good = error <= most
            failed += not good
            print(f"{name}: {error:.2f} units of the last place, {'right' if good else 'WRONG'}")
    print(f"{len(MOST) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
