"""The records of agents that run inside one another's calls, in one order."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.readers.assembled import Found

Place = tuple[float, tuple[int, ...]]
"""When a record began, and its place below the calls that it ran in: equal times are told apart by it."""


def interleaved(threads: Sequence[tuple[str, Sequence[Found]]]) -> list[Found]:
    """The records of threads, each given with the key of the record that it runs in: by time, but in their own order.

    Within a thread the given order stands; a thread comes after the record that it runs in.
    """
    places: dict[str, Place] = {}
    done: list[tuple[Place, Found]] = []
    waiting = list(threads)
    while waiting:
        ready = [each for each in waiting if not each[0] or each[0] in places] or waiting
        for key, found in ready:
            done += _placed(found, places.get(key, (0.0, (len(done),))), places)
        waiting = [each for each in waiting if not any(each is one for one in ready)]
    return [found for _, found in sorted(done, key=lambda each: each[0])]


def _placed(found: Sequence[Found], inside: Place, places: dict[str, Place]) -> list[tuple[Place, Found]]:
    latest, above = inside
    done = []
    for at, each in enumerate(found):
        latest = max(latest, each.began or 0.0)
        place = (latest, (*above, at))
        if each.key:
            places.setdefault(each.key, place)
        done.append((place, each))
    return done
