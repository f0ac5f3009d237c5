"""The proposed flow's text: exact YAML, the same everywhere."""

import pytest
import yaml
from hypothesis import given, strategies as st

from runwright.convert.flow_text import flow_text, parsed_assertion, step_text
from runwright.convert.options import ConvertOptions, check, paths_for
from runwright.convert.suggest import suggest
from runwright.convert.turns import user_turns
from runwright.convert.until import Until
from runwright.convert.yaml_text import comment, inline, text_at
from runwright.errors import UsageError
from runwright.trace.model import ImageBlock, Message, Source, TextBlock, ToolResultBlock
from tests.convert.traces import TASK, exchange, story, text, trace

OUT = "flows/regressions/refund-twice"
ONCE = "assert_tool_call: {tool: issue_refund, times: 1}"


def written(run=None, until="m2", **options):
    run = run or story()
    given_options = ConvertOptions(out=OUT, **options)
    chosen = Until(until)
    given = [parsed_assertion(each) for each in given_options.asserts]
    return flow_text(
        run,
        given_options,
        paths_for(OUT),
        chosen,
        user_turns(run),
        [each for each in suggest(run, chosen) if each.assertion not in given],
    )


def test_the_story():
    assert written(agent_command="python agent.py", tools="real", asserts=(ONCE,)) == (
        "# recorded: m1 lookup_order; m2 issue_refund; m3 issue_refund; m4 reply\n"
        "flow: 1\n"
        "name: refund-twice\n"
        "app: agent\n"
        "agent:\n"
        "  command: python agent.py\n"
        "  tools: real\n"
        "cassette: ../../cassettes/regressions/refund-twice.cassette.jsonl\n"
        "replay:\n"
        "  until: m2\n"
        "steps:\n"
        "  - prompt: Order A-4471 arrived broken. Please refund it.\n"
        "  - assert_tool_call: {tool: issue_refund, times: 1}\n"
        "  # suggested by the recording; take the '# ' away from what must hold\n"
        "  # - assert_tool_call: {tool: lookup_order, times: 1}  # called: m1 -> t1 -> m2\n"
        "  # - assert_no_tool_call: delete_customer  # declared in m1, never called\n"
    )


def test_a_suggestion_is_yaml_once_its_mark_is_taken_away():
    text_of_flow = written().replace("  # - ", "  - ")
    steps = yaml.safe_load(text_of_flow)["steps"]
    assert [each.assertion for each in suggest(story(), Until("m2"))] == steps[1:]


def test_without_an_agent_there_is_no_agent_block():
    assert "agent" not in yaml.safe_load(written())


@pytest.mark.parametrize("options", [{"agent_command": "python agent.py"}, {"tools": "real"}])
def test_command_and_tools_come_together(options):
    with pytest.raises(UsageError, match="really run") as raised:
        check(ConvertOptions(out=OUT, **options))
    assert raised.value.hint


# --- turns --------------------------------------------------------------------------------------


def test_several_turns_are_a_conversation_and_never_joined():
    talk = [text("system", "s"), text("user", "one"), text("assistant", "1")]
    run = trace(
        exchange(1, talk[:2], TextBlock(text="1")), exchange(2, [*talk, text("user", "two")], TextBlock(text="2"))
    )
    assert yaml.safe_load(written(run, None))["steps"][0] == {"conversation": [{"user": "one"}, {"user": "two"}]}


def test_the_same_words_said_twice_are_two_turns():
    talk = [text("user", "more"), text("assistant", "1"), text("user", "more")]
    run = trace(exchange(1, talk[:1], TextBlock(text="1")), exchange(2, talk, TextBlock(text="2")))
    assert [turn.text for turn in user_turns(run)] == ["more", "more"]


def test_a_helper_agents_prompt_is_not_the_users():
    helper = exchange(3, [text("system", "helper"), text("user", "inner")], TextBlock(text="x"), agent="helper")
    run = story()
    assert [turn.text for turn in user_turns(trace(helper, *run.records))] == [TASK]


def test_a_message_with_an_image_says_that_text_alone_is_kept():
    image = ImageBlock(source=Source(kind="url", data="https://a.example/i.png"))
    message = Message(role="user", content=(TextBlock(text="look"), image))
    (turn,) = user_turns(trace(exchange(1, [message], TextBlock(text="x"))))
    assert (turn.text, turn.extra) == ("look", True)


def test_words_beside_tool_results_are_no_turn():
    reminded = Message(role="user", content=(ToolResultBlock(call_id="c1"), TextBlock(text="a reminder")))
    said = exchange(1, [text("user", "go"), reminded, text("user", "stop")], TextBlock(text="x"))
    assert [turn.text for turn in user_turns(trace(said))] == ["go", "stop"]


# --- YAML ---------------------------------------------------------------------------------------

HARD = [
    "",
    "really?",
    "what? no",
    "yes",
    "1",
    "1e3",
    "null",
    "~",
    "a: b",
    "a #b",
    "- x",
    "é 🎉",
    "{x}",
    "tab\there",
    "\x1b[2J",
    "x\u2028y",
    " x",
    "x ",
    "true",
    "2026-05-04",
    "=",
    "<<",
    "a" * 500,
    "\x85",
    "\ufeff",
]


@pytest.mark.parametrize("words", HARD)
def test_words_survive_as_scalars(words):
    assert yaml.safe_load(inline({"k": [words]})) == {"k": [words]}
    assert yaml.safe_load(f"a:\n  - prompt: {text_at(words, 6)}\n") == {"a": [{"prompt": words}]}


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_as_a_prompt(words):
    assert yaml.safe_load(f"a:\n  - prompt: {text_at(words, 6)}\n    b: 1\n") == {"a": [{"prompt": words, "b": 1}]}


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_within_an_assertion(words):
    assert yaml.safe_load(f"a: {inline({'k': [words, {'n': words}]})}\n") == {"a": {"k": [words, {"n": words}]}}


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_is_safe_in_a_comment(words):
    assert yaml.safe_load(f"a: 1  {comment(words)}\nb: 2\n") == {"a": 1, "b": 2}


def test_several_lines_are_a_block():
    assert text_at("one\n\ntwo\n", 2) == "|\n  one\n\n  two"


# --- given assertions and paths -----------------------------------------------------------------


@pytest.mark.parametrize(
    "snippet", ["assert_tool_call: [", "prompt: x", "- a\n- b", "x", "{a: 1, b: 2}", "", "assert: 1\nassert_x: 2"]
)
def test_what_is_no_assertion_is_refused(snippet):
    with pytest.raises(UsageError, match="--assert"):
        parsed_assertion(snippet)


@pytest.mark.parametrize("snippet", [ONCE, "assert_no_egress", "- assert_no_tool_call: x", "assert: reply contains it"])
def test_assertions_are_written_back_as_steps(snippet):
    assert yaml.safe_load(step_text(parsed_assertion(snippet))) == yaml.safe_load(snippet.removeprefix("- "))


@pytest.mark.parametrize("out", ["/flows/a", "flows/../a", "regressions/a", "flows", "C:/flows/a", ""])
def test_a_flow_belongs_under_flows(out):
    with pytest.raises(UsageError):
        paths_for(out)


def test_the_cassette_mirrors_the_flow():
    paths = paths_for("shop/flows/a/b.flow.yaml")
    assert (paths.flow, paths.cassette) == ("shop/flows/a/b.flow.yaml", "shop/cassettes/a/b.cassette.jsonl")
    assert paths.proposal == "shop/flows/a/b.proposal.json"
