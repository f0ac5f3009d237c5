"""Answering an agent's model calls from a cassette, on loopback."""

from runwright.replay.explain import wire_text
from runwright.replay.server import ReplayServer, Session
from runwright.replay.session import LiveMiss, MissKind, ReplaySession

__all__ = ["LiveMiss", "MissKind", "ReplayServer", "ReplaySession", "Session", "wire_text"]
