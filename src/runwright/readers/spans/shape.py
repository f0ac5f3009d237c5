"""The messages of a request as a span shows them, in the form of their API."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.readers.known import MESSAGES
from runwright.readers.shape import Said, answering, shaped
from runwright.readers.spans.captured import Captured


def requested(items: Sequence[Said], api: str) -> Captured:
    """The messages of a request, under the roles of its API so that they compare equal to a live request's."""
    found = answering(shaped(items, api))
    return Captured(
        messages=tuple([each.message for each in found]),
        unknown=tuple([f"{MESSAGES}[{at}].content" for at, each in enumerate(found) if each.unknown]),
        made=tuple([f"{MESSAGES}[{at}].content" for at, each in enumerate(found) if each.made]),
    )
