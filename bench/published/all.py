#!/usr/bin/env python3
"""Runs all experiments of this folder within some minutes, and writes their tables as markdown.

    bench/published/all.py --arrc bin/arrc --out FOLDER [--minutes 8] [--small] [--only NAME,..]

First all compile what they will measure, side by side on all cores; then one after the other measures on the card.
Each has its share of the time: what did not get its turn says so. FOLDER/NAME.md has the tables of an experiment, all.md
all of them; FOLDER/work, with programs, scripts and schedules, may be thrown away.
"""
import argparse
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
#: Experiments by their shares of the time.
SHARES = {"reductions": 1, "threads": 2, "d2q9": 2, "patterns": 3, "passes": 4, "shapes": 5}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--small", action="store_true", help="sizes for the emulated card")
    parser.add_argument("--only", default="", help="experiments, separated by commas")
    parser.add_argument("--jobs", type=int, default=4, help="of each experiment, side by side while they compile")
    parser.add_argument("--seconds", type=float, default=None, help="for a variant, at most")
    args = parser.parse_args()
    shares = {name: share for name, share in SHARES.items() if not args.only or name in args.only.split(",")}
    args.out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    end = began + 60 * args.minutes

    def words(name: str, until: float) -> list:
        return [sys.executable, str(HERE / f"{name}.py"), f"--arrc={args.arrc}", f"--target={args.target}",
                f"--work={args.out}/work/{name}", f"--until={until}", f"--jobs={args.jobs}", *["--small"] * args.small,
                f"--seconds={args.seconds if args.seconds is not None else 0.01 if args.small else 0.2}"]

    # Compiling may take half of the time.
    half = began + 30 * args.minutes
    compiling = [subprocess.Popen([*words(name, half), "--ahead"], stdout=subprocess.DEVNULL) for name in shares]
    for each in compiling:
        each.wait()
    compiled = time.time()
    head = subprocess.run([args.arrc, "devices"], capture_output=True, text=True).stdout.strip().replace("\n", "\n    ")
    texts, failed = [f"`bench/published/all.py`, {time.strftime('%Y-%m-%d')}\n\n    {head}\n"], 0
    for name in list(shares):
        left = end - time.time()
        until = time.time() + left * shares[name] / sum(shares.values())
        del shares[name]
        start = time.time()
        done = subprocess.run(words(name, until), capture_output=True, text=True)
        failed += done.returncode != 0
        text = done.stdout + (f"\n    {done.stderr.strip()[-2000:]}\n" if done.returncode else "")
        (args.out / f"{name}.md").write_text(text.lstrip())
        texts.append(text)
        print(f"{name}: {time.time() - start:.0f} s{', failed' if done.returncode else ''}", flush=True)
    (args.out / "all.md").write_text("\n".join(texts))
    print(f"{args.out}/all.md: compiled in {compiled - began:.0f} s, measured in {time.time() - compiled:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
