"""Programs compiled beside the script, while NumPy computes in their place.

One thread compiles, in the order in which programs were asked for. It dies with the
interpreter, which waits for the program that is being compiled and drops the others; a
forked process starts with none.
"""

from __future__ import annotations

import atexit
import os
import queue
import threading
import warnings
from collections.abc import Callable


class _Compiler:
    def __init__(self):
        self.jobs: queue.SimpleQueue = queue.SimpleQueue()
        self.thread: threading.Thread | None = None
        self.is_closed = False
        self.is_at_work = False

    def add(self, job: Callable[[], None]) -> None:
        self.jobs.put(job)
        if self.thread is None:
            self.thread = threading.Thread(target=self._work, name="arrc.numpy compiler",
                                           daemon=True)
            self.thread.start()

    def _work(self) -> None:
        while True:
            job = self.jobs.get()
            if job is None or self.is_closed:
                return
            self.is_at_work = True
            job()
            self.is_at_work = False

    def close(self) -> None:
        self.is_closed = True
        self.jobs.put(None)
        if self.thread is not None:
            self.thread.join()

    def wait(self) -> None:
        if self.thread is not None:
            done = threading.Event()
            self.jobs.put(done.set)
            done.wait()


_compiler = _Compiler()


def _close() -> None:
    _compiler.close()


def _forget() -> None:
    global _compiler
    _compiler = _Compiler()


atexit.register(_close)
os.register_at_fork(after_in_child=_forget)


class Compiling:
    """What stands for a program that is not there yet, or never will be."""

    @staticmethod
    def start(finish: Callable, keep: Callable) -> None:
        """Calls `finish`, and `keep` with what it gives."""
        def work():
            try:
                keep(finish())
            except Exception as problem:  # then NumPy goes on computing it
                warnings.warn(f"arrc.numpy could not compile a program: {problem}", stacklevel=2)
        _compiler.add(work)


def is_busy() -> bool:
    """Whether a program is being compiled: what takes its time meanwhile says little."""
    return _compiler.is_at_work or not _compiler.jobs.empty()


def wait() -> None:
    """Waits until all programs that were asked for are there."""
    _compiler.wait()
