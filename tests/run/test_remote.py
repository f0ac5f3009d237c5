"""An agent that runs already: a real service in a process of its own, asked by HTTP, its model replayed at its port."""

import json
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from runwright.errors import CapabilityError, FlowError
from runwright.flow import FlowResult, Word
from runwright.reports import render_json, render_text, report_of
from runwright.run import RunOptions, run_flow, run_one, run_suite
from runwright.run.address import loopback_address
from runwright.run.answer import Answer, reply_in
from runwright.run.remote import SETTLE, checked_headers
from runwright.trace.model import MessageRecord, TextBlock, text_of
from tests.run.service import free_port, serving
from tests.run.story import ANSWERED, EXCHANGES, PROMPT, TWICE, Shop, cassette_of, exchange, said, shop
from tests.signals import heed_interrupts

ENV = {"PATH": "/usr/bin:/bin"}
ANSWER = 'self.answer(200, json.dumps({"reply": reply}), "application/json")'


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def spec(
    made: Shop, port: int, proxy_port: int, *changes: tuple[str, str], path: str = "/task", more: str = ""
) -> None:
    block = f'{{url: "http://127.0.0.1:{port}{path}", proxy_port: {proxy_port}{more}}}'
    made.spec(("{command: python agent.py, tools: real}", block), *changes)


def visit(
    made: Shop, *changes: tuple[str, str], flow: tuple[tuple[str, str], ...] = (), more: str = "", **options: object
) -> FlowResult:
    """The verdict on the service with these parts of it, and of its flow, changed."""
    proxy_port = free_port()
    with serving(made.root, proxy_port, *changes) as port:
        spec(made, port, proxy_port, *flow, more=more)
        return run(made, **options)


def run(made: Shop, **options: object) -> FlowResult:
    return run_flow(made.flow, RunOptions(**{"environment": ENV, "timeout": 20, **options}))


def seen(made: Shop) -> list[tuple[str, str, dict[str, str]]]:
    path = made.root / "seen.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


# --- green -----------------------------------------------------------------------------------------


def test_green_and_what_runs_for_real_is_said(made: Shop) -> None:
    result = visit(made)
    assert (result.word, result.exit) == (Word.PASS, 0), result.summary
    assert [each.state for each in result.judgements] == ["held", "held"]
    assert (result.reply.text, result.reply.source) == ("Your 40 are refunded.", "own")
    assert result.real_tools == ("issue_refund",)
    assert "agent.tools is not declared, so the agent's tools run for real" in result.notes
    assert (result.agent.ended, result.agent.status, result.agent_exit) == ("exited", 200, None)


def test_declared_tools_need_no_remark(made: Shop) -> None:
    assert visit(made, more=", tools: real").notes == ()


def test_what_the_service_is_asked(made: Shop) -> None:
    proxy_port = free_port()
    with serving(made.root, proxy_port) as port:
        headers = ', headers: {Authorization: "Bearer ${DEV_TOKEN}", x-tenant: a}'
        spec(made, port, proxy_port, path="/task/1?mode=a%20b", more=headers)
        assert run(made, environment={"DEV_TOKEN": "t0ken"}).word is Word.PASS
    ((path, prompt, sent),) = seen(made)
    sent = {name.lower(): value for name, value in sent.items()}
    assert (path, prompt) == ("/task/1?mode=a%20b", PROMPT)
    assert sent["authorization"] == "Bearer t0ken"
    assert (sent["content-type"], sent["x-tenant"], sent["host"]) == ("application/json", "a", f"127.0.0.1:{port}")


def test_twice_in_a_row_at_the_same_port(made: Shop) -> None:
    proxy_port = free_port()
    with serving(
        made.root, proxy_port, ('TALK.append({"role": "user"', 'del TALK[1:]; TALK.append({"role": "user"')
    ) as port:
        spec(made, port, proxy_port)
        assert [run(made).word for _ in range(3)] == [Word.PASS] * 3


def test_localhost_is_reached_without_a_name_being_resolved(made: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *a, **k: asked.append(host) or resolve(host, *a, **k))
    proxy_port = free_port()
    with serving(made.root, proxy_port) as port:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        spec(made, port, proxy_port, (f"//127.0.0.1:{port}", f"//localhost:{port}"))
        assert run(made).word is Word.PASS
    assert set(asked) == {"127.0.0.1"}


def test_the_live_side_holds_what_was_said(made: Shop) -> None:
    proxy_port = free_port()
    with serving(made.root, proxy_port) as port:
        spec(made, port, proxy_port)
        live = run_one(made.flow, RunOptions(environment=ENV, timeout=20)).trace
    messages = [each for each in live.records if isinstance(each, MessageRecord)]
    assert [(each.role, each.channel, text_of(each.content)) for each in messages] == [
        ("user", None, PROMPT),
        ("agent", "http", "Your 40 are refunded."),
    ]


# --- red -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('"temperature": 0', '"temperature": 0.7', "$.request.parameters.temperature"),
        ("the shop's support", "nobody's support", "$.request.messages[0]"),
        ('"refunded": 40', '"refunded": 41', "$.request.messages[3]"),
    ],
)
def test_a_changed_request_is_red_though_the_service_says_the_right_words(
    made: Shop, old: str, new: str, path: str
) -> None:
    result = visit(made, (old, new))
    assert (result.word, result.exit, result.agent.status) == (Word.FAIL, 1, 200)
    assert result.miss.differences[0].path.startswith(path)
    assert "refunded" in result.reply.text


def test_another_reply_is_red(made: Shop) -> None:
    result = visit(made, (ANSWER, ANSWER.replace("reply}", '"Sorry."}')))
    assert (result.word, [each.state for each in result.judgements]) == (Word.FAIL, ["held", "failed"])


@pytest.mark.parametrize("status", [500, 404, 302, 199 + 101])
def test_an_answer_that_is_no_success_is_red(made: Shop, status: int) -> None:
    location = '"application/json", ("location", "/elsewhere")'
    result = visit(made, (ANSWER, ANSWER.replace("200", str(status)).replace('"application/json"', location)))
    assert (result.word, result.exit) == (Word.FAIL, 1)
    assert f"the agent answered with status {status}" in result.summary
    assert [path for path, *_ in seen(made)] == ["/task"], "a redirection is not followed"


@pytest.mark.parametrize("status", [201, 202])
def test_any_success_is_one(made: Shop, status: int) -> None:
    assert visit(made, (ANSWER, ANSWER.replace("200", str(status)))).word is Word.PASS


def test_a_dropped_call_is_red(made: Shop) -> None:
    result = visit(made, ("        reply = ask(TALK)\n    TALK", '        reply = {"content": "refunded"}\n    TALK'))
    assert (result.word, result.left_over) == (Word.FAIL, ("m2",))


def test_calls_in_another_order_are_red(made: Shop) -> None:
    early = '{"order_id": "A-4471", "refunded": 40}'
    function = '{"name": "issue_refund", "arguments": \'{"order_id": "A-4471"}\'}'
    call = f'{{"id": "call_1", "type": "function", "function": {function}}}'
    first = (
        f"ask([*TALK, {{'role': 'assistant', 'tool_calls': [{call}]}},"
        f" {{'role': 'tool', 'tool_call_id': 'call_1', 'content': '{early}'}}]); reply = ask(TALK)\n    while"
    )
    result = visit(made, ("reply = ask(TALK)\n    while", first))
    assert (result.word, result.miss is not None) == (Word.FAIL, True)


def test_an_extra_call_is_red(made: Shop) -> None:
    assert visit(made, (ANSWER, "ask(TALK); " + ANSWER)).word is Word.FAIL


@pytest.mark.parametrize("pause", ["", f"time.sleep({SETTLE * 2}); "])
def test_a_call_soon_after_the_answer_still_counts(made: Shop, pause: str) -> None:
    late = f"{pause}{ANSWER}; threading.Timer({SETTLE / 3}, ask, [TALK]).start()"
    result = visit(made, (ANSWER, late))
    assert (result.word, result.miss is not None) == (Word.FAIL, True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("self.connection.close()", "it closed the connection without an answer"),
        ("os._exit(3)", "closed the connection without an answer"),
        (
            'self.wfile.write(b"HTTP/1.1 200 OK\\r\\ncontent-length: 99\\r\\n\\r\\nYour 40 are refunded.")',
            "its answer broke off",
        ),
        (
            'self.wfile.write(b"HTTP/1.1 200 OK\\r\\ntransfer-encoding: chunked\\r\\n\\r\\n15\\r\\nYour 40 are")',
            "its answer broke off",
        ),
        ('self.wfile.write(b"hello\\r\\n\\r\\n")', "it does not answer in HTTP"),
        ('self.answer(200, "x", "text/plain", ("content-encoding", "gzip"))', "which was not asked for"),
    ],
)
def test_an_answer_that_is_not_whole_is_red(made: Shop, change: str, reason: str) -> None:
    result = visit(made, (ANSWER, change))
    assert (result.word, result.exit) == (Word.FAIL, 1), result.summary
    assert reason in result.summary


def test_the_time_limit_is_red_and_the_next_run_is_not_disturbed(made: Shop) -> None:
    begun = time.monotonic()
    result = visit(made, (ANSWER, "time.sleep(30)"), timeout=1.5)
    assert (result.word, result.agent.ended) == (Word.FAIL, "timeout")
    assert "did not end within its time" in result.summary
    assert time.monotonic() - begun < 15
    (made.root / "seen.jsonl").unlink()
    assert visit(made).word is Word.PASS


def test_an_answer_that_trickles_does_not_outlast_the_time_limit(made: Shop) -> None:
    drops = '[(self.wfile.write(b"x"), time.sleep(.1)) for _ in range(99)]'
    assert (
        visit(made, (ANSWER, f'self.wfile.write(b"HTTP/1.1 200 OK\\r\\n\\r\\n"); {drops}'), timeout=1.5).agent.ended
        == "timeout"
    )


# --- until -----------------------------------------------------------------------------------------

FIXED = (("cassette:", "replay: {until: m1}\ncassette:"), ("- assert: reply contains refunded", ""))


def test_with_until_the_buggy_service_is_red_and_the_fixed_one_green(made: Shop) -> None:
    made.cassette.write_bytes(cassette_of(*TWICE))
    buggy = visit(made, ('    return {"order_id": order_id, "refunded": 40}', "    return {}"), flow=FIXED)
    assert (buggy.word, [each.state for each in buggy.judgements]) == (Word.FAIL, ["failed"])
    fixed = visit(made, flow=FIXED)
    assert (fixed.word, fixed.summary) == (Word.PASS, "PASS, not judged after m1")


def test_after_a_later_miss_the_service_may_fail(made: Shop) -> None:
    made.cassette.write_bytes(cassette_of(*TWICE))
    assert visit(made, (ANSWER, ANSWER.replace("200", "500")), flow=FIXED).word is Word.PASS


# --- what could not be judged ----------------------------------------------------------------------


def test_a_service_that_does_not_run_is_no_verdict(made: Shop) -> None:
    port, proxy_port = free_port(), free_port()
    spec(made, port, proxy_port, path="/task?key=s3cret-in-the-query")
    result = run(made)
    assert (result.word, result.exit) == (Word.UNVERIFIED, 2)
    assert f"$.agent.url: nothing answers at http://127.0.0.1:{port}/task: connection refused" in result.summary
    assert any(f"http://127.0.0.1:{proxy_port}/v1" in note for note in result.notes)
    assert "s3cret" not in result.summary


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_port_that_is_taken_is_no_verdict_and_nobody_is_asked(made: Shop, host: str) -> None:
    with socket.socket() as taken:
        taken.bind((host, 0))
        taken.listen()
        proxy_port = taken.getsockname()[1]
        with serving(made.root, proxy_port) as port:
            spec(made, port, proxy_port)
            result = run(made)
    assert (result.word, result.exit) == (Word.UNVERIFIED, 2)
    assert f"port {proxy_port} cannot be listened at: address already in use" in result.summary
    assert seen(made) == []


def test_a_service_that_calls_no_model_is_no_pass_and_is_told_where_to(made: Shop) -> None:
    result = visit(made, ("reply = handle(prompt)", 'reply = "Your 40 are refunded."'))
    assert (result.word, result.exit) == (Word.UNVERIFIED, 2)
    assert "the agent never called the model at http://127.0.0.1:" in result.summary


def test_one_port_for_both_is_invalid(made: Shop) -> None:
    port = free_port()
    spec(made, port, port)
    result = run(made)
    assert (result.word, result.exit) == (Word.INVALID, 2)
    assert "is both url's and proxy_port's" in result.summary


@pytest.mark.parametrize(("change", "word"), [(", tools: served", Word.CAPABILITY), (", cwd: x", Word.INVALID)])
def test_what_a_running_agent_cannot_be_given(made: Shop, change: str, word: Word) -> None:
    spec(made, 9, 10, more=change)
    assert run(made).word is word


def test_an_interruption_keeps_what_was_found(made: Shop) -> None:
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    result = visit(made, (ANSWER, "time.sleep(30)"), stop=stop)
    assert (result.agent.ended, result.exit) == ("interrupted", 2)
    assert {each.state for each in result.judgements} == {"not_judged"}


SCRIPT = """
    import sys
    from pathlib import Path
    from runwright.run import RunOptions, run_suite
    report = run_suite([Path("flows")], RunOptions())
    print(len(report.runs), report.interrupted, report.runs[0].result.summary)
    sys.exit(report.exit)
"""


def test_control_c_is_an_interruption_of_the_suite(made: Shop) -> None:
    proxy_port = free_port()
    with serving(made.root, proxy_port, (ANSWER, "open('begun', 'w').close(); time.sleep(60)")) as port:
        spec(made, port, proxy_port)
        command = [sys.executable, "-c", textwrap.dedent(SCRIPT)]
        with subprocess.Popen(
            command, cwd=made.root, stdout=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
        ) as process:
            while not (made.root / "begun").exists():
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "1 True UNVERIFIED, interrupted\n")


# --- several flows, one port -----------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 3])
def test_flows_with_one_port_take_turns(made: Shop, jobs: int) -> None:
    proxy_port = free_port()
    forget = ('TALK.append({"role": "user"', 'del TALK[1:]; TALK.append({"role": "user"')
    with serving(made.root, proxy_port, forget) as port:
        spec(made, port, proxy_port)
        for name in "abc":
            made.flow.with_name(f"{name}.flow.yaml").write_text(made.flow.read_text())
        report = run_suite([made.flow.parent], RunOptions(environment=ENV, timeout=20, jobs=jobs))
    assert [each.result.summary for each in report.runs] == ["PASS"] * 4


def test_flows_of_two_processes_take_turns(made: Shop) -> None:
    proxy_port = free_port()
    forget = ('TALK.append({"role": "user"', 'del TALK[1:]; TALK.append({"role": "user"')
    with serving(made.root, proxy_port, forget) as port:
        spec(made, port, proxy_port)
        command = [sys.executable, "-m", "runwright", "run", "flows"]
        running = [subprocess.Popen(command, cwd=made.root, stdout=subprocess.DEVNULL) for _ in range(3)]
        assert [each.wait(60) for each in running] == [0, 0, 0]


def test_who_waits_too_long_for_the_port_says_so(made: Shop) -> None:
    proxy_port = free_port()
    spec(made, free_port(), proxy_port)
    with socket.socket(socket.AF_UNIX) as held:
        held.bind(f"\0runwright-proxy-port-{proxy_port}")
        result = run(made, timeout=0.3)
        assert (result.word, "another replay still uses port" in result.summary) == (Word.UNVERIFIED, True)
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        assert run(made, stop=stop).agent.ended == "interrupted"


# --- a conversation --------------------------------------------------------------------------------

THANKS = (*ANSWERED, said("assistant", "Your 40 are refunded."), said("user", "Thanks."))
WELCOME = exchange("m3", THANKS, (TextBlock(text="You are welcome."),), after=("m2",))
TALK = (
    f"- prompt: {PROMPT}",
    f"- conversation:\n    - user: {PROMPT}\n      assert: reply contains refunded\n"
    "    - user: Thanks.\n      assert: reply contains welcome\n",
)


@pytest.fixture
def talk(made: Shop) -> Shop:
    made.cassette.write_bytes(cassette_of(*EXCHANGES, WELCOME))
    return made


def test_each_delivery_is_a_request_and_has_its_own_reply(talk: Shop) -> None:
    flow = (TALK, ("  - assert: reply contains refunded\n", ""))
    result = visit(talk, flow=flow)
    assert result.word is Word.PASS, result.summary
    assert [prompt for _, prompt, _ in seen(talk)] == [PROMPT, "Thanks."]
    assert result.reply.text == "Your 40 are refunded.\nYou are welcome."


def test_a_delivery_is_judged_by_its_own_answer_alone(talk: Shop) -> None:
    swapped = ANSWER.replace("reply}", '"Your 40 are refunded." if "Thanks" in prompt else "You are welcome."}')
    result = visit(talk, (ANSWER, swapped), flow=(TALK, ("  - assert: reply contains refunded\n", "")))
    assert result.word is Word.FAIL
    assert [each.state for each in result.judgements] == ["failed", "failed", "held"]


def test_after_a_failure_nothing_more_is_delivered(talk: Shop) -> None:
    flow = (TALK, ("  - assert: reply contains refunded\n", ""))
    assert visit(talk, (ANSWER, ANSWER.replace("200", "500")), flow=flow).word is Word.FAIL
    assert [prompt for _, prompt, _ in seen(talk)] == [PROMPT]


def test_after_a_miss_nothing_more_is_delivered(talk: Shop) -> None:
    flow = (TALK, ("  - assert: reply contains refunded\n", ""))
    assert visit(talk, ('"temperature": 0', '"temperature": 1'), flow=flow).word is Word.FAIL
    assert [prompt for _, prompt, _ in seen(talk)] == [PROMPT]


def test_a_service_that_dies_between_two_deliveries_is_red(talk: Shop) -> None:
    flow = (TALK, ("  - assert: reply contains refunded\n", ""))
    result = visit(talk, (ANSWER, f"{ANSWER}; self.wfile.flush(); self.connection.close(); os._exit(0)"), flow=flow)
    assert (result.word, result.exit) == (Word.FAIL, 1)
    assert "the agent gave no whole answer: " in result.summary


# --- secrets ---------------------------------------------------------------------------------------

LEAK = ("- assert: reply contains refunded", "- assert_no_secret_leak: [ORDER_TOKEN]")
TOKEN = {"ORDER_TOKEN": "quite-a-token"}


def test_a_secret_in_the_answer_beside_the_reply_is_a_leak(made: Shop) -> None:
    leaky = ANSWER.replace('"reply": reply', '"reply": reply, "debug": os.environ.get("X", "quite-a-token")')
    result = visit(made, (ANSWER, leaky), flow=(LEAK,), environment=TOKEN)
    assert result.reply.text == "Your 40 are refunded."
    assert (result.word, result.judgements[1].state) == (Word.FAIL, "failed")
    assert "quite-a-token" not in result.summary


def test_a_secret_in_a_header_of_the_answer_is_a_leak(made: Shop) -> None:
    leaky = ANSWER.replace('"application/json"', '"application/json", ("set-cookie", "t=quite-a-token")')
    assert visit(made, (ANSWER, leaky), flow=(LEAK,), environment=TOKEN).word is Word.FAIL


def test_no_leak_holds_and_what_is_not_known_is_said(made: Shop) -> None:
    result = visit(made, flow=(LEAK,), environment=TOKEN)
    assert (result.word, result.judgements[1].state) == (Word.PASS, "held")
    assert any("already holds ORDER_TOKEN is not known" in note for note in result.notes)


def test_a_secret_that_is_not_set_is_no_pass(made: Shop) -> None:
    assert visit(made, flow=(LEAK,)).exit == 2


@pytest.mark.parametrize("value", ["two\nlines", "naïve", "nul\0"])
def test_a_header_that_cannot_be_sent_is_invalid_and_its_value_not_shown(made: Shop, value: str) -> None:
    spec(made, free_port(), free_port(), more=', headers: {X-Token: "${TOKEN}"}')
    result = run(made, environment={"TOKEN": value})
    assert (result.word, result.exit) == (Word.INVALID, 2)
    assert "$.agent.headers.X-Token" in result.summary
    assert value not in result.summary


@pytest.mark.parametrize("name", ["content-length", "Transfer-Encoding", "a b", "", "x:y", "é"])
def test_a_header_that_is_ours_or_none_is_invalid(name: str) -> None:
    with pytest.raises(FlowError):
        checked_headers({name: "x"}, "$.agent.headers")


# --- addresses and replies -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/task",
        "http://10.0.0.1/",
        "http://0.0.0.0:80/",
        "http://169.254.169.254/latest",
        "http://localhost.example.com/",
        "http://app.localhost/",
        "http://127.1/",
        "http://2130706433/",
        "http://[2001:db8::1]/",
        "https://127.0.0.1/",
        "ftp://127.0.0.1/",
        "127.0.0.1:8000/task",
        "/task",
        "http:///task",
    ],
)
def test_what_is_off_the_loopback_is_refused_unresolved(url: str) -> None:
    with pytest.raises(CapabilityError):
        loopback_address(url, "x")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:x/",
        "http://a:b@127.0.0.1/",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/é",
        "http://[::1/",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(FlowError):
        loopback_address(url, "x")


@pytest.mark.parametrize(
    ("url", "hosts", "port", "target"),
    [
        ("http://127.0.0.1:8000/task?a=1#x", ("127.0.0.1",), 8000, "/task?a=1"),
        ("http://127.9.9.9", ("127.9.9.9",), 80, "/"),
        ("HTTP://LOCALHOST:1/", ("127.0.0.1", "::1"), 1, "/"),
        ("http://[::1]:8000/x", ("::1",), 8000, "/x"),
    ],
)
def test_what_is_on_the_loopback_is_taken(url: str, hosts: tuple[str, ...], port: int, target: str) -> None:
    address = loopback_address(url, "x")
    assert (address.hosts, address.port, address.target) == (hosts, port, target)


def test_a_flow_whose_url_is_off_the_loopback_is_a_capability(made: Shop) -> None:
    spec(made, 80, 4646, ("127.0.0.1:80", "shop.example.com"))
    result = run(made)
    assert (result.word, result.exit) == (Word.CAPABILITY, 2)
    assert "$.agent.url: a replay never leaves the loopback, and 'shop.example.com' is not on it" in result.summary


@pytest.mark.parametrize(
    ("body", "json_kind", "reply"),
    [
        ("plain words", False, "plain words"),
        ('{"reply": "x"}', False, '{"reply": "x"}'),
        ('"a \\u00e9"', True, "a é"),
        ('{"status": "ok", "reply": "x"}', True, "x"),
        ('{"output": "x", "id": 7}', True, "x"),
        ('{"reply": "x", "message": "y"}', True, '{"reply": "x", "message": "y"}'),
        ('{"reply": {"text": "x"}}', True, '{"reply": {"text": "x"}}'),
        ('["\\u00e9"]', True, '["é"]'),
        ("{not json", True, "{not json"),
        ("", True, ""),
    ],
)
def test_the_reply_in_an_answer(body: str, json_kind: bool, reply: str) -> None:
    assert reply_in(Answer(status=200, body=body, json=json_kind)) == reply


@pytest.mark.parametrize(
    ("header", "secret"),
    [
        ('authorization: "Bearer ${TOKEN}"', "correct horse"),
        ('x-api-key: "${TOKEN}"', "weak-one"),
        ('cookie: "a=b; session=${TOKEN}"', "weak-one"),
    ],
)
def test_what_a_header_holds_is_in_no_report(made: Shop, header: str, secret: str) -> None:
    """A service that says the value back, and one that is told off for it, are shown without it."""
    secret = secret.replace(" ", "-")
    echo = ANSWER.replace("reply}", f'"refunded " + "{secret}"}}')
    proxy_port = free_port()
    with serving(made.root, proxy_port, (ANSWER, echo)) as port:
        spec(made, port, proxy_port, more=f", headers: {{{header}}}")
        suite = run_suite([made.flow], RunOptions(environment={**ENV, "TOKEN": secret}, timeout=20))
    assert suite.runs[0].result.reply is not None, suite.runs[0].result.summary
    assert secret in suite.runs[0].result.reply.text
    for page in (render_json(report_of(suite)), render_text(report_of(suite))):
        assert secret not in page


def test_a_header_that_is_no_secret_is_left_alone(made: Shop) -> None:
    proxy_port = free_port()
    with serving(made.root, proxy_port) as port:
        spec(made, port, proxy_port, more=", headers: {x-tenant: refunded, x-token: a}")
        suite = run_suite([made.flow], RunOptions(environment=ENV, timeout=20))
    assert report_of(suite).flows[0].reply == "Your 40 are refunded."


def test_a_trace_that_is_kept_is_without_it_too(made: Shop) -> None:
    echo = ANSWER.replace("reply}", '"refunded weak-one"}')
    proxy_port = free_port()
    with serving(made.root, proxy_port, (ANSWER, echo)) as port:
        spec(made, port, proxy_port, more=", headers: {x-api-key: weak-one}")
        kept = run_one(made.flow, RunOptions(environment=ENV, timeout=20, keep=True)).kept
    assert kept is not None
    assert "weak-one" not in kept.read_text()
    assert "refunded [[redacted:" in kept.read_text()
