#!/usr/bin/env python3
"""Every kernel of the test programs and examples through NVIDIA's assembler.

    ptxas.py --arrc build/dev/bin/arrc [--arch sm_75 --arch sm_90] [--only NAME] [--jobs N]

Compiles each program for each architecture and gives the text to `ptxas`, which
must accept it; kernels of the examples must not spill registers. Needs no device. `ptxas` is looked for in
CUDA_HOME, /usr/local/cuda and PATH.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
EXAMPLES = os.path.normpath(os.path.join(HERE, "..", "..", "examples"))


def find_ptxas():
    for folder in (os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        path = folder and os.path.join(folder, "bin", "ptxas")
        if path and os.path.exists(path):
            return path
    return shutil.which("ptxas")


def check(options, path, arch, top):
    """What is wrong with one program on one architecture, or nothing."""
    with tempfile.TemporaryDirectory(dir=top) as folder:
        text = os.path.join(folder, "k.ptx")
        done = subprocess.run([options.arrc, "build", "--emit=ptx", "--target=cuda",
                               f"--arch={arch}", path, "-o", text],
                              capture_output=True, text=True)
        if done.returncode:
            return f"exit code {done.returncode}: {done.stderr.strip()[:600]}"
        problems = []
        for file in sorted(glob.glob(os.path.join(folder, "*.ptx"))):
            with open(file) as f:
                ptx = f.read()
            if ".entry" not in ptx:
                continue
            if re.search(r"\.extern \.func", ptx):
                problems.append("a function is missing: "
                                + re.search(r"\.extern \.func[^;]*", ptx).group(0)[:200])
            done = subprocess.run([options.ptxas, "-v", f"-arch={arch}", file, "-o",
                                   os.path.join(folder, "k.cubin")],
                                  capture_output=True, text=True)
            said = done.stdout + done.stderr
            if done.returncode:
                problems.append(said.strip()[:600])
                continue
            kernels = re.findall(r"Compiling entry function '(\S+)'.*?"
                                 r"(\d+) bytes spill stores, (\d+) bytes spill loads",
                                 said, re.S)
            for name, stores, loads in kernels:
                if path.startswith(EXAMPLES) and (stores, loads) != ("0", "0"):
                    problems.append(f"{name} spills {stores} + {loads} bytes")
        return "\n  ".join(problems) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--arch", action="append", help="default: sm_75, 80, 90, 100")
    parser.add_argument("--only", action="append", help="a part of a file's name")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.ptxas = find_ptxas()
    if not options.ptxas:
        print("ptxas.py: skipped, there is no ptxas (install the CUDA toolkit)")
        return
    archs = options.arch or ["sm_75", "sm_80", "sm_90", "sm_100"]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        files = sorted(glob.glob(os.path.join(EXAMPLES, "*.arr"))
                       + glob.glob(os.path.join(HERE, "*.arr"))
                       + glob.glob(os.path.join(HERE, "Inputs", "compare", "*.arr")))
        shapes = subprocess.run([sys.executable, os.path.join(HERE, "shapes.py"), "--print"],
                                capture_output=True, text=True).stdout
        for part in re.split(r"^# (?=\S+\n)", shapes, flags=re.M)[1:]:
            name, text = part.split("\n", 1)
            files.append(os.path.join(folder, f"shapes-{name}.arr"))
            with open(files[-1], "w") as f:
                f.write(text)
        files = [f for f in files
                 if not options.only or any(part in os.path.basename(f) for part in options.only)]
        # Programs that no target takes are tests of messages.
        builds = pool.map(lambda f: subprocess.run(
            [options.arrc, "build", "--emit=array", f, "-o", "-"], capture_output=True), files)
        files = [f for f, done in zip(files, builds) if done.returncode == 0]
        runs = [(f, arch, pool.submit(check, options, f, arch, folder))
                for f in files for arch in archs]
        for path, arch, run in runs:
            bad = run.result()
            passed, failed = passed + (not bad), failed + bool(bad)
            if bad:
                print(f"{os.path.basename(path)} for {arch}: {bad}", flush=True)
    print(f"ptxas.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
