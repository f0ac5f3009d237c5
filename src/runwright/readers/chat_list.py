"""Lists of chat messages: fine-tuning files, tau-bench's trajectories, annotated conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.chat import is_message, message_of, role_of
from runwright.readers.conversation import Told, Turn, exchanges
from runwright.readers.declared_tools import declared_tools
from runwright.readers.input import Input, lost_in, text_body
from runwright.readers.known import CHAT
from runwright.readers.lines import Located, documents
from runwright.readers.reader import ALONE, Reader, Run
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, Loss, Message, Trace

HELD_IN = ("messages", "traj", "history", "conversation")
"""Keys that a list of messages stands under."""

ROLES = ("system", "developer", "user", "assistant", "tool")
NAMES = ("id", "task_id", "question_ID", "conversation_id", "session_id", "trace_id")
NOTES = ("task_id", "trial", "reward", "is_correct", "question_ID", "ground_truth", "mistake_agent", "mistake_step")
"""What is told of a run beside its messages, and kept in the header's `ext`."""


def sniff_chat_list(head: bytes) -> int:
    """15 where messages begin the file, alone or under one of the usual keys; other formats hold some too."""
    start = text_body(head).lstrip()[:1]
    if start not in (b"[", b"{") or b'"role"' not in head or b'"content"' not in head:
        return 0
    bare = b"".join(text_body(head[:400]).split())
    lists = bare.startswith((b'[{"role":', b'[{"content":', b'[{"name":'))
    return 15 if lists or any(f'"{key}"'.encode() in head for key in HELD_IN) else 0


def read_chat_list(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a conversation: each assistant message was a reply to what stands before it."""
    found = [run for source in files for run in _runs(source)]
    if not found:
        hint = "a conversation is a list of messages with `role` and `content`, alone or under `messages`"
        raise ReaderError("no conversation with an assistant's reply in it", place=files[0].name, hint=hint)
    return tuple(found)


def _runs(source: Input) -> Iterator[Run]:
    reading = Reading()
    conversations = [each for located in documents(source, reading) for each in _conversations(located)]
    met = [_another(loss) for loss in lost_in([source], reading.losses())]
    for each in conversations:
        run = _run(each, source, met)
        if run is not None:
            yield run


def names_told(_: Reading) -> Callable[[Located], Sequence[str]]:
    """A document's conversations are runs of their own."""
    return lambda document: (ALONE,) if any(_conversations(document)) else ()


def _another(loss: Loss) -> Loss:
    """What a bad line may have held is another conversation: no part of those that were read."""
    if loss.kind != "malformed":
        return loss
    return msgspec.structs.replace(loss, kind="dropped", detail="a conversation of the file that could not be read")


def _conversations(located: Located) -> Iterator[tuple[dict[str, JSON], list[JSON], str]]:
    """Each conversation with what stands beside it, and its place."""
    value = located.value
    if isinstance(value, list) and _is_conversation(value):
        yield {}, value, located.place
        return
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        place = f"{located.place}: {number}" if isinstance(value, list) else located.place
        if not isinstance(item, dict):
            continue
        held = next((item[key] for key in HELD_IN if _is_conversation(item.get(key))), None)
        if isinstance(held, list):
            yield item, held, place


def _is_conversation(value: JSON) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_message, value[:8]))


def _run(conversation: tuple[dict[str, JSON], list[JSON], str], source: Input, met: Sequence[Loss]) -> Run | None:
    beside, messages, place = conversation
    reading = Reading(met)
    turns = [_turn(item, reading, f"{place}, message {number}") for number, item in enumerate(messages)]
    model = beside.get("model")
    told = Told(
        api=CHAT,
        model=model if isinstance(model, str) else "",
        tools=declared_tools(beside["tools"]) if isinstance(beside.get("tools"), list) else None,
    )
    found: list[Found] = list(exchanges(turns, told))
    if not found:
        return None
    trace = assembled(found, Source(format="chat_list", inputs=[source], chosen=place), reading, in_order=True)
    return Run(_name(beside), _with_notes(trace, beside))


def _turn(item: JSON, reading: Reading, where: str) -> Turn:
    chat = message_of(item)
    for each in chat.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", where)
    message = chat.message
    if message.role in ROLES:
        agent = message.name if message.role == "assistant" else None
        return Turn(message=message, unknown=bool(chat.strange), agent=agent, ext={"source": where})
    name = _agent(item) or message.role
    reading.lose("inexact", "roles that no API has are read as an assistant's of that name", where)
    said = Message(role="assistant", content=message.content)
    return Turn(message=said, unknown=bool(chat.strange), agent=name, ext={"source": where})


def _agent(item: JSON) -> str:
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else role_of(item) if isinstance(item, dict) else ""


def _name(beside: dict[str, JSON]) -> str:
    told = next((beside[key] for key in NAMES if isinstance(beside.get(key), (str, int))), "")
    trial = beside.get("trial")
    return f"{told}.{trial}" if isinstance(trial, int) and told != "" else str(told)


def _with_notes(trace: Trace, beside: dict[str, JSON]) -> Trace:
    notes: dict[str, JSON] = {
        key: beside[key] for key in NOTES if key in beside and not isinstance(beside[key], (dict, list, type(None)))
    }
    if not notes:
        return trace
    header = msgspec.structs.replace(trace.header, ext={**trace.header.ext, **notes})
    return msgspec.structs.replace(trace, header=header)


CHAT_LIST = Reader(
    name="chat_list",
    sniff=sniff_chat_list,
    read=read_chat_list,
    recognised="JSON or JSON Lines of messages with `role` and `content`, alone or under `messages`, `traj`, `history`",
    kept="a model exchange for each assistant message, tool calls and results, declared tools, rewards and annotations",
    lost="times, parameters, errors, streams: such lists have none; whether an assistant message was one reply",
    told=names_told,
    versions="chat fine-tuning files, tau-bench, Who&When",
)
