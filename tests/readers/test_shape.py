"""Messages are put under the roles of their API, so that they compare equal to a live request's."""

from __future__ import annotations

from runwright.dialects import DIALECTS, Body
from runwright.readers.known import CHAT, MESSAGES_API
from runwright.readers.shape import Said, answering, shaped
from runwright.trace.model import (
    Block,
    ImageBlock,
    Message,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)

SAID: tuple[Block, ...] = (
    ThinkingBlock(text="hm"),
    TextBlock(text="I look."),
    ImageBlock(source=Source(kind="url", data="https://x.test/a.png")),
    ToolCallBlock(id="c1", name="f", arguments={}),
    ToolCallBlock(id="c2", name="f", arguments={}),
)
TOLD = tuple(ToolResultBlock(call_id=each, content=(TextBlock(text="x"),)) for each in ("c1", "c2"))


def test_the_items_of_responses_are_messages_of_their_own() -> None:
    turn = [Said(Message(role="assistant", content=SAID), unknown=True), Said(Message(role="user", content=TOLD))]
    found = list(shaped(turn, "openai.responses"))
    assert [(each.message.role, each.message.content) for each in found] == [
        ("assistant", SAID[:1]),
        ("assistant", SAID[1:3]),
        ("assistant", SAID[3:4]),
        ("assistant", SAID[4:5]),
        ("tool", TOLD[:1]),
        ("tool", TOLD[1:]),
    ]
    assert [each.unknown for each in found] == [*[True] * 4, False, False]


def test_so_they_are_what_a_live_request_holds() -> None:
    """A live request has each item's own fields too; without those it is the same."""
    wire: Body = {
        "model": "m",
        "input": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "I look."},
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "x"},
        ],
    }
    live, _ = DIALECTS["openai.responses"].decode_request(wire)
    told = [
        Said(Message(role="user", content=(TextBlock(text="hi"),))),
        Said(Message(role="assistant", content=(SAID[1], SAID[3]))),
        Said(Message(role="tool", content=TOLD[:1])),
    ]
    assert tuple(each.message for each in shaped(told, "openai.responses")) == live.messages


def test_a_message_without_content_stays() -> None:
    empty = Said(Message(role="system"), unknown=True)
    for api in DIALECTS:
        assert list(shaped([empty], api)) == [empty]


def test_what_a_user_adds_to_results_stands_behind_them_in_one_message() -> None:
    """The clients of this API send it so, and the API itself takes neighbouring messages of a user for one."""
    added = Message(role="user", content=(SAID[1],))
    answers = [Said(Message(role="user", content=TOLD[:1])), Said(Message(role="tool", content=TOLD[1:]), unknown=True)]
    one = Said(Message(role="user", content=(*TOLD, SAID[1])), unknown=True)
    reply = Said(Message(role="assistant", content=SAID))
    for turn in ([*answers, Said(added)], [Said(added), *answers], [answers[0], Said(added), answers[1]]):
        assert list(shaped([reply, *turn, reply], "anthropic.messages")) == [reply, one, reply]


def test_neighbouring_messages_without_a_result_stay_apart() -> None:
    twice = [Said(Message(role="user", content=(SAID[1],)))] * 2
    assert list(shaped(twice, "anthropic.messages")) == twice


def test_calls_of_a_chat_completion_stand_behind_what_was_said() -> None:
    """Some instrumentations write them before it; on the wire they are beside it."""
    first, second = ToolCallBlock(id="1", name="f", arguments={}), ToolCallBlock(id="2", name="g", arguments={})
    said = Said(Message(role="assistant", content=(first, second, TextBlock(text="Wait."))))
    (chat,) = shaped([said], CHAT)
    assert chat.message.content == (TextBlock(text="Wait."), first, second)
    (messages,) = shaped([said], MESSAGES_API)
    assert messages.message.content == said.message.content
    (again,) = shaped([chat], CHAT)
    assert again.message is chat.message


def called(*ids: str) -> Said:
    return Said(Message(role="assistant", content=tuple(ToolCallBlock(id=id, name="f", arguments={}) for id in ids)))


def answered(*ids: str) -> list[Said]:
    return [Said(Message(role="tool", content=(ToolResultBlock(call_id=id, content=()),))) for id in ids]


def names(items: list[Said]) -> list[tuple[str, bool]]:
    results = [(block, item.made) for item in items for block in item.message.content]
    return [(block.call_id, made) for block, made in results if isinstance(block, ToolResultBlock)]


def test_results_under_other_names_than_their_calls_are_theirs_in_order() -> None:
    items = answering([called("fc_1"), called("fc_2"), *answered("call_a", "call_b")])
    assert names(items) == [("fc_1", True), ("fc_2", True)]


def test_a_result_that_names_its_call_keeps_it() -> None:
    assert names(answering([called("1", "2"), *answered("2", "1")])) == [("2", False), ("1", False)]
    assert names(answering([called("1", "2"), *answered("2", "x")])) == [("2", False), ("1", True)]


def test_nothing_is_guessed_where_there_are_not_as_many() -> None:
    """Such as after a conversation was cut short, or where a call was never answered."""
    assert names(answering([called("1", "2"), *answered("x")])) == [("x", False)]
    assert names(answering([called("1"), *answered("x", "y")])) == [("x", False), ("y", False)]
    assert names(answering([called("1", "2"), *answered("x", "x")])) == [("x", False), ("x", False)]
    assert names(answering([*answered("x")])) == [("x", False)]
