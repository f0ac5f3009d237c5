"""Files that a tool wrote, as side effects."""

from __future__ import annotations

from runwright.secrets import flag
from runwright.trace import digest_bytes
from runwright.trace.model import EffectState, SideEffect

SMALL = 16_384
"""Characters of a file's content, or of a diff, that are kept in an effect; of longer content the digest is."""


def written(
    target: str, op: str, *, before: str | None = None, after: str | None = None, diff: str | None = None
) -> SideEffect:
    """A write to a file; a content or a diff of None was not recorded."""
    return SideEffect(
        kind="fs_write",
        target=target,
        op=op,
        before=state_of(before),
        after=state_of(after),
        diff=diff if diff is not None and len(diff) <= SMALL else None,
    )


def state_of(content: str | None) -> EffectState | None:
    """The state of a file of this text.

    Of a long text that holds secrets it is None: nobody could take them out of its digest later.
    """
    if content is None or (len(content) > SMALL and flag(content)):
        return None
    data = content.encode("utf-8", "surrogatepass")
    return EffectState(digest=digest_bytes(data), size=len(data), content=content if len(content) <= SMALL else None)
