"""Unknown fields are skipped and counted, adopted ones compared, ignored ones may differ, and stale ignores show."""

from __future__ import annotations

import pytest

from runwright.errors import UsageError
from runwright.match import Ignore, Matcher, Miss, Served
from runwright.trace.model import Message, ModelRequest, TextBlock
from tests.match.build import A, B, answered, ask, asks, called, changed, exchange, matcher, said, text, tool

PROMPT = "$.request.messages[0].content[0].text"
PLAIN = asks(
    said("system", "be brief"), said("user", "hi"), parameters={"temperature": 0}, tools=(tool("look"), tool("stock"))
)


def paths(answer: Served | Miss) -> list[str]:
    assert isinstance(answer, Miss)
    return [each.path for each in answer.differences]


UNKNOWN: dict[str, tuple[str, ModelRequest]] = {
    "all tools": ("$.request.tools", changed(PLAIN, tools=())),
    "the schema of every tool": (
        "$.request.tools[*].parameters",
        changed(PLAIN, tools=(tool("look", parameters={"type": "array"}), tool("stock"))),
    ),
    "the parameters that are not listed": (
        "$.request.parameters.*",
        changed(PLAIN, parameters={"temperature": 0, "top_p": 1}),
    ),
    "one parameter": ("$.request.parameters.temperature", changed(PLAIN, parameters={"temperature": 1})),
    "the model": ("$.request.model", changed(PLAIN, model="gpt-4")),
    "streamed": ("$.streamed", PLAIN),
    "all messages": ("$.request.messages", changed(PLAIN, messages=(said("user", "something else"),))),
    "the content of one message": (
        "$.request.messages[0].content",
        changed(PLAIN, messages=(said("system", "be long"), said("user", "hi"))),
    ),
    "the content of every message": (
        "$.request.messages[*].content",
        changed(PLAIN, messages=(said("system", "be long"), said("user", "hello"))),
    ),
}


@pytest.mark.parametrize(("path", "live"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_field_is_skipped_and_counted(path: str, live: ModelRequest) -> None:
    matches = matcher(exchange("m1", PLAIN, unknown=(path,)))
    assert isinstance(matches.serve(live, path == "$.streamed"), Served)
    assert matches.never_compared() == (path,)


@pytest.mark.parametrize(("path", "live"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_known_field_is_not(path: str, live: ModelRequest) -> None:
    matches = matcher(exchange("m1", PLAIN))
    assert isinstance(matches.serve(live, path == "$.streamed"), Miss)
    assert matches.never_compared() == ()


@pytest.mark.parametrize(("path", "live"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_adopted_field_is_not(path: str, live: ModelRequest) -> None:
    matches = matcher(exchange("m1", PLAIN, unknown=(path,), adopted=(path,)))
    assert isinstance(matches.serve(live, path == "$.streamed"), Miss)
    assert matches.never_compared() == ()


@pytest.mark.parametrize(("path", "live"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_field_hides_nothing_else(path: str, live: ModelRequest) -> None:
    if path != "$.request.messages":
        live = changed(live, messages=(live.messages[0], Message(role="user", content=(text("hi"), text("you")))))
    else:
        live = changed(live, model="gpt-4")
    if path == "$.request.messages[*].content":
        live = changed(live, messages=(live.messages[0], said("developer", "hello")))
    assert isinstance(matcher(exchange("m1", PLAIN, unknown=(path,))).serve(live, path == "$.streamed"), Miss)


def test_listed_parameters_are_compared_where_the_others_are_unknown() -> None:
    matches = matcher(exchange("m1", PLAIN, unknown=("$.request.parameters.*",)))
    assert paths(matches.serve(changed(PLAIN, parameters={"temperature": 1}), False)) == [
        "$.request.parameters.temperature"
    ]


def test_one_adopted_parameter_is_compared_where_the_others_are_unknown() -> None:
    recorded = exchange("m1", PLAIN, unknown=("$.request.parameters.*",), adopted=("$.request.parameters.top_p",))
    live = changed(PLAIN, parameters={"temperature": 0, "top_p": 1})
    assert paths(matcher(recorded).serve(live, False)) == ["$.request.parameters.top_p"]
    assert isinstance(matcher(recorded).serve(changed(PLAIN, parameters={"temperature": 0, "seed": 1}), False), Served)


def test_an_adopted_schema_is_compared_where_the_tools_are_unknown() -> None:
    recorded = exchange("m1", PLAIN, unknown=("$.request.tools",), adopted=("$.request.tools[0].parameters",))
    live = changed(PLAIN, tools=(tool("look", "other words", {"type": "array"}), tool("stock")))
    assert paths(matcher(recorded).serve(live, False)) == ["$.request.tools[0].parameters.type"]


def test_streamed_that_nobody_recorded_is_unknown() -> None:
    matches = matcher(exchange("m1", PLAIN, streamed=None))
    assert isinstance(matches.serve(PLAIN, True), Served)
    assert matches.never_compared() == ("$.streamed",)


def test_never_compared_counts_paths_not_exchanges_and_only_served_ones() -> None:
    matches = matcher(
        exchange("m1", ask("one"), unknown=("$.request.tools", "$.response.usage")),
        exchange("m2", ask("two"), unknown=("$.request.tools",)),
        exchange("m3", ask("three"), unknown=("$.request.model",)),
    )
    assert isinstance(matches.serve(ask("one"), False), Served)
    assert isinstance(matches.serve(ask("two"), False), Served)
    assert matches.never_compared() == ("$.request.tools",)


def with_id(value: object) -> ModelRequest:
    return asks(said("user", "hi"), called(("c", "save", {"id": value, "n": 1})))


ID = "$.request.messages[1].content[0].arguments.id"
SHAPES = [
    ("uuid", A.replace("-", ""), B.replace("-", ""), "no id"),
    ("time", "2020-01-01T00:00:00Z", "2021-02-03", "soon"),
    ("integer", 7, 9, "seven"),
    ("integer", 7, "9", 9.5),
    ("number", 7, 9.5, "seven"),
    ("string", "a", "b", 7),
    ("any", "a", {"b": 1}, None),
    (None, "a", [1], None),
]


@pytest.mark.parametrize(("shape", "recorded", "good", "bad"), SHAPES)
def test_an_ignored_field_may_differ_in_its_shape(
    shape: str | None, recorded: object, good: object, bad: object
) -> None:
    ignore = Ignore("model", ID, shape)

    def answer(live: object) -> tuple[Served | Miss, Matcher]:
        matches = matcher(exchange("m1", with_id(recorded)), ignores=[ignore])
        return matches.serve(with_id(live), False), matches

    served, matches = answer(good)
    assert isinstance(served, Served)
    assert matches.stale_ignores() == ()
    assert matches.notes == (f"ignored {ID}: the recorded decisions were served to a request that differs there",)
    assert isinstance(matcher(exchange("m1", with_id(recorded))).serve(with_id(good), False), Miss)
    if bad is not None:
        assert isinstance(answer(bad)[0], Miss)


@pytest.mark.parametrize(("recorded", "live"), [("none", B), (A, "none"), (None, B), (A, None)])
def test_both_sides_must_have_the_shape(recorded: object, live: object) -> None:
    matches = matcher(exchange("m1", with_id(recorded)), ignores=[Ignore("model", ID, "uuid")], given=[A])
    assert paths(matches.serve(with_id(live), False)) == [ID]


def test_an_ignored_result_is_ignored_wherever_it_arrives() -> None:
    turn = called(("call_1", "look", {}), ("call_2", "look", {}))
    ignore = Ignore("model", "$.request.messages[1].content[0].content[0].text")
    matches = matcher(exchange("m1", asks(turn, answered("call_1", "a"), answered("call_2", "b"))), ignores=[ignore])
    live = asks(turn, answered("call_2", "b"), answered("call_1", "something else"))
    assert isinstance(matches.serve(live, False), Served)
    again = matches.serve(live, False)
    assert isinstance(again, Miss)
    assert again.kind == "exhausted"
    other = asks(turn, answered("call_2", "something else"), answered("call_1", "a"))
    matches = matcher(exchange("m1", asks(turn, answered("call_1", "a"), answered("call_2", "b"))), ignores=[ignore])
    assert paths(matches.serve(other, False)) == ["$.request.messages[2].content[0].content[0].text"]


def test_an_ignore_with_a_wildcard() -> None:
    ignore = Ignore("model", "$.request.messages[*].content[*].arguments.id", "integer")
    matches = matcher(exchange("m1", with_id(7)), ignores=[ignore])
    assert isinstance(matches.serve(with_id(8), False), Served)


@pytest.mark.parametrize(
    ("path", "live"),
    [
        ("$.request.parameters.temperature", changed(PLAIN, parameters={"temperature": 1})),
        ("$.request.parameters", changed(PLAIN, parameters={})),
        ("$.request.tools[*].description", changed(PLAIN, tools=(tool("look", "x"), tool("stock", "y")))),
        ("$.request.tools", changed(PLAIN, tools=())),
        ("$.request.model", changed(PLAIN, model="gpt-4")),
        ("$.request.messages[0]", changed(PLAIN, messages=(said("developer", "x"), PLAIN.messages[1]))),
        ("$.request.messages", changed(PLAIN, messages=(said("user", "x"),))),
    ],
)
def test_an_ignore_of_anything_the_request_holds(path: str, live: ModelRequest) -> None:
    matches = matcher(exchange("m1", PLAIN), ignores=[Ignore("model", path)])
    assert isinstance(matches.serve(live, False), Served)
    assert matches.stale_ignores() == ()


def test_an_ignore_hides_nothing_else() -> None:
    ignores = [Ignore("model", PROMPT)]
    live = changed(PLAIN, messages=(said("system", "be long"), said("user", "bye")))
    miss = matcher(exchange("m1", PLAIN), ignores=ignores).serve(live, False)
    assert paths(miss) == ["$.request.messages[1].content[0].text"]


def test_an_ignore_whose_field_happens_to_be_equal_is_in_use_and_says_nothing() -> None:
    matches = matcher(exchange("m1", PLAIN), ignores=[Ignore("model", PROMPT)])
    assert isinstance(matches.serve(PLAIN, False), Served)
    assert (matches.stale_ignores(), matches.notes) == ((), ())


@pytest.mark.parametrize(
    "ignore",
    [
        Ignore("model", "$.request.parameters.seed"),
        Ignore("model", PROMPT, "uuid"),
        Ignore("tool", "$.arguments.id", "uuid"),
    ],
)
def test_an_ignore_about_nothing_is_stale(ignore: Ignore) -> None:
    matches = matcher(exchange("m1", PLAIN), ignores=[ignore])
    assert isinstance(matches.serve(PLAIN, False), Served)
    assert matches.stale_ignores() == (ignore,)


def test_an_ignore_is_stale_until_an_exchange_is_served() -> None:
    ignore = Ignore("model", PROMPT)
    matches = matcher(exchange("m1", PLAIN), ignores=[ignore])
    assert isinstance(matches.serve(ask("other"), False), Miss)
    assert matches.stale_ignores() == (ignore,)


def test_an_unknown_shape_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        matcher(exchange("m1", PLAIN), ignores=[Ignore("model", PROMPT, "colour")])
    assert "'colour'" in str(caught.value)
    assert "uuid" in caught.value.hint


def test_behind_an_item_that_may_be_more_lies_another_that_may_not() -> None:
    one, two, three = said("user", "A"), said("user", "B"), said("user", "C")
    block = Ignore("model", "$.request.messages[0].content[1]")
    message = Ignore("model", "$.request.messages[1]")
    a, b, c = (text(each) for each in "ABC")

    def whole(*blocks: TextBlock) -> ModelRequest:
        return asks(Message(role="user", content=blocks))

    for recorded, live, ignores in (
        (whole(a, b, c), whole(a), [block]),
        (whole(a), whole(a, b, c), [block]),
        (asks(one, two, three), asks(one), [message]),
        (asks(one), asks(one, two, three), [message]),
    ):
        found = matcher(exchange("m1", recorded), ignores=ignores).serve(live, False)
        assert isinstance(found, Miss), (recorded, live)
    unknown = exchange("m1", asks(one, two, three), unknown=("$.request.messages[1]",))
    assert isinstance(matcher(unknown).serve(asks(one), False), Miss)
    assert isinstance(matcher(exchange("m1", whole(a, b)), ignores=[block]).serve(whole(a), False), Served)


def test_a_key_that_stands_for_another_value_by_now_is_a_difference() -> None:
    """The order's id was bound to the live one when it was first sent: the recorded one is somebody else's."""
    first, later = asks(said("user", f"order {A}")), asks(said("user", f"order {A}"), called(("c1", "look", {A: 1})))
    live = asks(said("user", f"order {B}"))
    played = matcher(exchange("m1", first), exchange("m2", later))
    assert isinstance(played.serve(live, False), Served)
    assert isinstance(played.serve(asks(said("user", f"order {B}"), called(("c1", "look", {A: 1}))), False), Miss)
    played = matcher(exchange("m1", first), exchange("m2", later))
    assert isinstance(played.serve(live, False), Served)
    assert isinstance(played.serve(asks(said("user", f"order {B}"), called(("c1", "look", {B: 1}))), False), Served)


def test_the_conversation_that_an_api_keeps_is_no_fresh_id() -> None:
    goes_on = ask("hi", parameters={"previous_response_id": "resp_0a1b2c3d4e5f"})
    other = ask("hi", parameters={"previous_response_id": "resp_9z8y7x6w5v4u"})
    assert paths(matcher(exchange("m1", goes_on)).serve(other, False)) == ["$.request.parameters.previous_response_id"]


def test_an_empty_text_that_carries_something_is_compared() -> None:
    signed = Message(role="user", content=(text("hi"), TextBlock(text="", extra={"thoughtSignature": "s"})))
    assert isinstance(matcher(exchange("m1", asks(signed))).serve(ask("hi"), False), Miss)
