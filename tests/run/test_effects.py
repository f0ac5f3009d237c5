"""Side effects through the real path: an agent that really writes, watched while it is replayed."""

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socket import AF_UNIX, socket
from threading import Thread

import pytest
from msgspec.structs import replace

from runwright.flow import FlowResult, Word
from runwright.record.contain import cannot_contain
from runwright.record.observe import cannot_observe
from runwright.reports import report_of
from runwright.run import RunOptions, run_flow, run_one, run_suite
from runwright.trace import dumps_trace
from runwright.trace.model import FaultRecord, Header, Trace
from tests.record.observe.nobody import become_nobody, shared_folder
from tests.run.story import EXCHANGES, Shop, shop

PATHS = os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin"))
BARE = {"PATH": PATHS}

pytestmark = pytest.mark.skipif(bool(cannot_observe()), reason=cannot_observe())

WRITES = ('return {"order_id"', 'open("out.csv", "w").write(order_id + "\\n")\n    return {"order_id"')
MUST = "- assert_side_effect: {kind: fs_write, target: out.csv}"
MUST_NOT = "- assert_no_side_effect: {kind: fs_write}"


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def run(made: Shop, **options: object) -> FlowResult:
    return run_flow(made.flow, RunOptions(**{"environment": BARE, "timeout": 30, **options}))


def asserts(made: Shop, assertion: str) -> None:
    made.spec(("- assert: reply contains refunded", assertion))


def test_what_the_agent_wrote_is_seen(made: Shop) -> None:
    asserts(made, MUST)
    made.agent(WRITES)
    result = run(made)
    assert result.word is Word.PASS, result.summary


def test_what_it_did_not_write_is_a_failure(made: Shop) -> None:
    asserts(made, MUST)
    result = run(made)
    assert (result.word, result.summary) == (
        Word.FAIL, "FAIL, assert_side_effect: fs_write out.csv: no fs_write was seen",
    )  # fmt: skip


def test_none_holds_where_somebody_watched(made: Shop) -> None:
    asserts(made, MUST_NOT)
    assert run(made).word is Word.PASS
    made.agent(WRITES)
    result = run(made)
    assert (result.word, "fs_write out.csv" in result.summary) == (Word.FAIL, True)


def test_effects_stand_between_the_requests_that_they_happened_between(made: Shop) -> None:
    asserts(made, MUST)
    made.agent(WRITES)
    live = run_one(made.flow, RunOptions(environment=BARE, timeout=30)).trace
    assert live is not None
    assert [each.id for each in live.records] == ["u1", "m1", "e1", "m2", "u2"]
    assert live.header.observation["fs_write"] == "observed"
    assert live.header.observation["db_change"] == "observed"
    assert live.header.observation["sap_transaction"] == "not_observed"


def recorded(made: Shop) -> None:
    """The cassette with the effects of a run as it is now, watched."""
    asserts(made, MUST_NOT)
    live = run_one(made.flow, RunOptions(environment=BARE, timeout=30)).trace
    assert live is not None
    header = Header(kind="cassette", trace_id="story", observation=live.header.observation)
    records = (*EXCHANGES, *(replace(each, t=None, after=()) for each in live.effects))
    made.cassette.write_bytes(dumps_trace(Trace(header=header, records=records)))
    made.spec(("steps:", "effects: strict\nsteps:"))
    (made.root / "out.csv").unlink(missing_ok=True)


def test_strict_holds_the_live_effects_to_the_recorded_ones(made: Shop) -> None:
    made.agent(WRITES)
    recorded(made)
    result = run(made)
    assert result.word is Word.PASS, result.summary
    (made.root / "out.csv").unlink()
    for change in (
        (WRITES[0], WRITES[1].replace('"\\n"', '"\\r\\n"')),
        (WRITES[0], WRITES[1].replace("out.csv", "other.csv")),
        (WRITES[0], 'open("more.csv", "w").write("x")\n    ' + WRITES[1]),
        ("import json, os", "import json, os "),
    ):
        made.agent(change)
        result = run(made)
        assert (result.word, "effects: strict" in result.summary) == (Word.FAIL, True), result.summary
        for left in made.root.glob("*.csv"):
            left.unlink()


class _Refunds(BaseHTTPRequestHandler):
    """A service that the agent's tool asks for a refund."""

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(int(self.path.rpartition("/")[2]))
        self.end_headers()


@contextmanager
def refunds() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), _Refunds) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


POSTS = """
    sent = urllib.request.Request("http://127.0.0.1:{port}/v1/refunds/{status}", b"x=1")
    try:
        urllib.request.urlopen(sent).close()
    except OSError as error:
        print(error, file=sys.stderr)
    return {{"order_id\""""


@pytest.mark.skipif(bool(cannot_contain()), reason=cannot_contain())
def test_a_request_that_was_answered_is_an_effect_and_one_that_was_refused_is_none(made: Shop) -> None:
    with refunds() as port:
        target = f"POST http://127.0.0.1:{port}/v1/refunds/201"
        must = f'- assert_side_effect: {{kind: http_request, target: "{target}", detail: {{status: 201}}}}'
        none = "- assert_no_side_effect: {kind: http_request}"
        local = ("tools: real", f"tools: real, allow_local: [{port}]")
        for status, assertion, word in (
            (201, must, Word.PASS), (404, must, Word.FAIL), (201, none, Word.FAIL), (404, none, Word.PASS),
        ):  # fmt: skip
            made.agent(('    return {"order_id"', POSTS.format(port=port, status=status).strip("\n")))
            made.spec(("- assert: reply contains refunded", assertion), local)
            result = run(made)
            assert result.word is word, (status, assertion, result.summary)


SENDS = """
    import socket
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
        ours.sendto(b"x", ("127.0.0.1", 9))
        ours.sendmsg([b"x"], [], 0, ("127.0.0.1", 9))
    return {"order_id\""""


def test_a_datagram_is_an_effect_and_ends_nobody_who_watches(made: Shop) -> None:
    made.agent(('    return {"order_id"', SENDS.strip("\n")))
    target = "target: 'udp://127.0.0.1:9', detail: {times: 2}"
    for assertion, word in (
        (f"- assert_side_effect: {{kind: http_request, {target}}}", Word.PASS),
        ("- assert_no_side_effect: {kind: http_request}", Word.FAIL),
    ):
        made.spec(("- assert: reply contains refunded", assertion), ("tools: real", "tools: real, contain: false"))
        result = run(made)
        assert result.word is word, result.summary


def test_what_an_outside_process_is_asked_for_by_a_socket_may_be_a_request(made: Shop) -> None:
    made.agent(
        ('return {"order', 'import socket; socket.socket(socket.AF_UNIX).connect("service")\n    return {"order')
    )
    made.spec(
        ("- assert: reply contains refunded", "- assert_no_side_effect: {kind: http_request}"),
        ("tools: real", "tools: real, contain: false"),
    )
    with socket(AF_UNIX) as outside:
        outside.bind(str(made.root / "service"))
        outside.listen()
        result = run(made)
    assert (result.word, "may hide http_request" in result.summary) == (Word.UNVERIFIED, True), result.summary


def test_a_secret_in_what_the_agent_was_seen_to_do_has_left_it(made: Shop) -> None:
    secret = "Zq7RtPassW0rdXyz"
    leaks = {
        "a name": 'open(os.environ["SHOP_PASSWORD"], "w").close()',
        "content": 'open("out.csv", "w").write("key=" + os.environ["SHOP_PASSWORD"])',
        "more than is kept": 'open("out.csv", "w").write(("x" * 99 + "\\n") * 300 + os.environ["SHOP_PASSWORD"])',
    }
    asserts(made, "- assert_side_effect: {kind: fs}\n  - assert_no_secret_leak: [SHOP_PASSWORD]")
    made.agent(WRITES)
    environment = {**BARE, "SHOP_PASSWORD": secret}
    assert run(made, environment=environment).word is Word.PASS
    for what, leak in leaks.items():
        made.agent(('return {"order', f'{leak}\n    return {{"order'))
        result = run(made, environment=environment)
        assert (result.word, "SHOP_PASSWORD is in e1" in result.summary) == (Word.FAIL, True), (what, result.summary)
        (made.root / "out.csv").unlink(missing_ok=True)
        (made.root / secret).unlink(missing_ok=True)


KILLS = """
    import signal, socket
    socket.create_connection(("127.0.0.1", {port})).close()
    os.kill(os.getppid(), signal.SIGKILL)
    return {{"order_id\""""


@pytest.mark.skipif(bool(cannot_contain()), reason=cannot_contain())
def test_where_the_watching_process_was_killed_nothing_of_the_agent_is_known(made: Shop) -> None:
    """Not whom it asked, either: what was noted last may not have been written down."""
    with refunds() as port:
        made.agent(('    return {"order_id"', KILLS.format(port=port).strip("\n")))
        made.spec(
            ("- assert: reply contains refunded", "- assert_no_side_effect: {kind: http_request}"),
            ("tools: real", f"tools: real, allow_local: [{port}]"),
        )
        run = run_one(made.flow, RunOptions(environment=BARE, timeout=30))
    assert run.trace is not None
    (fault,) = (each for each in run.trace.records if isinstance(each, FaultRecord))
    assert "http_request" in fault.hides
    assert (run.result.word, [each for each in run.result.notes if "not held: what holds it" in each] != []) == (
        Word.FAIL, True,
    ), run.result  # fmt: skip


INSERTS = """
    import sqlite3
    with sqlite3.connect("shop.db") as opened:
        opened.execute("insert into refunds values (?, ?)", (order_id, {amount}))
    opened.close()
    return {{"order_id\""""


def test_a_row_that_was_inserted_is_an_effect(made: Shop) -> None:
    with sqlite3.connect(made.root / "shop.db") as opened:
        opened.execute("create table refunds (id text primary key, amount integer)")
    opened.close()
    target = "target: shop.db/refunds/A-4471, op: insert, after: {content: {contains: '40'}}"
    for amount, assertion, word in (
        (40, f"- assert_side_effect: {{kind: db_change, {target}}}", Word.PASS),
        (41, f"- assert_side_effect: {{kind: db_change, {target}}}", Word.FAIL),
        (40, "- assert_no_side_effect: {kind: db_change}", Word.FAIL),
    ):
        made.agent(('    return {"order_id"', INSERTS.format(amount=amount).strip("\n")))
        asserts(made, assertion)
        before = (made.root / "shop.db").read_bytes()
        result = run(made, dry_world=True)
        assert result.word is word, result.summary
        assert (made.root / "shop.db").read_bytes() == before


def test_ended_before_there_is_a_world_to_look_at_nothing_is_judged(made: Shop) -> None:
    asserts(made, MUST_NOT)
    result = run(made, dry_world=True, timeout=0.0)
    assert (result.word, "it was not run" in result.summary) == (Word.CAPABILITY, True), result.summary


def test_a_database_that_is_named_has_to_be_there(made: Shop) -> None:
    made.spec(("steps:", "effects: {databases: [shop.db]}\nsteps:"))
    result = run(made)
    assert (result.word, "there is no such database" in result.summary) == (Word.INVALID, True), result.summary
    sqlite3.connect(made.root / "shop.db").execute("create table t (x)").connection.close()
    assert run(made).word is Word.PASS


def test_in_a_dry_world_effects_are_seen_and_nothing_is_left(made: Shop) -> None:
    asserts(made, MUST)
    made.agent(WRITES)
    before = sorted(made.root.rglob("*"))
    run = run_one(made.flow, RunOptions(environment=BARE, timeout=30, dry_world=True))
    assert run.result.word is Word.PASS, run.result.summary
    assert run.trace is not None
    assert [each.side_effect.target for each in run.trace.effects] == ["out.csv"]
    assert sorted(made.root.rglob("*")) == before


def test_what_an_agent_changes_that_runs_already_is_not_said_to_be_thrown_away(made: Shop) -> None:
    made.spec(("command: python agent.py, tools: real", "url: 'http://127.0.0.1:9/', proxy_port: 9"))
    result = run(made, dry_world=True)
    assert (result.word, "is not thrown away" in result.summary) == (Word.CAPABILITY, True), result.summary


def test_another_workspace_tells_its_files_by_name_and_others_by_token(made: Shop) -> None:
    (made.root / "out").mkdir()
    made.agent(
        ('return {"order', 'open("out/a.csv", "w").write("x")\n    open("b.csv", "w").write("x")\n    return {"order')
    )
    must = "- assert_side_effect: {kind: fs_write, target: a.csv}"
    made.spec(("steps:", "effects: {workspace: out}\nsteps:"), ("- assert: reply contains refunded", must))
    run = run_one(made.flow, RunOptions(environment=BARE, timeout=30))
    assert (run.result.word, run.trace is not None) == (Word.PASS, True), run.result.summary
    targets = [each.side_effect.target for each in run.trace.effects] if run.trace else []
    assert (targets[0], targets[1].startswith("/outside/"), len(targets)) == ("a.csv", True, 2)


def test_what_was_left_out_is_told(made: Shop) -> None:
    asserts(made, MUST)
    made.agent(('return {"order_id"', 'os.makedirs("__pycache__")\n    ' + WRITES[1]))
    (found,) = report_of(run_suite([made.flow], RunOptions(environment=BARE, timeout=30))).flows
    assert found.effects is not None
    assert (found.effects.left_out, len(found.effects.seen)) == ({"cache": 1}, 1)
    assert "out.csv" in found.effects.seen[0]


def test_an_agent_that_leaves_a_writer_behind_is_not_judged_on_what_it_may_have_hidden(made: Shop) -> None:
    asserts(made, MUST_NOT)
    made.agent(("print(reply", 'import subprocess; subprocess.Popen(["sleep", "60"])\nprint(reply'))
    result = run(made)
    assert (result.word, "a fault in the live run may hide fs_write" in result.summary) == (Word.UNVERIFIED, True)


def test_what_another_flow_writes_meanwhile_is_not_told_as_this_ones(made: Shop) -> None:
    asserts(made, MUST_NOT)
    slow = made.root / "flows" / "slow.flow.yaml"
    slow.write_text(made.flow.read_text().replace(MUST_NOT, MUST.replace("out.csv", "slow.csv")).replace(
        "agent.py", "slow.py"
    ))  # fmt: skip
    source = (made.root / "agent.py").read_text()
    writes = (
        'import time\nfor n in range(20):\n    open("slow.csv", "w").write(str(n))\n    time.sleep(0.05)\nprint(reply'
    )
    (made.root / "slow.py").write_text(source.replace("print(reply", writes))
    found = run_suite([made.root / "flows"], RunOptions(environment=BARE, timeout=60, jobs=2))
    assert [each.result.word for each in found.runs] == [Word.PASS] * 2, [each.result.summary for each in found.runs]


def test_what_another_flow_has_run_before_and_after_it_undoes_nothing_meanwhile(made: Shop) -> None:
    """Nor does a trace that is kept meanwhile look like the agent's doing."""
    asserts(made, MUST_NOT)
    (made.root / "data.csv").write_text("good")
    quiet = made.root / "flows" / "quiet.flow.yaml"
    quiet.write_text(made.flow.read_text().replace("agent.py", "quiet.py"))
    (made.root / "quiet.py").write_text((made.root / "agent.py").read_text())
    made.agent(("print(reply", 'open("data.csv", "w").write("evil")\nimport time; time.sleep(1.5)\nprint(reply'))
    restores = 'case "$RUNWRIGHT_FLOW" in *quiet*) sleep 1; printf good > ../data.csv;; esac'
    (made.root / "flows" / "suite.yaml").write_text(f"suite: 1\nbefore_each: |-\n  {restores}\n")
    options = RunOptions(environment=BARE, timeout=60, jobs=2, keep=True)
    found = run_suite([made.root / "flows"], options)
    summaries = {each.file: each.result.summary for each in found.runs}
    assert summaries == {
        "flows/quiet.flow.yaml": "PASS",
        "flows/refund.flow.yaml": "FAIL, assert_no_side_effect: fs_write: fs_write data.csv (e1)",
    }


def test_the_agent_ends_and_times_out_as_it_does_unwatched(made: Shop) -> None:
    asserts(made, MUST_NOT)
    made.agent(("print(reply", "sys.exit(3)\nprint(reply"))
    assert "the agent exited with 3" in run(made).summary
    made.agent(("print(reply", "import time; time.sleep(60)\nprint(reply"))
    result = run(made, timeout=2)
    assert "the agent did not end within its time" in result.summary
    made.spec(("- assert: reply contains refunded", MUST_NOT), ("python agent.py", "no-such-program"))
    assert (run(made).word, "cannot start 'no-such-program'" in run(made).summary) == (Word.INVALID, True)


def test_interrupted_while_it_waits_its_turn_it_never_starts(made: Shop) -> None:
    asserts(made, MUST_NOT)
    options = RunOptions(environment=BARE, timeout=30)
    folder = os.open(made.root, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_SH)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(run_flow, made.flow, options)
        assert not waiting.done()
        options.stop.set()
        assert "interrupted" in waiting.result(10).summary
    os.close(folder)


def test_a_repository_that_may_not_be_read_keeps_nobody_waiting() -> None:
    """As an ordinary user finds it: a folder to go through, whose names are not told."""
    code = """
import sys, threading
from pathlib import Path
from runwright.run.turn import repository_turn
with repository_turn(Path(sys.argv[1]), threading.Event(), alone=True) as ours:
    print(ours)
"""
    with shared_folder() as folder:
        folder.chmod(0o311)
        words = [sys.executable, "-c", code, str(folder)]
        done = subprocess.run(words, preexec_fn=become_nobody, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr
