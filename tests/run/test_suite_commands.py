"""Suite files at work: variables, commands around each flow, order; what fails there is never a pass."""

import json
import threading
import time
from pathlib import Path

import pytest

from runwright.errors import Exit
from runwright.flow import Word
from runwright.reports import render_html, render_json, render_junit, render_markdown, render_text, report_of
from runwright.reports.prove_report import proof_report_of, render_proof_json
from runwright.reports.prove_text import render_proof_text
from runwright.run import FlowRun, RunOptions, SuiteReport, Suites, run_flow, run_suite
from runwright.run.prove import ProveOptions, prove_flow
from tests.run.story import Shop, shop
from tests.run.test_one import BARE

LEAKS = ("print(reply", "print(os.environ.get('MINTED', ''))\nprint(reply")


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def suite(made: Shop, text: str) -> None:
    (made.flow.parent / "suite.yaml").write_text(text)


def run(made: Shop, **options: object) -> SuiteReport:
    return run_suite([made.flow.parent], RunOptions(**{"environment": BARE, "timeout": 30, **options}))


def one(made: Shop, **options: object) -> FlowRun:
    (found,) = run(made, **options).runs
    return found


def says(made: Shop, *names: str) -> None:
    """An agent that prints these variables as it sees them, and exits with 3 so that its stderr is in the report."""
    printed = "; ".join(f"print('{name}', os.environ.get('{name}'), file=sys.stderr)" for name in names)
    made.agent(("print(reply", f"{printed}; sys.exit(3)\nprint(reply"))


# --- variables -------------------------------------------------------------------------------------


def test_env_reaches_the_flow_the_agent_and_the_commands(made: Shop) -> None:
    suite(
        made,
        'suite: 1\nenv: {SHOP_REGION: "${REGION}-1", PLAIN: 3}\nbefore_each: echo $SHOP_REGION $PLAIN > before.txt\n',
    )
    made.spec(("tools: real}", 'tools: real, env: {SEEN: "${SHOP_REGION}"}}'))
    says(made, "SHOP_REGION", "PLAIN", "SEEN", "REGION")
    found = one(made, environment={**BARE, "REGION": "eu"}).result
    assert found.agent.stderr.split("\n")[:4] == ["SHOP_REGION eu-1", "PLAIN 3", "SEEN eu-1", "REGION None"]
    assert (made.flow.parent / "before.txt").read_text() == "eu-1 3\n"


def test_a_variable_that_is_not_set_keeps_every_flow_from_running(made: Shop) -> None:
    suite(made, 'suite: 1\nenv: {A: "${GONE}"}\n')
    found = one(made).result
    assert (found.word, found.exit) == (Word.INVALID, 2)
    assert "suite.yaml:2: $.env.A: ${GONE} is not set" in found.summary


def test_in_a_flowproof_file_such_an_entry_is_left_out_and_a_flow_that_wants_it_is_refused(made: Shop) -> None:
    suite(made, 'env: {A: "${GONE}", B: b}\n')
    found = one(made).result
    assert found.word is Word.PASS, found.summary
    assert any("${GONE} is not set, so A was left out" in note for note in found.notes)
    made.spec(("tools: real}", 'tools: real, env: {X: "${A}"}}'))
    assert one(made).result.word is Word.INVALID


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("suite: 1\n", "caller"),
        ("suite: 1\nenv_from: echo WHO=printed\n", "printed"),
        ("suite: 1\nenv_from: echo WHO=printed\nenv: {WHO: suite}\n", "suite"),
        ('suite: 1\nenv_from: echo WHO=printed\nenv: {WHO: "${WHO}!"}\n', "printed!"),
        ('suite: 1\nenv: {FIRST: one, WHO: "${FIRST}"}\n', "one"),
        ('env: {ZFIRST: one, WHO: "${WHO}-${AFIRST}", AFIRST: two}\n', "caller-two"),
    ],
)
def test_the_suites_env_beats_what_env_from_prints_beats_the_callers(made: Shop, text: str, seen: str) -> None:
    suite(made, text)
    made.spec(("tools: real}", 'tools: real, env: {SEEN: "${WHO}"}}'))
    says(made, "SEEN")
    assert one(made, environment={**BARE, "WHO": "caller"}).result.agent.stderr.startswith(f"SEEN {seen}\n")


def test_the_flows_own_env_beats_the_suites_and_replays_own_beat_both(made: Shop) -> None:
    suite(made, "suite: 1\nenv: {WHO: suite, OPENAI_API_KEY: sk-real, OPENAI_BASE_URL: http://elsewhere}\n")
    made.spec(("tools: real}", "tools: real, env: {WHO: flow}}"))
    says(made, "WHO", "OPENAI_API_KEY")
    result = one(made).result
    assert result.agent.stderr.split("\n")[:2] == ["WHO flow", "OPENAI_API_KEY runwright-placeholder-key"]
    assert (result.miss, result.left_over) == (None, ())


def test_the_callers_credentials_stay_withheld(made: Shop) -> None:
    suite(made, "suite: 1\nenv: {A: b}\n")
    says(made, "GITHUB_TOKEN", "A")
    found = one(made, environment={**BARE, "GITHUB_TOKEN": "real"}).result
    assert found.agent.stderr.startswith("GITHUB_TOKEN None\nA b\n")


def test_skip_unless_env_sees_the_suites_variables(made: Shop) -> None:
    made.spec(("steps:", "skip_unless_env: [FLAG]\nsteps:"))
    suite(made, "suite: 1\nbefore_each: touch ran.txt\n")
    found = one(made, environment={**BARE, "FLAG": ""}).result
    assert (found.word, found.exit, found.summary) == (Word.UNVERIFIED, 2, "UNVERIFIED, skipped: FLAG is not set")
    assert not (made.flow.parent / "ran.txt").exists()
    suite(made, "suite: 1\nenv: {FLAG: 'yes'}\n")
    assert one(made).result.word is Word.PASS


# --- env_from --------------------------------------------------------------------------------------


def test_env_from_runs_once_in_the_suites_folder_and_sees_its_env(made: Shop) -> None:
    made.flow.with_name("second.flow.yaml").write_text(made.flow.read_text())
    suite(made, 'suite: 1\nenv: {BASE: here, LATER: "${MINTED}"}\nenv_from: echo x >> count; echo "MINTED=$BASE"\n')
    report = run(made, jobs=2)
    assert report.exit is Exit.OK, [each.result.summary for each in report.runs]
    assert (made.flow.parent / "count").read_text() == "x\n"
    says(made, "LATER")
    assert one_of(run(made)).result.agent.stderr.startswith("LATER here\n")


def one_of(report: SuiteReport) -> FlowRun:
    return report.runs[0]


def test_lines_are_read_as_they_are_printed(made: Shop) -> None:
    suite(made, 'suite: 1\nenv_from: "printf \'# a comment\\\\n\\\\n A=one = two\\\\r\\\\nB=\\"q\\"\\\\nC=\'"\n')
    says(made, "A", "B", "C")
    assert one(made).result.agent.stderr.split("\n")[:3] == ["A one = two", 'B "q"', "C "]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("exit 3", "env_from exited with 3"),
        ("echo A=b; exit 1", "env_from exited with 1"),
        ("kill -9 $$", "env_from exited with -9"),
        ("no-such-command-here", "env_from exited with 127: "),
        ("echo A=b; echo oops", "line 2 of what env_from printed is no KEY=VALUE"),
        ("echo =b", "line 1 of what"),
        ("echo 1A=b", "line 1 of what"),
        ("echo 'A B=c'", "line 1 of what"),
        ("echo 'export A=b'", "line 1 of what"),
        ("printf 'A=\\0b'", "line 1 of what"),
        ("printf 'A=\\377'", "not UTF-8"),
        ("yes A=b | head -c 1100000", "more than a list of variables"),
        ("sleep 20", "env_from did not end within its time"),
    ],
)
def test_env_from_that_fails_in_any_way_runs_no_flow(made: Shop, command: str, why: str) -> None:
    limit = 1 if "sleep" in command else 30
    suite(made, f"suite: 1\ntimeout: {limit}\nbefore_each: touch ran\nenv_from: {json.dumps(command)}\n")
    report = run(made)
    (found,) = report.runs
    assert (report.exit, found.result.word) == (Exit.NOT_JUDGED, Word.UNVERIFIED)
    assert why in found.result.summary
    assert not (made.flow.parent / "ran").exists()
    assert "oops" not in found.result.summary


def test_what_env_from_says_is_shown_without_what_it_prints(made: Shop) -> None:
    suite(made, "suite: 1\nenv_from: echo PASS_WORD=blue-horse-7; echo minted blue-horse-7 for eu >&2; exit $CODE\n")
    failed = one(made, environment={**BARE, "CODE": "4"}).result.summary
    assert "env_from exited with 4: minted [[redacted:variable:1]] for eu" in failed
    passed = one(made, environment={**BARE, "CODE": "0"}).result
    assert "env_from said: minted [[redacted:variable:1]] for eu" in passed.notes
    suite(made, "suite: 1\nenv_from: 'true'\n")
    assert any("it printed no variable" in note for note in one(made).result.notes)


FORMS = (render_text, render_json, render_junit, render_markdown, render_html)
MINTED = "suite: 1\nenv_from: echo MINTED=blue-horse-7\n"


@pytest.mark.parametrize("render", FORMS)
def test_what_env_from_prints_can_leak_and_is_in_no_report(made: Shop, render) -> None:
    suite(made, MINTED)
    made.spec(("- assert: reply contains refunded", "- assert_no_secret_leak: ${MINTED}"))
    made.agent(LEAKS)
    report = run(made)
    assert (report.exit, report.runs[0].result.word) == (Exit.FAILED, Word.FAIL)
    assert "MINTED is in the agent's output" in report.runs[0].result.summary
    assert "blue-horse-7" in report.runs[0].result.reply.text
    written = render(report_of(report))
    assert "MINTED is in" in written
    assert "blue-horse-7" not in written


def test_a_secret_that_a_flow_names_is_in_no_report_either(made: Shop) -> None:
    made.spec(("- assert: reply contains refunded", "- assert_no_secret_leak: ${MINTED}"))
    made.agent(("print(reply", "print(os.environ['MINTED'].encode().hex())\nprint(reply"))
    report = run(made, environment={**BARE, "MINTED": "blue-horse-7"}, keep=True)
    assert report.exit is Exit.FAILED
    written = render_json(report_of(report)) + report.runs[0].kept.read_text()
    assert "blue-horse-7" not in written
    assert b"blue-horse-7".hex() not in written


def test_a_kept_trace_does_not_hold_what_env_from_printed(made: Shop) -> None:
    suite(made, MINTED)
    made.agent(LEAKS)
    kept = one(made, keep=True).kept
    assert "refunded" in kept.read_text()
    assert "blue-horse-7" not in kept.read_text()


@pytest.mark.parametrize("value", ["timeout", "assistant", "UNVERIFIED", "summary", "runwright.run-report", "stdout"])
def test_a_value_that_is_a_word_of_the_formats_breaks_no_report(made: Shop, value: str) -> None:
    suite(made, f"suite: 1\nenv_from: echo MINTED={value}\n")
    report = run(made, keep=True)
    assert report.exit is Exit.OK
    for render in FORMS:
        render(report_of(report))


# --- before and after ------------------------------------------------------------------------------


def test_commands_run_around_each_flow_in_the_suites_folder(made: Shop) -> None:
    made.flow.with_name("a.flow.yaml").write_text(made.flow.read_text())
    suite(
        made,
        'suite: 1\nbefore_each: echo "before $FLOWPROOF_SPEC" >> log; test "$FLOWPROOF_SPEC" = "$RUNWRIGHT_FLOW"\n'
        'after_each: echo "after $(basename $RUNWRIGHT_FLOW)" >> log\n',
    )
    assert run(made).exit is Exit.OK
    first, second = made.flow.with_name("a.flow.yaml"), made.flow
    log = (made.flow.parent / "log").read_text().splitlines()
    assert log == [f"before {first}", "after a.flow.yaml", f"before {second}", f"after {second.name}"]


def test_a_flow_that_is_run_by_itself_is_governed_too(made: Shop) -> None:
    suite(made, "suite: 1\nbefore_each: exit 9\n")
    result = run_flow(made.flow, RunOptions(environment=BARE, timeout=30))
    assert (result.word, result.exit) == (Word.UNVERIFIED, 2)
    assert run_suite([made.flow], RunOptions(environment=BARE)).exit is Exit.NOT_JUDGED


def test_the_agent_does_not_run_where_before_each_failed_and_after_each_does(made: Shop) -> None:
    suite(made, "suite: 1\nbefore_each: echo no database >&2; exit 4\nafter_each: touch cleaned\n")
    made.agent(("print(reply", "open('ran', 'w')\nprint(reply"))
    found = one(made).result
    assert (found.word, found.exit) == (Word.UNVERIFIED, 2)
    assert found.summary.endswith("suite.yaml: $.before_each: before_each exited with 4: no database")
    assert not (made.root / "ran").exists()
    assert (made.flow.parent / "cleaned").exists()


@pytest.mark.parametrize(("change", "verdict"), [((), "PASS"), ((("times: 1", "times: 2"),), "FAIL, ")])
def test_after_each_that_fails_unmakes_the_verdict_and_shows_it(made: Shop, change, verdict: str) -> None:
    made.spec(*change)
    suite(made, "suite: 1\nafter_each: echo rows left >&2; exit 1\n")
    report = run(made)
    (found,) = report.runs
    assert (report.exit, found.result.word, found.result.exit) == (Exit.NOT_JUDGED, Word.UNVERIFIED, 2)
    assert "after_each exited with 1: rows left; the verdict was: " + verdict in found.result.summary
    assert [each.state for each in found.result.judgements]
    assert '<error type="UNVERIFIED"' in render_junit(report_of(report))


def test_after_each_runs_whatever_became_of_the_flow(made: Shop) -> None:
    suite(made, "suite: 1\nafter_each: touch cleaned\n")
    cleaned = made.flow.parent / "cleaned"
    made.cassette.unlink()
    assert one(made).result.word is Word.UNVERIFIED
    assert cleaned.exists()


def test_commands_have_a_time_limit_and_end_with_what_they_started(made: Shop) -> None:
    suite(made, "suite: 1\ntimeout: 0.5\nbefore_each: sleep 30 & echo $! > pid; wait\n")
    begun = time.monotonic()
    found = one(made).result
    assert (found.word, time.monotonic() - begun < 15) == (Word.UNVERIFIED, True)
    assert "before_each did not end within its time" in found.summary
    assert not _alive(int((made.flow.parent / "pid").read_text()))


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_server_that_before_each_starts_lives_on_and_holds_nothing_up(made: Shop) -> None:
    suite(made, "suite: 1\nbefore_each: sleep 30 & echo $! > pid\nafter_each: kill $(cat pid)\n")
    begun = time.monotonic()
    found = one(made).result
    assert (found.word, time.monotonic() - begun < 15) == (Word.PASS, True), found.summary


def test_an_interruption_ends_before_each_and_still_runs_after_each(made: Shop) -> None:
    suite(made, "suite: 1\nbefore_each: touch begun; sleep 30\nafter_each: touch cleaned\n")
    stop = threading.Event()
    threading.Thread(target=lambda: (_appears(made.flow.parent / "begun"), stop.set()), daemon=True).start()
    report = run(made, stop=stop)
    assert (report.exit, report.interrupted) == (Exit.INTERRUPTED, True)
    assert "before_each was interrupted" in report.runs[0].result.summary
    assert (made.flow.parent / "cleaned").exists()


def _appears(path: Path) -> None:
    for _ in range(400):
        if path.exists():
            return
        time.sleep(0.05)


@pytest.mark.parametrize(
    "text", ["befor_each: x\n", "suite: 1\nenv_from: 'false'\n", 'suite: 1\nenv: {A: "${GONE}"}\n']
)
def test_a_flow_that_its_suite_file_kept_from_running_still_has_its_control(made: Shop, text: str) -> None:
    made.spec(("steps:", "control: {id: one-refund}\nsteps:"), ("tools: real}", 'tools: real, env: {X: "${A}"}}'))
    suite(made, text)
    found = one(made)
    assert (found.result.name, found.result.control.id, found.result.exit) == ("the refund is paid", "one-refund", 2)
    assert len(found.assertions) == 2


def test_a_wrong_suite_file_refuses_each_of_its_flows_and_no_other(made: Shop) -> None:
    other = made.root / "flows" / "deep" / "other.flow.yaml"
    other.parent.mkdir()
    other.write_text(made.flow.read_text().replace("../cassettes", "../../cassettes"))
    (other.parent / "suite.yaml").write_text("befor_each: x\n")
    report = run(made)
    assert [each.result.word for each in report.runs] == [Word.INVALID, Word.PASS]
    assert "unknown key 'befor_each'" in report.runs[0].result.summary
    assert report.exit is Exit.NOT_JUDGED


# --- order -----------------------------------------------------------------------------------------


def names(report: SuiteReport) -> list[str]:
    return [each.result.path.name.removesuffix(".flow.yaml") for each in report.runs]


@pytest.fixture
def many(made: Shop) -> Shop:
    for name in "abc":
        made.flow.with_name(f"{name}.flow.yaml").write_text(made.flow.read_text())
    return made


def test_flows_that_order_names_come_first(many: Shop) -> None:
    assert names(run(many)) == ["a", "b", "c", "refund"]
    suite(many, "suite: 1\norder: [refund.flow.yaml, b.flow.yaml]\n")
    assert names(run(many)) == ["refund", "b", "a", "c"]
    assert names(run(many, jobs=3)) == ["refund", "b", "a", "c"]
    named = run_suite([many.flow.with_name(f"{each}.flow.yaml") for each in "ab"], RunOptions(environment=BARE))
    assert names(named) == ["b", "a"]


def test_an_order_that_names_nothing_runs_nothing(many: Shop) -> None:
    suite(many, "suite: 1\norder: [gone.flow.yaml]\n")
    assert {each.result.word for each in run(many).runs} == {Word.INVALID}


def test_flows_not_listed_run_only_where_named_and_are_told(many: Shop) -> None:
    suite(many, "flows: [c.flow.yaml, a.flow.yaml]\n")
    report = run(many)
    assert names(report) == ["c", "a"]
    assert "run only where named: b.flow.yaml, refund.flow.yaml" in report.runs[0].result.notes[-1]
    assert names(run_suite([many.flow.with_name("b.flow.yaml")], RunOptions(environment=BARE))) == ["b"]


# --- whoever else reads a flow ---------------------------------------------------------------------


def test_a_proof_sees_the_suites_variables_and_runs_no_command_around_the_flow(made: Shop) -> None:
    suite(made, "suite: 1\nenv: {REGION: eu}\nbefore_each: touch ran\n")
    made.spec(
        ("tools: real}", 'tools: real, env: {SEEN: "${REGION}"}}'), ("steps:", "skip_unless_env: [REGION]\nsteps:")
    )
    report = prove_flow(made.flow, ProveOptions(run=RunOptions(environment=BARE), limit=3))
    assert report.unmutated.word is Word.PASS, report.unmutated.summary
    assert not (made.flow.parent / "ran").exists()
    suite(made, "suite: 1\nenv: {REGION: ''}\n")
    assert prove_flow(made.flow, ProveOptions(run=RunOptions(environment=BARE))).unmutated.word is Word.UNVERIFIED


@pytest.mark.parametrize("skip", ["", "skip_unless_env: [ABSENT]\n"])
def test_a_proof_does_not_show_what_env_from_printed(made: Shop, skip: str) -> None:
    suite(made, MINTED)
    made.spec(("name: the refund is paid", f"{skip}name: paid for blue-horse-7"))
    proof = prove_flow(made.flow, ProveOptions(run=RunOptions(environment=BARE), limit=3))
    report = proof_report_of(proof)
    assert "paid for [[redacted:" in report.name
    assert "blue-horse-7" not in render_proof_json(report) + render_proof_text(report)


def test_the_options_of_a_flow_without_a_suite_are_the_callers(made: Shop) -> None:
    options = RunOptions(environment=BARE)
    assert Suites(options).options_for(made.flow) is options
    suite(made, "suite: 1\nenv: {REGION: eu}\n")
    seen = Suites(options).options_for(made.flow)
    assert (seen.environment["REGION"], seen.passed) == ("eu", ("REGION",))
