"""Exact matching of live model requests against a cassette: pure, one replay at a time."""

from runwright.match.difference import MISSING, Difference, Missing
from runwright.match.effects import Apart, EffectMatch
from runwright.match.matcher import Kind, Matcher, Miss, Served
from runwright.match.scope import Ignore, Shape
from runwright.match.text import Flag, Flagged

__all__ = [
    "MISSING",
    "Apart",
    "Difference",
    "EffectMatch",
    "Flag",
    "Flagged",
    "Ignore",
    "Kind",
    "Matcher",
    "Miss",
    "Missing",
    "Served",
    "Shape",
]
