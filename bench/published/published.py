"""What the experiments of this folder share: measurements by `arrc bench` and `arrc profile`, and tables.

An experiment runs twice where time is short: with --ahead it compiles all that it will measure, many
programs side by side, and what a pass refuses is noted; then it measures, and finds kernels in the cache.
"""
import argparse
import atexit
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NO_TIME = "no time was left"

#: The nine programs of Bohrium: file, export, arguments (small), arguments (full size).
NINE = {
    "Monte Carlo Pi": ("chance", "pi_mc", "samples=4096 seed=7", "samples=500000000 seed=7"),
    "Leibnitz Pi": ("chance", "leibniz", "terms=4096", "terms=500000000"),
    "Galton bean machine": ("chance", "galton", "beans=512 rows=8 seed=7", "beans=5000000 rows=100 seed=7"),
    "N-body": ("nbody", "nbody", "n=64 dt=0.01 eps=0.1 steps=1", "n=8000 dt=0.01 eps=0.1 steps=10"),
    "X-ray": ("xray", "xray", "n=6 m=6", "n=40 m=40"),
    "Magnetic field": ("magnetic", "magnetic", "n=8 h=4", "n=80 h=80"),
    "Heat": ("heat", "heat", "n=40 m=40 tol=0.0 max_iter=2", "n=11000 m=11000 tol=0.0 max_iter=10"),
    "Shallow water": ("water", "water", "n=40 m=40 dx=1.0 t_end=0.1", "n=5600 m=5600 dx=1.0 t_end=2.0"),
    "Lattice Boltzmann": ("lbm", "lbm", "n=32 m=32 tau=0.7 steps=2", "n=1900 m=1900 tau=0.7 steps=10"),
}


def options(about: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--small", action="store_true", help="sizes for the emulated card")
    parser.add_argument("--only", default="", help="rows whose name has this text")
    parser.add_argument("--work", help="where programs are written, and what is refused (default: a temporary folder)")
    parser.add_argument("--ahead", action="store_true", help="compile only, side by side")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many side by side")
    parser.add_argument("--seconds", type=float, help="for a variant, at most (default: 0.5, 0.01 with --small)")
    parser.add_argument("--until", type=float, default=float("inf"), help="measure nothing behind this time")
    args = parser.parse_args()
    args.seconds = args.seconds if args.seconds is not None else 0.01 if args.small else 0.5
    return args


def scheduled(schedule: str, more: str = "") -> str:
    """A script that gives the kernel of `f` a schedule, and runs one more step on it, `%k`."""
    return f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @planned(%root: !transform.any_op {{transform.readonly}}) {{
    %k = transform.kernel.match_launches in %root {{kernel = "f*"}} : (!transform.any_op) -> !transform.any_op
    transform.kernel.set_schedule #kernel.schedule<{schedule}> to %k : !transform.any_op
    {f"transform.kernel.{more} : !transform.any_op" if more else ""}
    transform.yield
  }}
}}
"""


class Programs:
    """Programs and scripts in a folder, and their measurements."""

    def __init__(self, args: argparse.Namespace):
        self.args, self.said = args, ""
        if args.work:
            self.folder = pathlib.Path(args.work)
            self.folder.mkdir(parents=True, exist_ok=True)
        else:
            self.holder = tempfile.TemporaryDirectory()
            self.folder = pathlib.Path(self.holder.name)
        self.pool = concurrent.futures.ThreadPoolExecutor(args.jobs)
        atexit.register(self.pool.shutdown)

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        return str(path)

    def nine(self):
        """(name, file, [export and arguments]) of the nine programs that are wanted."""
        for name, (file, entry, small, large) in NINE.items():
            if self.args.only in name:
                yield name, f"{ROOT}/examples/{file}.arr", [f"--entry={entry}", *(small if self.args.small else large).split()]

    def call(self, *words) -> str | None:
        """What arrc prints; nothing if it fails or no time is left: `said` has the reason then."""
        left = self.args.until - time.time()
        self.said = NO_TIME
        if left <= 0:
            return None
        try:
            done = subprocess.run([self.args.arrc, *words], capture_output=True, text=True,
                                  timeout=left + 5 if left < 1e6 else None)
        except subprocess.TimeoutExpired:
            return None
        self.said = next((row for row in done.stderr.split("\n") if "error: " in row), done.stderr).strip()
        return None if done.returncode else done.stdout

    def once(self, key: list, make):
        """What `make` gave for this key, now or in an earlier run in this folder."""
        path = self.folder / (hashlib.sha1("\n".join(map(str, key)).encode()).hexdigest()[:16] + ".json")
        if path.exists():
            return json.loads(path.read_text())
        made = make()
        if made:
            path.write_text(json.dumps(made))
        return made

    def compiled(self, program: str, words: list) -> str:
        """Stands for the code that a program becomes; what is said against it where there is none."""
        def make():
            text = self.call("build", program, "--emit=gpu", "--no-locations", f"--target={self.args.target}",
                             *(word for word in words if word.startswith("-") and not word.startswith("--entry")))
            if text is None:
                return None if self.said == NO_TIME else "error: " + self.said
            return hashlib.sha1(text.encode()).hexdigest()
        return self.once(["code", program, *words], make) or "error: " + NO_TIME

    def schedules(self, program: str) -> dict:
        """The planner's schedules by their kernels."""
        text = self.once(["schedules", program], lambda: self.call("tune", program, "--print", f"--target={self.args.target}"))
        return dict(row.split(": ", 1) for row in (text or "").split("\n") if row and not row.startswith("//"))

    def bench(self, program: str, values: list, variants: dict) -> list:
        """Rows of `arrc bench`: one for the program, one for each variant (label: words). What is refused has the
        first line of the message instead, what is the same code as the program the program's row, marked `same`."""
        def code(words):
            own = [] if words.split()[0].startswith("-") else [words.split()[0]]
            return self.compiled(own[0] if own else program, words.split()[len(own):])
        codes = dict(zip(variants, self.pool.map(code, variants.values())))
        plain = self.compiled(program, [])
        wanted = {label: words for label, words in variants.items()
                  if codes[label] != plain and not codes[label].startswith("error")}
        if self.args.ahead:
            for each in [{label: words} for label, words in wanted.items()] or [{}]:
                self.pool.submit(self.run, program, values, each)
            return [{"median_s": 1.0}] * (1 + len(variants))
        rows = self.run(program, values, wanted)
        if rows is None:  # one by one, to see which
            rows = self.run(program, values, {}) or [{"error": self.said}]
            for label, words in wanted.items():
                both = self.run(program, values, {label: words})
                rows.append(both[-1] if both else {"error": self.said})
        found = dict(zip(wanted, rows[1:]))
        return [rows[0]] + [found.get(label) or ({**rows[0], "same": True} if codes[label] == plain else
                                                 {"error": codes[label]}) for label in variants]

    def run(self, program, values, variants):
        words = ["bench", program, f"--target={self.args.target}", "--json=-", *values,
                 f"--seconds={0 if self.args.ahead else self.args.seconds}"]
        text = self.call(*words, *(f"--variant={label}: {more}" for label, more in variants.items()))
        return None if text is None else json.loads(text[text.index("["):])[0]["variants"]

    def profile(self, program: str, values: list, *words) -> dict:
        """Seconds of each kernel in a call, and its blocks and threads."""
        command = ["profile", program, f"--target={self.args.target}", "--csv=-", "--calls=3", *values, *words]
        if self.args.ahead:
            self.pool.submit(self.call, *command)
            return {}
        rows = csv.DictReader((self.call(*command) or "").split("\n"))
        return {row["name"]: row for row in rows if row["kind"] == "kernel"}


def seconds(row: dict) -> str:
    if "error" in row:
        return row["error"].split("error: ")[-1][:60]
    return f"{row['median_s'] * 1e6:.1f} us"


def ratio(row: dict, of: dict) -> str:
    """The time of a row over that of another."""
    if "error" in row or "error" in of:
        return ""
    return "same" if row.get("same") else f"{row['median_s'] / of['median_s']:.2f}"


METRICS = ["launches", "registers", "sectors", "conflicts", "instructions"]


def counts(row: dict) -> list:
    """METRICS: registers of a card, sectors, conflicts and instructions of the emulated one."""
    return [str(row.get(name, "")) for name in METRICS]


def table(title: str, head: list, rows: list) -> None:
    if "--ahead" in sys.argv:
        return
    print(f"\n## {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |", flush=True)
