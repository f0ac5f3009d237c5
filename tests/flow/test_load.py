"""Flow files as people write them: what they mean, and how a wrong one is refused."""

import re
from pathlib import Path

import pytest

from runwright.errors import CapabilityError, FlowError, UnsetVariable
from runwright.flow import (
    Control,
    EffectsSpec,
    Flow,
    IgnoreSpec,
    McpSpec,
    NoEgress,
    NoSecretLeak,
    NoToolCall,
    Reply,
    ToolCall,
    ToolStub,
    load_flow,
    parse_flow,
    wants_effects,
    wants_network,
)

WHOLE = """\
flow: 1
name: refund agent never refunds twice
app: agent
agent:
  command: python agent.py --note 'a b' "${HOME_DIR}/x"
  tools: real
  env: {REGION: "${REGION}", DEBUG: on, RETRIES: 3, FAST: true, URL: "${runwright.base_url}",
        O: "${flowproof.proxy_url}"}
  env_allow: [SHOP]
  allow_egress: ["api.example.com:443", "${EXTRA}"]
  allow_local: [5432]
  protect: [config/, "${REGION}/x"]
  cwd: deep
cassette: ../../cassettes/regressions/refund-twice.cassette.jsonl
replay: {until: m2, split: true}
expect: fail
tools: [{name: lookup_order, result: {amount: 40}}, {name: declared}, {name: nothing, result: null}]
mcp: [{name: exports, command: node 'my server.js', tools: [{name: list, result: []}]}]
ignore: [{lane: tool, path: $.arguments.request_id, as: uuid}, {lane: model, path: "$.request['model']"}]
effects: {compare: strict, http: proxy, workspace: "w/${REGION}", ignore: ["cache/**"], databases: ["${EXTRA}", a.db]}
control: {id: no-double-refund, title: Once}
skip_unless_env: [REGION]
strict: true
timeout: 12.5
steps:
  - prompt: Order A-1 arrived broken.
  - assert_tool_call: issue_refund where amount equals 40
  - prompt: Please refund it.
  - assert_tool_call: {tool: issue_refund, where: {amount: {equals: 40}}, times: 1}
  - assert_no_tool_call: delete_customer
  - assert_no_egress
  - assert_no_egress:
  - assert_no_secret_leak: ["${ORDER_TOKEN}", SHOP]
"""
ENV = {"HOME_DIR": "/home/a b", "REGION": "eu", "EXTRA": "10.0.0.0/8:443"}
PATH = Path("/repo/flows/regressions/refund-twice.flow.yaml")
HEAD = "flow: 1\nname: n\napp: agent\n"
AGENT = "agent: {command: python agent.py, tools: real}\n"
STEPS = "steps: [{prompt: Hello}]\n"


def parse(text: str, path: Path = PATH, **env: str) -> Flow:
    return parse_flow(text.encode(), path, env)


def test_a_whole_flow() -> None:
    flow = parse(WHOLE, **ENV)
    agent = flow.agent
    assert (flow.name, flow.declared_by, flow.expect, flow.strict, flow.timeout) == (
        "refund agent never refunds twice",
        "runwright",
        "fail",
        True,
        12.5,
    )
    assert agent.command == ("python", "agent.py", "--note", "a b", "/home/a b/x")
    assert agent.env == {
        "REGION": "eu",
        "DEBUG": "on",
        "RETRIES": "3",
        "FAST": "true",
        "URL": "${runwright.base_url}",
        "O": "${flowproof.proxy_url}",
    }
    assert (agent.tools, agent.cwd, agent.env_allow) == ("real", "deep", ("SHOP", "ORDER_TOKEN"))
    assert agent.allow_egress == ("api.example.com:443", "10.0.0.0/8:443")
    assert (agent.allow_local, agent.protect, agent.contain) == ((5432,), ("config/", "eu/x"), True)
    assert flow.effects == EffectsSpec(
        compare="strict", http="proxy", workspace="w/eu", ignore=("cache/**",), databases=("10.0.0.0/8:443", "a.db")
    )
    assert flow.cassette.resolve() == Path("/repo/cassettes/regressions/refund-twice.cassette.jsonl")
    assert (flow.replay.until, flow.replay.split) == ("m2", True)
    assert flow.tools == (
        ToolStub(name="lookup_order", result={"amount": 40}, has_result=True),
        ToolStub(name="declared"),
        ToolStub(name="nothing", result=None, has_result=True),
    )
    stub = ToolStub(name="list", result=[], has_result=True)
    assert flow.mcp == (McpSpec(name="exports", command=("node", "my server.js"), tools=(stub,)),)
    assert flow.ignore == (
        IgnoreSpec(lane="tool", path="$.arguments.request_id", shape="uuid"),
        IgnoreSpec(lane="model", path="$.request.model"),
    )
    assert flow.control == Control(id="no-double-refund", title="Once")
    assert (flow.prompt, flow.turns) == (
        "Order A-1 arrived broken.\nPlease refund it.",
        ("Order A-1 arrived broken.\nPlease refund it.",),
    )
    kinds = [type(each.assertion) for each in flow.steps]
    assert kinds == [ToolCall, ToolCall, NoToolCall, NoEgress, NoEgress, NoSecretLeak]
    assert flow.steps[-1].assertion.names == ("ORDER_TOKEN", "SHOP")
    assert flow.notes == ()


def test_a_conversation_has_deliveries_and_their_assertions() -> None:
    flow = parse(
        HEAD
        + AGENT
        + """
steps:
  - conversation:
      - user: Hello
        assert: reply contains hi
      - user: Refund it
        assert_tool_call: [lookup_order, issue_refund]
        assert_no_secret_leak: [A, B]
  - assert_no_tool_call: delete_customer
"""
    )
    assert flow.turns == ("Hello", "Refund it")
    assert [(type(each.assertion), each.turn) for each in flow.steps] == [
        (Reply, 0),
        (ToolCall, 1),
        (ToolCall, 1),
        (NoSecretLeak, 1),
        (NoToolCall, None),
    ]


def test_a_running_agent() -> None:
    agent = parse(
        HEAD + "agent: {url: 'http://127.0.0.1:80', proxy_port: 99, headers: {authorization: '${TOKEN}'}}\n" + STEPS,
        TOKEN="t",
    ).agent
    assert (agent.url, agent.proxy_port, agent.headers, agent.command) == (
        "http://127.0.0.1:80",
        99,
        {"authorization": "t"},
        (),
    )


def test_a_command_that_is_one_variable_is_split_and_others_are_not() -> None:
    one = parse(HEAD + "agent: {command: '${CMD}', tools: real}\n" + STEPS, CMD="python 'my agent.py'")
    assert one.agent.command == ("python", "my agent.py")
    part = parse(HEAD + "agent: {command: 'python ${CMD}', tools: real}\n" + STEPS, CMD="a b; rm -rf /")
    assert part.agent.command == ("python", "a b; rm -rf /")


# --- side effects and what holds an agent ------------------------------------------------------------


def test_effects_are_looked_for_where_the_flow_asks() -> None:
    plain = parse(HEAD + AGENT + STEPS)
    assert (plain.effects, wants_effects(plain)) == (None, False)
    for asks in ("effects: strict\n", "effects: {compare: strict}\n"):
        flow = parse(HEAD + AGENT + asks + STEPS)
        assert (flow.effects, wants_effects(flow)) == (EffectsSpec(compare="strict"), True)
    looks = parse(HEAD + AGENT + "effects: {}\n" + STEPS)
    assert (looks.effects, wants_effects(looks)) == (EffectsSpec(compare=None, http="hooks"), True)
    for step in ("assert_side_effect: fs_write a", "assert_no_side_effect: fs_delete"):
        assert wants_effects(parse(f"{HEAD}{AGENT}steps: [{{{step}}}]\n"))


@pytest.mark.parametrize(
    ("agent", "steps", "contained", "network"),
    [
        ("tools: real", "prompt: x", True, False),
        ("tools: real, contain: false", "prompt: x", False, False),
        ("tools: real, contain: true", "prompt: x", True, False),
        ("tools: real, allow_egress: ['a.example']", "prompt: x", True, True),
        ("tools: real", "assert_no_egress: true", True, True),
    ],
)
def test_an_agent_is_contained_unless_the_flow_says_otherwise(
    agent: str, steps: str, contained: bool, network: bool
) -> None:
    flow = parse(f"{HEAD}agent: {{command: x, {agent}}}\nsteps: [{{{steps}}}]\n")
    assert (flow.agent.contain, wants_network(flow)) == (contained, network)


@pytest.mark.parametrize("key", ["allow_egress: ['a.example']", "allow_local: [5432]", "protect: [a]", "contain: true"])
def test_a_flow_of_flowproofs_is_contained_only_where_it_asks(key: str) -> None:
    plain = THEIRS.replace("  - assert_no_egress\n", "")
    assert not parse(plain).agent.contain
    assert parse(plain.replace('"my agent.py"', f'"my agent.py"\n  {key}')).agent.contain
    assert parse(THEIRS).agent.contain


def test_an_agent_that_runs_already_is_not_contained() -> None:
    flow = parse(HEAD + "agent: {url: x, proxy_port: 1}\n" + STEPS)
    assert not flow.agent.contain


def test_an_address_of_a_database_is_not_shown() -> None:
    flow = parse(HEAD + AGENT + "effects: {databases: ['${DSN}']}\n" + STEPS, DSN="postgresql://u:hunter2@h/d")
    assert flow.effects.databases == ("postgresql://u:hunter2@h/d",)
    assert "hunter2" not in repr(flow)


# --- flowproof's flows -------------------------------------------------------------------------------


THEIRS = """\
name: demo
app: agent
agent:
  command: python "my agent.py"
tools:
  - name: lookup_order
    result: {amount: 40}
steps:
  - prompt: Refund it
  - assert_tool_call: lookup_order where order_id is A-1
  - assert: reply is refunded
  - assert_no_egress
"""


def test_a_flow_without_a_version_is_flowproofs_and_its_tools_are_real() -> None:
    flow = parse(THEIRS)
    assert (flow.declared_by, flow.agent.tools) == ("flowproof", "real")
    assert flow.agent.command == ("python", "my agent.py")
    assert "read as flowproof does, as 'assert: reply contains" in flow.notes[0]
    assert "run for real" in flow.notes[1]


def test_prose_that_means_something_else_here_is_said() -> None:
    flow = parse(THEIRS.replace("order_id is A-1", "amount is greater than 4"))
    assert flow.steps[0].assertion.where[0][0].test.value == "greater than 4"
    assert any("flow: 1" in note and "greater than 4" in note for note in flow.notes)


def test_where_their_grammar_stops_ours_goes_on() -> None:
    flow = parse(THEIRS.replace("lookup_order where order_id is A-1", "crm/lookup.v2 where n at least 4"))
    assert flow.steps[0].assertion.tool == "crm/lookup.v2"
    with pytest.raises(FlowError, match=r"expected a matcher"):
        parse(THEIRS.replace("order_id is A-1", "order_id eq A-1"))


# --- where the cassette is ---------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", ".new"])
def test_the_cassette_is_the_mirrored_one_else_the_one_beside(tmp_path: Path, suffix: str) -> None:
    flow = tmp_path / "flows" / "a" / f"b.flow.yaml{suffix}"
    beside = flow.parent / "b.trace.jsonl"
    mirrored = tmp_path / "cassettes" / "a" / "b.cassette.jsonl"
    for path in (beside, mirrored):
        path.parent.mkdir(parents=True, exist_ok=True)
    flow.write_text(HEAD + AGENT + STEPS)
    assert load_flow(flow, {}).cassette == mirrored
    beside.write_text("")
    assert load_flow(flow, {}).cassette == beside
    mirrored.write_text("")
    assert load_flow(flow, {}).cassette == mirrored


def test_outside_a_flows_folder_the_cassette_is_beside(tmp_path: Path) -> None:
    assert parse(HEAD + AGENT + STEPS, tmp_path / "b.flow.yml").cassette == tmp_path / "b.trace.jsonl"


# --- refused -----------------------------------------------------------------------------------------

REFUSED = [
    ("[1]\n", ":1: $", "a flow is a mapping of keys", ""),
    (HEAD, ":1: $", "'steps' is a required property", ""),
    ("flow: 1\nname: n\nsteps: [{prompt: x}]\n", ":1: $", "'app' is a required property", ""),
    (HEAD.replace("1", "2") + STEPS, ":1: $.flow", "newer than this version", "upgrade"),
    (HEAD.replace("1", "x") + STEPS, ":1: $.flow", "1 was expected", ""),
    (HEAD + "agnet: {}\n" + STEPS, ":4: $.agnet", "unknown key 'agnet'", "did you mean 'agent'?"),
    (HEAD + "xyz: 1\n" + STEPS, ":4: $.xyz", "unknown key 'xyz'", "known keys: flow, name, app"),
    (HEAD + "agent: {comand: x}\n" + STEPS, ":4: $.agent.comand", "unknown key", "'command'"),
    (HEAD + "steps:\n- promt: x\n", ":5: $.steps[0].promt", "unknown key", "'prompt'"),
    (HEAD + "steps:\n- prompt: x\n  assert_no_egress: true\n", ":5: $.steps[0]", "", ""),
    (HEAD + "steps:\n- prompt: x\n- assert_egress\n", ":6: $.steps[1]", "'assert_egress' does not match", ""),
    (
        HEAD + "steps:\n- assert_tool_call: {tool: t, where: {a: {equal: 1}}}\n",
        ":5: $.steps[0].assert_tool_call.where.a.equal",
        "unknown key 'equal'",
        "'equals'",
    ),
    (HEAD + "steps:\n- assert_tool_call: {tool: t, tims: 1}\n", ":5: $.steps[0].assert_tool_call.tims", "", "'times'"),
    (
        HEAD + "steps:\n- conversation:\n  - {user: a, asert: b}\n",
        ":6: $.steps[0].conversation[0].asert",
        "unknown key",
        "'assert'",
    ),
    (
        HEAD + "steps:\n- conversation:\n  - user: a\n    assert_tool_call: [{tol: b}]\n",
        ":7: $.steps[0].conversation[0].assert_tool_call[0].tol",
        "unknown key",
        "'tool'",
    ),
    (HEAD + "steps:\n- assert_tool_call: t wher a\n", ":5: $.steps[0].assert_tool_call", "column 3", "the form is"),
    (HEAD + "steps:\n- assert_outcome: great\n", ":5: $.steps[0].assert_outcome", "is not one of", ""),
    (
        HEAD + "steps:\n- assert_side_effect: {kind: disk}\n",
        ":5: $.steps[0].assert_side_effect.kind",
        "is not one of",
        "",
    ),
    (HEAD + "steps:\n- assert_no_secret_leak: a b\n", ":5: $.steps[0].assert_no_secret_leak", "does not match", ""),
    (HEAD + "agent: {command: x}\n" + STEPS, ":4: $.agent", "'tools' is missing beside 'command'", "tools: served"),
    (HEAD + "agent: {tools: real}\n" + STEPS, ":4: $.agent", "either a command or a url", ""),
    (HEAD + "agent: {command: x, url: y, tools: real}\n" + STEPS, ":4: $.agent", "either a command or a url", ""),
    (HEAD + "agent: {command: x, tools: fake}\n" + STEPS, ":4: $.agent.tools", "'fake' is not one of", ""),
    (HEAD + "agent: {url: x}\n" + STEPS, ":4: $.agent", "needs 'proxy_port'", ""),
    (
        HEAD + "agent: {url: x, proxy_port: 1, env: {A: b}}\n" + STEPS,
        ":4: $.agent.env",
        "'env' means nothing beside 'url'",
        "",
    ),
    (
        HEAD + "agent: {command: x, tools: real, headers: {}}\n" + STEPS,
        ":4: $.agent.headers",
        "means nothing beside 'command'",
        "",
    ),
    (HEAD + 'agent: {command: "x \'y", tools: real}\n' + STEPS, ":4: $.agent.command", "no closing quotation", ""),
    (HEAD + "agent: {command: ' ', tools: real}\n" + STEPS, ":4: $.agent.command", "names no program", ""),
    (HEAD + "tools: [{name: a}, {name: a}]\n" + STEPS, ":4: $.tools[1]", "'a' stands here a second time", ""),
    (HEAD + "mcp: [{name: a}]\n" + STEPS, ":4: $.mcp[0]", "either a command or a url", ""),
    (HEAD + "mcp: [{name: a, command: x, port: 1}]\n" + STEPS, ":4: $.mcp[0]", "beside 'url'", ""),
    (
        HEAD + "tools: [{name: t}]\nmcp: [{name: a, command: x, tools: [{name: t}]}]\n" + STEPS,
        ":5: $.mcp[0]",
        "given both here and under tools",
        "drop one",
    ),
    (HEAD + "ignore: [{lane: model, path: request}]\n" + STEPS, ":4: $.ignore[0].path", "does not match", ""),
    (HEAD + "ignore: [{lane: model, path: $.a..b}]\n" + STEPS, ":4: $.ignore[0].path", "is no path", ""),
    (HEAD + "ignore: [{lane: model, path: $}]\n" + STEPS, ":4: $.ignore[0].path", "leaves nothing", ""),
    (HEAD + "ignore: [{lane: model, path: $.a, as: guid}]\n" + STEPS, ":4: $.ignore[0].as", "is not one of", ""),
    (HEAD + "effects: loose\n" + STEPS, ":4: $.effects", "'loose' does not match '^strict$'", ""),
    (HEAD + "effects:\n" + STEPS, ":4: $.effects", "is not of type", ""),
    (HEAD + "effects: {compare: loose}\n" + STEPS, ":4: $.effects.compare", "is not one of", ""),
    (HEAD + "effects: {http: mitm}\n" + STEPS, ":4: $.effects.http", "is not one of", ""),
    (HEAD + "effects: {ignores: [a]}\n" + STEPS, ":4: $.effects.ignores", "unknown key", "'ignore'"),
    (HEAD + "effects: {ignore: [a]}\n" + STEPS, ":4: $.effects.ignore", "nothing is compared", "compare: strict"),
    (HEAD + "agent: {command: x, tools: real, allow_local: [0]}\n" + STEPS, ":4: $.agent.allow_local[0]", "", ""),
    (
        HEAD + "agent: {command: x, tools: real, contain: false, protect: [a]}\n" + STEPS,
        ":4: $.agent.contain",
        "'protect' is held by nothing",
        "drop one",
    ),
    (
        HEAD + "agent: {command: x, tools: real, contain: false}\nsteps:\n- assert_no_egress\n",
        ":4: $.agent.contain",
        "'assert_no_egress' is held by nothing",
        "drop one",
    ),
    (
        HEAD + "agent: {url: x, proxy_port: 1, contain: true}\n" + STEPS,
        ":4: $.agent.contain",
        "'contain' means nothing beside 'url'",
        "",
    ),
    (HEAD + "control: {id: No Double}\n" + STEPS, ":4: $.control.id", "does not match", ""),
    (HEAD + "timeout: 0\n" + STEPS, ":4: $.timeout", "", ""),
    (HEAD + "steps:\n- prompt: x\n- conversation: [{user: y}]\n", ":6: $.steps[1].conversation", "prompts or one", ""),
    (HEAD + "steps:\n- prompt: 3\n", ":5: $.steps[0].prompt", "3 is not of type 'string'", ""),
    (HEAD + "name: m\n" + STEPS, ":4", "key 'name' stands here a second time", ""),
]


@pytest.mark.parametrize(("text", "place", "why", "hint"), REFUSED)
def test_a_wrong_flow_is_refused_with_its_place(text: str, place: str, why: str, hint: str) -> None:
    with pytest.raises(FlowError) as caught:
        parse(text)
    assert caught.value.place == f"{PATH}{place}"
    assert why.lower() in caught.value.message.lower()
    assert hint in caught.value.hint


@pytest.mark.parametrize("app", ["http", "api", "sap"])
def test_another_app_is_a_capability(app: str) -> None:
    with pytest.raises(CapabilityError) as caught:
        parse(HEAD.replace("agent", app) + STEPS)
    assert caught.value.place == f"{PATH}:3: $.app"


@pytest.mark.parametrize(
    "block",
    [
        "agent: {command: 'x ${GONE}', tools: real}",
        "agent: {command: x, tools: real, env: {A: '${GONE}'}}",
        "agent: {command: x, tools: real, cwd: '${GONE}'}",
        "agent: {command: x, tools: real, allow_egress: ['${GONE}']}",
        "agent: {command: x, tools: real, protect: ['${GONE}']}",
        "effects: {workspace: '${GONE}'}",
        "effects: {databases: ['${GONE}']}",
        "agent: {url: '${GONE}', proxy_port: 1}",
        "agent: {url: x, proxy_port: 1, headers: {a: '${GONE}'}}",
        "mcp: [{name: a, command: '${GONE}'}]",
        "mcp: [{name: a, url: 'http://${GONE}'}]",
    ],
)
def test_a_variable_that_is_not_set_is_named(block: str) -> None:
    with pytest.raises(UnsetVariable) as caught:
        parse(f"{HEAD}{block}\n{STEPS}")
    assert caught.value.message == "${GONE} is not set"
    assert caught.value.place.startswith(f"{PATH}:4: $.")
    parse(f"{HEAD}{block}\nskip_unless_env: [GONE]\n{STEPS}")


def test_prompts_and_results_keep_what_looks_like_a_variable() -> None:
    flow = parse(HEAD + AGENT + "tools: [{name: t, result: '${GONE}'}]\nsteps: [{prompt: 'say ${GONE}'}]\n")
    assert (flow.prompt, flow.tools[0].result) == ("say ${GONE}", "${GONE}")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FlowError, match=r"cannot read the flow: No such file"):
        load_flow(tmp_path / "gone.flow.yaml", {})


# --- the schema and the page agree -------------------------------------------------------------------


def nodes(value: object, at: str = "$"):
    if isinstance(value, dict):
        for name, each in value.get("properties", {}).items():
            yield f"{at}.{name}", each
        for name, each in value.items():
            yield from nodes(each, f"{at}.{name}")
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from nodes(each, f"{at}[{n}]")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cwd: deep", 'cwd: "a\\0b"'),
        ("protect: [config/", 'protect: ["a\\0b"'),
        ('workspace: "w/${REGION}"', 'workspace: "a\\0b"'),
        ("a.db]", '"a\\0b"]'),
        ("DEBUG: on", 'DEBUG: "a\\0b"'),
    ],
)
def test_a_null_character_is_refused_before_anything_is_run(old: str, new: str) -> None:
    assert old in WHOLE
    environment = {"HOME_DIR": "/h", "REGION": "eu", "EXTRA": "x.example.com", "ORDER_TOKEN": "t", "SHOP": "s"}
    parse_flow(WHOLE.encode(), Path("a.flow.yaml"), environment)
    with pytest.raises(FlowError, match="null character"):
        parse_flow(WHOLE.replace(old, new).encode(), Path("a.flow.yaml"), environment)


def test_every_field_of_the_schema_is_described_and_on_the_page() -> None:
    from runwright.trace import schema

    fields = list(nodes(schema("flow-v1")))
    assert len(fields) > 60
    page = (Path(__file__).parents[2] / "docs" / "reference" / "flow.md").read_text(encoding="utf-8")
    for place, field in fields:
        assert field.get("description"), place
        assert re.search(rf"\b{re.escape(place.rsplit('.', 1)[-1])}\b", page), place


def test_the_examples_of_the_page_are_flows() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "flow.md").read_text(encoding="utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert len(examples) > 4
    for example in examples:
        head = "" if "app:" in example else HEAD
        steps = "" if "steps:" in example else STEPS if "- " not in example.split("\n")[0] else "steps:\n"
        parse(head + steps + example, **dict.fromkeys(re.findall(r"\$\{([A-Z_]+)\}", example), "x"))


@pytest.mark.parametrize(
    ("entry", "port"),
    [
        ("localhost:5432", "5432"),
        ("LocalHost.", "PORT"),
        ("db.localhost:1", "1"),
        ("127.0.0.1", "PORT"),
        ("127.0.0.0/8:22", "22"),
        ("[::1]:80", "80"),
        ("::ffff:127.0.0.1", "PORT"),
    ],
)
def test_this_machine_is_nothing_off_it(entry: str, port: str) -> None:
    with pytest.raises(FlowError, match="is this machine") as caught:
        parse(f"{HEAD}agent: {{command: x, tools: real, allow_egress: ['{entry}']}}\n{STEPS}")
    assert caught.value.hint == f"allow_local: [{port}]"


@pytest.mark.parametrize("entry", ["0.0.0.0/0", "::/0", "128.0.0.1", "126.0.0.0/7", "local.example:5432"])
def test_more_than_this_machine_may_be_allowed(entry: str) -> None:
    agent = parse(f"{HEAD}agent: {{command: x, tools: real, allow_egress: ['{entry}']}}\n{STEPS}").agent
    assert (agent.allow_egress, agent.allow_local) == ((entry,), ())
