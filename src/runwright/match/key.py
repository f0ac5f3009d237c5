"""Finding the recorded exchanges that may agree with a live request, without looking at the others."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import NamedTuple

from runwright.match.part import Part, Prepared
from runwright.match.scope import PARAMETERS, IgnoreRule, Scope, Steps


class Signature(NamedTuple):
    """What a recorded exchange's key leaves out, because it is unknown or redacted there."""

    model: bool
    parameters: bool
    tools: bool
    streamed: bool
    messages: bool
    holes: tuple[int, ...]


class Buckets(NamedTuple):
    """Positions of recorded exchanges by content key: as it is, and with volatile and ignored values blanked."""

    exact: dict[int, list[int]]
    blank: dict[int, list[int]]


class Index:
    """Recorded exchanges by content key, for each way in which exchanges of a length are incomplete."""

    def __init__(self, ignores: tuple[IgnoreRule, ...]) -> None:
        self._ignored = _ignored(ignores)
        self._by_length: dict[int | None, dict[Signature, Buckets]] = {}

    def add(self, position: int, request: Prepared, scope: Scope) -> None:
        """Enter a recorded exchange; positions must grow."""
        signature = _signature(request, scope, self._ignored.messages)
        length = None if signature.messages else len(request.messages)
        buckets = self._by_length.setdefault(length, {}).setdefault(signature, Buckets({}, {}))
        buckets.exact.setdefault(self._key(request, signature, blank=False), []).append(position)
        buckets.blank.setdefault(self._key(request, signature, blank=True), []).append(position)

    def candidates(self, request: Prepared) -> Iterator[int]:
        """Positions that may agree, those of equal content first, each in recorded order; some come twice."""
        groups = [item for length in (len(request.messages), None) for item in self._by_length.get(length, {}).items()]
        yield from merge(*(b.exact.get(self._key(request, s, blank=False), ()) for s, b in groups))
        yield from merge(*(b.blank.get(self._key(request, s, blank=True), ()) for s, b in groups))

    def _key(self, request: Prepared, signature: Signature, *, blank: bool) -> int:
        ignored = self._ignored if blank else _NOTHING
        return hash(
            (
                request.api,
                None if signature.model or ignored.model else request.model,
                None if signature.streamed or ignored.streamed else request.streamed,
                None if signature.parameters or ignored.all_parameters else _parameters(request, ignored, blank=blank),
                None if signature.tools or ignored.tools else _tools(request, blank=blank),
                None if signature.messages else _messages(request, signature.holes, blank=blank),
            )
        )


class _Ignored(NamedTuple):
    """What the flow's ignores take out of blanked keys as a whole."""

    model: bool = False
    streamed: bool = False
    all_parameters: bool = False
    parameters: frozenset[str] = frozenset()
    tools: bool = False
    messages: bool = False


_NOTHING = _Ignored()


def _ignored(ignores: tuple[IgnoreRule, ...]) -> _Ignored:
    def touched(where: Steps) -> bool:
        return any(rule.touches(where) for rule in ignores)

    names = [rule.pattern[2] if len(rule.pattern) > 2 else None for rule in ignores if rule.touches(PARAMETERS)]
    return _Ignored(
        model=touched(("request", "model")),
        streamed=touched(("streamed",)),
        all_parameters=not all(isinstance(name, str) for name in names),
        parameters=frozenset(name for name in names if isinstance(name, str)),
        tools=touched(("request", "tools")),
        messages=any(rule.covers(("request", "messages")) for rule in ignores),
    )


def _signature(request: Prepared, scope: Scope, messages_ignored: bool) -> Signature:
    holes = (
        place
        for place, (index, part) in enumerate(zip(request.at, request.messages, strict=True))
        if part.redacted or scope.touches(("request", "messages", index))
    )
    redacted_tool = any(part.redacted for group in request.tools.values() for _, part in group)
    redacted_parameter = any(part.redacted for part in request.parameters.values())
    return Signature(
        model=scope.touches(("request", "model")),
        parameters=scope.open or redacted_parameter or scope.touches(PARAMETERS),
        tools=redacted_tool or scope.touches(("request", "tools")),
        streamed=request.streamed is None or scope.touches(("streamed",)),
        messages=messages_ignored or scope.skips(("request", "messages")),
        holes=tuple(holes),
    )


def _digest(part: Part, blank: bool) -> bytes:
    return part.blank if blank else part.exact


def _parameters(request: Prepared, ignored: _Ignored, *, blank: bool) -> object:
    kept = request.parameters.items()
    return tuple(sorted((name, _digest(part, blank)) for name, part in kept if name not in ignored.parameters))


def _tools(request: Prepared, *, blank: bool) -> object:
    groups = request.tools.items()
    return tuple(sorted((name, *(_digest(part, blank) for _, part in group)) for name, group in groups))


def _messages(request: Prepared, holes: tuple[int, ...], *, blank: bool) -> object:
    digests: list[bytes | None] = [_digest(part, blank) for part in request.messages]
    for place in holes:
        digests[place] = None
    return tuple(digests)
