"""A cassette served to code in this very process: the environment points at it, and the end judges what was asked."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal

from runwright.errors import ReplayFailed, UsageError
from runwright.flow import AgentSpec, Flow, FlowResult, IgnoreSpec, Replay, ToolStub, Word
from runwright.match import Ignore
from runwright.replay import ReplayServer, ReplaySession, difference_lines
from runwright.run.agent import AgentRun
from runwright.run.environment import where_served
from runwright.run.one import judged, load_cassette
from runwright.run.options import RunOptions
from runwright.run.process_environment import PROCESS
from runwright.run.replayed import SPLIT, Replayed, matcher_of
from runwright.secrets import clean_text
from runwright.trace import parse_path
from runwright.trace.model import JSON, ModelRecord

LOOPBACK = "127.0.0.1,localhost"


class InProcessReplay:
    """A cassette that is being served, from its making to `close`; a context manager that closes itself.

    While it is open, the environment points the official model clients at it, and a key that is none stands for the
    real one. ReplayFailed at the end unless everything recorded was asked for and nothing else, whatever the code
    under test made of a refusal.
    """

    def __init__(self, flow: Flow, options: RunOptions) -> None:
        self._flow, self._options = flow, options
        self._cassette = load_cassette(flow)
        self._matcher = matcher_of(flow, self._cassette)
        self._session = ReplaySession(self._cassette, self._matcher)
        self._server = ReplayServer(self._session, split=SPLIT if flow.replay.split else None)
        self._started_at, self._clock = datetime.now(UTC), time.monotonic()
        self._server.__enter__()
        self._base_url = self._server.base_url
        PROCESS.put(self, {**where_served(self._base_url), **_loopback_is_direct(os.environ)})
        self._result: FlowResult | None = None
        self._open = True

    @property
    def base_url(self) -> str:
        """Where the cassette is served: the origin, without `/v1`."""
        return self._base_url

    @property
    def is_open(self) -> bool:
        """Whether it still serves."""
        return self._open

    @property
    def result(self) -> FlowResult | None:
        """The verdict, once it was judged."""
        return self._result

    @property
    def exchanges(self) -> tuple[ModelRecord, ...]:
        """What was asked so far and what was served, in the order of arrival."""
        return self._session.live_records()

    def close(self, error: BaseException | None = None) -> None:
        """Stop serving, put the environment back and judge. `error` is what already ended the code under test.

        ReplayFailed for a miss, caused by `error`; without an error also for whatever else keeps a flow from passing.
        """
        __tracebackhide__ = True
        if not self._open:
            return
        self._open = False
        PROCESS.take(self)
        self._server.__exit__(None, None, None)
        if isinstance(error, (KeyboardInterrupt, GeneratorExit)):
            return
        miss = self._session.miss
        if error is None or (miss is not None and not miss.later):
            self._must_pass(error)

    def must_pass(self) -> None:
        """Close it, and raise ReplayFailed unless it passes: as often as it is asked, whatever ended it before."""
        __tracebackhide__ = True
        self.close()
        self._must_pass(None)

    def _must_pass(self, error: BaseException | None) -> None:
        __tracebackhide__ = True
        result = self._result or self._judged()
        if result.word is not Word.PASS:
            raise ReplayFailed(self._told(result)) from error

    def __enter__(self) -> InProcessReplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        __tracebackhide__ = True
        self.close(error)
        return False

    def _judged(self) -> FlowResult:
        duration = time.monotonic() - self._clock
        done = Replayed(
            agent=AgentRun(ended="exited", exit_code=0, started_at=self._started_at, duration=duration),
            exchanges=self.exchanges,
            miss=self._session.miss,
            matcher=self._matcher,
            environment={},
        )
        self._result = judged(self._flow, done, self._cassette, self._options, duration).result
        return self._result

    def _told(self, result: FlowResult) -> str:
        miss = self._session.miss
        differences = difference_lines(miss, str) if miss else ()
        lines = [result.summary, *differences, *result.notes, f"cassette: {self._flow.cassette}"]
        return clean_text("\n".join(lines))  # pytest prints it


def replay_in_process(
    cassette: str | Path,
    *,
    until: str | None = None,
    ignore: Sequence[Ignore | str] = (),
    given: Sequence[str] = (),
    results: Mapping[str, JSON] | None = None,
    strict: bool = False,
    split: bool = False,
    keep: bool = False,
) -> InProcessReplay:
    """Serve a cassette to code in this process, as a flow serves one to its agent.

    `until` is the exchange up to which matching is strict. `ignore` names fields of model requests that may differ,
    as JSONPaths or Ignore. `given` are the texts that the code under test is given, such as the prompt. `results`
    replaces tool results before matching, by the tool's name. `strict` fails where fields were never compared.
    `split` streams in single bytes. `keep` writes the live side, redacted, under `.runwright/runs/`.

    TraceError for a cassette that is not there, damaged or without its seal; UsageError for a path that is none.
    """
    path = Path(cassette)
    flow = Flow(
        path=path,
        name=path.name,
        agent=AgentSpec(tools="real"),
        cassette=path,
        replay=Replay(until=until, split=split),
        ignore=tuple(map(_ignore, ignore)),
        tools=tuple(ToolStub(name=name, result=result, has_result=True) for name, result in (results or {}).items()),
        turns=tuple(given),
    )
    return InProcessReplay(flow, RunOptions(strict=strict, keep=keep))


def _ignore(given: Ignore | str) -> IgnoreSpec:
    asked = Ignore("model", given) if isinstance(given, str) else given
    if not parse_path(asked.path):
        raise UsageError("an ignore of $ leaves nothing to compare")
    return IgnoreSpec(lane=asked.lane, path=asked.path, shape=asked.shape)


def _loopback_is_direct(environment: Mapping[str, str]) -> dict[str, str]:
    """What keeps a client's proxy away from loopback, beside what the process already reaches directly."""
    names = ("NO_PROXY", "no_proxy")
    return {name: ",".join(filter(None, (environment.get(name), LOOPBACK))) for name in names}
