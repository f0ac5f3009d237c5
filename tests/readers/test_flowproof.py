"""The document of an agent's run: what it stores is known, what it never stores is unknown, the rest is a loss."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign, sniff
from runwright.readers.flowproof import mocks_of
from runwright.trace import FaultRecord, MessageRecord, dumps_trace, loads_trace, validate_trace
from runwright.trace.model import (
    McpRecord,
    PolicyRecord,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    Trace,
    text_of,
)
from tests.readers.exports import losses, words
from tests.readers.flowproof import CALL, REPLY, RESULT, SYSTEM, USER, Json, document, read, turn

NEVER = ("$.request.parameters.*", "$.streamed", "$.request.messages[*].name")
OF_A_TOOL = tuple(f"$.request.tools[0].{field}" for field in ("kind", "description", "parameters", "extra"))


def asked(trace: Trace, at: int = 0) -> tuple[str, ...]:
    """The unknown paths of a request."""
    return tuple(path for path in trace.models[at].unknown if not path.startswith("$.response"))


def said(trace: Trace) -> list[tuple[str, str]]:
    """Who said what across the run's outer boundary."""
    return [(each.role, text_of(each.content)) for each in trace.records if isinstance(each, MessageRecord)]


def faults(trace: Trace) -> list[FaultRecord]:
    return [each for each in trace.records if isinstance(each, FaultRecord)]


def effects(trace: Trace) -> list[tuple[str, str, str | None]]:
    found = [each.side_effect for each in trace.records if isinstance(each, SideEffectRecord)]
    return [(each.kind, each.target, each.op) for each in found]


# --- what is kept -------------------------------------------------------------------------------


def test_a_run_is_kept() -> None:
    trace = read(document())
    assert words(trace) == ["", "It has shipped."]
    assert [each.fidelity for each in trace.models] == ["reconstructed"] * 2
    assert [each.after for each in trace.models] == [(), ("m1",)]
    assert [message.role for message in trace.models[1].request.messages] == ["system", "user", "assistant", "tool"]
    assert trace.models[1].request.messages[2].content == (
        ToolCallBlock(id="c1", name="lookup", arguments={"order": 7}),
    )
    assert trace.models[1].request.messages[3].content == (
        ToolResultBlock(call_id="c1", content=(TextBlock(text="shipped"),)),
    )
    assert trace.header.losses == ()
    assert said(trace) == [("user", "Where is my order?"), ("agent", "It has shipped.")]
    assert trace.header.source is not None
    assert (trace.header.source.format, trace.header.source.version) == ("flowproof", None)


def test_it_is_a_trace_of_our_own(tmp_path: Path) -> None:
    trace = read(document())
    assert loads_trace(dumps_trace(trace)) == trace
    path = tmp_path / "t.jsonl"
    path.write_bytes(dumps_trace(trace))
    assert validate_trace(path).problems == ()


def test_what_is_never_stored_is_unknown() -> None:
    assert asked(read(document())) == (*NEVER, *OF_A_TOOL)
    assert asked(read(document(turn(SYSTEM, USER, tools=())))) == NEVER
    model = read(document()).models[1]
    assert model.streamed is None
    assert {"$.response.id", "$.response.model"} <= set(model.unknown)


def test_a_stop_reason_that_is_not_stored_follows_from_the_content() -> None:
    first, second = read(document()).models
    assert first.response is not None
    assert second.response is not None
    assert (first.response.stop_reason, second.response.stop_reason) == ("tool_calls", "end_turn")
    assert first.reconstructed == ("$.response.stop_reason", "$.response.usage")


def test_arguments_keep_their_text_where_it_is_not_the_compact_one() -> None:
    spaced, broken = '{"order": 7 }', '{"order": '
    calls = [{"id": f"c{at}", "name": "lookup", "arguments": text} for at, text in enumerate((spaced, broken))]
    trace = read(document(turn(USER, reply={"role": "assistant", "tool_calls": calls})))
    assert trace.models[0].response is not None
    one, other = trace.models[0].response.content
    assert isinstance(one, ToolCallBlock)
    assert isinstance(other, ToolCallBlock)
    assert (one.arguments, one.arguments_text) == ({"order": 7}, spaced)
    assert (other.arguments, other.arguments_text) == (None, broken)


# --- unknown is never the same as empty ---------------------------------------------------------


@pytest.mark.parametrize("role", ["system", "user", "assistant", "developer"])
def test_a_message_without_content_or_calls_has_unknown_content(role: str) -> None:
    trace = read(document(turn({"role": role}, USER)))
    assert "$.request.messages[0].content" in asked(trace)
    assert trace.models[0].fidelity == "partial"


def test_a_tool_message_without_content_has_an_unknown_result() -> None:
    trace = read(document(turn(USER, CALL, {"role": "tool", "tool_call_id": "c1"})))
    assert asked(trace)[3:4] == ("$.request.messages[2].content[0].content",)


def test_calls_explain_why_an_assistant_says_nothing() -> None:
    trace = read(document(turn(USER, CALL, RESULT)))
    assert not any(path.endswith("content") for path in asked(trace))


def test_an_empty_text_is_known() -> None:
    trace = read(document(turn({"role": "system", "content": ""}, USER)))
    assert asked(trace) == (*NEVER, *OF_A_TOOL)


def test_a_field_that_is_not_known_here_makes_its_message_unknown() -> None:
    trace = read(document(turn({**USER, "parts": ["an image"]})))
    assert "$.request.messages[0].content" in asked(trace)
    assert losses(trace, "unsupported")[0].where == "$.cassette.turns[0].request.messages[0].parts"


def test_a_reply_that_says_nothing_and_asks_for_nothing_is_unknown() -> None:
    trace = read(document(turn(USER, reply={"role": "assistant"})))
    assert "$.response.content" in trace.models[0].unknown
    assert trace.models[0].fidelity == "partial"
    assert losses(trace, "not_captured")


def test_a_turn_without_a_response_is_partial() -> None:
    value = turn(USER)
    del value["response"]
    trace = read(document(value))
    assert trace.models[0].response is None
    assert (trace.models[0].fidelity, losses(trace, "not_captured")[0].count) == ("partial", 1)


# --- the other protocol -------------------------------------------------------------------------


def anthropic(*messages: Json, reply: Json = REPLY, stop: str | None = None) -> Trace:
    value = turn(*messages, reply=reply, protocol="anthropic")
    if stop is not None:
        value["response"]["stop_reason"] = stop
    return read(document(value))


def test_anthropic_messages_are_put_together_again() -> None:
    calls = {
        "role": "assistant",
        "content": "Two.",
        "tool_calls": [*CALL["tool_calls"], {**CALL["tool_calls"][0], "id": "c2"}],
    }
    trace = anthropic(
        SYSTEM, USER, calls, RESULT, {**RESULT, "tool_call_id": "c2"}, {"role": "user", "content": "Well?"}
    )
    request = trace.models[0].request
    assert (request.api, request.provider) == ("anthropic.messages", "anthropic")
    assert [message.role for message in request.messages] == ["system", "user", "assistant", "user"]
    assert [block.__struct_config__.tag for block in request.messages[2].content] == ["text", "tool_call", "tool_call"]
    assert [block.__struct_config__.tag for block in request.messages[3].content] == [
        "tool_result",
        "tool_result",
        "text",
    ]
    assert asked(trace) == (
        "$.request.parameters.*",
        "$.streamed",
        "$.request.messages[3].content[0].is_error",
        "$.request.messages[3].content[1].is_error",
        *OF_A_TOOL,
    )


def test_without_a_system_prompt_the_places_are_others() -> None:
    trace = anthropic(USER, CALL, {"role": "tool", "tool_call_id": "c1"})
    assert [message.role for message in trace.models[0].request.messages] == ["user", "assistant", "user"]
    assert asked(trace)[2:4] == (
        "$.request.messages[2].content[0].content",
        "$.request.messages[2].content[0].is_error",
    )


@pytest.mark.parametrize("missing", [0, 1])
def test_anthropic_content_that_is_not_there_is_unknown(missing: int) -> None:
    messages = [SYSTEM, USER]
    messages[missing] = {"role": messages[missing]["role"]}
    trace = anthropic(*messages)
    assert len(trace.models[0].request.messages) == 2
    assert f"$.request.messages[{missing}].content" in asked(trace)


def test_a_stop_reason_that_is_stored_is_kept() -> None:
    for wire, ours in (("max_tokens", "length"), ("tool_use", "tool_calls"), ("end_turn", "end_turn")):
        model = anthropic(USER, stop=wire).models[0]
        assert model.response is not None
        assert model.response.stop_reason == ours
        assert model.reconstructed == ("$.response.usage",)


def test_anthropic_arguments_are_an_object() -> None:
    for text in ("{", "[1]", '{"a": 1, "a": 2}'):
        broken = {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": text}]}
        with pytest.raises(ReaderError, match="arguments"):
            anthropic(USER, reply=broken)


# --- conversations ------------------------------------------------------------------------------


def test_deliveries_are_turns_of_the_user() -> None:
    answer: Json = {"role": "user", "content": "And the other?"}
    second = turn(SYSTEM, USER, REPLY, answer, reply={"role": "assistant", "content": "Lost."}, delivery_index=1)
    told = [{"user": "Where is my order?", "turn_count": 1}, {"user": "And the other?", "turn_count": 1}]
    trace = read(document(turn(SYSTEM, USER), second, cassette={"deliveries": told}))
    assert said(trace) == [
        ("user", "Where is my order?"),
        ("agent", "It has shipped."),
        ("user", "And the other?"),
        ("agent", "Lost."),
    ]
    assert [each.id for each in trace.records] == ["u1", "m1", "u2", "u3", "m2", "u4"]


def test_a_delivery_that_led_to_nothing_was_said_all_the_same() -> None:
    told = [{"user": "Hello?", "turn_count": 1}, {"user": "Anyone?", "turn_count": 0}]
    assert said(read(document(turn(USER), cassette={"deliveries": told})))[-1] == ("user", "Anyone?")


def test_turns_that_are_missing_from_a_delivery_are_told() -> None:
    told = [{"user": "Hello?", "turn_count": 3}]
    assert (
        "3 turns of which 1" in losses(read(document(turn(USER), cassette={"deliveries": told})), "malformed")[0].detail
    )


# --- the other lanes ----------------------------------------------------------------------------


def test_stand_ins_are_kept_for_the_replay() -> None:
    trace = read(document(mocks={"lookup": {"status": "shipped"}}))
    assert mocks_of(trace.header) == {"lookup": {"status": "shipped"}}
    assert mocks_of(loads_trace(dumps_trace(trace)).header) == {"lookup": {"status": "shipped"}}
    assert mocks_of(read(document()).header) == {}


def test_mcp_calls_and_notifications_in_their_order() -> None:
    lane = {
        "mocks": {"add": 3},
        "calls": [
            {"method": "initialize", "params": {}, "result": {"ok": True}},
            {"method": "tools/call", "params": {"name": "add"}, "result": 3},
        ],
        "events": [
            {"after": 1, "method": "notifications/progress", "params": {"n": 1}},
            {"after": 2, "method": "roots/list", "id": 9},
        ],
    }
    trace = read(document(mcp={"sums": lane}))
    found = [each for each in trace.records if isinstance(each, McpRecord)]
    assert [each.method for each in found] == ["initialize", "notifications/progress", "tools/call", "roots/list"]
    assert [(each.notification, each.direction) for each in found] == [
        (False, "client"),
        (True, "server"),
        (False, "client"),
        (False, "server"),
    ]
    assert (found[2].params, found[2].result, found[2].transport) == ({"name": "add"}, 3, "unknown")
    assert found[3].unknown == ("$.result",)
    assert {each.server for each in found} == {"sums"}
    assert losses(trace, "not_captured")


def test_refused_destinations_are_denials() -> None:
    egress = {
        "containment": "enforced",
        "allowed": ["${HOST}:443"],
        "blocked": [{"destination": "203.0.113.9:443", "protocol": "tcp", "at_ms": 1500}],
    }
    trace = read(document(egress=egress))
    (denied,) = [each for each in trace.records if isinstance(each, PolicyRecord)]
    assert (denied.policy, denied.verdict, denied.reason, denied.t) == ("egress", "deny", "203.0.113.9:443 (tcp)", 1.5)
    kept = trace.header.ext["flowproof"]
    assert isinstance(kept, dict)
    assert kept["egress"] == {"containment": "enforced", "allowed": ["${HOST}:443"]}


def test_effects_are_kept_as_attempts_by_what_the_system_call_is() -> None:
    seen = [
        {"kind": "fs_write", "target": "./a", "op": "openat", "flags": "O_TRUNC", "at_ms": 1},
        {"kind": "fs_write", "target": "./a", "op": "unlinkat", "at_ms": 2},
        {"kind": "fs_write", "target": "./a -> ./b", "op": "renameat2", "at_ms": 3},
        {"kind": "fs_write", "target_note": "outside workspace (sha256:0123456789ab)", "op": "ftruncate", "at_ms": 4},
        {"kind": "http_request", "target": "${API}", "op": "tcp", "at_ms": 5},
        {"kind": "fs_write", "at_ms": 6},
    ]
    trace = read(document(side_effects={"observation": "observed (linux seccomp)", "effects": seen}))
    assert effects(trace) == [
        ("fs_write", "./a", "openat"),
        ("fs_delete", "./a", "unlinkat"),
        ("fs_rename", "./a -> ./b", "renameat2"),
        ("fs_truncate", "(outside workspace (sha256:0123456789ab))", "ftruncate"),
        ("http_request", "${API}", "tcp"),
        ("fs_write", "(unknown target)", None),
    ]
    assert {trace.header.observation[kind] for kind in ("fs_write", "fs_delete", "http_request")} == {"imported"}
    assert trace.header.observation["db_change"] == "not_observed"
    assert "append" in losses(trace, "not_captured")[0].detail


def test_nobody_watched_where_the_lane_is_missing() -> None:
    assert set(read(document()).header.observation.values()) == {"not_observed"}


def test_what_the_supervisor_missed_is_a_fault() -> None:
    lane = {"observation": "observed", "faults": ["listener closed"], "effects": [{"kind": "teleport", "at_ms": 1}]}
    trace = read(document(side_effects=lane))
    assert [each.detail for each in faults(trace)] == ["an effect of kind 'teleport' is not read", "listener closed"]
    assert all(each.hides == ("side_effect",) for each in faults(trace))


def test_states_of_no_known_form_are_lost_by_name() -> None:
    effect = {"kind": "fs_write", "target": "./a", "at_ms": 1, "before": "x"}
    trace = read(document(side_effects={"observation": "observed", "effects": [effect]}))
    assert "'before'" in losses(trace, "dropped")[0].detail


def test_a_part_that_is_not_read_is_a_loss_and_a_fault() -> None:
    trace = read(document(screens=[1]))
    assert losses(trace, "unsupported")[0].where == "$.screens"
    assert "'screens'" in faults(trace)[0].detail


def test_fields_that_are_not_read_are_losses() -> None:
    value = turn(USER, latency=3)
    value["request"]["temperature"] = 1
    value["response"]["usage"] = {}
    trace = read(document(value, cassette={"sealed": True}))
    assert {loss.where for loss in losses(trace, "unsupported")} == {
        "$.cassette.sealed",
        "$.cassette.turns[0].latency",
        "$.cassette.turns[0].request.temperature",
        "$.cassette.turns[0].response.usage",
    }


# --- refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"app": "other"}, "app 'other'"),
        ({"app": None}, "app None"),
        ({"version": 99}, r"\$.version is 99"),
        ({"format": "flowproof-agent"}, "format"),
        ({"cassette": None}, r"\$.cassette: expected an object"),
        ({"cassette": {"turns": {}}}, r"\$.cassette.turns: expected a list"),
        ({"cassette": {"turns": []}}, "no model exchange"),
        ({"cassette": {"turns": [7]}}, r"turns\[0\]: expected an object"),
        ({"cassette": {"turns": [{"request": {"model": "m"}}]}}, "messages: expected a list"),
        ({"cassette": {"turns": [{"request": {"messages": []}}]}}, "model: expected a string"),
        ({"cassette": {"turns": [turn({"role": "tool", "content": "x"})]}}, "answers no call"),
        ({"cassette": {"turns": [turn({"role": "wizard", "content": "x"})]}}, "wizard"),
        ({"cassette": {"turns": [turn({"role": "user", "content": ["x"]})]}}, "content: expected a string"),
        ({"cassette": {"turns": [turn(USER, protocol="gemini")]}}, "unknown protocol 'gemini'"),
        ({"cassette": {"turns": [turn(USER, delivery_index="x")]}}, "delivery_index"),
        ({"mocks": 7}, r"\$.mocks"),
        ({"mcp": {"s": {"calls": [{"params": 1}]}}}, "method: expected a string"),
        ({"side_effects": {"effects": []}}, "observation"),
        ({"egress": {"blocked": [{"protocol": "tcp"}]}}, "destination"),
    ],
)
def test_refused_with_its_place(parts: Json, reason: str) -> None:
    with pytest.raises(ReaderError, match=reason) as caught:
        read({**document(), **parts})
    assert str(caught.value).startswith("run.trace.jsonl")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"role": "user"', '"role": "user", "role": "user"', "equal keys"),
        ('"mocks": {}', '"mocks": {"a": NaN}', "NaN"),
        ('"mocks": {}', '"mocks": {"a": 99999999999999999999999}', "digits"),
        ("Where is", "Where \\ud800is", "surrogate"),
        ('"mocks": {}', '"mocks": ' + "[" * 200 + "]" * 200, "nested"),
        ('"app"', '"app', "no JSON document"),
    ],
)
def test_a_value_that_had_to_be_changed_is_refused(old: str, new: str, reason: str) -> None:
    text = json.dumps(document())
    assert old in text
    with pytest.raises(ReaderError, match=reason):
        read(text.replace(old, new, 1))


def test_half_a_document_is_refused() -> None:
    text = json.dumps(document(), indent=2)
    with pytest.raises(ReaderError, match="no JSON document"):
        read(text[: len(text) // 2])


def test_two_documents_are_not_joined() -> None:
    one = Input("a", json.dumps(document()).encode())
    with pytest.raises(ReaderError, match="by itself"):
        read_foreign([one, one], "flowproof")


@pytest.mark.parametrize("indent", [None, 2])
def test_it_is_found_by_its_bytes(indent: int | None) -> None:
    text = json.dumps(document(), indent=indent).encode()
    assert sniff(text) == "flowproof"
    assert sniff(b"\xef\xbb\xbf" + text) == "flowproof"
    long = json.dumps(document(mocks={"a": "x" * 100_000}), indent=indent).encode()
    assert sniff(long[:65536]) == "flowproof"
    assert len(read_foreign([Input("run.json", text)]).models) == 2


def test_history_that_is_repeated_is_read_once_and_a_change_in_it_anew() -> None:
    other: Json = {"role": "user", "content": "Where is the other?"}
    third = turn(SYSTEM, other, CALL, RESULT)
    trace = read(document(turn(SYSTEM, USER, reply=CALL), turn(SYSTEM, USER, CALL, RESULT), third))
    first, second, last = (each.request.messages for each in trace.models)
    assert second[0] is first[0]
    assert second[1] is first[1]
    assert [text_of(message.content) for message in last[:2]] == ["You look orders up.", "Where is the other?"]


def test_a_fault_deep_in_the_history_names_its_place() -> None:
    wrong = turn(SYSTEM, USER, CALL, RESULT, {"role": "wizard", "content": "x"})
    with pytest.raises(ReaderError, match=r"turns\[1\].request: \$.messages\[4\].role"):
        read(document(turn(SYSTEM, USER, CALL, RESULT), wrong))


def test_another_system_prompt_is_read_anew() -> None:
    other: Json = {"role": "system", "content": "You cancel orders."}
    turns = [turn(SYSTEM, USER), turn(other, USER), turn(USER)]
    trace = read(document(*({**each, "protocol": "anthropic"} for each in turns)))
    said = [[text_of(message.content) for message in each.request.messages] for each in trace.models]
    asks = "Where is my order?"
    assert said == [["You look orders up.", asks], ["You cancel orders.", asks], [asks]]


def test_of_two_threads_as_long_as_each_other_the_one_that_is_told_more_is_the_agents() -> None:
    title = turn({"role": "system", "content": "Name it."}, USER, reply={"role": "assistant", "content": "An order"})
    asked = turn({"role": "system", "content": "You look orders up. " * 9}, USER)
    for turns in ([title, asked], [asked, title]):
        assert said(read(document(*turns)))[-1] == ("agent", "It has shipped.")
