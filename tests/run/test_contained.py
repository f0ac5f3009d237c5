"""An agent that is held, through the real path: what it reaches for and changes beyond what its flow allows."""

import os
import shlex
import socket
import sys
from pathlib import Path
from threading import Thread

import pytest

from runwright.flow import FlowResult, Word
from runwright.record.command import observe
from runwright.record.contain import cannot_contain
from runwright.run import RunOptions, run_flow, run_one
from tests.run.story import Shop, shop

PATHS = os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin"))
BARE = {"PATH": PATHS}
REACH = """
    import socket
    try:
        with socket.create_connection(({host!r}, {port}), timeout=5) as made:
            print("reached", made.recv(5), file=sys.stderr)
    except OSError as error:
        print("kept", error, file=sys.stderr)
    return {{"order_id\""""
OVERWRITES = """
    try:
        open("prices/list.csv", "w").write("2")
    except OSError as error:
        print(error, file=sys.stderr)
    return {"order_id\""""
NO_EGRESS = ("- assert: reply contains refunded", "- assert_no_egress")

pytestmark = pytest.mark.skipif(bool(cannot_contain()), reason=cannot_contain())


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def run(made: Shop) -> FlowResult:
    return run_flow(made.flow, RunOptions(environment=BARE, timeout=30))


def reaches(made: Shop, host: str, port: int) -> None:
    made.agent(('    return {"order_id"', REACH.format(host=host, port=port).strip("\n")))


def test_no_egress_is_certified_by_what_held_it(made: Shop) -> None:
    made.spec(NO_EGRESS)
    result = run(made)
    assert (result.word, "seccomp" in result.summary) == (Word.PASS, True), result.summary


def test_an_attempt_fails_the_assertion_and_names_the_destination(made: Shop) -> None:
    made.spec(NO_EGRESS)
    reaches(made, "192.0.2.1", 443)
    result = run(made)
    assert (result.word, "192.0.2.1:443" in result.summary) == (Word.FAIL, True), result.summary
    assert result.agent is not None
    assert "kept" in result.agent.stderr


def test_without_the_assertion_an_attempt_is_told_and_fails_nothing(made: Shop) -> None:
    reaches(made, "192.0.2.1", 443)
    found = run_one(made.flow, RunOptions(environment=BARE, timeout=30))
    assert found.result.word is Word.PASS, found.result.summary
    assert any("192.0.2.1:443" in note for note in found.result.notes), found.result.notes
    assert found.trace is not None
    assert [each.reason for each in found.trace.records if each.id == "b1"] == [
        "reach 192.0.2.1:443: it is not allowed"
    ]


def test_a_service_of_this_machine_is_reached_where_the_flow_allows_its_port(made: Shop) -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:
        port = service.getsockname()[1]
        reaches(made, "127.0.0.1", port)
        result = run(made)
        assert result.agent is not None
        assert ("kept" in result.agent.stderr, result.word) == (True, Word.PASS), result.agent.stderr

        def answer() -> None:
            with service.accept()[0] as peer:
                peer.send(b"hello")

        answering = Thread(target=answer)
        answering.start()
        made.spec(("tools: real", f"tools: real, allow_local: [{port}]"), NO_EGRESS)
        result = run(made)
        answering.join(10)
        assert result.agent is not None
        assert ("reached b'hello'" in result.agent.stderr, result.word) == (True, Word.PASS), result.agent.stderr


def test_what_is_protected_can_only_be_read(made: Shop) -> None:
    (made.root / "prices").mkdir()
    (made.root / "prices" / "list.csv").write_text("1\n")
    made.agent(('    return {"order_id"', OVERWRITES.strip("\n")))
    assert run(made).word is Word.PASS
    assert (made.root / "prices" / "list.csv").read_text() == "2"
    made.spec(("tools: real", "tools: real, protect: [prices]"))
    result = run(made)
    assert result.word is Word.PASS, result.summary
    assert (made.root / "prices" / "list.csv").read_text() == "2"
    assert result.agent is not None
    assert "Read-only file system" in result.agent.stderr
    assert "the agent was kept from changing prices/list.csv" in result.notes


def test_what_is_protected_and_was_changed_by_another_name_is_no_pass(made: Shop) -> None:
    """A hard link that was there before, and a link on the way to it that can be made to lead elsewhere."""
    changes = {
        "by another of its names": 'open("alias.csv", "w").write("2")',
        "no longer where it was": 'os.unlink("link.csv"); open("link.csv", "w").write("2")',
    }
    for how, change in changes.items():
        for name in ("list.csv", "alias.csv", "link.csv"):
            (made.root / name).unlink(missing_ok=True)
        (made.root / "list.csv").write_text("1")
        (made.root / "alias.csv").hardlink_to(made.root / "list.csv")
        (made.root / "link.csv").symlink_to("list.csv")
        made.agent(('return {"order', f'{change}\n    return {{"order'))
        made.spec(("tools: real", "tools: real, protect: [link.csv]"))
        result = run(made)
        assert (result.word, "agent.protect: what is protected" in result.summary, how in result.summary) == (
            Word.UNVERIFIED, True, True,
        ), result.summary  # fmt: skip


def test_what_is_to_be_protected_has_to_be_there(made: Shop) -> None:
    for name in ("nowhere", "nowhere" * 99):
        made.spec(("tools: real", f"tools: real, protect: [{name}]"))
        result = run(made)
        assert (result.word, "nowhere" in result.summary) == (Word.INVALID, True), result.summary


def test_an_agent_that_is_not_to_be_held_is_not(made: Shop) -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:
        reaches(made, "127.0.0.1", service.getsockname()[1])
        made.spec(("tools: real", "tools: real, contain: false"))
        thread = Thread(target=lambda: service.accept()[0].close())
        thread.start()
        result = run(made)
        thread.join(10)
        assert result.agent is not None
        assert "reached" in result.agent.stderr


def test_where_nothing_can_be_held_or_watched_nothing_is_certified(made: Shop) -> None:
    """A command that is held already cannot hold another: its kernel takes no second filter that tells of calls."""
    for change, exit, said in (
        ((), 0, "the agent's network was not held: no filter of system calls can be set up"),
        ((NO_EGRESS,), 2, "CAPABILITY, assert_no_egress: the agent's network was not held"),
        (
            (("tools: real", "tools: real, allow_egress: ['192.0.2.1:443']"),),
            2,
            "CAPABILITY, agent.allow_egress cannot",
        ),
        ((("tools: real", "tools: real, protect: [agent.py]"),), 2, "CAPABILITY, agent.protect: nothing kept"),
        (((NO_EGRESS[0], "- assert_no_side_effect: fs_write"),), 2, "CAPABILITY, assert_no_side_effect"),
    ):
        made.spec(*change)
        out = made.root / "report.txt"
        words = [sys.executable, "-m", "runwright", "run", str(made.flow)]
        observed = observe(["sh", "-c", f"{shlex.join(words)} >report.txt"], folder=made.root, environment=BARE)
        report = out.read_text()
        assert (observed.status, said in report) == (exit, True), report
