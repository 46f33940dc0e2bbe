"""`python -m arrc SCRIPT ..`: runs a script, its NumPy as programs."""

import sys

from .numpy._entry import run

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit("usage: python -m arrc SCRIPT.py [ARGUMENT ..]\n"
             "Runs a script whose `numpy` is answered by arrc.numpy. ARRC_TARGET says where "
             "(cpu, cuda).")
run(sys.argv[1], sys.argv[2:])
