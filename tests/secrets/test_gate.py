import pytest

from runwright.errors import SecretsFound, UsageError
from runwright.secrets import Allowlist, Entry, Finding, Span, flag, gate_text, gate_trace, load_allowlist, scan_trace
from runwright.secrets.rules.rule import fill
from runwright.trace.model import Header, Message, ModelRecord, ModelRequest, TextBlock, ToolRecord, Trace

KEY = "ghp_" + fill(36)
NAME = "cassettes/a.cassette.jsonl"


def trace(arguments, words: str = "hello") -> Trace:
    request = ModelRequest(api="a", model="m", messages=(Message(role="user", content=(TextBlock(text=words),)),))
    return Trace(
        header=Header(kind="cassette", trace_id="t"),
        records=(
            ModelRecord(id="m1", request=request, fidelity="raw"),
            ToolRecord(id="t1", name="x", arguments=arguments, outcome="ok", fidelity="raw"),
        ),
    )


def test_a_clean_trace_passes_as_it_is() -> None:
    clean = trace({"amount": 40})
    assert gate_trace(clean, redact=False, allow=Allowlist(), name=NAME) is clean


def test_a_secret_is_refused_by_place_and_kind_never_by_value() -> None:
    with pytest.raises(SecretsFound) as refused:
        gate_trace(trace({"body": f'{{"k": "{KEY}"}}'}, f"use {KEY}"), redact=False, allow=Allowlist(), name=NAME)
    error = refused.value
    assert error.place == NAME
    assert error.exit_code == 1
    assert "m1 $.request.messages[0].content[0].text: github-token" in error.message
    assert "t1 $.arguments.body -> $.k: github-token" in error.message
    assert "--redact" in error.hint
    assert ".runwright/allowlist.yaml" in error.hint
    assert KEY not in str(error) + error.hint + repr(error)


def test_a_secret_in_a_key_is_not_printed_with_the_path() -> None:
    with pytest.raises(SecretsFound) as refused:
        gate_trace(trace({KEY: {"password": "hunter2"}}), redact=False, allow=Allowlist(), name=NAME)
    assert KEY not in str(refused.value)
    assert "[[redacted:github-token]]" in str(refused.value)


def test_redaction_lets_it_pass() -> None:
    passed = gate_trace(trace({"password": "hunter2"}), redact=True, allow=Allowlist(), name=NAME)
    assert passed.tools[0].arguments == {"password": "[[redacted:secret-named-key:1]]"}


def test_nothing_that_holds_a_finding_shows_a_value() -> None:
    [finding] = scan_trace(trace({"password": "hunter2"}))
    [span] = flag(f"use {KEY}")
    assert "hunter2" not in repr(finding) + str(finding)
    assert KEY not in repr(span)
    assert (span.start, span.end, span.rule) == (4, 44, "github-token")
    assert {field for cls in (Finding, Span) for field in cls.__slots__} == {
        "record", "path", "rule", "detail", "review", "start", "end", "inner", "quote", "rest",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("flows/a.flow.yaml.new", f"steps:\n  - prompt: hello\n  - assert: reply contains {KEY}\n"),
        ("flows/a.flow.yaml", 'agent:\n  env: {"API_\\x4BEY": "swordfish"}\n'),
        ("flows/a.flow.yaml", "agent:\n  env:\n    API_KEY: >-\n      swordfish\n"),
        ("report.md", f"| call | {KEY} |"),
    ],
)
def test_texts_are_refused(name: str, text: str) -> None:
    with pytest.raises(SecretsFound) as refused:
        gate_text(text, name, Allowlist())
    assert refused.value.place == name
    assert KEY not in str(refused.value)
    assert "swordfish" not in str(refused.value)


def test_a_line_is_named() -> None:
    with pytest.raises(SecretsFound, match="line 3: github-token"):
        gate_text(f"a\nb\nc {KEY}\n", "x.md", Allowlist())


def test_an_ordinary_flow_passes() -> None:
    gate_text(
        "flow: 1\nagent:\n  command: python agent.py\n  env: {OPENAI_API_KEY: '${OPENAI_API_KEY}', MODE: test}\n"
        "steps:\n  - prompt: Please reset my password\n  - assert_no_secret_leak: [ORDER_TOKEN]\n",
        "flows/a.flow.yaml",
        Allowlist(),
    )


def entry(**changes) -> Entry:
    fields = {"rule": "github-token", "place": "t1 $.arguments.*", "reason": "made up", "reviewer": "kim"}
    return Entry(**{**fields, **changes})


@pytest.mark.parametrize(
    ("given", "passes"),
    [
        (entry(), True),
        (entry(file="cassettes/*.cassette.jsonl"), True),
        (entry(file="flows/*"), False),
        (entry(rule="jwt"), False),
        (entry(place="t2 $.arguments.*"), False),
        (entry(place="t1 $.arguments.note"), True),
    ],
)
def test_an_entry_lets_pass_only_what_it_names(given: Entry, passes: bool) -> None:
    dirty = trace({"note": KEY})
    if passes:
        assert gate_trace(dirty, redact=False, allow=Allowlist((given,)), name=NAME) is dirty
        assert gate_trace(dirty, redact=True, allow=Allowlist((given,)), name=NAME) is dirty
    else:
        with pytest.raises(SecretsFound):
            gate_trace(dirty, redact=False, allow=Allowlist((given,)), name=NAME)


def test_unused_entries_are_told() -> None:
    used, unused = entry(), entry(place="t9 *")
    findings = [(NAME, finding) for finding in scan_trace(trace({"note": KEY}))]
    assert Allowlist((used, unused)).unused(findings) == (unused,)


def test_an_allowlist_is_read(tmp_path) -> None:
    assert load_allowlist(tmp_path) == Allowlist()
    (tmp_path / ".runwright").mkdir()
    (tmp_path / ".runwright/allowlist.yaml").write_text(
        "allow:\n  - {rule: jwt, file: cassettes/a*, place: 'm1 *', reason: expired demo token, reviewer: kim}\n"
    )
    assert load_allowlist(tmp_path) == Allowlist((Entry("jwt", "m1 *", "expired demo token", "kim", "cassettes/a*"),))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("allow: 1", "list"),
        ("allow: [x]", "no entry"),
        ("other: []", "list"),
        ("allow: [{rule: jwt, place: m1, reason: r}]", "'reviewer' is missing"),
        ("allow: [{rule: jwt, place: m1, reason: '', reviewer: k}]", "'reason' is missing"),
        ("allow: [{rule: jwt, place: '*', reason: r, reviewer: k}]", "everywhere"),
        ("allow: [{rule: jwt, place: m1, reason: r, reviewer: k, value: v}]", "unknown key 'value'"),
        ("allow: [", "no YAML"),
    ],
)
def test_a_wrong_allowlist_is_refused(tmp_path, text: str, says: str) -> None:
    (tmp_path / ".runwright").mkdir()
    (tmp_path / ".runwright/allowlist.yaml").write_text(text)
    with pytest.raises(UsageError) as refused:
        load_allowlist(tmp_path)
    assert says in str(refused.value)
    assert refused.value.place.startswith(".runwright/allowlist.yaml")


@pytest.mark.parametrize(
    "silencer",
    [
        "# pragma: allowlist secret",
        "<!-- pragma: allowlist nextline secret -->",
        "gitleaks:allow",
        "noqa: S105",
        "runwright: allow",
    ],
)
def test_nothing_inside_the_data_silences_the_gate(silencer: str) -> None:
    for words in (f"{KEY} {silencer}", f"{silencer}\n{KEY}", f"run_id: x {silencer} {KEY}"):
        with pytest.raises(SecretsFound):
            gate_trace(trace({}, words), redact=False, allow=Allowlist(), name=NAME)
