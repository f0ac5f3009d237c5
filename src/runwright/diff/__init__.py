"""What differs between two traces: records are aligned by digest, unequal ones paired, their fields explained."""

from runwright.diff.coarse import Coarse
from runwright.diff.compare import diff
from runwright.diff.model import KINDS, Change, FieldDifference, Kind, Side, TraceDiff, Unknown

__all__ = ["KINDS", "Change", "Coarse", "FieldDifference", "Kind", "Side", "TraceDiff", "Unknown", "diff"]
