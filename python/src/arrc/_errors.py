"""The exceptions and warnings of this package."""

from __future__ import annotations


class Error(Exception):
    """What goes wrong with a program."""


class CompileError(Error):
    """The compiler refused a program. The text is what `arrc` prints."""

    def __init__(self, message: str, code: int = 1):
        super().__init__(message.rstrip())
        #: The exit code that `arrc` would have ended with.
        self.code = code


class RunError(Error):
    """A program failed while it ran. The text names the place in the source."""

    def __init__(self, message: str, status: int = 3):
        super().__init__(message.rstrip())
        #: The text without what kind of message it is.
        self.message = str(self).removeprefix("error: ")
        #: The status of the runtime: 3 a check of the program, 4 memory, 5 the device.
        self.status = status


class InputError(RunError, ValueError):
    """Arguments do not fit each other or what the program declares."""


class CopyWarning(UserWarning):
    """An argument was copied, because a program reads dense, row-major arrays."""


class CompileWarning(UserWarning):
    """The compiler warns about a program."""
