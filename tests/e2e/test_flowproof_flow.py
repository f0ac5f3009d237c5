"""A flow and a trace of flowproof, and the real openai client: green as it is, red for every change."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from runwright.flow import FlowResult
from runwright.run import RunOptions, run_flow
from tests.e2e import replaying
from tests.e2e.replaying import changed, environment

Json = dict[str, Any]
FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "flowproof"
FLOW, TRACE, AGENT = "order-status.flow.yaml", "order-status.trace.jsonl", "agent.py"
MOCKED = """tools:
  - name: lookup_order
    result: {order_id: A-4471, status: shipped, carrier: DHL}
"""
NEVER_COMPARED = 11
runwright = partial(replaying.runwright, status=None)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the flow, its trace beside it, and the agent; nothing in it knows of runwright."""
    for name in (FLOW, TRACE, AGENT):
        shutil.copy(FIXTURES / name, tmp_path / name)
    (tmp_path / "pyproject.toml").write_text("")
    return tmp_path


@pytest.fixture
def unmocked(project: Path) -> Path:
    """The same without stand-ins: whatever the tool says is compared."""
    change(project / FLOW, (MOCKED, ""))
    edit(project, lambda document: document.update(mocks={}))
    return project


def change(path: Path, *changes: tuple[str, str]) -> None:
    """Change parts of a file, each of which must be there."""
    path.write_text(changed(path.read_text(), *changes))


def edit(project: Path, how: Callable[[Json], object]) -> None:
    """Change the trace's document."""
    document = json.loads((project / TRACE).read_text())
    how(document)
    (project / TRACE).write_text(json.dumps(document, indent=2))


def replay(project: Path, **options: Any) -> FlowResult:
    """The verdict on the project's flow."""
    return run_flow(project / FLOW, RunOptions(environment=environment(), **options))


# --- green --------------------------------------------------------------------------------------


def test_green_as_it_is_and_says_how_much_was_never_compared(project: Path) -> None:
    done = runwright(project, "run", FLOW)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"PASS, {NEVER_COMPARED} fields never compared" in done.stdout
    assert "ran for real: lookup_order" in done.stdout


def test_green_without_stand_ins(unmocked: Path) -> None:
    found = replay(unmocked)
    assert (found.word.value, found.exit) == ("PASS", 0)
    assert [each.state for each in found.judgements] == ["held"] * 3


def test_strict_asks_for_what_was_never_stored(project: Path) -> None:
    done = runwright(project, "run", FLOW, "--strict")
    assert done.returncode == 2
    assert f"UNVERIFIED, {NEVER_COMPARED} fields never compared" in done.stdout


# --- red for every change of the agent ----------------------------------------------------------

CHANGES = {
    "its prompt": ("You help customers", "You serve customers", "$.request.messages[0].content[0].text"),
    "the model": ('"gpt-4o-mini"', '"gpt-4o"', "$.request.model"),
    "the tool called": (
        "reply.model_dump(exclude_none=True)",
        'json.loads(reply.model_dump_json(exclude_none=True).replace("lookup_order", "cancel_order"))',
        "$.request.messages[2].content[0].name",
    ),
    "its order id": (
        "reply.model_dump(exclude_none=True)",
        'json.loads(reply.model_dump_json(exclude_none=True).replace("A-4471", "A-4472"))',
        "$.request.messages[2].content[0].arguments.order_id",
    ),
    "the tool result": (
        '"status": "shipped"',
        '"status": "delivered"',
        "$.request.messages[3].content[0].content[0].text",
    ),
    "the call that is answered": ('"tool_call_id": call.id', '"tool_call_id": "call_0"', "call_id"),
    "the tools it declares": ('"name": "cancel_order"', '"name": "refund_order"', "$.request.tools"),
    "one tool fewer": ("tools=TOOLS", "tools=TOOLS[:1]", "$.request.tools"),
    "a prompt in parts with another word": (
        '"content": prompt',
        '"content": [{"type": "text", "text": prompt.replace("order", "parcel")}]',
        "$.request.messages[1].content[0].text",
    ),
    "a call more": ("print(reply.content)", "print(ask(client, messages), reply.content)", ""),
    "a call fewer": ("reply = ask(client, messages)\n    print", "break\n    print", ""),
    "a path that nobody serves": (
        "    client = OpenAI()\n",
        "    client = OpenAI(max_retries=0)\n"
        "    try:\n        client.embeddings.create(model='e', input='x')\n    except Exception:\n        pass\n",
        "",
    ),
    "a miss that it hides behind the right words": (
        "    main()",
        "    SYSTEM += '!'\n    try:\n        main()\n    except Exception:\n        print('It has shipped.')",
        "$.request.messages[0].content[0].text",
    ),
    "an exit code of its own": ("    main()", "    main()\n    raise SystemExit(3)", ""),
    "what it says": ("print(reply.content)", "print('It is lost.')", ""),
}


@pytest.mark.parametrize("name", CHANGES)
def test_red_for(name: str, unmocked: Path) -> None:
    old, new, path = CHANGES[name]
    change(unmocked / AGENT, (old, new))
    found = replay(unmocked)
    assert (found.word.value, found.exit) == ("FAIL", 1), found.summary
    if path:
        assert found.miss is not None
        assert any(path in difference.path for difference in found.miss.differences), found.miss


def test_an_agent_that_never_asks_is_not_judged(unmocked: Path) -> None:
    change(unmocked / AGENT, ("    main()", "    print('It has shipped.')"))
    found = replay(unmocked)
    assert (found.word.value, found.exit) == ("UNVERIFIED", 2)


def test_red_for_another_prompt_in_the_flow(project: Path) -> None:
    change(project / FLOW, ("order A-4471?", "order A-4472?"))
    found = replay(project)
    assert (found.word.value, found.exit) == ("FAIL", 1)
    assert found.miss is not None
    assert [each.path for each in found.miss.differences] == ["$.request.messages[1].content[0].text"]


def test_red_for_a_tool_that_was_never_asked_for(project: Path) -> None:
    change(project / FLOW, ("assert_tool_call: lookup_order", "assert_tool_call: cancel_order"))
    found = replay(project)
    assert (found.word.value, found.exit) == ("FAIL", 1)


# --- what is never compared is said -------------------------------------------------------------

UNSEEN = {
    "a sampling parameter": ("temperature=0.2", "temperature=0.9", "$.request.parameters.*"),
    "a tool's description": ("Where an order is.", "Anything at all.", "$.request.tools[0].description"),
    "a tool's schema": ('{"order_id": {"type": "string"}}', '{"order_id": {}}', "$.request.tools[0].parameters"),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_a_change_of_what_was_never_stored_is_counted_not_hidden(name: str, project: Path) -> None:
    old, new, path = UNSEEN[name]
    change(project / AGENT, (old, new))
    found = replay(project)
    assert (found.word.value, found.exit) == ("PASS", 0)
    assert path in found.never_compared
    assert f"{NEVER_COMPARED} fields never compared" in found.summary
    assert replay(project, strict=True).exit == 2


def test_a_message_in_parts_was_never_stored_and_is_not_taken_for_empty(unmocked: Path) -> None:
    def without_content(document: Json) -> None:
        for turn in document["cassette"]["turns"]:
            del turn["request"]["messages"][1]["content"]

    edit(unmocked, without_content)
    change(unmocked / AGENT, ('"content": prompt', '"content": [{"type": "text", "text": "Anything."}]'))
    found = replay(unmocked)
    assert (found.word.value, found.exit) == ("PASS", 0)
    assert "$.request.messages[1].content" in found.never_compared
    assert f"{NEVER_COMPARED + 1} fields never compared" in found.summary
    assert replay(unmocked, strict=True).exit == 2


def test_effects_that_nobody_compares_are_said(project: Path) -> None:
    effect = {"kind": "fs_write", "target": "./report.csv", "op": "openat", "at_ms": 4}
    edit(project, lambda document: document.update(side_effects={"observation": "observed", "effects": [effect]}))
    found = replay(project)
    assert (found.word.value, found.exit) == ("PASS", 0)
    assert any("e1" in note and "not compared" in note for note in found.notes), found.notes


def test_an_effect_that_must_not_be_is_not_certified_by_the_recording(project: Path) -> None:
    edit(project, lambda document: document.update(side_effects={"observation": "observed"}))
    change(project / FLOW, ("steps:\n", "steps:\n  - assert_no_side_effect: sap_transaction\n"))
    found = replay(project)
    assert (found.word.value, found.exit) == ("CAPABILITY", 2)


# --- stand-ins ----------------------------------------------------------------------------------


def test_a_result_that_was_stood_in_for_may_differ(project: Path) -> None:
    change(project / AGENT, ('"carrier": "DHL"', '"carrier": "UPS"'))
    assert replay(project).exit == 0


def test_the_recordings_own_result_beats_the_flows_and_says_so(project: Path) -> None:
    change(project / FLOW, ("status: shipped", "status: lost"))
    found = replay(project)
    assert (found.word.value, found.exit) == ("PASS", 0)
    assert any("lookup_order" in note and "recording" in note for note in found.notes), found.notes


def test_a_stand_in_that_only_the_recording_knows_is_said(project: Path) -> None:
    change(project / FLOW, (MOCKED, ""))
    change(project / AGENT, ('"carrier": "DHL"', '"carrier": "UPS"'))
    found = replay(project)
    assert (found.word.value, found.exit) == ("PASS", 0)
    assert "lookup_order: the recording's own result stands in for what the tool says" in found.notes


def test_the_flows_result_stands_where_the_recording_has_none(project: Path) -> None:
    edit(project, lambda document: document.update(mocks={}))
    change(project / AGENT, ('"carrier": "DHL"', '"carrier": "UPS"'))
    assert replay(project).exit == 0
    change(project / FLOW, ("status: shipped", "status: lost"))
    assert replay(project).exit == 1


# --- a recording that cannot be trusted ---------------------------------------------------------

WRONG = {
    "another app": (lambda document: document.update(app="other"), "app 'other'"),
    "a version": (lambda document: document.update(version=99), "$.version is 99"),
    "a format": (lambda document: document.update(format="flowproof-agent"), "$.format is 'flowproof-agent'"),
    "no turn": (lambda document: document["cassette"].update(turns=[]), "no model exchange"),
    "no turns": (lambda document: document["cassette"].pop("turns"), "no model exchange"),
    "a protocol": (lambda document: document["cassette"]["turns"][0].update(protocol="grpc"), "unknown protocol"),
    "no response": (lambda document: document["cassette"]["turns"][0].pop("response"), "was not captured"),
    "a reply that says nothing": (
        lambda document: document["cassette"]["turns"][1]["response"]["message"].pop("content"),
        "only in part",
    ),
    "a reply with more than is known here": (
        lambda document: document["cassette"]["turns"][1]["response"]["message"].update(parts=[]),
        "only in part",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_not_judged_on(name: str, project: Path) -> None:
    how, said = WRONG[name]
    edit(project, how)
    found = replay(project)
    assert (found.word.value, found.exit) == ("UNVERIFIED", 2)
    assert said in found.summary


def test_not_judged_on_half_a_trace(project: Path) -> None:
    text = (project / TRACE).read_text()
    (project / TRACE).write_text(text[: len(text) // 2])
    assert replay(project).exit == 2


def test_not_judged_on_equal_keys(project: Path) -> None:
    change(project / TRACE, ('"mocks": {', '"mocks": {}, "mocks": {'))
    found = replay(project)
    assert found.exit == 2
    assert "equal keys" in found.summary


def test_not_judged_on_a_trace_of_steps(project: Path) -> None:
    header = '{"format":"flowproof-trace","version":1,"app":{"name":"sap","adapter":"sap-com"}}'
    step = '{"id":"s0001","action":{"type":"launch","params":{"url":"/nVA01"}}}'
    (project / TRACE).write_text(f"{header}\n{step}\n")
    found = replay(project)
    assert found.exit == 2
    assert "no model exchange" in found.summary


def test_a_part_that_is_not_read_is_no_clean_pass(project: Path) -> None:
    edit(project, lambda document: document.update(browser_lane={"events": [1]}))
    found = replay(project)
    assert "not whole" in found.summary
    assert "browser_lane" in found.summary


def test_a_trace_that_is_not_there_is_no_pass(project: Path) -> None:
    (project / TRACE).unlink()
    assert replay(project).exit == 2


# --- the other commands -------------------------------------------------------------------------


def test_view_and_import(project: Path) -> None:
    shown = runwright(project, "view", TRACE)
    assert shown.returncode == 0
    assert 'lookup_order(order_id="A-4471")' in shown.stdout
    done = runwright(project, "import", TRACE, "-o", "run.trace.jsonl")
    assert done.returncode == 0, done.stderr
    checked = runwright(project, "validate", "run.trace.jsonl")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_converted_trace_replays_in_our_own_format(project: Path) -> None:
    asked = ("--agent", "python agent.py", "--tools", "real", "--assert", "assert: reply contains shipped")
    done = runwright(project, "convert", TRACE, "--out", "flows/order", *asked)
    assert done.returncode == 0, done.stdout + done.stderr
    assert runwright(project, "review", "--accept", "order").returncode == 0
    green = runwright(project, "run", "flows/")
    assert green.returncode == 0, green.stdout + green.stderr
    change(project / AGENT, ('"carrier": "DHL"', '"carrier": "UPS"'))
    assert runwright(project, "run", "flows/").returncode == 0, "the recording stood in for this result"
    change(project / AGENT, ("You help customers", "You serve customers"))
    assert runwright(project, "run", "flows/").returncode == 1


def test_what_was_never_stored_can_be_adopted_and_is_compared_then(project: Path) -> None:
    asked = ("--agent", "python agent.py", "--tools", "real", "--assert", "assert: reply contains shipped")
    done = runwright(project, "convert", TRACE, "--out", "flows/order", *asked, "--adopt")
    assert done.returncode == 0, done.stdout + done.stderr
    assert runwright(project, "review", "--accept", "order").returncode == 0
    green = runwright(project, "run", "flows/", "--strict")
    assert green.returncode == 0, green.stdout + green.stderr
    assert "never compared" not in green.stdout
    for old, new, path in (
        ("temperature=0.2", "temperature=0.9", "$.request.parameters.temperature"),
        ("Where an order is.", "Anything at all.", "$.request.tools[0].description"),
    ):
        change(project / AGENT, (old, new))
        red = runwright(project, "run", "flows/")
        assert red.returncode == 1
        assert path in red.stdout
        change(project / AGENT, (new, old))


def test_a_secret_in_a_stand_in_is_not_written(project: Path) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5"
    edit(project, lambda document: document["mocks"]["lookup_order"].update(token=secret))
    done = runwright(project, "import", TRACE, "-o", "run.trace.jsonl")
    assert done.returncode == 1
    assert secret not in done.stdout + done.stderr
    assert not (project / "run.trace.jsonl").exists()
