"""One flow, one suite: start the agent, serve, observe, judge."""

from runwright.run.adopt import live_exchanges
from runwright.run.discover import Problem, repository_root
from runwright.run.governed import Suites
from runwright.run.in_process import InProcessReplay, replay_in_process
from runwright.run.known import known_secrets
from runwright.run.one import FlowRun, run_flow, run_one
from runwright.run.options import RunOptions
from runwright.run.provenance import CassetteUsed
from runwright.run.suite import SuiteReport, run_suite

__all__ = [
    "CassetteUsed",
    "FlowRun",
    "InProcessReplay",
    "Problem",
    "RunOptions",
    "SuiteReport",
    "Suites",
    "known_secrets",
    "live_exchanges",
    "replay_in_process",
    "repository_root",
    "run_flow",
    "run_one",
    "run_suite",
]
