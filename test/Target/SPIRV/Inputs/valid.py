#!/usr/bin/env python3
"""Every kernel of the test programs and examples through spirv-val.

    valid.py --arrc build/dev/bin/arrc [--only NAME] [--jobs N]

Each program is compiled for OpenCL, and spirv-val must accept its images. Needs
no device.
"""

import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), *[".."] * 4))


def validate(image):
    """What spirv-val says against an image, or nothing."""
    # OpenCL 2.2 knows neither f16 nor 64-bit atomics here; plain SPIR-V does.
    for environment in ("opencl2.2", "spv1.3"):
        done = subprocess.run(["spirv-val", "--target-env", environment, image],
                              capture_output=True, text=True)
        if done.returncode == 0:
            return None
    return (done.stdout + done.stderr).strip()[:600]


def check(arrc, path, top):
    with tempfile.TemporaryDirectory(dir=top) as folder:
        image = os.path.join(folder, "k.spv")
        done = subprocess.run([arrc, "build", "--emit=spirv", "--target=opencl", path, "-o", image],
                              capture_output=True, text=True)
        if done.returncode:
            return f"exit code {done.returncode}: {done.stderr.strip()[:600]}"
        images = sorted(glob.glob(os.path.join(folder, "*")))
        wrong = [said for said in map(validate, images) if said]
        return "\n  ".join(wrong) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--only", action="append", help="a part of a file's name")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    files = [f for pattern in ("examples/*.arr", "test/EndToEnd/*.arr",
                               "test/EndToEnd/Inputs/compare/*.arr")
             for f in sorted(glob.glob(os.path.join(ROOT, pattern)))
             if not options.only or any(part in os.path.basename(f) for part in options.only)]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # Programs that no target takes are tests of messages.
        builds = pool.map(lambda f: subprocess.run(
            [options.arrc, "build", "--emit=array", f, "-o", "-"], capture_output=True), files)
        files = [f for f, done in zip(files, builds) if done.returncode == 0]
        for path, bad in zip(files, pool.map(lambda f: check(options.arrc, f, folder), files)):
            passed, failed = passed + (not bad), failed + bool(bad)
            if bad:
                print(f"{os.path.basename(path)}: {bad}", flush=True)
    print(f"valid.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
