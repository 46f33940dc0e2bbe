"""Compares what `arrc analyze` counts with the counters of the emulated card.

    counters.py ARRC FILE AT [NAME=VALUE ..]

Runs FILE with the arguments, its sizes being AT, and holds the sectors of global
memory and the turns of shared memory of each kernel against the prediction.
"""
import json
import re
import subprocess
import sys

ARRC, FILE, AT = sys.argv[1:4]
LINE = re.compile(r"^  (global|shared) (loads|stores) +\d+ requests +\d+ bytes +(\d+) (sectors|wavefronts)")


def measured():
    run = subprocess.run([ARRC, "run", "--target=cuda", FILE, *sys.argv[4:]], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    kernels, name = {}, None
    for line in run.stderr.splitlines():
        if head := re.match(r"^(\w+): \d+ blocks of", line):
            name = head[1]
            kernels.setdefault(name, {})
        elif (found := LINE.match(line)) and name:
            key = (found[1], found[2] == "stores")
            kernels[name][key] = kernels[name].get(key, 0) + int(found[3])
    return kernels


def predicted():
    # The card that is shown.
    text = subprocess.run([ARRC, "analyze", "--target=cuda", "--arch=sm_90", FILE, "--at", AT, "--format=json"],
                          check=True, capture_output=True, text=True).stdout
    kernels = {}
    for kernel in json.loads(text)["kernels"]:
        if kernel["problem"]:
            sys.exit(f"{kernel['name']}: {kernel['problem']}")
        sums = kernels.setdefault(kernel["name"], {})
        for access in kernel["accesses"]:
            key = (access["space"], access["writes"])
            sums[key] = sums.get(key, 0) + access.get("sectors", access.get("turns"))
    return kernels


real, said = measured(), predicted()
wrong = 0
for name in sorted(set(real) | set(said)):
    a, b = real.get(name, {}), said.get(name, {})
    for key in sorted(set(a) | set(b)):
        x, y = a.get(key, 0), b.get(key, 0)
        allowed = 0 if key[0] == "global" else 0.05 * x + 1
        isWrong = abs(x - y) > allowed
        wrong += isWrong
        print(f"{name} {key[0]} {'stores' if key[1] else 'loads'}: {x} counted, {y} predicted{' WRONG' if isWrong else ''}")
print(f"{wrong} wrong")
sys.exit(bool(wrong))
