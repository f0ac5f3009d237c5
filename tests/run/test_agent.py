"""The agent process: started as said, kept to its environment, and gone afterwards."""

import json
import os
import signal
import sys
import textwrap
import threading
import time
from pathlib import Path

from runwright.run.agent import REPLY_LIMIT, AgentRun, Launch, run_agent
from runwright.run.environment import PLACEHOLDER_KEY, agent_environment


def start(tmp_path: Path, source: str, **launch: object) -> AgentRun:
    """Run a Python script as the agent."""
    script = tmp_path / "agent.py"
    script.write_text(textwrap.dedent(source))
    given = {"argv": (sys.executable, str(script)), "cwd": tmp_path, "env": {"PATH": os.environ["PATH"]}}
    return run_agent(Launch(**{**given, **launch}))


def gone(pid: int) -> bool:
    """Whether no process of this id is alive, zombies not counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_keeps_what_it_said_and_how_it_ended(tmp_path: Path) -> None:
    run = start(tmp_path, "import sys; print('größe'); print('odd', file=sys.stderr); sys.exit(3)")
    assert (run.ended, run.exit_code, run.stdout, run.stderr) == ("exited", 3, "größe\n", "odd\n")


def test_a_signal_is_a_negative_exit_code(tmp_path: Path) -> None:
    run = start(tmp_path, "import os; os.kill(os.getpid(), 9)")
    assert (run.ended, run.exit_code) == ("exited", -signal.SIGKILL)


def test_runs_in_the_directory_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    run = start(tmp_path, "import os; print(os.getcwd())", cwd=tmp_path / "deep")
    assert run.stdout.strip() == str(tmp_path / "deep")


def test_no_shell_looks_at_the_words(tmp_path: Path) -> None:
    script = tmp_path / "show.py"
    script.write_text("import sys, json; print(json.dumps(sys.argv[1:]))")
    words = ("$HOME", "a b", "; touch pwned", "*")
    run = start(tmp_path, "", argv=(sys.executable, str(script), *words))
    assert json.loads(run.stdout) == list(words)
    assert not (tmp_path / "pwned").exists()


def test_a_missing_executable_never_started(tmp_path: Path) -> None:
    run = start(tmp_path, "", argv=("no-such-program-here",))
    assert (run.ended, run.exit_code) == ("not_started", None)
    assert "No such file" in run.error


def test_a_missing_directory_never_started(tmp_path: Path) -> None:
    assert start(tmp_path, "", cwd=tmp_path / "absent").ended == "not_started"


def test_a_file_that_is_no_program_never_started(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"\x00\x01")
    assert start(tmp_path, "", argv=(str(tmp_path / "data"),)).ended == "not_started"


def test_later_turns_come_as_json_lines_and_then_the_end(tmp_path: Path) -> None:
    run = start(
        tmp_path,
        "import sys, json\nfor line in sys.stdin: print(json.loads(line)['prompt'])\nprint('end')",
        turns=("second\nturn", "drittes Wort ü"),
    )
    assert run.stdout == "second\nturn\ndrittes Wort ü\nend\n"


def test_turns_that_nobody_reads_hurt_nobody(tmp_path: Path) -> None:
    run = start(tmp_path, "print('done')", turns=("x" * 1_000_000,) * 3)
    assert (run.ended, run.exit_code, run.stdout) == ("exited", 0, "done\n")


def test_output_beyond_the_limit_is_dropped_and_said_so(tmp_path: Path) -> None:
    """And no part of the word that it was cut in is left: it might be part of a secret."""
    run = start(tmp_path, f"import sys; sys.stdout.write('four ' * ({REPLY_LIMIT} // 5) + 'word' * 9)")
    assert (run.stdout, run.stdout_cut, run.exit_code) == ("four " * (REPLY_LIMIT // 5), True, 0)


def test_the_end_of_standard_error_is_kept_in_whole_lines(tmp_path: Path) -> None:
    run = start(tmp_path, "import sys; sys.stderr.write('a line\\n' * 50000 + 'the end')")
    assert run.stderr.endswith("a line\nthe end")
    assert run.stderr.startswith("a line\n")
    assert 10_000 < len(run.stderr) < 20_000


def test_a_line_without_its_start_is_not_kept(tmp_path: Path) -> None:
    run = start(tmp_path, "import sys; sys.stderr.write('x' * 300000 + '\\nthe end')")
    assert run.stderr == "the end"


DAEMON = """
    import os, sys, time
    def spawn(clean):
        read, write = os.pipe()
        if os.fork() == 0:                      # double fork, own session, no trace of where it came from
            os.setsid()
            if os.fork() == 0:
                os.write(write, str(os.getpid()).encode())
                os.close(write)
                if clean:
                    os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"], {})
                time.sleep(60)
            os._exit(0)
        os.wait()
        return os.read(read, 20).decode()
    print(spawn(True), spawn(False), os.getpid(), flush=True)
"""


def test_the_time_limit_ends_the_whole_tree(tmp_path: Path) -> None:
    begin = time.monotonic()
    run = start(tmp_path, DAEMON + "    time.sleep(60)\n", timeout=1.5)
    assert (run.ended, run.exit_code) == ("timeout", None)
    pids = [int(word) for word in run.stdout.split()]
    assert len(pids) == 3
    assert all(map(gone, pids))
    assert time.monotonic() - begin < 10


def test_a_clean_exit_leaves_no_daemon_behind(tmp_path: Path) -> None:
    run = start(tmp_path, DAEMON)
    assert (run.ended, run.exit_code) == ("exited", 0)
    pids = [int(word) for word in run.stdout.split()]
    assert len(pids) == 3
    assert all(map(gone, pids))


def test_an_agent_that_ignores_the_polite_signal_still_ends(tmp_path: Path) -> None:
    run = start(
        tmp_path,
        "import os, signal, time\nsignal.signal(15, signal.SIG_IGN)\nprint(os.getpid(), flush=True)\ntime.sleep(60)",
        timeout=1.0,
    )
    assert run.ended == "timeout"
    assert gone(int(run.stdout))


def test_being_told_to_stop_keeps_what_was_said(tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text("import os, time; print(os.getpid(), flush=True); time.sleep(60)")
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    launch = Launch(argv=(sys.executable, str(script)), cwd=tmp_path, env={"PATH": os.environ["PATH"]})
    run = run_agent(launch, stop)
    assert run.ended == "interrupted"
    assert gone(int(run.stdout))


CALLER = {
    "PATH": "/bin",
    "LC_ALL": "C.UTF-8",
    "OPENAI_API_KEY": "real",
    "ANTHROPIC_API_KEY": "real",
    "GITHUB_TOKEN": "real",
    "AWS_SECRET_ACCESS_KEY": "real",
    "HTTPS_PROXY": "http://proxy:1",
    "SHOP": "north",
}


def test_the_environment_withholds_what_is_not_on_the_list() -> None:
    seen = agent_environment(CALLER, base_url="http://127.0.0.1:9", prompt="hello")
    assert "real" not in seen.values()
    assert {"GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY", "SHOP"}.isdisjoint(seen)
    assert (seen["PATH"], seen["LC_ALL"]) == ("/bin", "C.UTF-8")


def test_the_environment_points_every_client_at_the_replay() -> None:
    seen = agent_environment(CALLER, base_url="http://127.0.0.1:9", prompt="hello")
    versioned = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_BASE", "RUNWRIGHT_BASE_URL", "FLOWPROOF_LLM_PROXY")
    assert {seen[name] for name in versioned} == {"http://127.0.0.1:9/v1"}
    assert seen["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"
    assert seen["OPENAI_API_KEY"] == seen["ANTHROPIC_API_KEY"] == PLACEHOLDER_KEY
    assert seen["RUNWRIGHT_PROMPT"] == seen["FLOWPROOF_PROMPT"] == "hello"


def test_the_flow_extends_the_list_and_has_the_last_word() -> None:
    own = {"MY_MODEL": "${runwright.base_url}/x", "BARE": "${flowproof.proxy_url_no_v1}", "TZ": "UTC"}
    seen = agent_environment(CALLER, base_url="http://127.0.0.1:9", prompt="", allow=("SHOP",), own=own)
    assert (seen["SHOP"], seen["TZ"]) == ("north", "UTC")
    assert (seen["MY_MODEL"], seen["BARE"]) == ("http://127.0.0.1:9/v1/x", "http://127.0.0.1:9")
