"""Programs give the same results without any one optimization.

    without.py ARRC PROGRAM.arr ARGUMENTS..
"""

import re
import subprocess
import sys

arrc, program, *arguments = sys.argv[1:]
asked = subprocess.run([arrc, "build", "--without=?", program], capture_output=True, text=True)
names = re.search(r"help: these are: (.*)", asked.stderr).group(1).split(", ")
assert len(names) > 5, names
for name in names:
    done = subprocess.run([arrc, "run", program, "--check", f"--without={name}", *arguments],
                          capture_output=True, text=True)
    if done.returncode or "check: ok" not in done.stdout + done.stderr:
        sys.exit(f"--without={name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
print(f"{len(names)} optimizations left out, one at a time")
