#!/usr/bin/env python3
"""Gives `arrc run` changed .npy and .npz files.

    fuzz/faults/npy.py build/dev/bin/arrc [--mutants N] [--seed S]

Each is read as NumPy would read it, or refused by one message. A change of a member of an
archive is never read.
"""
import random
import struct
import sys
import zlib

from common import Faults

PROGRAMS = {
    "f4": ("export def f(x: f32[n]) -> f32 = sum for i { x[i] }\n", "x"),
    "f8": ("export def f(x: f64[n, m]) -> f64 = sum for i, j { x[i, j] }\n", "x"),
    "b1": ("export def f(x: bool[n]) -> int = sum for i { if x[i] { 1 } else { 0 } }\n", "x"),
    "s": ("struct P { a: f32[3], b: i32 }\n"
          "export def f(p: P) -> f32 = p.a[0] + p.a[1] + p.a[2] + f32(p.b)\n", "p"),
}


def npy(descr, shape, data, version=1, order="False"):
    head = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    front = 10 if version == 1 else 12
    head += b" " * (-(front + len(head) + 1) % 64) + b"\n"
    return (b"\x93NUMPY" + bytes([version, 0]) +
            struct.pack("<H" if version == 1 else "<I", len(head)) + head + data)


def npz(members):
    body, directory = b"", b""
    for name, data in members:
        fixed = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, zlib.crc32(data), len(data), len(data),
                            len(name), 0)
        directory += (b"PK\1\2" + struct.pack("<H", 20) + fixed + struct.pack("<HHHII", 0, 0, 0, 0,
                      len(body)) + name.encode())
        body += b"PK\3\4" + fixed + name.encode() + data
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return body + directory + b"PK\5\6" + end


def good_files():
    f4 = npy("<f4", "(3,)", struct.pack("<3f", 1, 2, 3))
    return [
        ("f4", f4),
        ("f4", npy(">f4", "(2,)", struct.pack(">2f", 4, 5), version=2)),
        ("f8", npy("<f8", "(2, 3)", struct.pack("<6d", *range(6)), order="True")),
        ("f8", npy("<f8", "(2, 3)", struct.pack("<6d", *range(6)), version=3)),
        ("b1", npy("|b1", "(5,)", b"\0\1\2\x80\0")),
        ("s", npz([("a.npy", f4), ("b.npy", npy("<i4", "()", struct.pack("<i", 7)))])),
    ]


# Put in place of a piece of a header.
WORDS = [b"(9223372036854775808,)", b"(-1,)", b"(4294967296, 4294967296)", b"(1e9,)", b"()", b"((3,),)",
         b"(" * 300, b"'|O'", b"'<M8[ns]'", b"'<U4'", b"[('a', '<f4')]", b"'<f3'", b"'\\x1b[2J'",
         b"'\x1b[2J'", b"None", b"True", b"\0", b"\n", b"{", b"}", b"'shape'", b"__import__('os')",
         b"(1099511627776,)", b"(0,)", b"(3" + b",1" * 40 + b")", b"\xff\xfe", b"'descr'", b"nan"]


def mutate(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        kind = rng.randrange(8)
        at = rng.randrange(len(data)) if data else 0
        if kind == 0 and data:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and data:
            data[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, 0x1B, 10, 39, 40])
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at:at + rng.randrange(1, 40)]
        elif kind == 4:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 40)))
        elif kind == 5:
            data[at:at + rng.randrange(1, 20)] = rng.choice(WORDS)
        elif kind == 6:
            data[at:at + 4] = struct.pack("<I", rng.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFE]))
        else:
            # Within the header, where its words are.
            word = rng.choice([b"(", b"'<", b"False", b"shape", b"descr"])
            found = data.find(word)
            if found >= 0:
                data[found:found + rng.randrange(1, 12)] = rng.choice(WORDS)
    return bytes(data)


def main() -> int:
    faults = Faults("Reads changed .npy and .npz files.")
    faults.parser.add_argument("--mutants", type=int, default=500)
    options = faults.start()
    rng = random.Random(options.seed)
    for name, (text, _) in PROGRAMS.items():
        with open(f"{name}.arr", "w") as file:
            file.write(text)
    files, read = good_files(), 0

    def give(name, data, what, codes):
        path = "in.npz" if name == "s" else "in.npy"
        with open(path, "wb") as file:
            file.write(data)
        ended = faults.run([faults.arrc, "run", f"{name}.arr", f"{PROGRAMS[name][1]}=@{path}"])
        good = faults.judge(what, ended, codes)
        if good and ended.code and ended.err.count(b"\n") > 2:
            faults.wrong(what + ": more than a message and its help", ended)
        return ended

    results = [give(name, data, f"the good file {name}", {0}).out for name, data in files]
    for number in range(options.mutants):
        which = rng.randrange(len(files))
        name, data = files[which]
        what = f"mutant {number} of {name}"
        # Too much memory ends with 4.
        ended = give(name, mutate(data, rng), what, {0, 2, 4, 74})
        read += ended.code == 0
        if name == "s" and ended.code == 0 and ended.out != results[which]:
            faults.wrong(what + f": a changed member was read: {ended.out!r}")
    print(f"{read} of {options.mutants} mutants were still right files")
    return faults.finish(f"npy, seed {options.seed}")


if __name__ == "__main__":
    sys.exit(main())
