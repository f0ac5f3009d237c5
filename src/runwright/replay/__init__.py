"""Answering an agent's model calls from a cassette, on loopback."""

from runwright.replay.explain import difference_lines, wire_text
from runwright.replay.miss import LiveMiss, MissKind
from runwright.replay.server import ReplayServer, Session
from runwright.replay.session import ReplaySession

__all__ = ["LiveMiss", "MissKind", "ReplayServer", "ReplaySession", "Session", "difference_lines", "wire_text"]
