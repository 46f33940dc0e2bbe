#!/usr/bin/env python3
"""Writes the SPIR-V images of a module, read from stdin, to files.

    images.py FOLDER [--validate]

Each gpu.binary becomes FOLDER/NAME.spv. With --validate each goes through
spirv-val, for OpenCL 2.2 or, where a kernel uses what only newer environments
know (f16, 64-bit atomics), for plain SPIR-V 1.3.
"""

import pathlib
import re
import subprocess
import sys

IMAGE = re.compile(r'gpu\.binary @(\S+).*?\bbin = "((?:[^"\\]|\\.)*)"', re.S)
ESCAPE = re.compile(rb'\\(?:([0-9A-Fa-f]{2})|(.))', re.S)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wrong = count = 0
    for name, text in IMAGE.findall(sys.stdin.buffer.read().decode("latin1")):
        code = ESCAPE.sub(lambda m: bytes([int(m[1], 16)]) if m[1] else m[2], text.encode("latin1"))
        path = folder / f"{name}.spv"
        path.write_bytes(code)
        count += 1
        if "--validate" not in sys.argv:
            continue
        for environment in ("opencl2.2", "spv1.3"):
            done = subprocess.run(["spirv-val", "--target-env", environment, path],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                break
        else:
            wrong += 1
            print(f"{name}: {done.stdout}{done.stderr}")
    print(f"{count} images, {wrong} invalid")
    sys.exit(1 if wrong or not count else 0)


if __name__ == "__main__":
    main()
