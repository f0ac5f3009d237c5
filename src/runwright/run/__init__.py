"""One flow, one suite: start the agent, serve, observe, judge."""

from runwright.run.adopt import live_exchanges
from runwright.run.discover import Problem, repository_root
from runwright.run.one import FlowRun, run_flow, run_one
from runwright.run.options import RunOptions
from runwright.run.suite import SuiteReport, run_suite

__all__ = [
    "FlowRun",
    "Problem",
    "RunOptions",
    "SuiteReport",
    "live_exchanges",
    "repository_root",
    "run_flow",
    "run_one",
    "run_suite",
]
