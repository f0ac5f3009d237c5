"""Which call directly follows which, read back from sequences as they are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

EDGE = ""
"""What stands before the first call of an agent and behind its last; no tool is written so."""

CROSSED = 10_000
"""So many pairs between parallel calls and the next are told apart; of more, only who has a part in them."""

Pair = tuple[str, str]

_TIMES = {"x1": 1, "x2": 2, "xmany": 3}
_TOKEN = re.compile(
    r"""(?P<open>[(\[])
      | [)\]]\ (?P<closed>x1|x2|xmany)
      | (?P<name>"(?:[^"\\]|\\.)*"|[^\s,()\[\]"]+)\ (?P<times>x1|x2|xmany)
      | ,\ """,
    re.VERBOSE,
)


@dataclass
class _Stretch:
    """Calls in a row: what it begins and ends with (several where they are parallel), and the pairs within."""

    first: Counter[str] = field(default_factory=Counter)
    last: Counter[str] = field(default_factory=Counter)
    pairs: Counter[Pair] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    parallel: bool = False

    def add(self, other: _Stretch, count: int) -> None:
        """Put it behind what is here, or beside it, so many times."""
        for _ in range(count):
            if self.parallel or not self.first:
                self.first.update(other.first)
            else:
                self.pairs.update(_crossed(self.last, other.first))
            if not self.parallel:
                self.last = Counter()
            self.last.update(other.last)
            self.pairs.update(other.pairs)
            self.calls.update(other.calls)


def follows(sequences: Iterable[Sequence[str]]) -> Counter[Pair]:
    """How often each call directly follows each other one of its agent, ends included; many times are three.

    Calls of one reply follow none of that reply. A text that is no sequence of steps is taken for one call.
    """
    found: Counter[Pair] = Counter()
    for sequence in sequences:
        whole = _alone(EDGE)
        for step in sequence:
            whole.add(_read(step) or _alone(step), 1)
        whole.add(_alone(EDGE), 1)
        found.update(whole.pairs)
    return found


def calls(sequences: Iterable[Sequence[str]]) -> Counter[str]:
    """How often each tool is called; many times in a row are three."""
    found: Counter[str] = Counter()
    for step in (step for sequence in sequences for step in sequence):
        found.update((_read(step) or _alone(step)).calls)
    return found


def _alone(name: str) -> _Stretch:
    return _Stretch(Counter([name]), Counter([name]), calls=Counter([name]))


def _crossed(before: Counter[str], after: Counter[str]) -> Counter[Pair]:
    if min(len(before), len(after)) > 1 and len(before) * len(after) > CROSSED:
        between = "["
        return _crossed(before, Counter([between])) + _crossed(Counter([between]), after)
    return Counter({(one, two): often * more for one, often in before.items() for two, more in after.items()})


def _read(text: str) -> _Stretch | None:
    """A step as it is written; None where it is written otherwise."""
    open_: list[_Stretch] = [_Stretch()]
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        if token["open"]:
            open_.append(_Stretch(parallel=token["open"] == "["))
        elif token["closed"]:
            inner = open_.pop()
            if not open_ or not inner.first:
                return None
            open_[-1].add(inner, _TIMES[token["closed"]])
        elif token["name"]:
            open_[-1].add(_alone(token["name"]), _TIMES[token["times"]])
    return open_[0] if len(open_) == 1 and open_[0].first else None
