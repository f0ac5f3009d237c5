"""`pytest flows/`: one item a flow, with the verdicts of `runwright run`, and nothing that did not run is a pass."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.pytest_plugin.runs import INSTALLED, SWITCHED_OFF, Run, counted, run
from tests.run.story import EXCHANGES, Shop, cassette_of, shop
from tests.signals import heed_interrupts

GREEN = "the refund is paid"


@pytest.fixture
def made(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The shop, and no trace of the surrounding CI."""
    monkeypatch.delenv("CI", raising=False)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)  # flows say `python`
    return shop(pytester.path)


def add(made: Shop, name: str, *changes: tuple[str, str]) -> None:
    """One more flow, which bears its file's name."""
    made.spec((GREEN, name), *changes)
    made.flow.rename(made.flow.with_name(f"{name}.flow.yaml"))
    made.spec()


# What is wrong, how pytest calls it, and what its text says.
VERDICTS: dict[str, tuple[tuple[tuple[str, str], ...], str, str]] = {
    "assertion": ((("times: 1", "times: 2"),), "failed", "issue_refund was called once"),
    "prompt": ((("prompt: Order A-4471", "prompt: Order A-9"),), "failed", '"Order A-4471 arrived'),
    "expected": ((("steps:", "expect: fail\nsteps:"),), "failed", "the flow expects it to fail"),
    "known bug": ((("times: 1", "times: 2"), ("steps:", "expect: fail\nsteps:")), "passed", ""),
    "served tools": ((("tools: real", "tools: served"),), "error", "CAPABILITY"),
    "no cassette": ((("refund.cassette", "gone.cassette"),), "error", "UNVERIFIED"),
    "skipped": ((("steps:", "skip_unless_env: [NOT_SET]\nsteps:"),), "error", "skipped: NOT_SET is not set"),
    "stale": ((("steps:", "ignore: [{lane: model, path: $.request.seed}]\nsteps:"),), "error", "STALE"),
    "no agent": ((("agent: {command: python agent.py, tools: real}\n", ""),), "error", "UNVERIFIED, no agent"),
    "no command": ((("python agent.py", "no-such-program"),), "error", "cannot start"),
}


@pytest.fixture
def verdicts(made: Shop, pytester: pytest.Pytester) -> Run:
    for name, (changes, _, _) in VERDICTS.items():
        add(made, name, *changes)
    (made.flow.parent / "broken.flow.yml").write_text("flow: 1\nstepz: []\n")
    made.flow.with_name("waiting.flow.yaml.new").write_text("")
    return run(pytester, "flows", "-rA", apart=True)


def test_every_verdict_is_what_it_is_in_pytest(verdicts: Run) -> None:
    wanted = {name: outcome for name, (_, outcome, _) in VERDICTS.items()}
    assert verdicts.outcomes == {**wanted, GREEN: "passed", "broken.flow.yml": "error"}
    assert verdicts.status == 1
    for name, (_, _, text) in VERDICTS.items():
        assert text in verdicts.told[name], name
    assert "unknown key 'stepz'" in verdicts.told["broken.flow.yml"]
    assert "broken.flow.yml" in verdicts.told["broken.flow.yml"]
    # the near miss is told as `runwright run` tells it, and nothing of pytest's or our own code is shown
    assert '\n  $.request.messages[1].content[0].text: "Order A-4471' in verdicts.told["prompt"]
    assert "Traceback" not in verdicts.text
    assert "runwright/" not in verdicts.text
    assert "FAILED flows/prompt.flow.yaml::prompt - Verdict: FAIL, no recorded" in verdicts.text
    assert "ERROR flows/served tools.flow.yaml::served tools - Verdict: CAPABILITY" in verdicts.text
    assert "skipped" not in verdicts.text.splitlines()[-1]


def test_what_a_pass_does_not_say_by_itself_is_said(made: Shop, pytester: pytest.Pytester) -> None:
    from msgspec.structs import replace

    unknown = [replace(each, unknown=("$.request.parameters.top_p", "$.request.parameters.seed")) for each in EXCHANGES]
    made.cassette.write_bytes(cassette_of(*unknown))
    quiet = run(pytester, "flows", "-v")
    note = "PASS, 2 fields never compared"
    assert f"flows/refund.flow.yaml::{GREEN} PASSED ({note})" in quiet.text
    assert quiet.properties[GREEN] == {"runwright": note}
    full = run(pytester, "flows", "-rA")
    assert "never compared: $.request.parameters.top_p, $.request.parameters.seed" in full.text
    assert "ran for real: issue_refund" in full.text
    for strict in (("--runwright-strict",), ("-o", "runwright_strict=true")):
        done = run(pytester, "flows", *strict)
        assert (done.status, done.outcomes) == (1, {GREEN: "error"}), strict
        assert "2 fields never compared" in done.told[GREEN]


def test_a_plain_pass_is_plain(made: Shop, pytester: pytest.Pytester) -> None:
    done = run(pytester, "-v")
    assert (done.status, done.outcomes, done.properties[GREEN]) == (0, {GREEN: "passed"}, {})
    assert f"flows/refund.flow.yaml::{GREEN} PASSED  " in done.text


def test_a_folder_without_a_flow_is_no_pass(pytester: pytest.Pytester) -> None:
    pytester.mkdir("flows").joinpath("waiting.flow.yaml.new").write_text("")
    assert run(pytester, "flows").status == pytest.ExitCode.NO_TESTS_COLLECTED


def test_flows_are_chosen_as_tests_are(made: Shop, pytester: pytest.Pytester) -> None:
    add(made, "other", VERDICTS["assertion"][0][0])
    assert run(pytester, "-k", "other").outcomes == {"other": "failed"}
    assert run(pytester, "flows", "-k", "not other").outcomes == {GREEN: "passed"}
    assert run(pytester, f"flows/refund.flow.yaml::{GREEN}").outcomes == {GREEN: "passed"}
    assert run(pytester, "flows/other.flow.yaml").outcomes == {"other": "failed"}
    listed = run(pytester, "--collect-only", "-q")
    assert [line for line in listed.text.splitlines() if "::" in line] == [
        "flows/other.flow.yaml::other",
        f"flows/refund.flow.yaml::{GREEN}",
    ]
    assert not (made.root / ".runwright").exists()


def test_a_name_with_colons_dots_and_brackets_can_be_given_back(made: Shop, pytester: pytest.Pytester) -> None:
    made.spec((f"name: {GREEN}", 'name: "refund::v1.2 [eu]\\nonce"'))
    name = r"refund:v1.2 (eu)\nonce"
    assert run(pytester, "-v").outcomes == {name: "passed"}
    done = run(pytester, f"flows/refund.flow.yaml::{name}", "-v")
    assert done.outcomes == {name: "passed"}
    assert f"flows/refund.flow.yaml::{name} PASSED" in done.text


def test_the_first_red_flow_ends_the_run_with_x_and_the_last_failed_are_run_first(
    made: Shop, pytester: pytest.Pytester
) -> None:
    add(made, "a red one", VERDICTS["assertion"][0][0])
    assert counted(pytester, "-x", "flows") == {"failed": 1}
    assert counted(pytester, "flows") == {"failed": 1, "passed": 1}
    assert counted(pytester, "--lf", "flows") == {"failed": 1}
    add(made, "a red one")
    assert counted(pytester, "--lf", "flows") == {"passed": 1}


def test_an_error_is_among_the_last_failed_too(made: Shop, pytester: pytest.Pytester) -> None:
    add(made, "served", VERDICTS["served tools"][0][0])
    assert counted(pytester, "flows") == {"passed": 1, "errors": 1}
    assert counted(pytester, "--lf", "flows") == {"errors": 1}


def test_several_workers_get_the_same_verdicts(made: Shop, pytester: pytest.Pytester) -> None:
    chosen = {name: VERDICTS[name] for name in ("prompt", "known bug", "served tools", "stale")}
    for name, (changes, _, _) in chosen.items():
        add(made, name, *changes)
    done = run(pytester, "-n", "2", "flows", apart=True)
    wanted = {name: outcome for name, (_, outcome, _) in chosen.items()}
    assert (done.status, done.outcomes) == (1, {**wanted, GREEN: "passed"})
    for name, (_, _, text) in chosen.items():
        assert text in done.told[name], name


def test_a_control_that_two_flows_claim_is_an_error_of_both(made: Shop, pytester: pytest.Pytester) -> None:
    control = ("steps:", "control: {id: one-refund, title: only one}\nsteps:")
    add(made, "a", control)
    add(made, "b", control)
    done = run(pytester, "flows")
    assert (done.status, done.outcomes) == (1, {"a": "error", "b": "error", GREEN: "passed"})
    assert done.told["a"] == "INVALID, 2 flows have the control id 'one-refund': flows/a.flow.yaml, flows/b.flow.yaml"
    chosen = run(pytester, "flows", "-k", "a.flow")
    assert chosen.outcomes == {"a": "error"}, "the other one is there although it was not chosen"
    assert run(pytester, "flows/a.flow.yaml").outcomes == {"a": "passed"}


def test_a_proposal_that_waits_stops_ci(made: Shop, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    made.flow.with_name("next.flow.yaml.new").write_text("")
    assert run(pytester, "flows").status == 0
    monkeypatch.setenv("CI", "true")
    waiting = "no proposal waits for a person"
    for words in (("flows",), ("flows", "-k", "refund")):
        done = run(pytester, *words)
        assert (done.status, done.outcomes) == (1, {GREEN: "passed", waiting: "error"}), words
        assert "flows/next.flow.yaml.new: a proposal waits for a person" in done.told[waiting]


def test_a_run_without_flows_does_not_care_about_proposals(
    made: Shop, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    made.flow.with_name("next.flow.yaml.new").write_text("")
    pytester.makepyfile("def test_one(): pass")
    assert run(pytester, "test_a_run_without_flows_does_not_care_about_proposals.py").outcomes == {"test_one": "passed"}


def test_the_suite_file_is_heeded(made: Shop, pytester: pytest.Pytester) -> None:
    made.flow.unlink()
    needs = ("steps:", "skip_unless_env: [SHOP]\nsteps:")
    for name in ("a", "b", "left out"):
        made.spec((GREEN, name), needs)
        made.flow.rename(made.flow.with_name(f"{name}.flow.yaml"))
    suite = made.flow.with_name("suite.yaml")
    hook = "echo $RUNWRIGHT_FLOW >> ran"
    suite.write_text(
        f"suite: 1\nenv: {{SHOP: one}}\nbefore_each: {hook}\nenv_from: echo once >> asked\n"
        "flows: [b.flow.yaml, a.flow.yaml]\n"
    )
    listed = run(pytester, "flows", "--collect-only", "-q")
    assert [line for line in listed.text.splitlines() if "::" in line] == [
        "flows/b.flow.yaml::b",
        "flows/a.flow.yaml::a",
    ]
    assert not suite.with_name("asked").exists(), "collecting runs nothing"
    done = run(pytester, "flows")
    assert (done.status, done.outcomes) == (0, {"b": "passed", "a": "passed"})
    assert "1 deselected" in done.text
    ran = [Path(line).name for line in suite.with_name("ran").read_text().splitlines()]
    assert ran == ["b.flow.yaml", "a.flow.yaml"]
    assert suite.with_name("asked").read_text() == "once\n"
    assert run(pytester, "flows/left out.flow.yaml").outcomes == {"left out": "passed"}
    suite.write_text("suite: 1\nbefore_each: exit 3\n")
    assert run(pytester, "flows", "-k", "a.flow").outcomes == {"a": "error"}


def test_the_live_trace_is_kept_on_request(made: Shop, pytester: pytest.Pytester) -> None:
    assert run(pytester, "flows").status == 0
    assert not (made.root / ".runwright").exists()
    assert run(pytester, "flows", "--runwright-keep").status == 0
    assert run(pytester, "flows", "-o", "runwright_keep=true").status == 0
    assert len(list((made.root / ".runwright" / "runs").iterdir())) == 2


SLOW = ("print(reply", "open('begun', 'w').write(str(os.getpid())); import time; time.sleep(60)\nprint(reply")


def test_the_time_limit(made: Shop, pytester: pytest.Pytester) -> None:
    made.agent(SLOW)
    for words in (("--runwright-timeout", "1"), ("-o", "runwright_timeout=1")):
        done = run(pytester, "flows", *words)
        assert done.outcomes == {GREEN: "failed"}
        assert "did not end within its time" in done.told[GREEN]
    wrong = run(pytester, "flows", "-o", "runwright_timeout=soon")
    assert wrong.status != 0
    assert "runwright_timeout: expected seconds, found 'soon'" in wrong.text


def test_an_interrupt_ends_the_agent_and_the_run(made: Shop) -> None:
    add(made, "a later one")
    made.agent(SLOW)
    plugin = () if INSTALLED else ("-p", "runwright.pytest_plugin")
    command = [sys.executable, "-m", "pytest", *plugin, "flows"]
    with subprocess.Popen(
        command, cwd=made.root, stdout=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    ) as process:
        agent = int(_appears(made.root / "begun"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert process.returncode == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in out
    assert "passed" not in out.splitlines()[-1]
    with pytest.raises(ProcessLookupError):
        os.kill(agent, 0)


def _appears(path: Path) -> str:
    for _ in range(400):
        if path.exists() and path.read_text():
            return path.read_text()
        time.sleep(0.05)
    raise TimeoutError(path)


def test_switched_off_there_are_no_flows(made: Shop, pytester: pytest.Pytester) -> None:
    assert run(pytester, *SWITCHED_OFF, "flows", apart=True).status == pytest.ExitCode.NO_TESTS_COLLECTED


def test_warnings_that_are_errors_do_not_come_from_here(made: Shop, pytester: pytest.Pytester) -> None:
    assert run(pytester, "-W", "error", "flows", apart=True).outcomes == {GREEN: "passed"}


def test_secrets_do_not_reach_the_failure(made: Shop, pytester: pytest.Pytester) -> None:
    key = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8t" + "T3BlbkFJ" + "Ab3dEf6hIj9kLm2nOp5qRs8t"
    made.spec(("Order A-4471 arrived broken.", f"My key is {key}."))
    done = run(pytester, "flows", "-rA")
    assert done.outcomes == {GREEN: "failed"}
    assert key not in done.text + done.told[GREEN]
