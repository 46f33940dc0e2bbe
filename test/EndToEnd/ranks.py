#!/usr/bin/env python3
"""One program in several processes of MPI: files, traffic, and what fails.

    ranks.py --arrc build/dev/bin/arrc --mpirun 'mpirun --oversubscribe'

Programs in general are run so by `programs.py --ranks`; here is what that does
not look at: each process reads and writes its share of files, sends what parts
of one process send each other, and what goes wrong is said once, ends all
processes and names the one in which it did.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))
HEAT = os.path.normpath(os.path.join(HERE, "..", "..", "examples", "heat.arr"))
# Blocks of columns, a fold, updates, a filter, and rows of 64-bit numbers that the
# plan of a launch reads.
MIXED = """
export def mixed(a: f32[n, m], k: i32[l]) -> (t: f32[m, n], s: f64, h: int[97], p: i32[?], b: bool[n]) {
  let t = for j in m, i in n { 2.0 * a[i, j] }
  let s = sum for i, j { f64(a[i, j]) }
  let h = hist((+), 0, 97) for i in l { (int(k[i] % 97), 1) }
  let p = for x in k if x % 3 == 0 { x }
  (t, s, h, p, for i in n { a[i, 0] > 0.5 })
}
"""
CHECKED = """
export def pick(a: f32[n], at: int[l]) -> f32[l] = for i in l { a[at[i]] }
"""
ENDLESS = """
export def spin(a: f32[n], steps: int) -> f32[n] {
  var x = a
  loop k in steps { x = for i in n { 0.5 * (x[i] + x[(i + 1) % n]) } }
  x
}
"""
# Calls the library from a program of C, in which MPI may be at work already.
CALLER = """
#include "heat.h"
#include <stdio.h>
#ifdef OWN
#include <mpi.h>
#endif
enum { n = 60, m = 50 };
static float t0[n * m], t[n * m];
int main(int argc, char **argv) {
#ifdef OWN
  MPI_Init(&argc, &argv);
#endif
  arrt_options options = {0};
  options.flags = ARRT_OPTION_RANKS;
  arrt_context *ctx = arrt_context_create(&options);
  int64_t iterations = 0;
  int32_t count = 0, rank = arrt_context_rank(ctx, &count), status = arrt_last_status(ctx);
  for (int i = 0; i < n * m; ++i)
    t0[i] = i % 17;
  if (!status)
    status = heat(ctx, n, m, t0, 1e-9f, 25, t, &iterations);
  double sum = 0;
  for (int i = 0; i < n * m; ++i)
    sum += t[i] * (i % 7);
  printf("rank %d of %d: status %d %s, %d iterations, %.17g\\n", rank, count, status,
         arrt_message(ctx), (int)iterations, sum);
  arrt_context_destroy(ctx);
#ifdef OWN
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
#else
  arrt_ranks_finish();
#endif
  return status;
}
"""
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print(f"ranks.py: {what}", flush=True)


class Runs:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.environment = os.environ | {"ARRC_CACHE": self.path("cache")}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def launch(self, ranks, *words):
        mpirun = shlex.split(self.options.mpirun)
        return [*mpirun, "-n", str(ranks), *words] if ranks > 1 else list(words)

    def run(self, words, **more):
        return subprocess.run(words, capture_output=True, text=True, timeout=200,
                              env=self.environment | more)

    def arrc(self, ranks, *words):
        return self.run(self.launch(ranks, self.options.arrc, "run", *words,
                                    f"--target={self.options.target}"))


def traffic(text):
    """The line of what parts have sent, without what went in and out."""
    found = re.search(r"traffic: (\d+ parts).* bytes in, (.*) copies, .* out; (.*), ", text)
    return found.groups() if found else text


def check_files(runs):
    plate = runs.path("plate.npy")
    np.save(plate, np.random.default_rng(5).random((211, 173), np.float32))
    words = [HEAT, f"t0=@{plate}", "tol=1e-9", "max_iter=40", "--time"]
    whole = {}
    for parts in (2, 3, 4):
        whole[parts] = runs.arrc(1, *words, f"--parts={parts}",
                                 f"--output=t=@{runs.path('one.npy')}")
        expect(whole[parts].returncode == 0, f"one process: {whole[parts].stderr}")
    for ranks in (2, 3, 4):
        got = runs.arrc(ranks, *words, f"--output=t=@{runs.path('many.npy')}")
        expect(got.returncode == 0, f"{ranks} ranks: {got.stderr}")
        expect(got.stdout == whole[ranks].stdout, f"{ranks} ranks print {got.stdout}")
        expect(traffic(got.stderr) == traffic(whole[ranks].stderr),
               f"{ranks} ranks send {got.stderr}, as parts {whole[ranks].stderr}")
        with open(runs.path("one.npy"), "rb") as one, open(runs.path("many.npy"), "rb") as many:
            expect(one.read() == many.read(), f"{ranks} ranks write another file")
    # More parts than ranks, and other kinds of files.
    source = runs.write("mixed.arr", MIXED)
    np.save(runs.path("a.npy"), np.random.default_rng(6).random((67, 301), np.float32))
    np.save(runs.path("f.npy"), np.asfortranarray(np.load(runs.path("a.npy"))))
    np.savez(runs.path("k.npz"), k=np.arange(40000, dtype=np.int32) * 7)
    np.save(runs.path("k.npy"), np.arange(40000, dtype=np.int32) * 7)
    printed = None
    for ranks, word in ((1, "--parts=1"), (2, "--parts=5"), (3, "--parts=3"), (4, "--parts=8")):
        for array in ("a.npy", "f.npy"):
            results = [f"--output={name}=@{runs.path(name + '.npy')}" for name in "thpb"]
            got = runs.arrc(ranks, source, f"a=@{runs.path(array)}", f"k=@{runs.path('k.npy')}",
                            word, *results)
            files = [open(runs.path(name + ".npy"), "rb").read() for name in "thpb"]
            expect(got.returncode == 0, f"{ranks} ranks, {word}: {got.stderr}")
            printed = printed or (got.stdout, files)
            expect(printed == (got.stdout, files), f"{ranks} ranks, {word}, {array}: other results")
    left = [name for name in os.listdir(runs.folder) if name.startswith(".arrc")]
    expect(not left, f"files are left: {left}")


def check_executable(runs):
    plate = runs.path("plate.npy")
    np.save(plate, np.random.default_rng(5).random((211, 173), np.float32))
    program = runs.path("heat")
    built = runs.run([runs.options.arrc, "build", "--parts=1", f"--target={runs.options.target}",
                      HEAT, "-o", program])
    expect(built.returncode == 0, f"build: {built.stderr}")
    words = [program, f"t0=@{plate}", "tol=1e-9", "max_iter=40"]
    one, many = runs.run(words), runs.run(runs.launch(3, *words))
    expect(many.returncode == 0 and one.stdout == many.stdout,
           f"an executable prints {one.stdout} and {many.stdout}{many.stderr}")


def check_library(runs):
    """Every rank gets the results of one process."""
    build = os.path.dirname(os.path.dirname(runs.options.arrc))
    include = os.path.normpath(os.path.join(HERE, "..", "..", "runtime", "include"))
    common = [runs.options.arrc, "build", HEAT]
    runs.write("caller.c", CALLER)
    for words in ([*common, "--emit=header", "-o", runs.path("heat.h")],
                  [*common, "--emit=lib", "--parts=1", "-o", runs.path("libheat.a")]):
        built = runs.run(words)
        expect(built.returncode == 0, f"build: {built.stderr}")
    for compiler in (["gcc"], ["mpicc", "-DOWN"]):
        if not shutil.which(compiler[0]):
            continue
        # Debian's mpicc comes without the header.
        if "-DOWN" in compiler and runs.run(
                [*compiler, "-E", "-include", "mpi.h", runs.path("caller.c"), f"-I{include}",
                 "-o", os.devnull]).returncode:
            print(f"ranks.py: {compiler[0]} finds no mpi.h: not run")
            continue
        caller = runs.path("caller")
        built = runs.run([*compiler, f"-I{include}", runs.path("caller.c"), runs.path("libheat.a"),
                          f"{build}/lib/libarrt.a", "-lstdc++", "-lpthread", "-ldl", "-lm",
                          "-rdynamic", "-o", caller])
        expect(built.returncode == 0, f"{compiler[0]}: {built.stderr}")
        one, many = runs.run([caller]), runs.run(runs.launch(3, caller))
        wanted = one.stdout.replace("rank 0 of 1", "")
        lines = sorted(many.stdout.splitlines(True))
        expect(one.returncode == 0 and len(lines) == 3 and all(
            line == f"rank {rank} of 3{wanted}" for rank, line in enumerate(lines)),
            f"{compiler[0]}: {one.stdout}{one.stderr} and {many.stdout}{many.stderr}")


def once(got, pattern, code, what):
    """That a failure is said once, with this exit code."""
    expect(got.returncode == code, f"{what}: exit code {got.returncode}, {got.stderr}")
    expect(len(re.findall(pattern, got.stderr + got.stdout)) == 1,
           f"{what}: not once '{pattern}' in {got.stderr}")


def check_failures(runs):
    source = runs.write("checked.arr", CHECKED)
    at = np.arange(50000, dtype=np.int64)
    one = None
    for wrong in ([49000], [20000, 49000], [3]):
        changed = at.copy()
        changed[wrong] = 70000 + np.arange(len(wrong))
        np.save(runs.path("at.npy"), changed)
        np.save(runs.path("v.npy"), np.ones(50000, np.float32))
        words = [source, f"a=@{runs.path('v.npy')}", f"at=@{runs.path('at.npy')}"]
        one = runs.arrc(1, *words)
        expect(one.returncode == 3, f"a failing check: {one.stderr}")
        message = one.stderr.splitlines()[0]
        once(runs.arrc(4, *words), re.escape(message), 3, f"a check at {wrong}")
    once(runs.arrc(3, source, "a=[1.0]"), "error: the argument 'at'", 2, "a missing argument")
    once(runs.arrc(3, source, "a=@nowhere.npy", "at=[0]"), "nowhere.npy", 74, "a missing file")
    once(runs.arrc(3, runs.write("wrong.arr", "export def f() -> int = x")), r"error\[", 1,
         "a wrong program")
    once(runs.run(runs.launch(2, runs.options.arrc, "run", HEAT, "t0=full(1, 9, 9)", "tol=1.0",
                              "max_iter=3"), ARRC_MPI_LIBRARY="/nowhere/libmpi.so"),
         "one of 2 processes of MPI: /nowhere/libmpi.so cannot be loaded", 4, "no library")
    alone = runs.run(runs.launch(2, runs.options.arrc, "run", HEAT, "t0=full(1, 9, 9)", "tol=1.0",
                                 "max_iter=3"), ARRC_RANKS="off")
    expect(len(re.findall("iterations:", alone.stdout)) == 2, f"not each alone: {alone.stdout}")
    once(runs.arrc(3, source, "--bad"), "error: unknown option", 2, "a wrong option")
    # One process alone: it has less memory.
    words = [runs.options.arrc, "run", runs.write("spin.arr", ENDLESS), "a=full(1, 900000)",
             "steps=1000000000", f"--target={runs.options.target}"]
    start = time.monotonic()
    got = runs.run([*runs.launch(2, *words), ":", "-n", "1", "env", "ARRC_MEMORY=1M", *words])
    once(got, "out of memory", 4, "one rank's memory")
    expect("rank 2 of 3" in got.stderr, f"the rank is not named: {got.stderr}")
    expect(time.monotonic() - start < 30, "it took long")


def check_death(runs):
    """A rank that is killed ends all others."""
    process = subprocess.Popen(
        runs.launch(3, runs.options.arrc, "run", runs.write("spin.arr", ENDLESS), "a=full(1, 30000)",
                    "steps=1000000000", f"--target={runs.options.target}"),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=runs.environment)
    ranks = {}
    for _ in range(300):
        time.sleep(0.2)
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)],
                                capture_output=True, text=True).stdout.split()
        for pid in listed:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if found := re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", file.read()):
                    ranks[int(found[1])] = int(pid)
        if len(ranks) == 3:
            break
    time.sleep(3)
    expect(process.poll() is None and len(ranks) == 3, f"three ranks do not run: {ranks}")
    if len(ranks) == 3:
        os.kill(ranks[1], signal.SIGKILL)
    start = time.monotonic()
    try:
        text, _ = process.communicate(timeout=30)
        expect(process.returncode != 0, "a rank was killed, and all is well")
        expect("rank 1" in text, f"the rank is not named: {text}")
        print(f"ranks.py: a killed rank ended all in {time.monotonic() - start:.1f} s")
    except subprocess.TimeoutExpired:
        expect(False, "the others went on")
        process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe --allow-run-as-root "
                                            "--bind-to none")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--only", help="files, executable, library, failures or death")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options, folder)
        for check in (check_files, check_executable, check_library, check_failures, check_death):
            if not options.only or options.only in check.__name__:
                check(runs)
    print(f"ranks.py: {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
