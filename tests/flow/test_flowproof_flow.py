"""Whole flows in flowproof's grammar: what is accepted, what is refused, what cannot be run here, and what is said."""

import json
from pathlib import Path

import pytest

from runwright.errors import CapabilityError, FlowError, UnsetVariable
from runwright.flow import Flow, NoSecretLeak, NoToolCall, Reply, ToolCall, ToolStub, load_flow, parse_flow
from runwright.flow.matchers import Clause, Test

FIXTURE = Path(__file__).parents[1] / "fixtures" / "flowproof" / "order-status.flow.yaml"
PATH = Path("/repo/specs/order.flow.yaml")

HEAD = "name: n\napp: agent\n"
AGENT = "agent: {command: python agent.py}\n"
STEPS = "steps:\n  - prompt: Hello\n"
FLOW = HEAD + AGENT + STEPS


def parse(text: str, **env: str) -> Flow:
    return parse_flow(text.encode(), PATH, env)


def test_the_example_flow() -> None:
    flow = load_flow(FIXTURE, {})
    lookup, no_cancel, reply = (step.assertion for step in flow.steps)
    assert (flow.declared_by, flow.agent.tools, flow.agent.command) == ("flowproof", "real", ("python", "agent.py"))
    assert flow.prompt == "Where is my order A-4471?"
    assert flow.cassette == FIXTURE.with_name("order-status.trace.jsonl")
    result = {"order_id": "A-4471", "status": "shipped", "carrier": "DHL"}
    assert flow.tools == (ToolStub(name="lookup_order", result=result, has_result=True),)
    contains = Clause(path=("order_id",), test=Test(op="contains", value="A-4471", as_text=True))
    assert lookup == ToolCall(tool="lookup_order", where=((contains,),))
    assert no_cancel == NoToolCall(tool="cancel_order")
    shipped = Clause(path=(), test=Test(op="contains", value="shipped", as_text=True))
    assert reply == Reply(where=((shipped,),))
    assert flow.notes == ("agent.tools is not declared, so the agent's tools run for real",)


# --- the agent -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("python agent.py", ("python", "agent.py")),
        ('python "my agent.py"', ("python", "my agent.py")),
        ("python -c 'a b'", ("python", "-c", "'a", "b'")),
        ('x a"b c"d e', ("x", "ab cd", "e")),
        ('x "" y', ("x", "", "y")),
        ("  x \t y  ", ("x", "y")),
        ("x a\\ b", ("x", "a\\", "b")),
        ("x ; rm -rf $HOME | y", ("x", ";", "rm", "-rf", "$HOME", "|", "y")),
        ("${RUN} now", ("run", "me", "now")),
        ('"${RUN}" now', ("run me", "now")),
        ("x ${not a name} ${flowproof.proxy_url}", ("x", "${not", "a", "name}", "${flowproof.proxy_url}")),
    ],
)
def test_a_command_is_split_at_white_space_and_double_quotes_only(command: str, words: tuple[str, ...]) -> None:
    flow = parse(f"{HEAD}agent: {{command: {json.dumps(command)}}}\n{STEPS}", RUN="run me")
    assert flow.agent.command == words


def test_mcp_commands_are_split_alike() -> None:
    flow = parse(f"{HEAD}{AGENT}mcp: [{{name: a, command: \"node 'x y'\"}}]\n{STEPS}")
    assert flow.mcp[0].command == ("node", "'x", "y'")


@pytest.mark.parametrize(
    "block",
    [
        "agent: {command: 'x ${GONE}'}",
        "agent: {command: x, env: {A: '${GONE}'}}",
        "agent: {command: x, allow_egress: ['${GONE}']}",
        "agent: {url: 'http://${GONE}', proxy_port: 1}",
        "agent: {url: x, proxy_port: 1, headers: {a: '${GONE}'}}",
        "agent: {command: x}\nmcp: [{name: a, command: '${GONE}'}]",
        "agent: {command: x}\nmcp: [{name: a, url: '${GONE}'}]",
    ],
)
def test_a_variable_that_is_not_set_is_refused(block: str) -> None:
    with pytest.raises(UnsetVariable, match=r"\$\{GONE\} is not set"):
        parse(f"{HEAD}{block}\n{STEPS}")


def test_unknown_handles_pass_through() -> None:
    values = "{A: '${flowproof.nonsense}', B: '${runwright.nonsense}', C: '${flowproof.mcp_url.gone}'}"
    flow = parse(f"{HEAD}agent: {{command: x, env: {values}}}\n{STEPS}")
    assert flow.agent.env["A"] == "${flowproof.nonsense}"
    ours = f"flow: 1\n{HEAD}agent: {{command: x, tools: real, env: ENV}}\n{STEPS}"
    for handle in ("${flowproof.nonsense}", "${runwright.nonsense}", "${runwright.mcp_url.gone}"):
        with pytest.raises(FlowError, match="unknown handle") as caught:
            parse(ours.replace("ENV", f"{{A: 'x {handle}'}}"))
        assert caught.value.place.endswith("$.agent.env.A")
    parse(
        ours.replace("ENV", "{A: '${runwright.mcp_url.a}'}").replace("steps:", "mcp: [{name: a, command: y}]\nsteps:")
    )


@pytest.mark.parametrize("key", ["command", "cwd"])
def test_a_handle_where_nothing_replaces_it_is_refused(key: str) -> None:
    block = {"command": "x", "tools": "real", key: "${runwright.base_url}/x"}
    with pytest.raises(FlowError, match="means nothing here"):
        parse(f"flow: 1\n{HEAD}agent: {block}\n{STEPS}")


@pytest.mark.parametrize(
    "entry",
    [
        "a.example.com",
        "a.example.com:443",
        "localhost:1",
        "10.0.0.1",
        "10.0.0.1:80",
        "10.0.0.0/8",
        "10.0.0.0/8:443",
        "2001:db8::1",
        "2001:db8::/32",
        "[2001:db8::1]:443",
        "[2001:db8::/32]",
        "a_b.c.",
        "${WHERE}",
    ],
)
def test_destinations(entry: str) -> None:
    flow = parse(f"{HEAD}agent: {{command: x, allow_egress: ['{entry}']}}\n{STEPS}", WHERE="10.0.0.0/8:443")
    assert flow.agent.allow_egress == (entry.replace("${WHERE}", "10.0.0.0/8:443"),)


def test_a_port_of_this_machine_is_one_however_it_is_written() -> None:
    agent = parse(
        f"{HEAD}agent: {{command: x, allow_egress: ['127.0.0.1:80', '[::1]:81', 'a.test:82']}}\n{STEPS}"
    ).agent
    assert agent.allow_local == (80, 81)
    with pytest.raises(FlowError, match="is this machine"):
        parse(f"{HEAD}agent: {{command: x, allow_egress: [localhost]}}\n{STEPS}")


@pytest.mark.parametrize(
    "entry",
    [
        "https://a.example.com",
        "a.example.com/x",
        "a.example.com:",
        "a.example.com:0",
        "a.example.com:65536",
        "a b",
        "a.example.com:http",
        "10.0.0.0/33",
        "10.0.0.256",
        "[10.0.0.1]:443",
        "[::1",
        "*.example.com",
        "-a.com",
        "a..b",
        "a.example.com:443:443",
        "${WHERE}",
    ],
)
def test_what_is_no_destination(entry: str) -> None:
    with pytest.raises(FlowError, match="is no destination") as caught:
        parse(f"{HEAD}agent: {{command: x, allow_egress: ['{entry}']}}\n{STEPS}", WHERE="http://secret")
    assert "secret" not in str(caught.value)


# --- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + STEPS, "'agent' is missing"),
        (HEAD + AGENT + "steps:\n  - assert: reply contains x\n", "no step says what the user says"),
        (HEAD + "agent: {command: ' '}\n" + STEPS, "names no program"),
        (HEAD + "agent: {command: '\"\"'}\n" + STEPS, "names no program"),
        (HEAD + "agent: {command: 'x \"y'}\n" + STEPS, "no closing quotation"),
        (HEAD + "agent: {command: x, url: y}\n" + STEPS, "either a command or a url"),
        (HEAD + "agent: {env: {A: b}}\n" + STEPS, "either a command or a url"),
        (HEAD + "agent: {url: x}\n" + STEPS, "needs 'proxy_port'"),
        (HEAD + "agent: {url: x, proxy_port: 1, env: {A: b}}\n" + STEPS, "'env' means nothing beside 'url'"),
        (HEAD + "agent: {url: x, proxy_port: 1, allow_egress: [a]}\n" + STEPS, "'allow_egress' means nothing"),
        (HEAD + "agent: {command: x, proxy_port: 1}\n" + STEPS, "'proxy_port' means nothing beside 'command'"),
        (HEAD + "agent: {command: x, headers: {a: b}}\n" + STEPS, "'headers' means nothing beside 'command'"),
        (HEAD + "agent: {command: x, allow_egress: [a, a]}\n" + STEPS, "non-unique"),
        (HEAD + "agent: {command: x, shell: true}\n" + STEPS, "unknown key 'shell'"),
        (FLOW.replace("steps:", "tools: [{name: t}, {name: t}]\nsteps:"), "'t' stands here a second time"),
        (FLOW.replace("steps:", "mcp: [{name: a}]\nsteps:"), "either a command or a url"),
        (FLOW.replace("steps:", "mcp: [{name: a, command: x, url: y}]\nsteps:"), "either a command or a url"),
        (FLOW.replace("steps:", "mcp: [{name: a, command: x, port: 1}]\nsteps:"), "'port' belongs beside 'url'"),
        (FLOW.replace("steps:", "mcp: [{name: a, command: ' '}]\nsteps:"), "names no program"),
        (FLOW.replace("steps:", "mcp: [{name: a, command: x}, {name: a, command: y}]\nsteps:"), "a second time"),
        (
            FLOW.replace("steps:", "mcp: [{name: a, command: x, tools: [{name: t}, {name: t}]}]\nsteps:"),
            "a second time",
        ),
        (
            FLOW.replace("steps:", "tools: [{name: t}]\nmcp: [{name: a, command: x, tools: [{name: t}]}]\nsteps:"),
            "given both here and under tools",
        ),
        (
            HEAD + "agent: {url: x, proxy_port: 1}\nmcp: [{name: a, url: y}]\n" + STEPS,
            "'port' is missing: where the agent expects this server",
        ),
        (FLOW.replace("steps:", "control: {id: 'No Double'}\nsteps:"), "does not match"),
        (FLOW.replace("steps:", "control: {id: ' a'}\nsteps:"), "does not match"),
        (FLOW.replace("steps:", 'control: {id: "a\\n"}\nsteps:'), ""),
        (FLOW.replace("steps:", "control: {id: ''}\nsteps:"), "does not match"),
        (FLOW.replace("steps:", "control: {title: a}\nsteps:"), "'id' is a required property"),
        (FLOW.replace("steps:", "strict: yes please\nsteps:"), "is not of type 'boolean'"),
        (HEAD + AGENT + "steps: []\n", ""),
        (FLOW + "  - prompt: 3\n", "3 is not of type 'string'"),
        (FLOW + "  - assert_tool_call: 3\n", ""),
        (FLOW + "  - assert: {reply: x, stdout: y}\n", ""),
        (FLOW + "  - assert_no_egress: now\n", "is not of type"),
        (FLOW + "  - assert_no_secret_leak: []\n", ""),
        (FLOW + "  - assert_no_secret_leak: a b\n", "does not match"),
        (FLOW + "  - assert_no_secret_leak: $TOKEN\n", "does not match"),
        (FLOW + "  - assert_no_secret_leak: ['${A}', 3]\n", ""),
        (FLOW + "  - assert_no_side_effect: disk_write\n", "is no kind of side effect"),
        (FLOW + "  - Click the button\n", "does not match"),
        (FLOW + "  - {prompt: a, assert: b}\n", ""),
        (FLOW + "  - promt: a\n", "unknown key 'promt'"),
        (FLOW + "  - conversation: [{user: a}]\n", "prompts or one conversation"),
        (HEAD + AGENT + "steps:\n  - conversation: []\n", ""),
        (HEAD + AGENT + "steps:\n  - conversation: [{assert: reply contains x}]\n", "'user' is a required property"),
        (HEAD + AGENT + "steps:\n  - conversation: [{user: a, prompt: b}]\n", "unknown key 'prompt'"),
        (HEAD + AGENT + "steps:\n  - conversation: [{user: a}]\n  - conversation: [{user: b}]\n", "one conversation"),
        # clauses: what flowproof reports as a failed test is a wrong flow here
        (FLOW + "  - assert_tool_call: t where\n", "expected a path"),
        (FLOW + "  - assert_tool_call: t where a eq b\n", "expected a matcher"),
        (FLOW + "  - assert_tool_call: t where a equals\n", "expected a value"),
        (FLOW + "  - assert_tool_call: t where a matches [\n", "regular expression"),
        (FLOW + "  - assert_tool_call: t where a matches [[:alpha:]]\n", "means something in flowproof's"),
        (FLOW + "  - assert_no_tool_call: the tool\n", "cannot read"),
        (FLOW + "  - assert: stdout contains x\n", "expected 'reply'"),
        (FLOW + "  - assert: reply contains\n", "expected a value"),
    ],
)
def test_a_wrong_flow_is_refused(text: str, why: str) -> None:
    with pytest.raises(FlowError) as caught:
        parse(text)
    assert why in caught.value.message
    assert caught.value.place.startswith(str(PATH))


# --- cannot be run here ----------------------------------------------------------------------------


@pytest.mark.parametrize("app", ["web", "api", "sap", "vision", "calc", "fiori"])
def test_another_application_is_a_capability_that_names_it(app: str) -> None:
    with pytest.raises(CapabilityError, match=f"'app: {app}' cannot be run") as caught:
        parse(f"name: n\napp: {app}\nurl: http://x\nsteps:\n  - Click Save\n  - assert_api: {{request: GET x}}\n")
    assert caught.value.place == f"{PATH}:2: $.app"


def test_a_desktop_application_too() -> None:
    with pytest.raises(CapabilityError, match="desktop application"):
        parse("name: n\napp: {command: calc.exe, window_title: Calc}\nsteps: [Press 5]\n")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("apps", "{a: web}"),
        ("browser", "{viewport: {width: 9}}"),
        ("connection", "S4"),
        ("exports", "{A: b}"),
        ("goal", "buy it"),
        ("login", "{user: a}"),
        ("mock", "[{url_contains: a}]"),
        ("redact", "[a]"),
        ("session", "viewer"),
        ("url", "http://x"),
        ("window", "Title"),
    ],
)
def test_a_key_of_another_application_is_a_capability_that_names_it(key: str, value: str) -> None:
    with pytest.raises(CapabilityError, match=f"'{key}' is for ") as caught:
        parse(FLOW.replace("steps:", f"{key}: {value}\nsteps:"))
    assert caught.value.place.endswith(f"$.{key}")
    with pytest.raises(FlowError, match=f"unknown key '{key}'"):
        parse("flow: 1\n" + FLOW.replace("py}", "py, tools: real}").replace("steps:", f"{key}: {value}\nsteps:"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("assert_api", "{request: GET http://x}"),
        ("assert_sql", "{connection: a, query: b}"),
        ("assert_spreadsheet", "{file: a}"),
        ("assert_screenshot", "{name: a}"),
        ("repeat", "{until: a, max: 2, steps: []}"),
        ("foreach", "{in: [a], steps: []}"),
        ("rules", "Click Save"),
    ],
)
def test_a_step_of_another_application_is_a_capability_that_names_it(key: str, value: str) -> None:
    with pytest.raises(CapabilityError, match=f"'{key}' is for ") as caught:
        parse(f"{FLOW}  - {key}: {value}\n")
    assert caught.value.place.endswith(f"$.steps[1].{key}")


def test_a_conditional_step_too() -> None:
    with pytest.raises(CapabilityError, match="'when' is for "):
        parse(f"{FLOW}  - when: page shows x\n    steps: [Click y]\n")


@pytest.mark.parametrize(
    "value", ["interactive", "{interactive: true}", "[{user: a}, interactive]", "[{interactive: yes}]"]
)
def test_a_conversation_that_a_person_holds_is_a_capability(value: str) -> None:
    with pytest.raises(CapabilityError, match="a person holds"):
        parse(f"{HEAD}{AGENT}steps:\n  - conversation: {value}\n")


# --- accepted, with the meaning it has there -----------------------------------------------------


def test_prompts_are_one_text_wherever_they_stand() -> None:
    flow = parse(FLOW + "  - assert_tool_call: t\n  - prompt: again\n")
    assert flow.turns == ("Hello\nagain",)


def test_a_conversation() -> None:
    flow = parse(
        HEAD
        + AGENT
        + "steps:\n  - conversation:\n      - user: a\n        assert: reply is b\n      - user: c\n"
        + "        assert_no_tool_call: d where e is f or g\n"
    )
    first, second = flow.steps
    assert flow.turns == ("a", "c")
    assert (first.turn, first.assertion.where[0][0].test) == (0, Test(op="contains", value="b", as_text=True))
    assert (second.turn, second.assertion.where[0][0].test.value) == (1, "f or g")


def test_tools_without_a_result_or_with_null_are_only_declared() -> None:
    tools = "tools: [{name: a}, {name: b, result: null}, {name: c, result: false}]\nsteps:"
    flow = parse(FLOW.replace("steps:", tools))
    assert [each.has_result for each in flow.tools] == [False, False, True]
    ours = parse("flow: 1\n" + FLOW.replace("py}", "py, tools: real}").replace("steps:", tools))
    assert [each.has_result for each in ours.tools] == [False, True, True]


@pytest.mark.parametrize(
    ("written", "names"),
    [("${TOKEN}", ("TOKEN",)), ("['${TOKEN}', '${KEY}', '${TOKEN}']", ("TOKEN", "KEY")), ("TOKEN", ("TOKEN",))],
)
def test_secrets_are_named(written: str, names: tuple[str, ...]) -> None:
    flow = parse(f"{FLOW}  - assert_no_secret_leak: {written}\n")
    assert flow.steps[0].assertion == NoSecretLeak(names=names)
    assert flow.agent.env_allow == names


def test_the_rest_of_its_keys() -> None:
    flow = parse(FLOW.replace("steps:", "strict: true\ncontrol: {id: a.b_c-1, title: T}\nskip_unless_env: [A]\nsteps:"))
    assert (flow.strict, flow.control.id, flow.skip_unless_env) == (True, "a.b_c-1", ("A",))


# --- where its grammar stops, and where the two differ ---------------------------------------------


BEYOND = [
    ("assert_tool_call: crm/lookup.v2", "is no name of a tool there"),
    ("assert_tool_call: crm/lookup.v2 where n at least 4", "is no name of a tool there"),
    ("assert_tool_call: t where n at least 4", "holds none of its matchers"),
    ("assert_tool_call: t where n < 4", "holds none of its matchers"),
    ("assert_tool_call: t where n >= 4 and m <= 2 or k > 1", "holds none of its matchers"),
    ("assert_tool_call: t where items[0].sku equals x", "is no path there"),
    ("assert_tool_call: t where n does not equal 4", "holds none of its matchers"),
    ("assert_tool_call: t where s does not contain x", "holds none of its matchers"),
    ("assert_tool_call: t where n not equals 4", "is no path there"),
    ("assert_tool_call: t once", "is no name of a tool there"),
    ("assert_tool_call: t where s matches (?=x)", "is no regular expression there"),
    ("assert_no_tool_call: crm.delete", "is no name of a tool there"),
    ("assert: reply does not contain x", "there an 'assert' is"),
    ("assert: reply matches ^Done", "there an 'assert' is"),
]


@pytest.mark.parametrize(("step", "why"), BEYOND)
def test_what_flowproof_refuses_is_read_as_here_and_said(step: str, why: str) -> None:
    theirs = parse(f"{FLOW}  - {step}\n")
    ours = parse("flow: 1\n" + FLOW.replace("py}", "py, tools: real}") + f"  - {step}\n")
    assert theirs.steps == ours.steps
    (note,) = [each for each in theirs.notes if "flowproof refuses it" in each]
    assert note.startswith(f"{PATH}:6: $.steps[1].{step.partition(':')[0]}: read as under 'flow: 1', as '")
    assert why in note


DIFFERENT = [
    ("assert_tool_call: t where s equals cats or dogs", 'equals "cats or dogs"', "'or' joins whole clauses"),
    ("assert_tool_call: t where n is greater than 4", 'equals "greater than 4"', "n is greater than 4"),
    ("assert_tool_call: t where s is not found", 'equals "not found"', "could be a negation"),
    ("assert_tool_call: 't where s equals \"x\"'", '"\\"x\\""', 's equals "x"'),
    ("assert_tool_call: t where a is b or c is d", '"b or c is d"', 'a equals "b" or c equals "d"'),
    ("assert: reply is done", 'contains "done"', 'reply equals "done"'),
    ("assert: reply contains a and reply contains b", '"a and reply contains b"', 'contains "a" and reply'),
]


@pytest.mark.parametrize(("step", "here", "otherwise"), DIFFERENT)
def test_words_that_mean_something_else_here_keep_their_meaning_and_are_said(
    step: str, here: str, otherwise: str
) -> None:
    flow = parse(f"{FLOW}  - {step}\n")
    (note,) = [each for each in flow.notes if "read as flowproof does" in each]
    theirs, _, ours = note.partition("; under 'flow: 1' it is: ")
    assert here in theirs
    assert otherwise in ours


@pytest.mark.parametrize(
    "step",
    [
        "assert_tool_call: t where a equals 4 and b contains x and c exists and d is absent and e matches ^a$",
        "assert_no_tool_call: t",
        "assert: reply contains shipped",
        "assert_no_egress",
        "assert_no_side_effect: fs_write",
    ],
)
def test_words_that_mean_the_same_are_not_remarked_on(step: str) -> None:
    assert len(parse(f"{FLOW}  - {step}\n").notes) == 1


@pytest.mark.parametrize("head", [HEAD + AGENT, "flow: 1\n" + HEAD + AGENT.replace("py}", "py, tools: real}")])
def test_a_variable_in_a_comparison_is_said_to_be_none(head: str) -> None:
    flow = parse(head + STEPS + "  - assert_no_tool_call: send where body contains ${TOKEN}\n", TOKEN="t")
    assert flow.steps[0].assertion.where[0][0].test.value == "${TOKEN}"
    assert any("${TOKEN} is compared as it is written" in note for note in flow.notes)
