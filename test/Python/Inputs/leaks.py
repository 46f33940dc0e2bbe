"""Calls leave no memory behind: right ones, wrong ones, compilations, what is recorded."""
import gc
import os
import sys

import arrc
import arrc.numpy as ours
import numpy as np

PAGE = os.sysconf("SC_PAGESIZE")


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


def main():
    program = arrc.compile("""
struct P { x: f32, y: f32 }
export def f(p: P[n], k: (int, f32)) -> (q: P[n], s: f32, big: f32[n]) where k.0 > 0 {
  (p, sum(p.x) + k.1, for i in n { p[i].y })
}""", target="cpu")
    p = {"x": np.ones(4096, "f4"), "y": np.ones((4096, 2), "f4")[:, 0]}
    contiguous = p | {"y": np.ones(4096, "f4")}

    def calls(count):
        for i in range(count):
            program.f(contiguous, (1, 2.0))
            if i % 4 == 0:
                np.from_dlpack(program.f(contiguous, k=(1, 2.0)).big)
                for wrong in ((p | {"x": None}, (1, 2.0)), (contiguous, (0, 2.0))):
                    try:
                        program.f(*wrong)
                    except (arrc.InputError, TypeError):
                        continue
                    raise SystemExit("a wrong call passed")
            if i % 500 == 0:
                arrc.compile(f"export def g() -> int = {i // 500 % 2}", target="cpu").g()

    def recorded(count):
        a, b = ours.ones((40, 50)), ours.arange(50.0)
        for i in range(count):
            a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1]) + ours.sqrt(b[1:-1]) * 2
            a *= 0.5
            if i % 4 == 0:
                a.sum().item()
            if i % 100 == 0:
                for wrong in (lambda: a + a[1:, 1:], lambda: a[50], lambda: a[:, :3] @ a):
                    try:
                        wrong()
                    except (ValueError, IndexError):
                        continue
                    raise SystemExit("a wrong operation passed")

    def held(count):
        # Of what is memory of NumPy's a recorded value is a copy, which dies with what has it.
        a = ours.arange(3000.0)
        view = a.ctypes and a[::2]
        for _ in range(count // 10):
            ours.concatenate([a[::2], view])

    def both(count):
        calls(count)
        recorded(count)
        held(count)

    ours.eager(0)
    both(1000)
    used = program._device.memory_in_use
    # What leaks grows in every round; what others do on the machine does not.
    for _ in range(10):
        before = resident()
        both(10_000)
        grown, kept = resident() - before, program._device.memory_in_use - used
        print(f"10,000 calls: {grown} bytes more, {kept} of arrays", flush=True)
        if grown < 10_000 * 20 and kept == 0:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
