"""The records of all threads of a session in one order."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.readers.assembled import Found

Place = tuple[float, tuple[int, ...]]
"""When a record began, and its place below the calls that it ran in: equal times are told apart by it."""


def in_order(threads: Sequence[tuple[str, Sequence[Found]]]) -> list[Found]:
    """The records of threads, each given with the call that it runs in: by time, but none before what it follows.

    Within a thread the order of its lines stands; a thread comes after the call that it runs in.
    """
    calls: dict[str, Place] = {}
    done: list[tuple[Place, Found]] = []
    waiting = list(threads)
    while waiting:
        ready = [each for each in waiting if not each[0] or f"call {each[0]}" in calls] or waiting
        for call, found in ready:
            done += _placed(found, calls.get(f"call {call}", (0.0, (len(done),))), calls)
        waiting = [each for each in waiting if not any(each is one for one in ready)]
    return [found for _, found in sorted(done, key=lambda each: each[0])]


def _placed(found: Sequence[Found], inside: Place, calls: dict[str, Place]) -> list[tuple[Place, Found]]:
    latest, above = inside
    done = []
    for at, each in enumerate(found):
        latest = max(latest, each.began or 0.0)
        place = (latest, (*above, at))
        if each.key.startswith("call "):
            calls.setdefault(each.key, place)
        done.append((place, each))
    return done
