"""One flow through the real path: a real agent process, the replay server, the verdict."""

import os
import sys
import textwrap
from pathlib import Path

import pytest
from msgspec.structs import replace

from runwright.flow import FlowResult, Word
from runwright.run import RunOptions, run_flow, run_one
from runwright.trace import read_trace
from runwright.trace.model import ModelRecord, TextBlock
from tests.run.story import ANSWERED, EXCHANGES, PROMPT, TWICE, Shop, cassette_of, exchange, said, shop

PATHS = os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin"))
BARE = {"PATH": PATHS}
"""An environment without a key, a proxy or a home."""


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def run(made: Shop, **options: object) -> FlowResult:
    return run_flow(made.flow, RunOptions(**{"environment": BARE, "timeout": 30, **options}))


def paths(result: FlowResult) -> list[str]:
    assert result.miss is not None
    return [difference.path.split(" ")[0] for difference in result.miss.differences]


# --- green -----------------------------------------------------------------------------------------


def test_green_with_no_key_and_nothing_inherited(made: Shop) -> None:
    result = run(made)
    assert (result.word, result.exit) == (Word.PASS, 0), result.summary
    assert {each.state for each in result.judgements} == {"held"}
    assert result.real_tools == ("issue_refund",)
    assert result.reply.text == "Your 40 are refunded.\n"
    assert (result.agent_exit, result.miss, result.left_over, result.notes) == (0, None, (), ())


def test_the_callers_key_is_not_the_agents(made: Shop) -> None:
    made.agent(("print(reply", 'assert "real" not in os.environ.values(), "leaked"\nprint(reply'))
    result = run(made, environment={**BARE, "OPENAI_API_KEY": "real", "GITHUB_TOKEN": "real", "MINE": "real"})
    assert result.word is Word.PASS, result.summary


def test_the_agent_runs_in_the_repository_root_unless_told(made: Shop) -> None:
    (made.root / "deep").mkdir()
    made.agent(("print(reply", 'assert os.path.basename(os.getcwd()) == "deep", os.getcwd()\nprint(reply'))
    assert run(made).word is Word.FAIL
    made.spec(("python agent.py", "python ../agent.py"), ("tools: real", "tools: real, cwd: deep"))
    assert run(made).word is Word.PASS


def test_the_shape_of_json_and_added_transport_is_no_difference(made: Shop) -> None:
    made.agent(("json.dumps(body).encode()", "json.dumps(dict(reversed(body.items())), indent=3).encode()"))
    assert run(made).word is Word.PASS


# --- red: matching ---------------------------------------------------------------------------------


def test_another_temperature_is_red_with_its_path(made: Shop) -> None:
    made.agent(('"temperature": 0', '"temperature": 0.7'))
    result = run(made)
    assert (result.word, result.exit) == (Word.FAIL, 1)
    assert paths(result) == ["$.request.parameters.temperature"]
    assert (result.miss.differences[0].recorded, result.miss.differences[0].live) == (0, 0.7)
    assert result.miss.nearest == "m1"


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("You are the shop", "You were the shop", "$.request.messages[0].content[0].text"),
        ('"gpt-4o-mini"', '"gpt-4o"', "$.request.model"),
        ("Pay an order back.", "Pay it back.", "$.request.tools[0].description"),
        ('"required": ["order_id"]', '"required": []', "$.request.tools[0].parameters.required"),
        ('"refunded": 40', '"refunded": 41', "$.request.messages[3].content[0].content[0].text"),
    ],
)
def test_any_field_that_changes_is_red_with_its_path(made: Shop, old: str, new: str, path: str) -> None:
    made.agent((old, new))
    result = run(made)
    assert result.word is Word.FAIL
    assert any(each.startswith(path) for each in paths(result)), paths(result)


def test_an_extra_call_is_red(made: Shop) -> None:
    made.agent(("print(reply", "ask(messages)\nprint(reply"))
    result = run(made)
    assert (result.word, result.miss is not None) == (Word.FAIL, True)


def test_a_missing_call_is_red(made: Shop) -> None:
    made.agent(("    reply = ask(messages)", '    reply = {"content": "Your 40 are refunded."}'))
    result = run(made)
    assert (result.word, result.left_over) == (Word.FAIL, ("m2",))


def test_an_agent_that_never_calls_is_no_pass(made: Shop) -> None:
    made.agent(("messages = [", 'print("Your 40 are refunded."); sys.exit()\nmessages = ['))
    result = run(made)
    assert result.exit != 0
    assert result.left_over == ("m1", "m2")


def test_a_path_that_is_not_served_is_red(made: Shop) -> None:
    made.agent(("print(reply", 'ask(messages, path="/embeddings")\nprint(reply'))
    result = run(made)
    assert result.word is Word.FAIL
    assert "/v1/embeddings" in result.miss.reason


def test_ignoring_the_miss_and_saying_the_right_words_is_red(made: Shop) -> None:
    made.agent(('"temperature": 0', '"temperature": 1'), ('"no answer"', '"Your 40 are refunded."'))
    result = run(made)
    assert result.agent_exit == 0
    assert "refunded" in result.reply.text
    assert (result.word, result.exit) == (Word.FAIL, 1)


# --- red: the agent --------------------------------------------------------------------------------


def test_an_exit_code_is_red(made: Shop) -> None:
    made.agent(('print(reply["content"])', 'print(reply["content"])\nsys.exit(3)'))
    result = run(made)
    assert (result.word, result.exit, result.agent_exit) == (Word.FAIL, 1, 3)


def test_the_time_limit_is_no_pass_and_leaves_nothing_alive(made: Shop) -> None:
    made.agent(("print(reply", "import time; print(os.getpid(), flush=True); time.sleep(60)\nprint(reply"))
    result = run(made, timeout=2)
    assert result.exit != 0
    assert result.agent.ended == "timeout"
    with pytest.raises(ProcessLookupError):
        os.kill(int(result.reply.text), 0)


def test_a_failed_assertion_is_red(made: Shop) -> None:
    made.spec(("times: 1", "times: 2"))
    result = run(made)
    assert (result.word, [each.state for each in result.judgements]) == (Word.FAIL, ["failed", "held"])


def test_a_reply_that_is_not_the_agents_own_proves_nothing(made: Shop) -> None:
    made.spec(("      - assert_tool_call: {tool: issue_refund, times: 1}\n".strip(), "- assert: reply contains 40"))
    made.agent(('print(reply["content"])', ""))
    result = run(made)
    assert (result.word, result.exit) == (Word.UNVERIFIED, 2)
    assert result.reply.source == "recorded"


# --- until -----------------------------------------------------------------------------------------

BUGGY = ('    return {"order_id": order_id, "refunded": 40}', "    return {}")


@pytest.fixture
def twice(made: Shop) -> Shop:
    """The recorded run refunded twice, because the agent handed the model `{}`; m1 is where it was still right."""
    made.cassette.write_bytes(cassette_of(*TWICE))
    made.spec(("cassette:", "replay: {until: m1}\ncassette:"), ("- assert: reply contains refunded", ""))
    return made


def test_the_buggy_agent_matches_to_the_end_and_is_red(twice: Shop) -> None:
    twice.agent(BUGGY)
    result = run(twice)
    assert (result.word, result.miss, result.left_over) == (Word.FAIL, None, ())
    assert [each.state for each in result.judgements] == ["failed"]


def test_the_fixed_agent_diverges_later_and_is_green(twice: Shop) -> None:
    result = run(twice)
    assert (result.word, result.exit) == (Word.PASS, 0), result.summary
    assert "not judged after m1" in result.summary
    assert result.miss.later


def test_the_fixed_agent_may_fail_after_the_later_miss(twice: Shop) -> None:
    twice.agent(("print(reply", "sys.exit(5)\nprint(reply"))
    result = run(twice)
    assert (result.word, result.agent_exit) == (Word.PASS, 5)


def test_an_agent_that_regresses_before_until_is_red_with_its_field(twice: Shop) -> None:
    twice.agent(("the shop's support", "nobody's support"))
    result = run(twice)
    assert (result.word, result.miss.later) == (Word.FAIL, False)
    assert paths(result) == ["$.request.messages[0].content[0].text"]


def test_the_missed_request_is_evidence_and_the_refusal_is_not(twice: Shop) -> None:
    live = run_one(twice.flow, RunOptions(environment=BARE, timeout=30)).trace
    assert [(each.response is not None, each.error) for each in live.models] == [(True, None), (False, None)]


def test_until_can_be_given_for_one_run(made: Shop) -> None:
    made.cassette.write_bytes(cassette_of(*TWICE))
    made.spec(("- assert: reply contains refunded", ""))
    assert run(made).word is Word.FAIL
    assert run(made, until="m1").word is Word.PASS


def test_an_until_that_is_not_there_is_invalid(made: Shop) -> None:
    assert run(made, until="m9").word is Word.INVALID


# --- exit 2 ----------------------------------------------------------------------------------------


def test_no_cassette_is_unverified(made: Shop) -> None:
    made.cassette.unlink()
    result = run(made)
    assert (result.word, result.exit) == (Word.UNVERIFIED, 2)
    assert "no cassette" in result.summary


@pytest.mark.parametrize("damage", ["cut", "byte", "empty"])
def test_a_damaged_cassette_is_unverified(made: Shop, damage: str) -> None:
    data = made.cassette.read_bytes()
    made.cassette.write_bytes(
        {"cut": data[:-40], "byte": data.replace(b"refunded.", b"refunded!"), "empty": b""}[damage]
    )
    result = run(made)
    assert (result.word, result.exit) == (Word.UNVERIFIED, 2)


def test_a_program_that_is_not_there_is_invalid_with_its_place(made: Shop) -> None:
    made.spec(("python agent.py", "no-such-program agent.py"))
    result = run(made)
    assert (result.word, result.exit) == (Word.INVALID, 2)
    assert "refund.flow.yaml: $.agent.command" in result.summary
    assert "no-such-program" in result.summary


def test_a_flow_that_is_wrong_is_invalid(made: Shop) -> None:
    made.spec(("steps:", "stepz:"))
    assert run(made).word is Word.INVALID


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tools: real", "tools: served"),
        ("- assert: reply contains refunded", "- assert_no_side_effect: {kind: sap_transaction}"),
        ("steps:", "mcp: [{name: exports, command: python server.py, tools: [{name: x, result: 1}]}]\nsteps:"),
    ],
)
def test_what_cannot_be_seen_or_done_here_is_a_capability(made: Shop, old: str, new: str) -> None:
    made.spec((old, new))
    result = run(made)
    assert (result.word, result.exit) == (Word.CAPABILITY, 2), result.summary


def test_an_ignore_that_was_about_nothing_is_stale(made: Shop) -> None:
    made.spec(("steps:", "ignore: [{lane: model, path: $.request.parameters.seed}]\nsteps:"))
    result = run(made)
    assert (result.word, result.exit) == (Word.STALE, 2)


def test_an_ignored_field_may_differ(made: Shop) -> None:
    made.agent(("You are the shop", "You were the shop"))
    made.spec(("steps:", 'ignore: [{lane: model, path: "$.request.messages[0].content"}]\nsteps:'))
    result = run(made)
    assert result.word is Word.PASS, result.summary
    assert any("ignored" in note for note in result.notes)
    assert run_one(made.flow, RunOptions(environment=BARE, timeout=30)).ignored == (
        "$.request.messages[0].content (model)",
    )


def test_fields_never_compared_are_said_and_strict_refuses_them(made: Shop) -> None:
    unknown = ("$.request.tools[0].parameters",)
    made.cassette.write_bytes(cassette_of(*(replace(each, unknown=unknown) for each in EXCHANGES)))
    result = run(made)
    assert (result.word, result.never_compared) == (Word.PASS, unknown)
    assert "1 field never compared" in result.summary
    assert run(made, strict=True).exit == 2


NO_AGENT = ("agent: {command: python agent.py, tools: real}\n", "")


def test_a_flow_without_an_agent_checks_its_own_recording_only_when_told(made: Shop) -> None:
    made.spec(NO_AGENT)
    assert run(made).exit == 2
    told = run(made, recording_only=True)
    assert told.exit == 0, told.summary
    assert "recording" in told.summary


def test_a_damaged_recording_is_not_checked_at_all(made: Shop) -> None:
    made.spec(NO_AGENT)
    made.cassette.write_bytes(made.cassette.read_bytes()[:-40])
    assert run(made, recording_only=True).word is Word.UNVERIFIED


# --- more than one turn ----------------------------------------------------------------------------


TALK = """for line in sys.stdin:
    messages.append({"role": "assistant", "content": reply["content"]})
    messages.append({"role": "user", "content": json.loads(line)["prompt"]})
    reply = ask(messages)
print(reply["content"])"""


def test_later_turns_arrive_on_standard_input(made: Shop) -> None:
    thanks = (*ANSWERED, said("assistant", "Your 40 are refunded."), said("user", "Thanks."))
    welcome = exchange("m3", thanks, (TextBlock(text="You are welcome."),), after=("m2",))
    made.cassette.write_bytes(cassette_of(*EXCHANGES, welcome))
    made.agent(('print(reply["content"])', TALK))
    one, two = f"- prompt: {PROMPT}", f"- conversation: [{{user: {PROMPT}}}, {{user: Thanks.}}]"
    made.spec((one, two), ("contains refunded", "contains welcome"))
    result = run(made)
    assert result.word is Word.PASS, result.summary


# --- the official client ---------------------------------------------------------------------------

SDK = """
    import json, os
    from openai import OpenAI

    SCHEMA = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
    TOOL = {"name": "issue_refund", "description": "Pay an order back.", "parameters": SCHEMA}
    client = OpenAI()

    def ask(messages):
        return client.chat.completions.create(model="gpt-4o-mini", messages=messages, temperature=0, stream=True,
                                              tools=[{"type": "function", "function": TOOL}])

    messages = [{"role": "system", "content": "You are the shop's support."},
                {"role": "user", "content": os.environ["RUNWRIGHT_PROMPT"]}]
    call = {"id": "", "name": "", "arguments": ""}
    for chunk in ask(messages):
        for part in (chunk.choices[0].delta.tool_calls or ()) if chunk.choices else ():
            call["id"] += part.id or ""
            call["name"] += part.function.name or ""
            call["arguments"] += part.function.arguments or ""
    function = {"name": call["name"], "arguments": call["arguments"]}
    messages.append({"role": "assistant", "tool_calls": [{"id": call["id"], "type": "function", "function": function}]})
    result = json.dumps({"order_id": json.loads(call["arguments"])["order_id"], "refunded": 40})
    messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    print("".join(chunk.choices[0].delta.content or "" for chunk in ask(messages) if chunk.choices))
"""


@pytest.mark.parametrize("split", ["", "replay: {split: true}\n"])
def test_the_official_client_streams(made: Shop, split: str) -> None:
    made.spec(("steps:", f"{split}steps:"))
    (made.root / "agent.py").write_text(textwrap.dedent(SDK))
    made.cassette.write_bytes(cassette_of(*(replace(each, streamed=True) for each in EXCHANGES)))
    result = run(made)
    assert result.word is Word.PASS, result.summary
    assert result.reply.text == "Your 40 are refunded.\n"


def test_the_official_client_does_not_retry_a_miss(made: Shop) -> None:
    (made.root / "agent.py").write_text(textwrap.dedent(SDK))
    done = run_one(made.flow, RunOptions(environment=BARE, timeout=30))
    assert (done.result.word, len(done.trace.models)) == (Word.FAIL, 1)
    assert paths(done.result) == ["$.streamed"]


# --- the live side ---------------------------------------------------------------------------------


def test_the_live_side_is_a_trace_that_can_be_kept(made: Shop) -> None:
    secret = "sk-proj-" + "Zx8Qm2Lp7Vt4Kd9Wn3Rb6Hy1Jc5Gf0Ts"
    made.agent(('print(reply["content"])', f'print(reply["content"], "{secret}")'))
    done = run_one(made.flow, RunOptions(environment=BARE, timeout=30, keep=True))
    assert done.result.word is Word.PASS
    kept = read_trace(done.kept)
    assert [each.id for each in kept.records] == ["u1", "m1", "m2", "u2"]
    assert [each.response is not None for each in kept.records if isinstance(each, ModelRecord)] == [True, True]
    assert kept.models[1].after == ("m1",)
    assert done.kept.parent == made.root / ".runwright" / "runs"
    assert secret not in done.kept.read_text()


def test_nothing_is_kept_unasked(made: Shop) -> None:
    assert run_one(made.flow, RunOptions(environment=BARE, timeout=30)).kept is None
    assert not (made.root / ".runwright").exists()
