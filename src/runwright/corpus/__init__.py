"""Many traces at once."""

from runwright.corpus.dedup import Dedup, GuardedBehaviour, GuardedGroup, dedup
from runwright.corpus.guards import Guard, guards
from runwright.corpus.seen import Left, seen

__all__ = ["Dedup", "Guard", "GuardedBehaviour", "GuardedGroup", "Left", "dedup", "guards", "seen"]
