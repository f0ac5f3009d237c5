"""What a set of traces has exercised of the tools that an agent has."""

from runwright.coverage.calls import SeenCall, calls_in
from runwright.coverage.controls import ControlCoverage, controls_of
from runwright.coverage.measure import BOUNDARY, Coverage, ToolCoverage, coverage
from runwright.coverage.registered import Registered, registered_by, registered_in

__all__ = [
    "BOUNDARY",
    "ControlCoverage",
    "Coverage",
    "Registered",
    "SeenCall",
    "ToolCoverage",
    "calls_in",
    "controls_of",
    "coverage",
    "registered_by",
    "registered_in",
]
