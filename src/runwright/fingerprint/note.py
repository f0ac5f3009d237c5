"""What a fingerprint takes note of in each record: where it stands and what it did. No words, no contents."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from runwright.trace.ends import Close, Failure
    from runwright.trace.model import JSON

    Lane: TypeAlias = Literal["tool", "mcp"]


class Note:
    """A record of any lane. `t` is None where its time is not known."""

    __slots__ = ("after", "after_inferred", "agent", "id", "parent", "t")

    id: str
    parent: str | None
    after: tuple[str, ...]
    after_inferred: tuple[str, ...]
    agent: str | None
    t: float | None


class Asked:
    """A call that a reply asks for. `shape` is that of its arguments; None where they are not known."""

    __slots__ = ("arguments", "call_id", "name", "shape")

    def __init__(self, name: str, call_id: str | None, arguments: JSON | bytes, shape: str | None) -> None:
        self.name = name
        self.call_id = call_id
        self.arguments = arguments
        self.shape = shape


class Exchange(Note):
    """A model exchange, with the calls that its reply asks for, and those whose results its request newly carries.

    `failure` and `close` say how it ended, `cut` that its answer stops at a limit; `answered`, `questioned` and
    `named` whether its answer, its messages and its model are known.
    """

    __slots__ = ("answered", "asks", "close", "cut", "ended", "failure", "model", "named", "questioned", "results")

    model: str
    asks: tuple[Asked, ...]
    results: tuple[str, ...]
    ended: float
    failure: Failure | None
    cut: bool
    close: Close
    answered: bool
    questioned: bool
    named: bool


class Shown(Note):
    """A tool or MCP record that shows a call, under one of some names; `shape` is as in `Asked`.

    `given` says whether its arguments are named ones.
    """

    __slots__ = ("arguments", "call_id", "given", "lane", "names", "shape")

    lane: Lane
    names: tuple[str, ...]
    call_id: str | None
    arguments: JSON | bytes
    given: bool
    shape: str | None


class Http(Note):
    """An exchange of the http lane."""

    __slots__ = ("endpoint",)

    endpoint: str


class Noted:
    """The notes of a trace, in line order, and what holds of it as a whole."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.complete = True
        self.observation: Mapping[str, str] = {}
        self.faults: set[str] = set()
        self.hidden: set[str] = set()
        """The lanes and kinds that a fault may hide."""
        self.effects: Counter[str] = Counter()
        self.targets: Counter[str] = Counter()
        """The endpoints that effects of kind `http_request` name."""
        self.tools = False
        """Whether a tool record is there."""
        self.denied = False
        self.failed = False
        self.unsure = False
        """Whether a tool may have failed without being known to."""
        self.ours = True
        """Whether the trace is our own recording."""
        self.spans = True
        """Whether every exchange and tool record is a span of a whole tree."""

    @property
    def exchanges(self) -> list[Exchange]:
        """The model exchanges, in line order."""
        return [note for note in self.notes if type(note) is Exchange]
