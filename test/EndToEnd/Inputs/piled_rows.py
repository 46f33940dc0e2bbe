"""Runs folds of rows within folds, with --check, on arrays of many shapes.

    piled_rows.py ARRC FOLDER

Arrays are read from files, since folds of computed values are planned otherwise.
"""

import os
import subprocess
import sys

import numpy as np

FOUR = {
    "sums": "f32[n, k] = sum(a, axis = (1, 3))",
    "largest": "f32[n, k] = max(a, axis = (1, 3))",
    "norms": "f32[n, k] = for i, j in k { sum for u in m { sqrt(sum for v { a[i, u, j, v] ** 2 }) } }",
    "weighted": "f32[n, k] = for i, j in k { sum for u in m, v { a[i, u, j, v] * a[0, u, 0, v] } }",
    "doubles": "f64[n, k] = for i, j in k { sum for u in m, v { f64(a[i, u, j, v]) } }",
    "both": "(f32[n, k], f32[n, k]) = (sum(a, axis = (1, 3)), min(a, axis = (1, 3)))",
}
SHAPES = {
    "sums": [(33, 3, 5, 70), (32, 4, 9, 21), (32, 2, 519, 5), (40, 3, 6, 3), (34, 1, 1, 64),
             (32, 0, 3, 8), (32, 3, 0, 8), (31, 3, 5, 70), (33, 2, 3, 2100)],
    "largest": [(33, 3, 5, 70), (32, 2, 519, 5)],
    "norms": [(33, 3, 5, 70)],
    "weighted": [(32, 4, 9, 21)],
    "doubles": [(33, 3, 5, 70)],
    "both": [(32, 4, 9, 21)],
    "columns": [(3, 4101, 6), (2, 4096, 65)],
}


def main():
    arrc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    programs = {name: f"a: f32[n, m, k, l]) -> {rest}" for name, rest in FOUR.items()}
    programs["columns"] = "a: f32[m, k, l]) -> f32[k] = sum(a, axis = (0, 2))"
    runs = failed = 0
    for entry, shapes in SHAPES.items():
        program = os.path.join(folder, entry + ".arr")
        with open(program, "w") as f:
            f.write(f"export def {entry}({programs[entry]}\n")
        for shape in shapes:
            values = np.random.default_rng(5).integers(-9, 10, shape).astype(np.float32)
            path = os.path.join(folder, "a.npy")
            np.save(path, values)
            done = subprocess.run([arrc, "run", program, "--check", f"a=@{path}"],
                                  capture_output=True, text=True)
            runs += 1
            if done.returncode:
                failed += 1
                print(f"{entry} {shape}:\n{done.stderr}")
    print(f"{runs} runs, {failed} failed")


if __name__ == "__main__":
    main()
