# Nothing to see.
