#!/usr/bin/env python3
"""Programs that are long, deep or wide: checked soon, or refused by name.

    growth.py ARRC [KIND..] [--build]

Each kind is a program of N parts. `arrc check` takes at most 2 s of the processor and 512
MiB (twice the time is allowed here, for machines that do other things as well), and ends
with "no errors" or with the one message that names the limit. What only gets longer is checked
with a quarter of its parts, too: it may take ten times as long, which n log n does not
need and a square exceeds. With --build the program is compiled as well and what that takes
is printed.
"""

import os
import resource
import subprocess
import sys
import tempfile

SECONDS, MEBIBYTES = 4, 512
# Of four times as many parts; what takes less than a second is not compared.
GROWTH, COMPARED = 10, 1
KINDS = {}


def kind(count, code=None, grows=False):
    """Registers a generator: its N, the code of the message that it ends with, and whether
    it is compared with a quarter of N."""
    def register(function):
        KINDS[function.__name__] = (function, count, code, grows)
        return function
    return register


def lines(pattern, count, between="\n"):
    """`pattern` for each k; #k is k, #n is k + 1."""
    return between.join(pattern.replace("#k", str(k)).replace("#n", str(k + 1))
                        for k in range(count))


def function(count, first, pattern, result="a", head="(a: int) -> int"):
    """An export whose body is `pattern` for each k."""
    return (f"export def main{head} {{\n  {first}\n" + lines(pattern, count)
            + f"\n  {result}{count}\n}}\n")


# Chains of declarations, each needing the next one or the one before.

@kind(100000, "E0351")
def constants_backwards(n):
    return lines("const cc#k = cc#n + 1", n) + f"\nconst cc{n} = 1\nexport def main() -> int = cc0\n"


@kind(100000, "E0349")
def constants(n):
    return "const cc0 = 1\n" + lines("const cc#n = cc#k + 1", n) + f"\nexport def main() -> int = cc{n}\n"


@kind(20000)
def fewer_constants(n):
    return constants(n)


@kind(100000, "E0351")
def types_backwards(n):
    return lines("type t#k = t#n", n) + f"\ntype t{n} = f32\nexport def main(a: t0) -> f32 = a\n"


@kind(100000, "E0351")
def structs_backwards(n):
    return lines("struct S#k { a: S#n }", n) + f"\nstruct S{n} {{ a: f32 }}\nexport def main(a: S0) -> f32 = 1.0\n"


@kind(100000, "E0102")
def structs(n):
    return "struct S0 { a: f32 }\n" + lines("struct S#n { a: S#k }", n) + f"\nexport def main(a: S{n}) -> f32 = 1.0\n"


@kind(60, "E0137")
def structs_of_two(n):
    return "struct S0 { a: f32 }\n" + lines("struct S#n { a: S#k, b: S#k }", n) + f"\nexport def main(a: S{n}) -> f32 = 1.0\n"


@kind(64)
def structs_wide(n):
    return ("struct A { " + lines("a#k: f32", n, ", ") + " }\nstruct B { "
            + lines("b#k: A", n, ", ") + " }\nexport def main(x: B[n]) -> B[n] = for i { x[i] }\n")


@kind(100000, "E0351")
def functions_backwards(n):
    return ("export def main(a: int) -> int = fu0(a)\n" + lines("def fu#k(a: int) -> int = fu#n(a)", n)
            + f"\ndef fu{n}(a: int) -> int = a\n")


@kind(100000, "E0351")
def functions_without_types(n):
    return ("export def main(a: int) -> int = fu0(a)\n" + lines("def fu#k(a: int) = fu#n(a)", n)
            + f"\ndef fu{n}(a: int) = a\n")


@kind(2000, "E0348")
def functions(n):
    return ("def fu0(a: int) -> int = a\n" + lines("def fu#n(a: int) -> int = fu#k(a) + 1", n)
            + f"\nexport def main(a: int) -> int = fu{n}(a)\n")


@kind(190)
def calls_in_calls(n):
    return ("def fu0(a: int) -> int = a\n"
            + lines("def fu#n(a: int) -> int = " + "max(a, " * 15 + "fu#k(a)" + ")" * 15, n)
            + f"\nexport def main(a: int) -> int = fu{n}(a)\n")


@kind(60, "E0349")
def functions_called_twice(n):
    return ("def fu0(a: int) -> int = a + 1\n" + lines("def fu#n(a: int) -> int = fu#k(a) * fu#k(a)", n)
            + f"\nexport def main(a: int) -> int = fu{n}(a)\n")


@kind(40000)
def functions_unused(n):
    return lines("def fu#k(a: int) -> int = a + #k", n) + "\nexport def main(a: int) -> int = a\n"


# What is known while compiling.

@kind(60)
def lines_used_twice(n):
    return ("const k = g()\ndef g() -> f32 {\n  let a0: f32 = 1.0\n" + lines("  let a#n = a#k + a#k", n)
            + f"\n  a{n}\n}}\nexport def main() -> f32 = k\n")


@kind(100)
def products_added(n):
    return "const k: f64 = " + "(" * n + "1.0" + " * 1.1 + 0.5)" * n + "\nexport def main() -> f64 = k\n"


@kind(10000, "E0250")
def constant_sums(n):
    return f"const a = sum for i in {n} {{ sum for j in {n} {{ i * j }} }}\nexport def main() -> int = a\n"


@kind(1, "E0250")
def constant_arrays(n):
    return "const a = for i in 4, j in 2**62 { i * j }\nexport def main(i: int) -> int = a[i % 4, 0]\n"


# Sizes.

@kind(14)
def sizes_squared(n):
    return function(n, "let a0 = x", "  let a#n = flatten(for i in size(a#k), j in size(a#k) { a#k[i] * a#k[j] })",
                    "sum(a", "(x: f32[n]) -> f32").replace(f"sum(a{n}", f"sum(a{n})")


# Long functions and expressions.

@kind(1000000, "E0102")
def terms(n):
    return "export def main(a: int) -> int = " + lines("a", n, " + ") + "\n"


@kind(100000, "E0349")
def variables(n):
    return function(n, "let a0 = a", "  let a#n = a#k + 1")


@kind(100000, "E0349")
def branches(n):
    return function(n, "var b = a", "  if a > #k { b += #k }", "b + ")


# Long bodies of arrays: no part is compared with all others.

def long(n, first, pattern, result="y", head="(x: f32[n]) -> f32[n]"):
    """An export of the variable y."""
    return f"export def main{head} {{\n  {first}\n" + lines(pattern, n) + f"\n  {result}\n}}\n"


@kind(4096, grows=True)
def maps(n):
    return long(n, "var y = x", "  y = for j in n { y[j] + 1.0 }")


@kind(2000, grows=True)
def maps_side_by_side(n):
    return long(n, "let a0 = x", "  let a#n = for j in n { x[j] + f32(#k) }",
                "for j in n { " + lines("a#n[j]", 100, " + ") + " }")


@kind(1000, grows=True)
def loops(n):
    return long(n, "var y = x", "  loop t in 3 { y = for j in n { y[j] + f32(#k) } }")


@kind(1000, grows=True)
def folds_in_a_map(n):
    return ("export def main(x: f32[n, m]) -> f32[n] = for i {\n  var s: f32 = 0\n"
            + lines("  s += sum for j in m { x[i, j] * f32(#k) }", n) + "\n  s\n}\n")


@kind(1000, grows=True)
def slices(n):
    return long(n, "var y: f32 = 0", "  y += sum(x[#k:n])",
                head=f"(x: f32[n]) -> f32 where n > {n}")


@kind(1500, grows=True)
def elements_assigned(n):
    return long(n, "var y = x", "  y[#k] = y[#k] + 1.0", head=f"(x: f32[n]) -> f32[n] where n > {n}")


@kind(1500, grows=True)
def elements_assigned_beside(n):
    return long(n, "var y = x", "  y[k + #k] = y[k + #n] + 1.0",
                head=f"(x: f32[n], k: int) -> f32[n] where 0 <= k, k + {n} < n")


@kind(2000, grows=True)
def conditions(n):
    return ("export def main(a: int, x: f32[n]) -> f32 where " + lines("a + #k < n", n, ", ")
            + ", 0 <= a = x[a]\n")


@kind(2000, grows=True)
def conditions_checked(n):
    return long(n, "assert k >= 0", "  assert k + #k < n", "x[k]", "(x: f32[n], k: int) -> f32")


@kind(1000000, "E0349")
def elements(n):
    return "const t = [" + lines("#k", n, ", ") + f"]\nexport def main(i: int) -> int = t[i % {n}]\n"


@kind(20000)
def names_unknown(n):
    return lines("def fu#k(a: int) -> int = ab#k", n) + "\nexport def main(a: int) -> int = a\n"


@kind(15 << 20)
def lines_empty(n):
    return "\n" * n + "export def main(a: int) -> int = a\n"


@kind(15 << 20, "E0005")
def characters_unexpected(n):
    return "$" * n


def check(arrc, name, path, build):
    """Checks one; gives what is wrong, or None."""
    _, count, code, grows = KINDS[name]
    seconds, size, status, first = run(arrc, name, count, path, build)
    if status not in (0, 1):
        return f"exit {status}"
    if code and not first.startswith(f"error[{code}]"):
        return f"not refused with {code}"
    if grows and status:
        return "refused"
    if build:
        return None
    if seconds > SECONDS or size > MEBIBYTES:
        return "takes too much"
    if grows and seconds > COMPARED and seconds > GROWTH * run(arrc, name, count // 4, path, build)[0]:
        return "grows too fast"
    return None


def run(arrc, name, count, path, build):
    """Runs one of so many parts; its seconds, MiB, exit code and first line."""
    with open(path, "w") as out:
        out.write(KINDS[name][0](count))
    verb = ["build", "--emit=obj", "-o", os.devnull] if build else ["check"]
    child = subprocess.Popen([arrc, *verb, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)))
    said = child.stdout.read().decode(errors="replace")
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds, size = used.ru_utime + used.ru_stime, used.ru_maxrss >> 10
    first = said.split("\n", 1)[0]
    print(f"{name:24} {count:9} {seconds:6.2f} s {size:5} MiB  {child.returncode}  {first[-80:]}")
    return seconds, size, child.returncode, first


def main():
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    arrc, *names = [a for a in sys.argv[1:] if a not in flags]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or KINDS:
            if problem := check(arrc, name, os.path.join(folder, name + ".arr"), "--build" in flags):
                bad += 1
                print(f"{name}: {problem}")
    print(f"{len(names or KINDS)} kinds, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
