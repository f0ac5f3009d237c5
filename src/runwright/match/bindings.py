"""Which live value stands for which recorded one: one to one, over the whole session."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy

from runwright.match.volatile import REDACTED, Token, Window, template

Pair = tuple[str, str]

_MADE_UP = frozenset({"uuid", "id", "ulid"})
"""Shapes so long that a fresh value never equals a recorded one by chance."""


class Bindings:
    """What the agent was given, and what stands for what so far."""

    def __init__(
        self, given: Iterable[str], recorded: Window | None, live: Callable[[], Window], known: frozenset[str]
    ) -> None:
        self._text = "\n".join(given).casefold()
        self._given: set[str] = set()
        self._recorded, self._live = recorded, live
        self._known = known
        self.forward: dict[Pair, str] = {}
        self.backward: dict[Pair, str] = {}
        self.stamps: set[Pair] = set()

    def fork(self) -> Bindings:
        """The same bindings, to which others may be added without these."""
        other = copy(self)
        other._given, other.stamps = set(self._given), set(self.stamps)
        other.forward, other.backward = dict(self.forward), dict(self.backward)
        return other

    def give(self, texts: Iterable[str]) -> None:
        """Whatever these texts hold is from now on bound to itself."""
        for text in texts:
            self._given.update(token.value.casefold() for token in template(text).tokens)
            self._given.update(found.group().casefold() for found in REDACTED.finditer(text))

    def know(self, texts: Iterable[str]) -> None:
        """Whatever these recorded texts hold is no fresh value: a live one that equals it was swapped."""
        tokens = (token for text in texts for token in template(text).tokens)
        self._known |= {token.value.casefold() for token in tokens}

    def was_given(self, value: str) -> bool:
        """Whether the flow or a served reply held this value, however its letters' case."""
        folded = value.casefold()
        return folded in self._given or folded in self._text

    def is_fresh(self, recorded: Token, live: Token) -> bool:
        """Whether both values first appeared in a request, each in its own run."""
        if self.was_given(recorded.value) or self.was_given(live.value):
            return False
        if recorded.is_time:
            return self._in_time(recorded, live)
        return live.shape not in _MADE_UP or live.value.casefold() not in self._known

    def _in_time(self, recorded: Token, live: Token) -> bool:
        return self._recorded is not None and self._recorded.holds(recorded) and self._live().holds(live)

    def may_stamp(self, recorded: Token, live: Token) -> bool:
        """Whether a stamp of a coarse clock may be this live one: it repeats honestly, so it is not one to one."""
        if (recorded.form + recorded.value, "") in self.stamps:
            return (live.form + live.value, "live") in self.stamps or (
                not self.was_given(live.value) and self._in_time(recorded, live)
            )
        return self.is_fresh(recorded, live)


class Trial:
    """Bindings under test: what one comparison would add, kept only when its exchange is served."""

    def __init__(self, bindings: Bindings) -> None:
        self._base = bindings
        self._forward: dict[Pair, str] = {}
        self._backward: dict[Pair, str] = {}
        self._stamps: set[Pair] = set()

    def token(self, recorded: Token, live: Token) -> bool:
        """Whether a live token may stand for a recorded one; if so they are bound."""
        if recorded.form != live.form:
            return False
        if recorded.value == live.value:
            return self._same(recorded.form, recorded.value)
        if recorded.repeats:
            return self._stamp(recorded, live)
        there, here = self._forward_of(recorded.form, recorded.value), self._backward_of(live.form, live.value)
        if there is not None or here is not None:
            return there == live.value
        if not self._base.is_fresh(recorded, live):
            return False
        self._bind(recorded.form, recorded.value, live.value)
        return True

    def secret(self, token: str, live: str) -> bool:
        """Whether a live secret may stand for a redacted token; if so they are bound."""
        there, here = self._forward_of("secret", token), self._backward_of("secret", live)
        if there is not None or here is not None:
            return there == live
        self._bind("secret", token, live)
        return True

    def secret_of(self, token: str) -> str | None:
        """The live secret that a redacted token stands for, once one was found."""
        return self._forward_of("secret", token)

    def commit(self) -> None:
        """Keep what this trial bound."""
        self._base.forward |= self._forward
        self._base.backward |= self._backward
        self._base.stamps |= self._stamps

    def _same(self, form: str, value: str) -> bool:
        there, here = self._forward_of(form, value), self._backward_of(form, value)
        if there == value:
            return True
        if there is None and here is None:
            self._bind(form, value, value)
            return True
        # bound elsewhere before a reply gave it back: as given, it stands for itself too
        return self._base.was_given(value)

    def _stamp(self, recorded: Token, live: Token) -> bool:
        if not self._base.may_stamp(recorded, live):
            return False
        self._stamps |= {(recorded.form + recorded.value, ""), (live.form + live.value, "live")}
        return True

    def _bind(self, form: str, recorded: str, live: str) -> None:
        self._forward[form, recorded] = live
        self._backward[form, live] = recorded

    def _forward_of(self, form: str, value: str) -> str | None:
        found = self._forward.get((form, value))
        return found if found is not None else self._base.forward.get((form, value))

    def _backward_of(self, form: str, value: str) -> str | None:
        found = self._backward.get((form, value))
        return found if found is not None else self._base.backward.get((form, value))
