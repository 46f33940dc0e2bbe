"""What the fault scripts share: running the compiler and judging how it ended."""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

# Done, program error, wrong use, failed while running, device, cannot read or write.
GOOD_CODES = {0, 1, 2, 3, 4, 74}


class Ended:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def control_characters(data: bytes) -> list:
    """What a terminal would not show: tabs and ends of lines are fine."""
    text = data.decode("utf-8", "replace")
    return [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160]


class Faults:
    """A folder to work in, the compiler, and what went wrong so far."""

    def __init__(self, description):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("arrc", help="the compiler")
        parser.add_argument("--seed", type=int, default=1)
        self.parser = parser
        self.problems = []
        self.runs = 0

    def start(self):
        self.options = self.parser.parse_args()
        self.arrc = str(pathlib.Path(self.options.arrc).resolve())
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="arrc-faults-"))
        os.environ.update(ARRC_TARGET="cpu", NO_COLOR="1", ARRC_CACHE=str(self.folder / "cache"))
        os.chdir(self.folder)
        return self.options

    def run(self, command, limit=60, **options):
        self.runs += 1
        command = [str(word) for word in command]
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        try:
            done = subprocess.run(command, stderr=subprocess.PIPE, timeout=limit, **options)
        except subprocess.TimeoutExpired as late:
            return Ended("late", late.stdout or b"", late.stderr or b"")
        return Ended(done.returncode, done.stdout or b"", done.stderr)

    def wrong(self, what, ended=None):
        text = what
        if ended is not None:
            text += f" (code {ended.code}): {ended.err[:300]!r}"
        self.problems.append(text)
        print("WRONG", text, flush=True)

    def judge(self, what, ended, codes=GOOD_CODES):
        """Checks what must hold however a command ends. True if it does."""
        before = len(self.problems)
        if ended.code not in codes:
            self.wrong(what, ended)
        elif b"LLVM ERROR" in ended.err or b"Assertion" in ended.err or b"Stack dump" in ended.err:
            self.wrong(what + ": text of LLVM", ended)
        elif control_characters(ended.err):
            self.wrong(what + ": control characters", ended)
        elif ended.code not in (0, None) and not ended.err and not ended.out:
            self.wrong(what + ": nothing is said", ended)
        return len(self.problems) == before

    def finish(self, what) -> int:
        os.chdir("/")
        shutil.rmtree(self.folder, ignore_errors=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(f"{what}: {self.runs} runs, {len(self.problems)} wrong, at most {peak} MiB")
        return 1 if self.problems else 0
