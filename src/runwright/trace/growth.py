"""Conversations that grow: the request of an exchange repeats that of an earlier one and goes on from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from runwright.trace.content import Message

Made = TypeVar("Made")


class Growth(Generic[Made]):
    """What was made of each conversation so far, so that none of its messages need be read for every exchange again.

    A request goes on from the latest one that began with the same message, if it holds all messages of that one.
    """

    def __init__(self, begun: Callable[[], Made]) -> None:
        self._begun = begun
        self._latest: dict[int, tuple[tuple[Message, ...], Made]] = {}

    def of(self, messages: tuple[Message, ...]) -> tuple[Made, tuple[Message, ...]]:
        """What was made of the request that these messages go on from, and the messages that are new to it.

        What is made of the new ones belongs into the same value.
        """
        first = id(messages[0]) if messages else 0  # the messages are held, so that no other can have the number
        earlier, made = self._latest.get(first, ((), None))
        if made is None or not _is_begun_by(messages, earlier):
            earlier, made = (), self._begun()
        self._latest[first] = (messages, made)
        return made, messages[len(earlier) :]


def _is_begun_by(messages: tuple[Message, ...], earlier: tuple[Message, ...]) -> bool:
    """Whether the earlier messages are the first of these.

    A tuple is no greater than one that goes on from it, which is found without a copy of either; messages themselves
    have no order, so that two which differ cannot be compared.
    """
    try:
        return earlier <= messages
    except TypeError:
        return False
