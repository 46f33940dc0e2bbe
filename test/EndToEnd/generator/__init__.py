"""Random programs of the language: see differential.py."""
