"""Seeing the requests of an agent's processes, set up by its environment alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from runwright.record.http.model import Seen
from runwright.record.http.pipe import Pipe
from runwright.record.http.proxy import Proxy, Reach
from runwright.record.http.stand_ins import places
from runwright.record.http.told import seen_of

FOLDER = Path(__file__).parent / "injected"


class Hooks:
    """What sees the requests of one run, whose processes have the `environment` that this is given, and adds to.

    `stand_ins` are the origins and ports that play a part in the test themselves. With `proxy` a proxy sees the
    requests of programs in any language too, and lets them reach no more than that. `known` are secrets that no rule
    finds.
    CapabilityError where there is no proxy to be had.
    """

    def __init__(
        self, environment: Mapping[str, str], *, stand_ins: Iterable[str | int] = (), proxy: Reach | None = None,
        known: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self._given = environment
        self._known = tuple(known)
        self._pipe = Pipe()
        self._told = {"RUNWRIGHT_STAND_INS": ",".join(sorted(places(stand_ins)))}
        self._proxy = Proxy(proxy, environment) if proxy is not None else None
        self._stack = ExitStack()
        self._seen: Seen | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._pipe)
            self._told["RUNWRIGHT_SEEN"] = str(self._pipe.path)
            if self._proxy is not None:
                stack.enter_context(self._proxy.started(self._told))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.__exit__(kind, error, at)

    @property
    def environment(self) -> dict[str, str]:
        """The agent's whole environment, with what makes its requests seen."""
        path = self._given.get("PYTHONPATH")
        ours = {"PYTHONPATH": f"{FOLDER}{os.pathsep}{path}" if path else str(FOLDER), **self._told}
        proxied = self._proxy.environment(self._told["RUNWRIGHT_STAND_INS"]) if self._proxy else {}
        return {**self._given, **proxied, **ours}

    @property
    def port(self) -> int | None:
        """The port of this machine that the proxy listens on, which the agent must be able to reach; None for none."""
        return self._proxy.port if self._proxy else None

    def seen(self) -> Seen:
        """What was seen, once the run is over. What happens afterwards is not."""
        if self._seen is None:
            faults = self._proxy.stop() if self._proxy else ()
            messages, wrong = self._pipe.messages()
            seen = seen_of(messages, (*faults, *wrong), self._known)
            self._seen = seen._replace(proxied=self._proxy is not None)
        return self._seen
