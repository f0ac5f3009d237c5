"""A proposal against the accepted files: one unified difference over flow and cassette, readable record by record."""

from __future__ import annotations

import difflib

from runwright.convert.proposal import Proposal
from runwright.convert.readable import readable
from runwright.errors import TraceError
from runwright.trace import dumps_trace, loads_trace


def render(proposal: Proposal, accepted_flow: bytes | None, accepted_cassette: bytes | None) -> str:
    """The unified difference between the accepted files and the proposed ones; empty where there is none."""
    flow = flow_difference(accepted_flow, proposal.flow.encode(), proposal.paths.flow)
    return flow + cassette_difference(accepted_cassette, dumps_trace(proposal.cassette), proposal.paths.cassette)


def flow_difference(accepted: bytes | None, proposed: bytes, path: str) -> str:
    """The difference of two flows, line by line."""
    return _unified(None if accepted is None else _text(accepted), _text(proposed), path)


def cassette_difference(accepted: bytes | None, proposed: bytes, path: str) -> str:
    """The difference of two cassettes, record by record, as a person reads them."""
    if accepted == proposed:
        return ""
    shown = _unified(None if accepted is None else _shown(accepted, path), _shown(proposed, path), path)
    return shown or f"--- a/{path}\n+++ b/{path}\nthe same records in other bytes\n"


def _shown(data: bytes, path: str) -> str:
    """The readable form of a cassette; of one that cannot be read, why not, and its lines."""
    try:
        return readable(loads_trace(data, path))
    except TraceError as error:
        return f"unreadable: {error}\n{_text(data)}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _unified(old: str | None, new: str, path: str) -> str:
    """A unified diff with git's file headings; a file that is not there yet is /dev/null."""
    heading = ("/dev/null" if old is None else f"a/{path}", f"b/{path}")
    lines = difflib.unified_diff(_lines(old or ""), _lines(new), *heading, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Lines at line feeds only; a last line without one is told apart from one with it."""
    return (
        text[:-1].split("\n") if text.endswith("\n") else [*text.split("\n"), "\\ no newline at the end"] * bool(text)
    )
