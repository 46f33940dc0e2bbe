#!/usr/bin/env python3
"""Runs MLIR's own tests of lowering the gpu dialect as hand-written kernels.

    utils/upstream_gpu.py LLVM/mlir/test/Integration/GPU --arrc build/dev/bin/arrc [--target cuda] [NAME ..]

LLVM is a checkout of its sources; nothing in it is changed. Each file is run as it is: what its `main` prints is what
`arrc` gives back, and that is held against the file's own CHECK lines by FileCheck. FILES are those that speak of what
every device has: no tensor cores, no `printf` of kernels, no files of a vendor's tools.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

FILES = """
CUDA/all-reduce-and CUDA/all-reduce-maxsi CUDA/all-reduce-minsi CUDA/all-reduce-op CUDA/all-reduce-or
CUDA/all-reduce-region CUDA/all-reduce-xor CUDA/multiple-all-reduce CUDA/shuffle CUDA/two-modules
SYCL/gpu-addf32-to-spirv SYCL/gpu-addi64-to-spirv SYCL/gpu-memcpy-addf32-to-spirv
SPIRV/simple_add SPIRV/double
Vulkan/addf Vulkan/addf_if Vulkan/addi Vulkan/addi8 Vulkan/mulf Vulkan/subf Vulkan/smul_extended Vulkan/addui_extended
Vulkan/subui_extended Vulkan/umul_extended
ROCM/vecadd ROCM/two-modules ROCM/gpu-to-hsaco
""".split()


def text_of(array) -> str:
    """As MLIR's runner prints it."""
    if array.ndim == 0:
        return f"{array:.6g}" if array.dtype.kind == "f" else str(array)
    return "[" + (", " if array.ndim == 1 else ",\n ").join(text_of(each) for each in array) + "]"


def run(file: pathlib.Path, args, folder: pathlib.Path) -> str:
    """What is wrong; nothing if it is right."""
    command = [args.arrc, "run", str(file), f"--target={args.target}", "--entry=main"]
    done = subprocess.run(command, capture_output=True, text=True)
    names = re.findall(r"^(out\d+): ", done.stdout, re.M)
    if done.returncode or not names:
        return done.stderr.strip() or "nothing is printed"
    done = subprocess.run(command + [f"--output={name}=@{folder}/{name}.npy" for name in names], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    printed = "".join(f"data = \n{text_of(np.load(folder / (name + '.npy')))}\n" for name in names)
    checked = subprocess.run([args.filecheck, str(file)], input=printed, capture_output=True, text=True)
    return checked.stderr.strip() and checked.stderr.strip() + "\n" + printed if checked.returncode else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=FILES)
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--filecheck", default="/usr/lib/llvm-22/bin/FileCheck")
    args = parser.parse_args()
    right = missing = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names:
            file = args.folder / f"{name}.mlir"
            if not file.exists():
                missing += 1
                print(f"{name}: not there")
                continue
            problem = run(file, args, pathlib.Path(folder))
            right, wrong = right + (not problem), wrong + bool(problem)
            print(f"{name}: {problem or 'right'}", flush=True)
    print(f"{right} right, {wrong} wrong, {missing} not there")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main())
