"""What the experiments of this folder share: `arrc bench` on variants, and tables."""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def options(about: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--small", action="store_true", help="sizes for the emulated card")
    parser.add_argument("--only", default="", help="rows whose name has this text")
    return parser.parse_args()


class Programs:
    """Programs and scripts in a folder of their own, and their measurements."""

    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def bench(self, program: str, values: list, variants: dict) -> list:
        """Rows of `arrc bench`: one for the program, one for each variant (label: words).
        A variant that is refused has the first line of the message instead."""
        rows = self.run(program, values, variants)
        if rows is None:  # one by one, to see which
            rows = self.run(program, values, {}) or [{"error": self.said}]
            for label, words in variants.items():
                both = self.run(program, values, {label: words})
                rows.append(both[-1] if both else {"variant": label, "error": self.said})
        return rows

    def run(self, program, values, variants):
        out = self.folder / "out.json"
        words = [self.args.arrc, "bench", program, f"--target={self.args.target}", f"--json={out}",
                 f"--seconds={0.01 if self.args.small else 0.5}", *values]
        words += [f"--variant={label}: {more}" for label, more in variants.items()]
        done = subprocess.run(words, capture_output=True, text=True)
        self.said = next((row for row in done.stderr.split("\n") if "error: " in row), done.stderr).strip()
        return None if done.returncode else json.loads(out.read_text())[0]["variants"]


def seconds(row: dict) -> str:
    if "error" in row:
        return row["error"].split("error: ")[-1][:60]
    return f"{row['median_s'] * 1e6:.1f} us"


def counts(row: dict) -> list:
    """Sectors, conflicts and instructions, on the emulated card."""
    return [str(row.get(name, "")) for name in ("launches", "sectors", "conflicts", "instructions")]


def table(title: str, head: list, rows: list) -> None:
    print(f"\n## {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |", flush=True)
