"""Writes the files of hostile.test into the current folder."""

N = 1_000_000
head = b"def f(a: int) -> int = "
files = {
    "deep.arr": head + b"(" * N,
    "chain.arr": head + b"a" + b" + a" * N + b"\n",
    "blocks.arr": b"def f(a: int) -> int {" + b"if a > 0 {" * N,
    "types.arr": b"type t = " + b"(f32, " * N,
    "nul.arr": b"const a = 1\n# \0\n",
    "utf8.arr": b"const a = 1 #\xff\xfe\n",
    "large.arr": b"#" * (16 * 1024 * 1024 + 1),
    "name.arr": b"const " + b"a" * 256 + b" = 1\n",
    "literal.arr": b"const a = 18446744073709551616\nconst b = 0." + b"1" * 300 + b"\n",
    "line.arr": b"def f() -> int = " + b" " * N + b"1 +  ]" + b" " * N,
    "errors.arr": b"def f(x) = 1\n" * 1000,
    "cycle.arr": b'import "other.arr"\n',
    "other.arr": b'import "cycle.arr"\n',
    "empty.arr": b"",
    "depth200.arr": head + b"(" * 200 + b"a" + b")" * 200 + b"\n",
}
for name, text in files.items():
    with open(name, "wb") as f:
        f.write(text)
