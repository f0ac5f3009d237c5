"""One command observed: what is told of content, of noise, of names, of its end, and what is kept of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from blake3 import blake3

from runwright.errors import CapabilityError, UsageError
from runwright.record.command import observe
from runwright.record.observe import End, Observed, Orders, cannot_observe, look, observed_of
from runwright.record.observe.journal import Log
from runwright.record.observe.supervised import watched
from runwright.trace import FaultRecord, SideEffect, dumps_trace, loads_trace
from tests.record.observe.test_matrix import give_up_rights

UNABLE = cannot_observe()
pytestmark = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    monkeypatch.chdir(workspace)
    return workspace


def shell(script: str, **options: object) -> Observed:
    return observe(["sh", "-c", script], **options)  # type: ignore[arg-type]


def effects(found: Observed) -> dict[str, SideEffect]:
    return {each.side_effect.target: each.side_effect for each in found.trace.effects}


def faults(found: Observed) -> list[str]:
    return [each.detail for each in found.trace.records if isinstance(each, FaultRecord)]


def digest(data: bytes) -> str:
    return f"blake3:{blake3(data).hexdigest()}"


def test_who_is_asked_what_a_name_means_is_no_way_out(here: Path) -> None:
    """Name services of every kind, which the C library asks by itself; any other program may act for the run."""
    sockets = (b"/run/nscd/socket", b"/var/lib/sss/pipes/nss", b"/run/avahi-daemon/socket", b"/dev/log")
    seen = observed_of(look(here), End(Log(sockets=(*sockets, b"/run/docker.sock"), ended=True)), ["x"])
    (told,) = faults(seen)
    assert told.startswith("a process outside of the run was talked to")


def test_a_command_that_is_no_text_is_kept_all_the_same(here: Path) -> None:
    found = observe(["touch", os.fsdecode(b"caf\xe9")])
    header = loads_trace(dumps_trace(found.trace)).header
    assert header.agent is not None
    assert header.agent.command == "touch 'caf\\udce9'"
    assert list(effects(found)) == ["caf\\xe9"]


def test_a_text_before_and_after(here: Path) -> None:
    (here / "a").write_text("one\ntwo\n")
    effect = effects(shell("printf 'one\\n2' >a"))["a"]
    assert (effect.kind, effect.op) == ("fs_write", "modify")
    assert effect.before is not None
    assert effect.after is not None
    assert (effect.before.digest, effect.before.size, effect.before.content) == (digest(b"one\ntwo\n"), 8, "one\ntwo\n")
    assert (effect.after.digest, effect.after.size, effect.after.content) == (digest(b"one\n2"), 5, "one\n2")
    assert effect.diff == "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n\\ No newline at end of file\n"
    assert effect.detail["operations"] == ["openat: changed"]


def test_what_is_new_or_gone_is_a_diff_that_patch_takes(here: Path) -> None:
    (here / "gone").write_text("a\nb")
    found = effects(shell("rm gone; printf 'x\\ny\\n' >new; : >empty"))
    assert found["gone"].diff == "--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"
    assert found["new"].diff == "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+x\n+y\n"
    assert (found["empty"].diff, found["empty"].after and found["empty"].after.size) == (None, 0)


def test_what_is_no_small_text_has_a_digest_alone(here: Path) -> None:
    (here / "long").write_text("line\n" * 20_000)
    found = effects(shell("printf '\\000\\001' >binary; printf '\\377' >latin; echo more >>long"))
    for name, data in (("binary", b"\0\1"), ("latin", b"\xff"), ("long", b"line\n" * 20_000 + b"more\n")):
        after = found[name].after
        assert after is not None
        assert (after.digest, after.size, after.content, found[name].diff) == (digest(data), len(data), None, None)


def test_nothing_of_a_file_outside_is_told_but_its_size(here: Path) -> None:
    (here.parent / "secret").write_text("1234")
    found = shell("echo 56 >>../secret; cp ../secret ../other; ln -s ../secret link; ln -s here link2")
    (changed,) = [each for each in found.trace.effects if each.side_effect.op == "modify"]
    effect = changed.side_effect
    assert (effect.before and effect.before.size, effect.after and effect.after.size, effect.diff) == (4, 7, None)
    data = dumps_trace(found.trace)
    for part in (str(here.parent), digest(b"1234"), digest(b"123456\n"), "123456", "../secret"):
        told = data.decode().replace("sh -c 'echo 56 >>../secret; cp ../secret ../other; ln -s ../secret link", "")
        assert part not in told
    assert found.outside[effect.target] == str(here.parent / "secret")
    assert effects(found)["link"].detail["leads"] == effect.target
    assert effects(found)["link2"].detail["leads"] == "here"


def test_a_token_is_another_one_in_every_run(here: Path) -> None:
    tokens = {each for _ in range(2) for each in shell("echo >>../beside").outside}
    assert len(tokens) == 2


def test_a_name_forges_no_line_and_no_other_name(here: Path) -> None:
    names = ["a\nOBSERVED: 0 effects", "b\x1b[2K\r", "c\u202egnp", "d\\x0a", "e\u2028f", "ü 日本", "outside"]
    raw = b"f\xff"
    for name in names:
        (here / name).touch()
    Path(os.fsdecode(os.fsencode(here) + b"/" + raw)).touch()
    found = [each.side_effect.target for each in observe(["rm", "-r", *[*names, os.fsdecode(raw)]]).trace.effects]
    assert sorted(found) == sorted([
        "a\\x0aOBSERVED: 0 effects",
        "b\\x1b[2K\\x0d", "c\\u202egnp", "d\\\\x0a", "e\\u2028f", "ü 日本", "outside", "f\\xff",
    ])  # fmt: skip


def test_noise_is_left_out_and_counted(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / ".cache").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    script = """
        mkdir -p __pycache__ d/.pytest_cache/v; : >__pycache__/m.cpython-311.pyc; : >d/.pytest_cache/v/x
        : >__pycache__/kept; t=$(mktemp); echo x >$t; echo 1 >$HOME/.cache/c; echo 1 >$HOME/kept; echo >/dev/null
        echo name >/proc/self/comm; echo $t >name
    """
    try:
        found = shell(script)
        assert found.filtered == {"cache": 6, "device": 1, "process file": 1, "temporary file": 1}
        assert set(effects(found)) - set(found.outside) == {"d", "name", "__pycache__/kept"}
        assert [Path(each).name for each in found.outside.values()].count("kept") == 1
    finally:
        Path((here / "name").read_text().strip()).unlink()
    assert shell("rm -r __pycache__ d", everything=True).filtered == {}


def test_what_is_outside_and_temporary_is_left_out_only_if_the_run_made_it(here: Path) -> None:
    kept = Path("/tmp/runwright-observe-test")
    kept.write_text("before")
    try:
        found = shell(f"echo more >{kept}")
    finally:
        kept.unlink()
    assert [each.op for each in effects(found).values()] == ["modify"]


def test_a_workspace_in_a_folder_of_caches_is_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here.parent))
    found = shell("echo 1 >made; echo 1 >../cached")
    assert (set(effects(found)), found.filtered) == ({"made"}, {"cache": 1})


def test_own_output_in_the_workspace_is_no_effect(here: Path) -> None:
    command = [sys.executable, "-m", "runwright", "observe", "--", "sh", "-c", "echo said; echo 1 >made"]
    with (here / "out").open("w") as out, (here / "err").open("w") as err:
        assert subprocess.run(command, stdout=out, stderr=err, check=False).returncode == 0
    assert (here / "err").read_text() == "said\n"
    assert (here / "out").read_text().splitlines() == [
        "create    made  2 bytes", "OBSERVED: 1 effect, left out: 1 own output; sh exited 0",
    ]  # fmt: skip


def test_a_standard_input_that_can_be_written_to_is_a_fault(here: Path) -> None:
    (here.parent / "input").write_text("x")
    command = [sys.executable, "-m", "runwright", "observe", "--", "sh", "-c", "echo hidden >&0"]
    for mode, status in (("r+", 2), ("r", 0)):
        with (here.parent / "input").open(mode) as given:
            done = subprocess.run(command, stdin=given, capture_output=True, text=True, check=False)
        assert (done.returncode, "standard input" in done.stdout) == (status, status == 2), done


def test_identical_bytes_are_listed_and_no_effect(here: Path) -> None:
    (here / "a").write_text("same")
    found = shell("printf same >a; printf same >b; rm b; touch a; cat a >/dev/null; rm -f none")
    assert (effects(found), found.unchanged) == ({}, ("a",))
    assert found.operations == 6
    assert found.idle == 2  # /dev/null, and the file that is not there


@pytest.mark.parametrize(("script", "status"), [("exit 3", 3), ("kill -9 $$", -9), ("true", 0)])
def test_the_end_of_the_command(here: Path, script: str, status: int) -> None:
    assert shell(script).status == status


def test_what_keeps_a_command_from_being_observed(here: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        observe(["./missing"])
    (here / "plain").write_text("x")
    with pytest.raises(UsageError, match="permission denied"):
        observe(["./plain"])
    with pytest.raises(UsageError, match="no folder"):
        observe(["true"], here / "plain")
    with pytest.raises(UsageError, match="whole machine"):
        observe(["true"], Path("/"))
    with pytest.raises(UsageError, match="no command"):
        observe([])


def test_within_an_observation_there_is_none(here: Path) -> None:
    script = """
from runwright.errors import CapabilityError
from runwright.record.command import observe
try:
    observe(["touch", "made"])
except CapabilityError as error:
    open("told", "w").write(str(error))
"""
    found = effects(observe([sys.executable, "-B", "-c", script]))
    assert set(found) == {"told"}
    assert "no filter of system calls can be set up" in (here / "told").read_text()


def test_where_it_cannot_be_observed_nothing_is_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(CapabilityError, match="on Linux alone"):
        observe(["touch", "made"])
    assert not (here / "made").exists()
    assert "darwin" in cannot_observe()


def test_the_observer_is_out_of_reach_of_what_it_observes(here: Path) -> None:
    """Else a command could write the log of itself. A command with all rights can still do anything."""
    script = "import os\ntry: os.readlink(f'/proc/{os.getppid()}/fd/2')\nexcept PermissionError: os._exit(7)"
    command = [sys.executable, "-m", "runwright", "observe", "--", sys.executable, "-S", "-c", script]
    done = subprocess.run(command, preexec_fn=give_up_rights, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("exited 7\n"), done


def test_a_process_that_may_not_be_looked_into_is_a_fault(here: Path) -> None:
    script = "import ctypes, os\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\nopen('made', 'w')"
    command = [sys.executable, "-m", "runwright", "observe", "--", sys.executable, "-S", "-c", script]
    done = subprocess.run(command, preexec_fn=give_up_rights, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout.startswith("create    made  0 bytes\nnot seen: what openat meant could not be read:"), done


def test_a_folder_that_cannot_be_looked_into_is_a_fault(here: Path) -> None:
    (here / "closed").mkdir(mode=0)
    command = [sys.executable, "-m", "runwright", "observe", "--", "true"]
    done = subprocess.run(command, preexec_fn=give_up_rights, capture_output=True, text=True, check=False)
    (here / "closed").chmod(0o755)
    assert (done.returncode, done.stdout.splitlines()[0]) == (2, "not seen: a folder cannot be looked into: closed")


@pytest.mark.skipif(os.getuid() != 0, reason="only root may change its root")
def test_a_root_of_its_own(here: Path) -> None:
    (here / "jail" / "d").mkdir(parents=True)
    (here / "jail" / "link").symlink_to("/d")
    script = "import os\nos.chroot('jail')\nos.close(os.open('/link/new', os.O_CREAT | os.O_WRONLY))"
    found = shell(f'{sys.executable} -S -c "{script}"')
    assert set(effects(found)) == {"jail/d/new"}
    assert effects(found)["jail/d/new"].detail["operations"] == ["openat: created"]
    assert (found.outside, faults(found)) == ({}, [])


def hears_interruptions() -> None:
    """What is started in the background of a shell ignores them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interruption_keeps_what_was_found(here: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "runwright",
        "observe",
        "-o",
        "t.jsonl",
        "--",
        "sh",
        "-c",
        "echo 1 >made; sleep 60",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=hears_interruptions
    ) as process:
        until = time.monotonic() + 20
        while not (here / "made").exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said.splitlines() == [
        "create    made  2 bytes",
        "not seen: the run was interrupted",
        "INTERRUPTED: 1 effect; sh was ended by signal 2",
    ]  # fmt: skip
    kept = loads_trace((here / "t.jsonl").read_bytes())
    assert [each.kind for each in kept.records if isinstance(each, FaultRecord)] == ["interruption"]


def test_the_trace_is_one(here: Path) -> None:
    found = shell("echo 1 >a; mkdir d")
    trace = loads_trace(dumps_trace(found.trace))
    assert trace == found.trace
    assert trace.header.observation == {
        "fs_write": "observed", "fs_delete": "observed", "fs_rename": "observed", "fs_truncate": "observed",
        "http_request": "observed", "db_change": "observed", "sap_transaction": "not_observed",
    }  # fmt: skip
    assert trace.header.agent is not None
    assert trace.header.agent.command == "sh -c 'echo 1 >a; mkdir d'"
    assert all(each.t is not None for each in trace.effects)


def test_a_log_that_stops_is_read_as_far_as_it_goes(here: Path) -> None:
    log, interrupted = watched(["sh", "-c", "echo 1 >a; echo 2 >b"], Orders(str(here), str(here), 5))
    assert (log.ended, log.status, interrupted) == (True, 0, False)
    assert [(each.name, each.path, each.word) for each in log.operations] == [
        ("openat", os.fsencode(here / "a"), "created"), ("openat", os.fsencode(here / "b"), "created"),
    ]  # fmt: skip
