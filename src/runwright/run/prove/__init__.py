"""Whether a green flow can go red: mutants of its live side, tried without the agent and without a network."""

from runwright.run.prove.options import DEFAULT_LIMIT, ProveOptions, Watched
from runwright.run.prove.prove import prove, prove_flow
from runwright.run.prove.report import FATES, Fate, ProveReport, Tried

__all__ = [
    "DEFAULT_LIMIT",
    "FATES",
    "Fate",
    "ProveOptions",
    "ProveReport",
    "Tried",
    "Watched",
    "prove",
    "prove_flow",
]
