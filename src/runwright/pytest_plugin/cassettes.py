"""The fixture's value: cassettes that one test has served to its code under test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from runwright.errors import ReplayFailed, RunwrightError, UsageError
from runwright.flow import refused
from runwright.match import Ignore
from runwright.pytest_plugin import FIXTURE, NOTE
from runwright.pytest_plugin.settings import settings_of
from runwright.pytest_plugin.verdict import Verdict, frame_of
from runwright.run import InProcessReplay, replay_in_process
from runwright.run.discover import from_here
from runwright.trace.model import JSON


class Cassettes:
    """Called with a cassette, it serves it: until the `with` block ends, or else until the test does."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._opened: list[InProcessReplay] = []
        self._judged: int | None = None  # how many there were when the test's body ended; None where it never ran

    def __call__(
        self,
        cassette: str | Path,
        *,
        until: str | None = None,
        ignore: Sequence[Ignore | str] = (),
        given: Sequence[str] = (),
        results: Mapping[str, JSON] | None = None,
        strict: bool | None = None,
        split: bool = False,
    ) -> InProcessReplay:
        """Serve a cassette, named as seen from the test's file or from pytest's root folder.

        The options are those of `runwright.run.replay_in_process`; `strict` is as configured unless it is given.
        Verdict where the cassette cannot be served.
        """
        settings = settings_of(self._item.config)
        path = self._found(Path(cassette))
        try:
            replay = replay_in_process(
                path,
                until=until,
                ignore=ignore,
                given=given,
                results=results,
                strict=settings.strict if strict is None else strict,
                split=split,
                keep=settings.keep,
            )
        except RunwrightError as error:
            verdict = refused(path, error)
            raise Verdict("\n".join((verdict.summary, *verdict.notes))) from None
        self._opened.append(replay)
        return replay

    @property
    def base_url(self) -> str:
        """Where the newest cassette is served: the origin, without `/v1`."""
        if not self._opened:
            raise UsageError(f"{FIXTURE} was given no cassette yet")
        return self._opened[-1].base_url

    def open_marked(self) -> None:
        """Serve the cassettes that markers of the test name."""
        for marker in self._item.iter_markers(FIXTURE):
            self(*marker.args, **marker.kwargs)

    def judge(self, error: BaseException | None = None) -> None:
        """End what is open, the newest first, as the test ends by itself or by `error`; red where one is no pass."""
        failed = list(_failures(self._opened, error))
        self._judged = len(self._opened)
        self._note()
        if not self._opened and error is None:
            failed.append(f"UNVERIFIED, {FIXTURE} was given no cassette\nhint: call it, or mark the test")
        if failed and error is None:
            raise Verdict("\n".join(failed))
        if failed and error is not None:
            code = getattr(getattr(self._item, "function", None), "__code__", None)
            raise ReplayFailed("\n".join(failed)).with_traceback(frame_of(code, error)) from error

    def finish(self) -> None:
        """Let nothing stay open: what was served after the test's body, or asked before one that never ran, is judged.

        What a test whose body never ran did not ask for is none of its failures.
        """
        ran = self._judged is not None
        late = self._opened[self._judged or 0 :]
        idle = [] if ran else [replay for replay in late if not replay.exchanges]
        for replay in idle:
            replay.close(GeneratorExit())
        failed = list(_failures([replay for replay in late if replay not in idle], None))
        if failed:
            raise Verdict("\n".join(failed))

    def _note(self) -> None:
        """A pass that rests on fields nobody compared says so."""
        for replay in self._opened:
            if replay.result is not None and replay.result.never_compared:
                self._item.user_properties.append((NOTE, replay.result.summary))
                listed = "\n".join(("never compared:", *replay.result.never_compared))
                self._item.add_report_section("call", "runwright", listed)

    def _found(self, cassette: Path) -> Path:
        beside = self._item.path.parent / cassette
        return from_here(beside if beside.exists() else self._item.config.rootpath / cassette)


def _failures(replays: Sequence[InProcessReplay], error: BaseException | None) -> Iterator[str]:
    """What speaks against each, the newest first, also where the test caught it or a block ended by its own error."""
    for replay in reversed(replays):
        try:
            replay.must_pass() if error is None else replay.close(error)
        except ReplayFailed as failure:
            yield str(failure)
