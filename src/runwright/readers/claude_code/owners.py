"""Which tool call each subagent's thread runs in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from runwright.readers.claude_code.session import Thread
from runwright.readers.lenient import a_text, an_object
from runwright.readers.reading import Reading


class Owner(msgspec.Struct, frozen=True):
    """The call that a thread runs in, empty where none is known, and the name of its agent."""

    call: str = ""
    name: str = ""


class _Started(msgspec.Struct, frozen=True):
    thread: int
    call: str
    prompt: str
    name: str


def owners(threads: Sequence[Thread], reading: Reading) -> list[Owner]:
    """The owner of each thread: by the subagent's id in the call's result or progress, else by its prompt."""
    started = [each for at, thread in enumerate(threads) for each in _started(at, thread)]
    by_call = {each.call: each for each in reversed(started)}
    by_agent = {agent: call for thread in threads for agent, call in _told(thread)}
    claimed = set(by_agent.values())
    found: dict[int, _Started] = {}
    for at, thread in enumerate(threads):
        call = by_call.get(by_agent.get(thread.agent, "")) if thread.side else None
        if call is None and thread.side:
            prompt = _prompt(thread)
            call = next((each for each in started if each.prompt == prompt and each.call not in claimed), None)
        if call is not None and not _inside(call.thread, at, found):
            claimed.add(call.call)
            found[at] = call
    for at, thread in enumerate(threads):
        if thread.side and at not in found and not threads[0].side:
            reading.lose("inexact", "a subagent whose call is not in the session stands beside it", _place(thread))
    return [_owner(thread, found.get(at)) for at, thread in enumerate(threads)]


def _owner(thread: Thread, call: _Started | None) -> Owner:
    if not thread.side:
        return Owner()
    return Owner(call.call if call else "", (call.name if call else "") or thread.agent or "subagent")


def _started(at: int, thread: Thread) -> Iterator[_Started]:
    for line in thread.lines:
        for part in line.parts if line.kind == "assistant" else ():
            given = an_object(part.get("input"))
            identity = a_text(part.get("id"))
            if part.get("type") == "tool_use" and identity and isinstance(given.get("prompt"), str):
                yield _Started(at, identity, a_text(given["prompt"]).strip(), a_text(given.get("subagent_type")))


def _told(thread: Thread) -> Iterator[tuple[str, str]]:
    """Subagents' ids, and the calls that name them."""
    for line in thread.lines:
        agent = a_text(an_object(line.fields.get("data")).get("agentId"))
        if line.kind == "progress" and agent:
            yield agent, a_text(line.fields.get("parentToolUseID"))
        agent = a_text(an_object(line.fields.get("toolUseResult")).get("agentId"))
        if agent and len(line.results) == 1:
            yield agent, a_text(line.results[0].get("tool_use_id"))


def _prompt(thread: Thread) -> str:
    content = thread.lines[0].message.get("content")
    if isinstance(content, str):
        return content.strip()
    return "".join(a_text(part.get("text")) for part in thread.lines[0].parts).strip()


def _inside(thread: int, other: int, found: Mapping[int, _Started]) -> bool:
    """Whether a thread is the other, or runs in it."""
    seen: set[int] = set()
    while thread not in seen:
        if thread == other:
            return True
        seen.add(thread)
        thread = found[thread].thread if thread in found else thread
    return False


def _place(thread: Thread) -> str:
    return thread.lines[0].place
