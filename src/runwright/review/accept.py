"""Accepting puts flow and cassette in place together or not at all; rejecting removes what was proposed."""

from __future__ import annotations

from pathlib import Path

import msgspec

from runwright.convert.decidable import require_decidable
from runwright.convert.proposal import ProposalFile, digests, file_bytes
from runwright.convert.write import replace_bytes
from runwright.errors import ReviewError
from runwright.flow import load_flow
from runwright.flow.variables import as_written
from runwright.review.pending import Pending, find
from runwright.secrets import gate_text, gate_trace, load_allowlist
from runwright.trace import read_trace
from runwright.trace.model import Trace


def accept(root: Path, name: str) -> tuple[Path, Path]:
    """Put the proposed flow and cassette in place of the accepted ones; their paths.

    The flow is read again, since the reviewer may have edited it. Raises ReviewError (unknown, base changed, broken),
    TraceError, FlowError or SecretsFound, and then nothing has changed. An acceptance that was cut off between its
    two files is finished by accepting again.
    """
    item = find(root, name)
    if item.file is None or item.problem is not None:
        raise item.problem or ReviewError("the proposal file is missing", place=item.paths.proposal)
    if item.half_accepted:
        _require_resumable(item, item.file)
    else:
        _require_base(item, item.file)
        examine(item)
    _swap(item, item.file)
    return root / item.paths.flow, root / item.paths.cassette


def reject(root: Path, name: str) -> tuple[Path, ...]:
    """Remove the proposal's files; the accepted ones stay. What was removed."""
    item = find(root, name)
    if item.half_accepted:
        raise ReviewError(
            f"{item.name} is half accepted: one of its files is in place already",
            place=item.paths.proposal,
            hint=f"runwright review --accept {item.name} finishes it",
        )
    files = (root / item.paths.flow_new, root / item.paths.cassette_new, root / item.paths.proposal)
    removed = tuple(path for path in files if path.exists())
    for path in removed:
        path.unlink()
    return removed


def examine(item: Pending) -> None:
    """Everything that accepting requires of the proposed files themselves; raises what is wrong."""
    paths = item.paths
    for place in (paths.flow_new, paths.cassette_new):
        if not (item.root / place).exists():
            raise ReviewError("this file of the proposal is missing", place=place, hint="reject it and convert again")
    allow = load_allowlist(item.root)
    cassette = read_trace(item.root / paths.cassette_new)
    if cassette.header.kind != "cassette":
        raise ReviewError(f"kind is {cassette.header.kind!r}, not 'cassette'", place=paths.cassette_new)
    gate_trace(cassette, redact=False, allow=allow, name=paths.cassette)
    gate_text((item.root / paths.flow_new).read_text(encoding="utf-8"), paths.flow, allow)
    _require_fitting(item, cassette)


def _require_fitting(item: Pending, cassette: Trace) -> None:
    """The flow loads, replays this cassette, and is strict up to an exchange that is in it."""
    place = item.root / item.paths.flow_new
    flow = load_flow(place, as_written(place.read_text(encoding="utf-8")))
    if Path(flow.cassette).resolve() != (item.root / item.paths.cassette).resolve():
        raise ReviewError(
            f"the flow replays {str(flow.cassette)!r}, the proposal's cassette is {item.paths.cassette!r}",
            place=item.paths.flow_new,
            hint="put the cassette's line back, or reject and convert with another --out",
        )
    require_decidable(flow, cassette, item.paths.flow_new)


def _require_base(item: Pending, file: ProposalFile) -> None:
    paths = item.paths
    now = digests(item.bytes_at(paths.flow), item.bytes_at(paths.cassette))
    changed = [
        path
        for path, was, is_now in (
            (paths.flow, file.base.flow, now.flow),
            (paths.cassette, file.base.cassette, now.cassette),
        )
        if was != is_now
    ]
    if changed:
        raise ReviewError(
            f"{' and '.join(changed)} changed since {item.name} was proposed",
            place=paths.proposal,
            hint="convert again, so that the difference is against what is there now",
        )


def _require_resumable(item: Pending, file: ProposalFile) -> None:
    """Each file is either in place as accepted, or still where it was."""
    paths, wanted, base = item.paths, file.accepting, file.base
    news = digests(item.bytes_at(paths.flow_new), item.bytes_at(paths.cassette_new))
    here = digests(item.bytes_at(paths.flow), item.bytes_at(paths.cassette))
    for part, path in (("flow", paths.flow), ("cassette", paths.cassette)):
        want = getattr(wanted, part)
        done = getattr(news, part) is None and getattr(here, part) == want
        open_still = getattr(news, part) == want and getattr(here, part) == getattr(base, part)
        if not (done or open_still):
            raise ReviewError(
                f"{path} changed since the acceptance of {item.name} was cut off",
                place=paths.proposal,
                hint=f"restore {path} from version control and remove {paths.proposal}",
            )


def _swap(item: Pending, file: ProposalFile) -> None:
    """Put both files in place. What fails is undone; what is killed can be finished: the file says what was meant."""
    root, paths = item.root, item.paths
    moves = [
        (root / new, root / old) for new, old in ((paths.cassette_new, paths.cassette), (paths.flow_new, paths.flow))
    ]
    moves = [(new, old) for new, old in moves if new.exists()]
    note = root / paths.proposal
    if file.accepting is None or not item.half_accepted:
        wanted = digests(item.bytes_at(paths.flow_new), item.bytes_at(paths.cassette_new))
        replace_bytes(note, file_bytes(msgspec.structs.replace(file, accepting=wanted)))
    before = {old: old.read_bytes() if old.exists() else None for _, old in moves}
    done: list[tuple[Path, Path]] = []
    try:
        for new, old in moves:
            new.replace(old)
            done.append((new, old))
        note.unlink()
    except BaseException:  # also an interrupt: a half-accepted pair must not stay behind
        for new, old in reversed(done):
            replace_bytes(new, old.read_bytes())
            if (data := before[old]) is None:
                old.unlink()
            else:
                replace_bytes(old, data)
        replace_bytes(note, file_bytes(file))
        raise
