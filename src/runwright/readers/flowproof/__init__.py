"""Traces of flowproof in both shapes: a document of an agent's run, and JSON Lines of steps."""

from runwright.readers.flowproof.kept import joined_in, mocks_of
from runwright.readers.flowproof.read import read_flowproof, sniff_flowproof

__all__ = ["joined_in", "mocks_of", "read_flowproof", "sniff_flowproof"]
