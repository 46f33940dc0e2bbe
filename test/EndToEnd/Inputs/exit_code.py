#!/usr/bin/env python3
"""exit_code.py CODE COMMAND...: runs the command and succeeds if it ends with
this exit code; its output goes through."""
import subprocess
import sys

want, command = int(sys.argv[1]), sys.argv[2:]
got = subprocess.run(command).returncode
if got != want:
    print(f"exit code {got}, expected {want}", file=sys.stderr, flush=True)
    sys.exit(1)
