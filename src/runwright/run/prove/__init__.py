"""Whether a green flow can go red: mutants of its live side, tried without the agent and without a network."""

from runwright.run.prove.options import DEFAULT_LIMIT, ProveOptions, Watched, kinds_named
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
    "kinds_named",
    "prove",
    "prove_flow",
]
