#!/usr/bin/env python3
"""NPBench's programs in NumPy's text, by NumPy and by arrc.numpy.

    utils/python.sh run utils/npbench.py FOLDER [--size S] [--shrink N] [--covered]
                                         [--limit SECONDS] [--repeat N] [NAME ..]

FOLDER is a checkout of spcl/npbench. The text of each program is run as it is, each in a
process of its own, with `numpy` meaning arrc.numpy the second time; what it returns and what
it writes to its arguments is compared. --shrink divides the sizes, --covered names what NumPy
computes. Where results differ by more than rounding, NumPy computes them from inputs that are off by
some units in the last place: what differs then, too, is right ("chaotic"). Each line has seconds of NumPy, of the first run here and of the second, until all is
computed that was recorded. --repeat runs both more often, in turn: the least time of each counts
then, and the least time of the processor, which other processes on the machine change less.
"""
import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import time
import warnings


def load(path: pathlib.Path, name: str):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def as_ours(path: pathlib.Path, name: str):
    """The module of a text whose `numpy` is arrc.numpy, as `python -m arrc` has it."""
    import types
    import arrc.numpy
    from arrc.numpy import _entry
    module = types.ModuleType(name)
    module.__file__ = str(path)
    with _entry.answering(str(path.parent)):
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
    return module, arrc.numpy


def arguments(info: dict, folder: pathlib.Path, size: str, shrink: int) -> dict:
    bench = info["benchmark"]
    found = {}
    for name, value in bench["parameters"][size].items():
        found[name] = max(value // shrink, 3) if shrink > 1 and isinstance(value, int) else value
    if "init" in bench and bench["init"]:
        init = bench["init"]
        module = load(folder / f"{bench['module_name']}.py", bench["module_name"] + "_init")
        made = getattr(module, init["func_name"])(*[found[name] for name in init["input_args"]])
        names = init["output_args"]
        found.update(zip(names, made if len(names) > 1 else [made]))
    return found


def copied(value):
    import numpy
    return value.copy() if isinstance(value, numpy.ndarray) else value


def once(info: dict, root: pathlib.Path, options) -> str:
    import numpy
    bench = info["benchmark"]
    folder = root / "npbench" / "benchmarks" / bench["relative_path"]
    path = folder / f"{bench['module_name']}_numpy.py"
    given = arguments(info, folder, options.size, options.shrink)
    inputs = [given[name] for name in bench["input_args"]]
    warnings.simplefilter("ignore")
    theirs = getattr(load(path, bench["module_name"]), bench["func_name"])
    numpy.seterr(all="ignore")

    def run(function, take, give, finish):
        values = [take(copied(value)) for value in inputs]
        start, used = time.perf_counter(), time.process_time()
        made = function(*values)
        finish()
        spent = time.perf_counter() - start, time.process_time() - used
        made = [give(item) for item in (made if isinstance(made, tuple) else (made,))
                if item is not None]
        given_back = [give(value) for value in values if not isinstance(value, (int, float))]
        return spent, made, given_back

    def run_numpy():
        return run(theirs, lambda value: value, lambda value: value, lambda: None)

    (seconds, used), wanted, changed = run_numpy()
    if seconds < 2:
        seconds, used = map(min, (seconds, used), run_numpy()[0])
    module, ours = as_ours(path, bench["module_name"] + "_ours")
    said: list = []
    if options.covered:
        ours.errors("warn")
    else:
        ours.errors("ignore")
    function = getattr(module, bench["func_name"])

    def take(value):
        return ours.array(value) if isinstance(value, numpy.ndarray) else value

    def give(value):
        return numpy.array(value.numpy()) if type(value) is ours.ndarray else value
    times = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for number in range(2 + options.repeat):
            taken, found, after = run(function, take, give, ours.flush)
            times.append(taken)
            if number > 1:
                seconds, used = map(min, (seconds, used), run_numpy()[0])
    wrong = [k for k, (a, b) in enumerate(zip(found + after, wanted + changed)) if not same(a, b)]
    chaotic = ""
    if wrong and len(found + after) == len(wanted + changed):
        others = []
        for units in (1, -1, 3, -3):
            _, made, given_back = run(theirs, lambda value: moved(value, units),
                                      lambda value: value, lambda: None)
            others.append(made + given_back)
        if all(is_as_far((found + after)[k], (wanted + changed)[k],
                         [other[k] for other in others]) for k in wrong):
            wrong, chaotic = [], " chaotic"
    if len(found + after) != len(wanted + changed):
        wrong.append(-1)
    names = sorted({str(w.message).partition("NumPy computes ")[2] for w in said
                    if "NumPy computes" in str(w.message)})
    second, work = map(min, *times[1:]) if options.repeat else times[1]
    return (f"{'wrong' if wrong else 'right'}{chaotic} numpy {seconds:.4f} first {times[0][0]:.3f} "
            f"second {second:.4f} ratio {seconds / second:.2f}"
            + (f" processor {used:.4f} {work:.4f} ratio {used / work:.2f}"
               if options.repeat else "")
            + (f" by NumPy: {'; '.join(names)}" if names else ""))


def same(a, b) -> bool:
    import numpy
    if hasattr(b, "todense"):
        return True
    if isinstance(b, (numpy.ndarray, numpy.generic, float, complex)):
        a, b = numpy.asarray(a), numpy.asarray(b)
        if a.shape != b.shape:
            return False
        exact = b.dtype.kind not in "fc"
        if exact:
            return numpy.array_equal(a, b)
        scale = numpy.abs(b[numpy.isfinite(b)]).max(initial=0.0)
        tolerance = 1e-4 if b.dtype.itemsize // (2 if b.dtype.kind == "c" else 1) == 4 else 1e-8
        return numpy.allclose(a, b, tolerance, tolerance * scale, equal_nan=True)
    return True


def moved(value, units: int):
    """An input that is off by units in the last place."""
    import numpy
    kind = getattr(value, "dtype", numpy.asarray(value).dtype).kind
    if kind == "c":
        return value * (1 + units * numpy.finfo(numpy.asarray(value).dtype).eps)
    if kind != "f":
        return value
    for _ in range(abs(units)):
        value = numpy.nextafter(value, numpy.sign(units) * numpy.asarray(value).dtype.type(1e30))
    return float(value) if numpy.ndim(value) == 0 else value


def is_as_far(a, b, others: list) -> bool:
    """Whether `a` is no farther from `b` than ten times what the others are."""
    import numpy
    b = numpy.asarray(b)

    def far(a):
        a = numpy.asarray(a)
        if b.dtype.kind not in "fc":
            return numpy.count_nonzero(a != b), 0.0
        finite = numpy.isfinite(a) & numpy.isfinite(b)
        return (numpy.count_nonzero(numpy.isfinite(a) != numpy.isfinite(b)),
                float(numpy.abs(a[finite] - b[finite]).max(initial=0.0)))
    if numpy.shape(a) != b.shape:
        return False
    count, distance = far(a)
    most, farthest = map(max, *[far(other) for other in others])
    return count <= 10 * most and distance <= 10 * farthest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--size", default="S")
    parser.add_argument("--shrink", type=int, default=1)
    parser.add_argument("--covered", action="store_true")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    files = sorted((options.folder / "bench_info").glob("*.json"))
    if options.one:
        info = json.loads((options.folder / "bench_info" / f"{options.names[0]}.json").read_text())
        print(once(info, options.folder, options))
        return 0
    failed = []
    for file in files:
        if options.names and file.stem not in options.names:
            continue
        words = [sys.executable, __file__, str(options.folder), "--one", "--size", options.size,
                 "--shrink", str(options.shrink), "--repeat", str(options.repeat), file.stem]
        words += ["--covered"] if options.covered else []
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=options.limit)
            text = done.stdout.strip().splitlines()
            line = text[-1] if done.returncode == 0 and text else \
                "failed " + " | ".join(done.stderr.strip().splitlines()[-3:])
        except subprocess.TimeoutExpired:
            line = f"failed: more than {options.limit:.0f} s"
        if not line.startswith("right"):
            failed.append(file.stem)
        print(f"{file.stem:26} {line}", flush=True)
    print(f"{len(failed)} failed: {' '.join(failed)}" if failed else "all right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
