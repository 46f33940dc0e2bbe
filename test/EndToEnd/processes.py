"""Commands that end: by themselves, after some seconds, or when all are stopped."""

import os
import signal
import subprocess
import threading


class Stopped(Exception):
    """The command was ended, or not begun, because all are to stop."""


class Processes:
    """Starts commands from any number of threads. Each has a session of its own,
    which ends with what it started itself."""

    def __init__(self):
        self.lock, self.running, self.stopping = threading.Lock(), set(), False

    def run(self, command, seconds, environment=None):
        """What a command did; raises TimeoutExpired, or Stopped."""
        with self.lock:
            if self.stopping:
                raise Stopped
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, errors="replace",
                start_new_session=True, env={**os.environ, **(environment or {})})
            self.running.add(process)
        try:
            out, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            kill(process)
            process.communicate()
            raise
        finally:
            with self.lock:
                self.running.discard(process)
        if self.stopping and process.returncode == -signal.SIGKILL:
            raise Stopped
        return subprocess.CompletedProcess(command, process.returncode, out, errors)

    def stop(self):
        """Ends what runs, and lets nothing begin."""
        with self.lock:
            self.stopping = True
            for process in self.running:
                kill(process)


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
