#!/usr/bin/env python3
"""Quotients by one value, and several that stand together, have the bits of IEEE
division: numbers at all edges of the formats, near one and two where quotients are
hard to round, and any.

    shared_divisors.py ARRC TARGET
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = """
export def quotients(a: {0}[n], s: {0}[m]) -> {0}[m, n] = for i in m, j in n {{ a[j] / s[i] }}
export def thirds(a: {0}[n]) -> {0}[n] = a / 3.0
export def pairs(a: {0}[n], s: {0}[m]) -> (out: {0}[m, n], back: {0}[m, n]) {{
  let out = for i in m, j in n {{ a[j] / s[i] }}
  (out, for i in m, j in n {{ s[i] / a[j] }})
}}
"""


def numbers(rng, kind, count):
    info, bits = np.finfo(kind), np.dtype(f"u{kind().itemsize}")
    powers = [*range(info.minexp - info.nmant - 1, info.minexp + info.nmant + 6),
              *range(info.maxexp - 3, info.maxexp), -1, 0, 1]
    edges = [np.ldexp(f, k) for k in powers for f in (1, 1.5, 2 - 2.0**-20)]
    edges += [0.0, -0.0, np.inf, -np.inf, np.nan, info.max, -info.max]
    any_bits = rng.integers(0, np.iinfo(bits).max, count, bits, endpoint=True).view(kind)
    near = [(kind(base).view(bits) + bits.type(d) * bits.type(sign)).view(kind)
            for base, sign in ((1, 1), (2, np.iinfo(bits).max)) for d in range(1, 17)]
    signs = rng.choice([-1, 1], count).astype(kind)
    found = np.concatenate([np.array(edges, kind), np.array(near, kind), any_bits,
                            signs * rng.random(count).astype(kind)])
    rng.shuffle(found)
    return found[:len(found) // 4 * 4]


def main():
    arrc, target = sys.argv[1:]
    rng = np.random.default_rng(11)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        base = pathlib.Path(folder)
        for name, kind in (("f32", np.float32), ("f64", np.float64)):
            source, out = base / f"{name}.arr", base / "out.npy"
            source.write_text(PROGRAM.format(name))
            a, s = numbers(rng, kind, 120), numbers(rng, kind, 120)
            np.save(base / "a.npy", a)
            np.save(base / "s.npy", s)
            given = [f"a=@{base}/a.npy", f"s=@{base}/s.npy"]
            by = s[:, None]
            for entry, result, want in (("quotients", "out", a / by), ("pairs", "out", a / by),
                                        ("pairs", "back", by / a), ("thirds", "out", a / kind(3))):
                subprocess.run([arrc, "run", source, "--entry", entry, f"--target={target}",
                                *given[:1 if entry == "thirds" else 2],
                                "--output", f"{result}=@{out}"], check=True, capture_output=True)
                got = np.load(out)
                bits = f"u{kind().itemsize}"
                same = (got.view(bits) == want.view(bits)) | (np.isnan(got) & np.isnan(want))
                failed += not same.all()
                print(f"{name} {entry}: {want.size - same.sum()} of {want.size} differ")
    print(f"{failed} failed")


if __name__ == "__main__":
    main()
