"""From a captured run to a proposal that waits for a person."""

from runwright.convert.adopt import adopt
from runwright.convert.convert import convert
from runwright.convert.covered import same_behaviour
from runwright.convert.difference import render
from runwright.convert.options import ConvertOptions, Paths, paths_for
from runwright.convert.pending import pending_files
from runwright.convert.proposal import Proposal, Summary, summary_lines
from runwright.convert.until import does
from runwright.convert.write import accepted_traces, write_proposal

__all__ = [
    "ConvertOptions",
    "Paths",
    "Proposal",
    "Summary",
    "accepted_traces",
    "adopt",
    "convert",
    "does",
    "paths_for",
    "pending_files",
    "render",
    "same_behaviour",
    "summary_lines",
    "write_proposal",
]
