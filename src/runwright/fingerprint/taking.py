"""Taking notes of records, as their lines say them."""

from __future__ import annotations

import re
from functools import lru_cache

from runwright.fingerprint.note import Asked, Exchange, Http, Note, Noted, Shown
from runwright.fingerprint.shape import arguments_of, shape
from runwright.trace.ends import close_of, failure_of, is_cut, mcp_failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    from runwright.fingerprint.note import Lane
    from runwright.trace.model import JSON

    Line: TypeAlias = dict[str, Any]

_ARGUMENTS = re.compile(r"\$(?:\.params)?\.arguments\b|\$\.params$")
_REPLY = re.compile(r"\$\.response(?:\.content(?:\[(?:\d+|\*)\](?:\.name)?)?)?")
_MODEL = ("$.request", "$.request.model")
_MESSAGES = ("$.request", "$.request.messages")
_EVERYTHING = ("model", "tool", "mcp", "http", "side_effect")
_LOST = "the parent of a span"
"""What readers of spans tell of a tree that is cut."""


def take_header(noted: Noted, header: Line) -> None:
    """Take note of the first line: what was watched, and whether its source may have lost what tells of nesting."""
    source = header.get("source")
    noted.observation = header.get("observation") or {}
    noted.ours = source is None or source["format"] == "runwright"
    lost = (each["kind"] == "dropped" and _LOST in each["detail"] for each in header.get("losses") or ())
    noted.spans = not any(lost)


def take(noted: Noted, line: Line, results: tuple[str, ...] = ()) -> None:
    """Take note of a record, whose request newly carries the results of these calls."""
    lane = line["lane"]
    note = _TAKEN[lane](noted, line) if lane in _TAKEN else Note()
    note.id = line["id"]
    note.parent = line.get("parent")
    note.agent = line.get("agent")
    note.t = line.get("t")
    note.after = tuple(line.get("after") or ())
    note.after_inferred = tuple(line.get("after_inferred") or ())
    if type(note) is Exchange:
        note.results = results
    noted.notes.append(note)


def _exchange(noted: Noted, line: Line) -> Exchange:
    note, unknown, reply, error = Exchange(), line.get("unknown") or (), line.get("response"), line.get("error")
    content: Sequence[Line] = (reply.get("content") or ()) if reply else ()
    stop_reason = reply.get("stop_reason") if reply else None
    note.model = line["request"]["model"]
    note.asks = tuple(_asks(content, unknown))
    note.ended = (line.get("t") or 0.0) + (line.get("duration") or 0.0)
    note.failure = failure_of(error.get("status"), error.get("kind")) if error else None
    note.cut = is_cut(stop_reason)
    note.close = close_of([block["type"] for block in content], stop_reason)
    note.answered = error is not None or (reply is not None and not any(map(_REPLY.fullmatch, unknown)))
    note.questioned = not any(path in _MESSAGES for path in unknown)
    note.named = not any(path in _MODEL for path in unknown)
    noted.spans = noted.spans and "span_id" in (line.get("ext") or ())
    return note


def _asks(content: Sequence[Line], unknown: Sequence[str]) -> Iterator[Asked]:
    for place, block in enumerate(content):
        if block["type"] == "tool_call":
            inside = f"$.response.content[{place}].arguments"
            known = not any(path.startswith(inside) or "[*].arguments" in path for path in unknown)
            arguments = arguments_of(block.get("arguments"), block.get("arguments_text"))
            yield Asked(block["name"], block["id"] or None, arguments, shape(arguments) if known else None)


def _tool(noted: Noted, line: Line) -> Shown:
    unknown, outcome = line.get("unknown") or (), line["outcome"]
    noted.tools = True
    noted.unsure = noted.unsure or "$.outcome" in unknown
    noted.failed = noted.failed or outcome != "ok"
    noted.denied = noted.denied or outcome == "denied"
    noted.spans = noted.spans and "span_id" in (line.get("ext") or ())
    return _shown("tool", (line["name"],), line, line.get("arguments"))


def _mcp(noted: Noted, line: Line) -> Note:
    method, params = line["method"], line.get("params")
    noted.failed = noted.failed or mcp_failed(method, line.get("error"), line.get("result"))
    if method != "tools/call" or line.get("direction", "client") != "client":
        return Note()
    given = params if isinstance(params, dict) else {}
    return _shown("mcp", _spellings(str(given.get("name")), line["server"]), line, given.get("arguments"))


def _shown(lane: Lane, names: tuple[str, ...], line: Line, arguments: JSON) -> Shown:
    note = Shown()
    note.lane = lane
    note.names = names
    note.call_id = line.get("call_id")
    note.arguments = arguments
    note.given = isinstance(arguments, dict)
    note.shape = None if any(map(_ARGUMENTS.match, line.get("unknown") or ())) else shape(arguments)
    return note


@lru_cache(maxsize=1024)
def _spellings(name: str, server: str) -> tuple[str, ...]:
    """A tool of an MCP server as models are told of it: by its own name, or with the server's before it."""
    plain = re.sub(r"[^A-Za-z0-9]", "_", server)
    joined = (f"{each}{mark}{name}" for each in (server, plain) for mark in ("__", "_", ".", "/", ":", "-"))
    return tuple(dict.fromkeys((name, f"mcp__{server}__{name}", f"mcp__{plain}__{name}", *joined)))


def _http(_: Noted, line: Line) -> Http:
    from runwright.fingerprint.endpoints import endpoint

    note = Http()
    note.endpoint = endpoint(line["request"]["method"], line["request"]["url"])
    return note


def _effect(noted: Noted, line: Line) -> Note:
    effect = line["side_effect"]
    noted.effects[effect["kind"]] += 1
    if effect["kind"] == "http_request":
        from runwright.fingerprint.endpoints import target

        noted.targets[target(effect["target"], effect.get("op"))] += 1
    return Note()


def _policy(noted: Noted, line: Line) -> Note:
    noted.denied = noted.denied or line["verdict"] in ("deny", "violated")
    return Note()


def _fault(noted: Noted, line: Line) -> Note:
    """One that does not say what it may hide may hide everything."""
    kind, hides = line["kind"], line.get("hides") or ()
    silent = not hides and kind in ("observer_failed", "dropped_spans")
    noted.faults.add(kind)
    noted.hidden.update(_EVERYTHING if silent else hides)
    return Note()


_TAKEN: dict[str, Callable[[Noted, Line], Note]] = {
    "model": _exchange,
    "tool": _tool,
    "mcp": _mcp,
    "http": _http,
    "side_effect": _effect,
    "policy": _policy,
    "fault": _fault,
}
