"""Traces of flowproof in both shapes: a document of an agent's run, and JSON Lines of steps."""

from runwright.readers.flowproof.document import mocks_of
from runwright.readers.flowproof.read import read_flowproof, sniff_flowproof

__all__ = ["mocks_of", "read_flowproof", "sniff_flowproof"]
