#!/usr/bin/env python3
"""Hostile files, names, values, options, places and surroundings, one after the other.

    fuzz/faults/hostile.py build/dev/bin/arrc [--every N] [--only WORD]

Each case is a command and the exit code that it must have. None ends by a signal, an
assertion or text of LLVM, takes long or much memory, prints control characters, leaves a
file behind, or changes one that was there.
"""
import os
import pathlib
import resource
import socket
import subprocess
import sys

from common import Faults

GOOD = "export def f(x: f32[n]) -> (a: f32[n], b: f32) = (for i { x[i] + 1.0 }, sum for i { x[i] })\n"
MEMORY = 2 << 30  # of one process, in bytes of data
LIMIT = 20        # seconds


class Cases:
    def __init__(self, arrc):
        self.arrc = arrc
        self.opt = str(pathlib.Path(arrc).with_name("arr-opt"))
        self.list = []

    def add(self, name, codes, *words, **options):
        codes = {codes} if isinstance(codes, int) else set(codes)
        self.list.append((name, codes, [self.arrc, *words], options))

    def shell(self, name, codes, line, *words):
        """A command line of bash, with the compiler as "$A"."""
        self.list.append((name, {codes}, ["bash", "-c", "set -o pipefail; A=$0; " + line, self.arrc,
                                          *words], {}))

    def program(self, name, codes, text):
        """A program that is checked and built."""
        path = "programs/" + "".join(c if c.isalnum() else "-" for c in name) + ".arr"
        pathlib.Path(path).write_bytes(text if isinstance(text, bytes) else text.encode())
        self.add(name + ", checked", codes, "check", path)
        self.add(name + ", built", codes, "build", path, "--emit=kernel", "-o", "/dev/null")


def make_files():
    os.makedirs("programs")
    pathlib.Path("p.arr").write_text(GOOD)
    pathlib.Path("q.arr").write_text("export def f(x: f32[n]) -> f32[n] = x\n")
    pathlib.Path("old.npy").write_bytes(b"old")
    pathlib.Path("old.out").write_bytes(b"old")
    os.mkfifo("pipe")
    os.mkdir("folder")
    os.mkdir("folder.arr")
    os.symlink("nowhere", "dangling")
    os.symlink("loop", "loop")
    os.symlink("old.npy", "link.npy")
    os.symlink("new.npy", "toNew.npy")
    with socket.socket(socket.AF_UNIX) as at:
        at.bind("socket")
    with open("large", "wb") as file:
        file.truncate(1 << 40)
    pathlib.Path("no\x1b[2J\n.arr").write_text("export def f(x: f32) -> f32 = y\n")
    pathlib.Path("\udcff.arr".encode("utf-8", "surrogateescape").decode(
        "utf-8", "surrogateescape")).write_text(GOOD)


# What is no text: for a program, an import, text of a level, an input.
SPECIAL = ["pipe", "/dev/zero", "/dev/urandom", "/dev/null", "/dev/tty", "/dev/fd/0", "folder", "socket",
           "dangling", "loop", "missing", "no/such/file", "p.arr/x", "x" * 300, "large", "/proc/self/mem"]


def add_special_files(cases):
    for place in SPECIAL:
        shown = place[:20]
        # The large one is a program that has an error, and a file that is no .npy.
        codes = {1, 2, 74}
        cases.add(f"program {shown}", codes, "run", place)
        cases.add(f"checked {shown}", codes, "check", place)
        cases.add(f"built {shown}", codes, "build", place, "-c", "-o", "made.o")
        number = len(cases.list)
        pathlib.Path(f"programs/import{number}.arr").write_text(
            f'import "../{place}" as p\n' + GOOD if place[0] != "/" else f'import "{place}" as p\n' + GOOD)
        cases.add(f"import {shown}", codes, "check", f"programs/import{number}.arr")
        os.symlink(place if place[0] == "/" else f"../{place}"[:250], f"programs/level{number}.mlir")
        cases.add(f"level {shown}", codes, "build", f"programs/level{number}.mlir", "-c", "-o", "made.o")
        cases.add(f"input {shown}", {2, 74}, "run", "p.arr", f"x=@{place}")
        cases.list.append((f"arr-opt {shown}", {1, 74}, [cases.opt, place], {}))


def add_outputs(cases):
    run = ["run", "p.arr", "x=[1, 2]"]
    for place, code in [("/dev/full", 74), ("folder", 74), ("no/such.npy", 74), ("p.arr/x.npy", 74),
                        ("loop", 74), ("socket", 74), ("x" * 300 + ".npy", 74), ("", 2), ("x.gif", 2),
                        ("x.NPY", 2), ("x", 2), ("x.npy.gz", 2), (".npy", 2), ("x.npy/", 74),
                        ("dangling", 2), ("p.arr", 2), ("./p.arr", 2), ("old.out", 2), ("/dev/null", 0),
                        ("/proc/self/fd/77", 2), ("/proc/version", {2, 74}), ("\x1b.gif", 2), ("a\nb", 2)]:
        cases.add(f"output {place[:20]!r}", code, *run, "--output", f"a=@{place}")
    for a, b in [("new.npy", "new.npy"), ("new.npy", "./new.npy"), ("old.npy", "link.npy"),
                 ("new.npy", "toNew.npy"), ("new.npz", "folder/../new.npz")]:
        cases.add(f"outputs {a} and {b}", 2, *run, "--output", f"a=@{a}", "--output", f"b=@{b}")
    cases.add("second output full", 74, *run, "--output", "a=@old.npy", "--output", "b=@/dev/full")
    cases.add("output that is none", 2, *run, "--output", "c=@new.npy")
    for place, code in [("/dev/full", 74), ("folder", 74), ("no/such", 74), ("p.arr", 2), ("./p.arr", 2),
                        ("x" * 300, 74), ("socket", 74), ("loop", 74), ("/dev/null", 0), ("", 2)]:
        for emit in ("obj", "exe", "array"):
            cases.add(f"{emit} to {place[:20]!r}", code, "build", "p.arr", f"--emit={emit}", "-o", place)


def add_values(cases):
    for value in ["[ones(2**20), ones(2**20)]", "ones(2**40)", "full(ones(2**20), 2**20)", "zeros(2**20, 0, 0)",
                  "[" * 100000, "(" * 100000, "-" * 100000, "2**" * 30000 + "1", "1" * 100000, "1e" + "9" * 1000,
                  "[[1], [1, 2]]", "[1,", "]", "@", "@@", "1 +", "\x1b[31m", "\n", "\x00x"[1:], "nan", "inf",
                  "iota(-1)", "full()", "zeros()", "f(1)", "x", "0x", "1__0", "9" * 40, "1//0", "2**-1",
                  "sqrt(" * 300 + "1" + ")" * 300, "[true]", "complex(1, 2)", "é", "\u202e1", "[" + "1," * 60000 + "]"]:
        cases.add(f"value {value[:20]!r}", {0, 2, 74}, "run", "p.arr", "x=" + value)
    cases.add("values over the room together", 2, "run", "programs/two.arr", "x=ones(2**19)",
              "y=ones(2**19 + 1)")
    pathlib.Path("programs/two.arr").write_text("export def f(x: f32[n], y: f32[m]) -> f32 = x[0] + y[0]\n")
    for word in ["", "=", "=1", "x", "-x", "--x", "--", "x=[1]=2", "\x1bx=[1]", "y=[1]", "x\n=[1]", "--entry=\x1b",
                 "--threads=0", "--threads=99999", "--threads=\x1b", "--threads=1e9", "--target=\x1b",
                 "--target=cuda:-1", "--target=opencl:9999999999", "--entry", "--output", "--output=a",
                 "--output=\x1b=@x", "--time=1", "-O9", "-Dx", "-D", "-I", "-Dn=\x1b", "-D\x1b=1", "-I\x1b",
                 "--emit=array", "-o", "--arch=sm_1", "--arch=\x1b", "--cpu=\x1b", "--without=\x1b", "--without=",
                 "q.arr"]:
        cases.add(f"word {word!r}", {0, 1, 2, 4}, "run", "p.arr", "x=[1]", word)
    cases.add("ten thousand words", 2, "run", "p.arr", *[f"x{i}=1" for i in range(10000)])
    for verb in ["\x1b[2J", "rnu", "x" * 100000, "help\n"]:
        cases.add(f"verb {verb[:10]!r}", 2, verb)
    for name in ["no\x1b[2J\n.arr", b"\xff.arr", "missing\x1b.arr", "\u202e.arr"]:
        cases.add(f"name {name!r}", {0, 1, 74}, "check", os.fsdecode(name))


def add_facts(cases):
    for fact in ["", "=", "units", "units=", "units=-1", "units=x", "units=1.5", "units=99999999999999999999",
                 "units=9223372036854775807", "\x1b=1", "\x1b", "subgroup=2", "subgroup=16", "vector_bytes=3",
                 "vector_bytes=4294967296", "shared_bytes=9223372036854775807", "f64=2", "ordered_blocks=7",
                 "max_threads=0", "max_threads=4096", "units=0"]:
        cases.add(f"fact {fact!r}", 2, "build", "p.arr", "--target=cuda", "--emit=gpu", "--fact", fact, "-o",
                  "/dev/null")
    cases.add("fact of the CPU", 2, "run", "p.arr", "--target=cpu", "--fact", "units=3", "x=[1]")
    for fact in ["units=1", "units=65536", "max_threads=1", "max_threads=7", "shared_bytes=0", "vector_bytes=1",
                 "subgroup=0", "memory_bytes=0", "memory_bytes=9223372036854775807", "resident_units=65536"]:
        cases.add(f"fact {fact}", 0, "build", "p.arr", "--target=cuda", "--emit=gpu", "--fact", fact, "-o",
                  "/dev/null")


def add_programs(cases):
    body = "export def f(x: f32) -> f32 = "
    for name, text in [
            ("empty", ""), ("NULs", b"\0" * 1000), ("no UTF-8", b"\xff\xfe" * 100), ("a mark", b"\xef\xbb\xbf" + GOOD.encode()),
            ("returns", GOOD.replace("\n", "\r").encode()), ("escapes", "export def f(x: f32) -> f32 = \x1b[31m x"),
            ("a name of escapes", 'import "\x1b[2J.arr" as p\n' + GOOD), ("direction", "export def \u202ef(x: f32) -> f32 = x"),
            ("a long line", body + "x + " * 50000 + "x"), ("a long name", "export def " + "f" * 100000 + "() -> f32 = 1.0"),
            ("parentheses", body + "(" * 100000), ("brackets", body + "[" * 100000), ("minus", body + "-" * 100000),
            ("braces", body + "{" * 100000), ("ifs", body + "if x > 0.0 { " * 1000), ("digits", body + "1" * 100000),
            ("an exponent", body + "1e999999999"), ("powers", body + "x" + " ** x" * 3000), ("itself", 'import "itself.arr" as p\n' + GOOD),
            ("recursion", "def g(x: f32) -> f32 = g(x)\n" + body + "g(x)"), ("two names", GOOD + GOOD),
            ("a string", body + '"' + "x" * 100000), ("parameters", "export def f(" + ", ".join(f"a{i}: f32" for i in range(300)) + ") -> f32 = a0"),
            ("a large const", "const c = 2 ** 100000\n" + GOOD), ("a size", "export def f() -> f32[2 ** 62] = zeros(2 ** 62)"),
            ("braces of a message", body + "{0}{1}{99999999999}"), ("percents", body + "%s%n%s%n"), ("comments", "#" * 100000 + "\n" + GOOD),
    ]:
        cases.program(name, {0, 1}, text)
    # More than 16 MiB.
    with open("programs/long.arr", "w") as file:
        file.write("# long\n" * 2500000)
    cases.add("a long program", 1, "check", "programs/long.arr")


def add_surroundings(cases):
    cases.shell("a closed pipe", 74, '"$A" run p.arr x=[1] | true')
    cases.shell("a closed pipe of help", 74, '"$A" help run | true')
    cases.shell("text into a closed pipe", 74, '"$A" build p.arr --emit=llvm | true')
    cases.shell("a full output", 74, '"$A" run p.arr x=[1] > /dev/full')
    cases.shell("a full output of help", 74, '"$A" run p.arr --help > /dev/full')
    cases.shell("messages that cannot be written", 74, '"$A" run missing.arr 2> /dev/full; c=$?; echo said >&2; exit $c')
    cases.shell("no descriptors", 0, 'exec 0<&- ; "$A" run p.arr x=[1] > /dev/null')
    for blocks in (0, 1, 4):
        cases.shell(f"ulimit -f {blocks}, a program", 74, f'ulimit -f {blocks}; "$A" build p.arr -o program')
        cases.shell(f"ulimit -f {blocks}, a result", 74, f'ulimit -f {blocks}; "$A" run p.arr "x=ones(10000)" --output a=@old.npy')
    cases.shell("ulimit -f 0, an object", 74, 'ulimit -f 0; "$A" build q.arr -c -o made.o')
    cases.shell("no temporary folder", 74, 'TMPDIR=/nonexistent "$A" build p.arr -o program')
    cases.shell("no linker", 4, 'PATH= "$A" build p.arr -o program')
    cases.shell("no home", 0, 'env -u HOME -u XDG_CACHE_HOME ARRC_CACHE= "$A" run p.arr x=[1]')
    cases.shell("a cache that is a file", 0, 'ARRC_CACHE=p.arr "$A" run p.arr x=[1]')
    cases.shell("a cache that is a pipe", 0, 'ARRC_CACHE=pipe "$A" run p.arr x=[1]')
    cases.shell("an open cache", 0, 'mkdir open; chmod 777 open; ARRC_CACHE=$PWD/open "$A" run p.arr x=[1]; c=$?; rmdir open && exit $c')
    cases.shell("a cache behind an open folder", 0, 'mkdir -p open/in; chmod 777 open; ARRC_CACHE=$PWD/open/in "$A" run p.arr x=[1]; c=$?; rmdir open/in open && exit $c')
    cases.shell("an entry that is a pipe", 0, '"$A" run p.arr x=[3] && for e in "$ARRC_CACHE"/object-*; do rm "$e"; mkfifo "$e"; done; "$A" run p.arr x=[3]')
    cases.shell("a target that is none", 2, 'ARRC_TARGET=$(printf "\\033") "$A" run p.arr x=[1]')
    cases.shell("the standard output in a file", 0, '"$A" run p.arr x=[1] --output a=@/dev/stdout > stdout; c=$?; head -c 6 stdout | grep -qa NUMPY && rm stdout && exit $c')


def limits():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def listing():
    return sorted(str(p) for p in pathlib.Path(".").rglob("*") if p.parts[0] != "cache")


def main() -> int:
    faults = Faults("Hostile files and command lines.")
    faults.parser.add_argument("--every", type=int, default=1, help="run one case of N")
    faults.parser.add_argument("--only", default="", help="run the cases with this in their names")
    options = faults.start()
    make_files()
    cases = Cases(faults.arrc)
    for add in (add_special_files, add_outputs, add_values, add_facts, add_programs, add_surroundings):
        add(cases)
    before = listing()
    chosen = [c for c in cases.list if options.only in c[0]][options.seed % options.every::options.every]
    for name, codes, command, extra in chosen:
        ended = faults.run(command, limit=LIMIT, preexec_fn=limits, **extra)
        faults.judge(name, ended, codes)
        if pathlib.Path("old.npy").read_bytes() != b"old" or pathlib.Path("old.out").read_bytes() != b"old":
            faults.wrong(f"{name}: a file is changed")
        after = listing()
        if after != before:
            faults.wrong(f"{name}: leaves {sorted(set(after) - set(before))}")
            before = after
    return faults.finish(f"hostile, {len(chosen)} of {len(cases.list)} cases")


if __name__ == "__main__":
    sys.exit(main())
