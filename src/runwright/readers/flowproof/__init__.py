"""Traces of flowproof in both shapes: a document of an agent's run, and JSON Lines of steps."""

from runwright.readers.flowproof.kept import joined_in, mocks_of
from runwright.readers.flowproof.read import read_flowproof, sniff_flowproof
from runwright.readers.reader import Reader, only

FLOWPROOF = Reader(
    name="flowproof",
    sniff=sniff_flowproof,
    read=only(read_flowproof),
    recognised="a JSON document with `app` and `cassette`, or JSON Lines that begin with `format`, `trace_id`, `app`",
    kept="model turns, mocks, MCP calls, egress and side effects; SAP steps as `sap_transaction`, API probes",
    lost="steps of other applications; sampling parameters, tool schemas, usage and times were never stored: unknown",
    versions="0.19, 0.23",
    models=False,
)

__all__ = ["FLOWPROOF", "joined_in", "mocks_of", "read_flowproof", "sniff_flowproof"]
