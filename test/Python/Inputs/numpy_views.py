"""Random statements on views, copies and parts of arrays, beside NumPy.

    numpy_views.py FIRST COUNT LIMIT    COUNT programs, with that limit of `eager`
"""
import random
import sys

import numpy
import arrc.numpy as ours

SIZE = 6


def statement(np, a, kind: int, number: int):
    """Does something with an array; the new array if it makes one."""
    is_complex = a.dtype.kind == "c"
    made = {0: lambda: a.real, 1: lambda: a.imag if is_complex else np.ascontiguousarray(a + 1),
            2: lambda: a[1:] if a.shape[0] > 2 else a, 3: lambda: a.T,
            4: lambda: a.reshape(-1), 5: lambda: a.ravel("F"),
            6: lambda: np.ascontiguousarray(a * number + 1),
            7: lambda: np.hsplit(a, [a.shape[-1] // 2])[0],
            8: lambda: np.rot90(a, number) if a.ndim > 1 else a.view(), 9: lambda: a.view(),
            10: lambda: np.diagonal(a) if a.ndim > 1 else a[::-1],
            11: lambda: np.atleast_3d(a)[..., 0], 12: lambda: a.copy("F" if number > 2 else "C"),
            13: lambda: np.einsum("ij->ji", a) if a.ndim == 2 else a[None]}.get(kind)
    if made:
        return made()
    if kind == 14:
        a[...] = number
    elif kind == 15:
        a[0] += number
    elif kind == 16:
        a *= number
    elif kind == 17 and is_complex:
        a.imag = number
    elif kind == 18 and is_complex:
        a.real[...] = a.real * 2
    elif kind == 19:
        a.flat[number] = 7
    elif kind == 20:
        np.put(a, [0, 1], number)
    elif kind == 21 and not is_complex:
        a.sort(axis=0)
    return None


def program(np, seed: int) -> list:
    """What is in all arrays at the end, and the sums and errors on the way."""
    chance, found = random.Random(seed), []
    plain = np.arange(float(SIZE * SIZE)).reshape(SIZE, SIZE)
    arrays = [plain % 11, (plain % 7) * (1 + 2j)]
    for _ in range(30):
        a = chance.choice(arrays)
        try:
            made = statement(np, a, chance.randrange(22), chance.randrange(1, 5))
        except (ValueError, IndexError) as problem:
            made = found.append("read-only" in str(problem))
        if made is not None and made.ndim and made.size:
            arrays.append(made)
        if len(arrays) > 8 or chance.random() < 0.1 and len(arrays) > 3:
            del arrays[0]
        if chance.random() < 0.1:
            found.append(complex(arrays[-1].sum()))
    return found + [numpy.asarray(a) for a in arrays] + [a.flags.writeable for a in arrays]


def main() -> int:
    first, count, limit = map(int, sys.argv[1:])
    ours.errors("ignore")
    ours.eager(limit)
    wrong = 0
    for seed in range(first, first + count):
        wanted, made = program(numpy, seed), program(ours, seed)
        if len(wanted) != len(made) or not all(map(numpy.allclose, wanted, made)):
            wrong += 1
            print(f"seed {seed} differs")
    print(f"{count} programs, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
