"""Processes that work side by side, and lose their place when they take too long.

    with Crew(16) as crew:
        for key, value in crew.run({key: ("schedules", "build", arguments..)}, 60):
            ..

A task names a module of this folder, a function and its arguments. Its value is what the
function returns; `Failure` says what went wrong: an error, or that it took too long and
was ended with its process, as a kernel that hangs can be ended in no other way. State of
a module lasts as long as its process. This file is also the program of the processes.
"""

import collections
import importlib
import os
import pickle
import select
import struct
import subprocess
import sys
import time


#: Seconds for what runs when time ends.
GRACE = 15


class Failure:
    """What a task that has no value says."""

    def __init__(self, text, ended=False):
        #: Whether the process was ended.
        self.text, self.ended = text, ended

    def __str__(self):
        return self.text


def write(pipe, value):
    data = pickle.dumps(value)
    pipe.write(struct.pack("<Q", len(data)) + data)
    pipe.flush()


def read(pipe):
    size = pipe.read(8)
    return pickle.loads(pipe.read(struct.unpack("<Q", size)[0])) if len(size) == 8 else None


class Worker:
    """A process, and the task it has."""

    def __init__(self):
        theirs, to = os.pipe()
        answers, back = os.pipe()
        # Libraries may print: the answers have a pipe of their own.
        self.process = subprocess.Popen(
            [sys.executable, os.path.realpath(__file__), str(theirs), str(back)],
            pass_fds=(theirs, back), stdin=subprocess.DEVNULL)
        os.close(theirs)
        os.close(back)
        self.to, self.answers = os.fdopen(to, "wb"), os.fdopen(answers, "rb")
        self.key = self.deadline = None

    def start(self, key, task, seconds):
        self.key, self.deadline = key, time.monotonic() + seconds
        try:
            write(self.to, task)
        except BrokenPipeError:  # it is dead, which the answer says
            pass

    def finish(self):
        """The value; the worker has answered or has ended."""
        answer = read(self.answers)
        self.deadline = None
        if answer is None:
            self.end()
            return Failure(f"the process ended, {self.process.returncode}", True)
        good, value = answer
        return value if good else Failure(value)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.to = self.answers = None


class Crew:
    def __init__(self, count):
        self.workers = [Worker() for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for worker in self.workers:
            worker.end()
        self.workers = []

    def run(self, tasks, seconds, until=float("inf")):
        """(key, value) of the tasks, as they are done. A task may take `seconds`; none
        starts after `until` of time.monotonic(), and no value comes of those left. What
        runs then has `GRACE` seconds to end."""
        left = collections.deque(tasks.items())
        while True:
            for k, worker in enumerate(self.workers):
                if left and worker.deadline is None and time.monotonic() < until:
                    if worker.answers is None:
                        worker = self.workers[k] = Worker()
                    worker.start(*left.popleft(),
                                 min(seconds, until + GRACE - time.monotonic()))
            busy = [w for w in self.workers if w.deadline is not None]
            if not busy:
                return
            wait = min(w.deadline for w in busy) - time.monotonic()
            ready, _, _ = select.select([w.answers for w in busy], [], [], max(wait, 0))
            for worker in busy:
                if worker.answers in ready:
                    yield worker.key, worker.finish()
                elif worker.deadline <= time.monotonic():
                    worker.deadline = None
                    worker.end()
                    yield worker.key, Failure("took too long", True)

    def call(self, task, seconds):
        """The value of one task."""
        return next(value for _, value in self.run({0: task}, seconds))


def main():
    tasks, answers = (os.fdopen(int(fd), mode) for fd, mode in zip(sys.argv[1:3], ("rb", "wb")))
    while (task := read(tasks)) is not None:
        module, function, *arguments = task
        try:
            answer = True, getattr(importlib.import_module(module), function)(*arguments)
        except Exception as e:  # the caller decides
            answer = False, f"{type(e).__name__}: {str(e)[:600]}"
        write(answers, answer)


if __name__ == "__main__":
    main()
