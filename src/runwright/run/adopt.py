"""One replay for the sake of what the agent sends: the live values of fields that the recording never knew."""

from __future__ import annotations

from collections.abc import Mapping

from runwright.errors import NotConvertible
from runwright.flow import Flow
from runwright.replay import LiveMiss
from runwright.replay.session import RECORDED
from runwright.run.options import RunOptions
from runwright.run.replayed import Replayed, replay
from runwright.trace.model import ModelRecord, Trace


def live_exchanges(flow: Flow, cassette: Trace, options: RunOptions | None = None) -> Mapping[str, ModelRecord]:
    """The live exchange that each recorded one was served to, by the recorded id, from one replay without a key.

    NotConvertible unless the agent asked for everything that is strict: values of another run are not adopted.
    """
    done = replay(flow, cassette, options or RunOptions())
    _must_have_followed(done)
    return {str(each.ext[RECORDED]): each for each in done.exchanges if RECORDED in each.ext}


def _must_have_followed(done: Replayed) -> None:
    if done.miss is not None and not done.miss.later:
        raise NotConvertible(
            f"the agent did not follow the recording: {_told(done.miss)}", hint="convert without --adopt"
        )
    if done.agent.ended != "exited":
        raise NotConvertible(f"the agent did not end by itself: {done.agent.ended}", hint="give it more time")
    left = done.matcher.left_over()
    if left and done.miss is None:
        raise NotConvertible(f"the agent never asked for {', '.join(left)}", hint="convert without --adopt")


def _told(miss: LiveMiss) -> str:
    return f"{miss.place}: {miss.reason}"
