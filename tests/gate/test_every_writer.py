"""Every place that writes a file or prints, and what keeps a secret out of it.

The list is held against the code: a new writer that is not in it is red. A place is either reached by a scenario with
secrets planted in everything that it is given, of which nothing may come out; or it says why no secret can be in what
it writes.
"""

from __future__ import annotations

import ast
import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

import runwright
from runwright.cli.app import main
from runwright.cli.commands import COMMANDS
from runwright.errors import ReplayFailed
from runwright.pytest_plugin.verdict import Verdict
from runwright.run import replay_in_process
from runwright.trace import dumps_trace, read_trace
from runwright.trace.model import Header, Loss, Message, ModelRecord, ModelRequest, ModelResponse, TextBlock, Trace
from tests.gate.sinks import cuts, sink, sinks
from tests.secrets.planted import NAMED, TYPED

PACKAGE = Path(runwright.__file__).parent
KEY, OTHER = TYPED["github classic"][1], TYPED["gitlab"][1]
PASSWORD = NAMED["DB_PASSWORD"][1]
PLAIN = "orange-elephant-house"
"""A secret that no rule knows: only the environment variable that holds it says that it is one."""

PLANTED = (KEY, OTHER, PASSWORD, PLAIN)
PARTS = tuple(secret[at : at + 8] for secret in PLANTED for at in range(6, len(secret) - 7)) or PLANTED

Scenario = Callable[["Project"], None]


class Project:
    """A scratch project, and everything that was said and written in it."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capture = folder, capture
        self.said = ""

    def run(self, *words: str, status: int = 0) -> str:
        """Run a command; what it printed."""
        done = main(list(words))
        out, err = self._capture.readouterr()
        self.said += out + err
        assert done == status, f"{words}: exit {done}\n{out}{err}"
        return out

    def plant(self, name: str, data: str | bytes) -> Path:
        """A file that holds secrets from the start."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path


# --- what the secrets are planted in -------------------------------------------------------------


def wire(number: int = 1, extra: str = "") -> str:
    """A line of a model log: secrets in the prompt, a tool's result, the reply that repeats them, an unknown field."""
    call = {"id": f"call_{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": f"Hello, use {KEY} for order {number}.{extra}"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call_{number}", "content": json.dumps({"run_id": 1, "password": PASSWORD})},
    ]
    answer = {"role": "assistant", "content": f"{'I looked it up for you. ' * 3}{OTHER} and {PASSWORD} are it."}
    body = {
        "id": f"c{number}",
        "model": "gpt-4o",
        "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}],
    }
    line = {"request": {"model": "gpt-4o", "messages": messages}, "response": body, f"field-{OTHER}": KEY}
    return json.dumps(line) + "\n"


def trace(*texts: str, kind: str = "run") -> Trace:
    """A trace that nothing redacted: such files exist."""
    records = tuple(
        ModelRecord(
            id=f"m{n}",
            request=ModelRequest(
                api="openai.chat_completions",
                model="gpt-4o",
                messages=(Message(role="user", content=(TextBlock(text=f"{text} with {KEY}, password={PASSWORD}"),)),),
            ),
            response=ModelResponse(content=(TextBlock(text=f"{'so it is. ' * 9}{OTHER}"),), stop_reason="end_turn"),
            streamed=False,
            fidelity="raw",
        )
        for n, text in enumerate(texts, 1)
    )
    loss = Loss(kind="dropped", detail=f"a field {KEY}", where=f"log.jsonl:{OTHER}")
    header = Header(kind=kind, trace_id="t", started_at="2026-01-01T00:00:00Z", duration=1.0, losses=(loss,))
    return Trace(header=header, records=records)


FLOW = """
flow: 1
name: look
app: agent
agent: {{command: {python} agent.py, tools: real}}
cassette: look.cassette.jsonl
steps:
  - prompt: Hello.
  - assert: reply contains nothing of the kind
  - assert_no_secret_leak: [ORDER_TOKEN]
"""
# what differs is shown up to 100 characters on: that is in the middle of the secret that only the environment names
AGENT = f"""
import json, os, sys, urllib.error, urllib.request
words = "so it is " * 19 + "z" + " y" * 40 + " {PLAIN} and so on", "use {KEY} and DB_PASSWORD={PASSWORD}"
body = {{"model": "gpt-4o", "messages": [{{"role": "user", "content": each}} for each in words]}}
url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
request = urllib.request.Request(url, json.dumps(body).encode(), {{"Content-Type": "application/json"}})
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    print("refused:", error.read().decode())
print("x" * 20000, file=sys.stderr)
print("token={OTHER}", file=sys.stderr)
print("I saw {KEY}, {PLAIN}.")
print({PLAIN!r}, file=sys.stderr)
sys.exit(3)
"""

# --- the scenarios -------------------------------------------------------------------------------


def importing(project: Project) -> None:
    log = str(project.plant("planted/log.jsonl", wire()))
    project.plant("planted/more/a.jsonl", wire(2))
    project.plant("planted/more/b.jsonl", "{}")
    project.run("import", log, status=1)
    project.run("import", log, "-o", "t.jsonl", status=1)
    assert not Path("t.jsonl").exists()
    project.run("import", log, "--redact")
    project.run("import", log, "-o", "t.jsonl", "--redact", "--json")
    project.run("import", "planted/more", "-o", "many", "--json", status=2)
    project.run("import", "planted/more/a.jsonl", "-o", "many", "--redact", "--json")


def converting(project: Project) -> None:
    log = str(project.plant("planted/log.jsonl", wire()))
    words = ("convert", log, "--out", "flows/look", "--agent", "python agent.py", "--tools", "real")
    project.plant("cassettes/broken.cassette.jsonl", f'{{"format": "{KEY}"}}')
    project.run(*words, status=1)
    assert not Path("flows").exists()
    project.run(*words, "--redact")
    project.run("review")
    project.run("review", "--list")
    project.run("review", "--json")
    flow = Path("flows/look.flow.yaml.new")
    whole = flow.read_text()
    flow.write_text(f"{whole}# DB_PASSWORD={PASSWORD}\n")
    project.run("review", "--json")
    project.run("review")
    project.run("review", "--accept", "look", status=1)
    flow.write_text(whole)
    project.run("review", "--accept", "look")
    project.run(
        *words[:2], "--out", "flows/look", "--agent", "python other.py", "--tools", "real", "--redact", "--json"
    )
    project.run("review", "--reject", "look")


def reviewing_at_a_terminal(project: Project) -> None:
    from runwright.cli.output import say
    from runwright.review import review_interactively

    converting(project)
    log = str(project.plant("planted/log.jsonl", wire(3)))
    project.run("convert", log, "--out", "flows/look", "--agent", "python agent.py", "--tools", "real", "--redact")
    flow = Path("flows/look.flow.yaml.new")
    flow.write_text(f"{flow.read_text()}# DB_PASSWORD={PASSWORD}\n")
    answers = iter(["?", f"what is {KEY}", "a", "r"])
    review_interactively(project.folder, lambda _: next(answers), say)
    project.run("review", "--list")


def running(project: Project) -> None:
    project.plant("agent.py", AGENT)
    project.plant("flows/look.flow.yaml", FLOW.format(python=sys.executable))
    project.plant("flows/look.cassette.jsonl", dumps_trace(trace("so it is " * 19, kind="cassette")))
    reports = ("--junit", "r.xml", "--html", "r.html", "--markdown", "r.md")
    project.run("run", "flows", "--json", "--keep", *reports, status=1)
    [kept] = Path(".runwright/runs").iterdir()
    assert read_trace(kept).models


def auditing(project: Project) -> None:
    project.plant("flows/look.flow.yaml", FLOW.format(python="no-such-program"))
    project.plant("flows/look.cassette.jsonl", dumps_trace(trace("Hello.", kind="cassette")))
    report = json.loads(project.run("run", "flows", "--json", status=2))
    report["flows"][0]["summary"] = f"UNVERIFIED, {KEY} and password={PASSWORD}"
    report["problems"] = [{"message": f"at {OTHER}", "place": "x", "hint": f"password={PASSWORD}"}]
    project.plant("planted/report.json", json.dumps(report))
    project.run("audit", "--report", "planted/report.json", status=2)
    project.run("audit", "--report", "planted/report.json", "--since", "planted/report.json", "--json", status=2)


def proving(project: Project) -> None:
    project.plant(
        "flows/look.flow.yaml",
        FLOW.format(python="python").split("  - assert:")[0],
    )
    project.plant("flows/look.cassette.jsonl", dumps_trace(trace("Hello.", kind="cassette")))
    for words in ([], ["--json"]):
        main(["prove", "flows/look.flow.yaml", *words])
        project.run("formats", *words)


def comparing(project: Project) -> None:
    project.plant("planted/a.jsonl", dumps_trace(trace("Hello.", "Bye.")))
    project.plant("planted/b.jsonl", dumps_trace(trace("Hallo.", "Bye.", "So.")))
    for words in ([], ["--json"], ["--markdown"], ["--stat"]):
        project.run("diff", "planted/a.jsonl", "planted/b.jsonl", *words, status=1)
    project.plant("planted/c.jsonl", dumps_trace(trace("Hello.", "Bye."))[:-30])
    project.run("diff", "planted/a.jsonl", "planted/c.jsonl", status=2)
    project.plant("planted/d.jsonl", wire().replace('{"request"', f'{OTHER} {{"request"'))
    for new in ("b", "c", "d"):
        project.run("git-diff", f"{KEY}.jsonl", "planted/a.jsonl", "1", "100644", f"planted/{new}.jsonl", "2", "100755")
        project.run("git-diff", "--textconv", f"planted/{new}.jsonl")
    renamed = f"{OTHER}.jsonl", f"rename from {KEY}.jsonl\nrename to {OTHER}.jsonl\n"
    project.run("git-diff", "x", "planted/a.jsonl", "1", "100644", "planted/b.jsonl", "2", "100644", *renamed)
    project.run("git-diff", f"{KEY}.jsonl")


def surveying(project: Project) -> None:
    odd = wire().replace("gpt-4o", f"gpt-{KEY}").replace('"look"', f'"look_{OTHER}"')
    project.plant("planted/one/log.jsonl", wire())
    project.plant("planted/other/log.jsonl", odd)
    project.plant("planted/other/broken.jsonl", f'{{"format": "{KEY}"}}')
    for words in ([], ["--json"]):
        main(["dedup", "planted", *words])
        main(["drift", "planted/one", "planted/other", *words])
        main(["coverage", "planted", "--html", "c.html", *words])


def fingerprinting(project: Project) -> None:
    project.plant("planted/a.jsonl", dumps_trace(trace("Hello.")))
    odd = wire().replace("gpt-4o", f"gpt-{KEY}").replace('"look"', f'"look_{OTHER}"')
    project.plant("planted/odd.jsonl", odd)
    for words in ([], ["--json"], ["--against", "planted/a.jsonl"], ["--against", "planted/a.jsonl", "--json"]):
        main(["fingerprint", "planted/odd.jsonl", *words])
    project.run("fingerprint", "planted/odd.jsonl", "--out", "f.json", status=1)
    assert not Path("f.json").exists()
    project.run("fingerprint", "planted/a.jsonl", "--out", "f.json")
    for words in ([], ["--json"]):
        project.run("fingerprint", "planted/a.jsonl", *words)


def looking(project: Project) -> None:
    whole = dumps_trace(trace("Hello."))
    project.plant("planted/a.jsonl", whole)
    project.plant("planted/odd.jsonl", whole.replace(b'"streamed":false', f'"streamed":"{"x " * 145}{KEY}"'.encode()))
    project.plant("planted/told.jsonl", whole.replace(b'"streamed":false', f'"streamed":"{KEY}"'.encode()))
    for words in ([], ["--json"]):
        project.run("view", "planted/a.jsonl", *words)
        project.run("validate", "planted/odd.jsonl", *words, status=2)
        project.run("validate", "planted/told.jsonl", *words, status=2)
        project.run("scan", "planted", "--sarif", "s.sarif", *words, status=2)
    project.run("view", str(project.plant("planted/log.jsonl", wire(extra=" So it is." * 4))))


def observing(project: Project) -> None:
    """What a command wrote, how it was called, and what it called its files."""
    script = (
        f"echo 'token {KEY}' >planted/{OTHER}; echo password={PASSWORD} >planted/.env; mv planted/a 'planted/{KEY}'"
    )
    for words in ([], ["--diff", "--outside"], ["--json", "--outside"], ["-o", "observed.jsonl"]):
        project.plant("planted/a", f"key {KEY}")
        project.run("observe", *words, "--", "sh", "-c", script)


def keeping(project: Project) -> None:
    whole = dumps_trace(trace("Hello."))
    planted = project.plant("planted/a.jsonl", whole)
    project.run("redact", "planted/a.jsonl")
    project.run("redact", "planted/a.jsonl", "-o", "r.jsonl", "--json")
    project.run("export", "planted/a.jsonl", "--to", "har", "-o", "a.har", status=1)
    assert not Path("a.har").exists()
    for form in ("vcr", "har", "otlp", "atif"):
        project.run("export", "planted/a.jsonl", "--to", form, "-o", f"a.{form}", "--redact", "--json")
    planted.write_bytes(whole.replace(b"Hello.", b"Hallo."))
    project.run("seal", "planted/a.jsonl", status=1)
    assert planted.read_bytes() == whole.replace(b"Hello.", b"Hallo.")
    shutil.copy(planted, "sealed.jsonl")
    project.run("seal", "sealed.jsonl", "--redact")
    project.run("seal", "sealed.jsonl", "--json")


def failing(project: Project) -> None:
    project.run("view", f"{KEY}.jsonl", status=2)
    project.run("import", str(project.plant("planted/x.json", f'{{"k": "{KEY}"}}')), "--format", OTHER, status=2)
    project.run("view", "x", f"--password={PASSWORD}", status=2)
    project.run("scan", f"planted/{KEY}*", status=2)


def breaking(project: Project) -> None:
    def broken() -> int:
        raise RuntimeError(f"at {KEY} with password={PASSWORD}")

    before = COMMANDS["formats"]
    COMMANDS["formats"] = broken
    try:
        project.run("formats", status=2)
    finally:
        COMMANDS["formats"] = before
    assert "Traceback" in project.said


def serving(project: Project) -> None:
    """What pytest is told: by a cassette served to code under test, and by the plugin's verdict."""
    import urllib.error
    import urllib.request

    cassette = project.plant("planted/a.cassette.jsonl", dumps_trace(trace("so it is " * 19, kind="cassette")))
    replay = replay_in_process(cassette)
    body = {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": f"{'so it is ' * 20}{KEY} password={PASSWORD}"}],
    }
    request = urllib.request.Request(
        f"{replay.base_url}/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    project.said += refused.value.read().decode()
    with pytest.raises(ReplayFailed) as failed:
        replay.close()
    project.said += str(failed.value)
    project.said += str(Verdict(f"INVALID, {KEY}\npassword={PASSWORD}"))


# --- the list ------------------------------------------------------------------------------------

PASSED_ON = "hands on what its callers, all listed here, give it"
IN_MEMORY = "makes text in memory; whoever writes it is listed here"
CERTIFICATES = "certificates, which are public"
READ = "the log of the watching process, read"
AS_IT_CAME = "what a command says to where its flow lets it, and is answered: no file, and not ours to change"
OWN_WORDS = "a word or a number of our own"
COPIED = "a copy of a database in a folder that nobody else may look into, which goes with the run"

WRITERS: dict[str, Scenario | str] = {
    "cli/app.py main print": OWN_WORDS,
    "cli/app.py _run print": OWN_WORDS,
    "cli/app.py _run say_error": failing,
    "cli/app.py _told sys.stderr.write": breaking,
    "cli/audit.py audit say_report": auditing,
    "cli/convert.py convert say": converting,
    "cli/convert.py convert say_json": converting,
    "cli/coverage.py coverage say_report": surveying,
    "cli/coverage.py coverage write_file": surveying,
    "cli/dedup.py dedup say": surveying,
    "cli/dedup.py dedup say_error": surveying,
    "cli/dedup.py dedup say_json": surveying,
    "cli/diff.py diff say_note": comparing,
    "cli/diff.py diff say_report": comparing,
    "cli/drift.py drift say_report": surveying,
    "cli/export.py export say_json": keeping,
    "cli/export.py export say_note": keeping,
    "cli/export.py export write_file": keeping,
    "cli/fingerprint.py fingerprint say": fingerprinting,
    "cli/fingerprint.py fingerprint say_json": fingerprinting,
    "cli/fingerprint.py fingerprint write_file": fingerprinting,
    "cli/formats.py formats say": proving,
    "cli/formats.py formats say_json": proving,
    "cli/git_diff.py git_diff say_report": comparing,
    "cli/import_.py import_ say_json": importing,
    "cli/importing.py _written write_file": importing,
    "cli/importing.py import_many say_error": importing,
    "cli/importing.py import_many say_note": importing,
    "cli/importing.py import_one say_note": importing,
    "cli/importing.py import_one say_trace": importing,
    "cli/importing.py import_one write_file": importing,
    "cli/observe.py observe say_report": observing,
    "cli/observe.py observe write_file": observing,
    "cli/output.py say print": looking,
    "cli/output.py say_error print": failing,
    "cli/output.py say_json sys.stdout.write": looking,
    "cli/output.py say_note print": looking,
    "cli/output.py say_report print": comparing,
    "cli/output.py say_trace sys.stdout.buffer.write": keeping,
    "cli/output.py write_file path.write_bytes": keeping,
    "cli/prove.py prove say_report": proving,
    "cli/quick.py _fingerprint sys.stdout.write": fingerprinting,
    "cli/redact.py redact replace_bytes": keeping,
    "cli/redact.py redact say_json": keeping,
    "cli/redact.py redact say_note": keeping,
    "cli/redact.py redact say_trace": keeping,
    "cli/review.py _ask say": converting,
    "cli/review.py review say": converting,
    "cli/review.py review say_json": converting,
    "cli/run.py run say_report": running,
    "cli/run.py run write_file": running,
    "cli/scan.py scan say_json": looking,
    "cli/scan.py scan say_note": looking,
    "cli/scan.py scan say_report": looking,
    "cli/scan.py scan write_file": looking,
    "cli/seal.py seal replace_bytes": keeping,
    "cli/seal.py seal say": keeping,
    "cli/seal.py seal say_json": keeping,
    "cli/validate.py validate say": looking,
    "cli/validate.py validate say_json": looking,
    "cli/validate.py validate say_note": looking,
    "cli/view.py view say": looking,
    "cli/view.py view say_json": looking,
    "convert/readable.py _yaml yaml.dump": IN_MEMORY,
    "convert/write.py _replaced half.open": converting,
    "convert/write.py _replaced stream.write": converting,
    "convert/write.py write_proposal replace_bytes": converting,
    "pytest_plugin/cassettes.py Cassettes._note self._item.add_report_section": "the JSONPaths of a cassette's fields",
    "pytest_plugin/flows.py FlowItem._note self.add_report_section": "lines of the report that `running` is about",
    "readers/parts.py _lines expanded.write": "a compressed file, expanded for its reader alone; it has no name",
    "record/command.py observe watch.supervised.log": READ,
    "record/database/copies.py _copy_file open": COPIED,
    "record/database/copies.py _copy_file target.write": COPIED,
    "record/http/injected/_runwright_http/channel.py tell os.write": "a pipe: what comes of it passes the gate",
    "record/http/proxied/addon.py Telling.running os.write": OWN_WORDS,
    "record/http/proxy.py Proxy._start (self._folder / 'trusted.pem').write_bytes": CERTIFICATES,
    "record/http/proxy.py Proxy._start trusted.write_bytes": CERTIFICATES,
    "record/observe/supervised.py watched supervised.log": READ,
    "record/observe/watching/network/bridge.py Datagrams._out outside.send": AS_IT_CAME,
    "record/observe/watching/network/bridge.py Pair._write self._ends[side].send": AS_IT_CAME,
    "record/observe/watching/journal.py Journal.flush os.write": "a file without a name, read by the one that made it",
    "record/observe/watching/namespaces.py _say open": "a setting of the process in /proc",
    "record/observe/watching/namespaces.py _say stream.write": OWN_WORDS,
    "record/observe/watching/namespaces.py cannot_enter os.write": OWN_WORDS,
    "record/observe/watching/network/names.py Asking._step self._connection.send": "addresses of allowed names",
    "record/observe/watching/network/netlink.py hold asked.send": "a question to the kernel",
    "record/observe/watching/network/netlink.py unix_sockets asked.send": "a question to the kernel",
    "record/observe/watching/start.py _behind told.send": OWN_WORDS,
    "record/observe/watching/start.py _hand_over os.write": OWN_WORDS,
    "record/observe/watching/start.py filtered ours.send": OWN_WORDS,
    "record/observe/watching/start.py start.become os.write": OWN_WORDS,
    "record/observe/watching/supervisor.py main os.write": OWN_WORDS,
    "record/watch.py Watch.seen self.supervised.log": READ,
    "record/watch.py Watch.unable self.supervised.log": READ,
    "replay/server.py _send send": serving,
    "review/accept.py _swap replace_bytes": converting,
    "review/propose.py propose say": converting,
    "review/terminal.py _decide say": reviewing_at_a_terminal,
    "review/terminal.py review_interactively say": reviewing_at_a_terminal,
    "run/agent.py _say stdin.write": "the flow's own prompt, given to its agent and to nobody else",
    "run/keep.py keep_trace path.write_bytes": running,
    "run/supervise.py _become os.write": OWN_WORDS,
    "run/supervise.py main os.write": OWN_WORDS,
    "spec/child.py main Path(file).write_text": "an answer in a temporary folder, which the process that asked removes",
    "spec/code.py _written ast.dump": IN_MEMORY,
    "trace/check.py seal_trace half.open": keeping,
    "trace/check.py seal_trace packed.write": keeping,
    "trace/jsonl.py TraceWriter._line self._stream.write": PASSED_ON,
    "writers/atif/write.py _exchange thread.steps.say": IN_MEMORY,
    "writers/foreign.py write_foreign writer.write": IN_MEMORY,
    "writers/vcr.py write_vcr yaml.dump": IN_MEMORY,
}
TIMES = {
    "cli/convert.py convert say": 2,
    "cli/diff.py diff say_report": 3,
    "cli/fingerprint.py fingerprint say": 2,
    "cli/fingerprint.py fingerprint say_json": 2,
    "cli/git_diff.py git_diff say_report": 3,
    "cli/output.py say_error print": 2,
    "cli/redact.py redact say_note": 2,
    "cli/review.py _ask say": 2,
    "replay/server.py _send send": 2,
    "review/accept.py _swap replace_bytes": 4,
    "review/terminal.py _decide say": 3,
    "trace/check.py seal_trace packed.write": 2,
}


def test_the_list_is_the_code() -> None:
    """A writer that is not listed has not been thought of; one that is gone would leave its place to the next one."""
    found = Counter(sinks(PACKAGE))
    assert found == {place: TIMES.get(place, 1) for place in WRITERS}


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("print(x)", True),
        ("path.write_text(x)", True),
        ("Path(a).open('w')", True),
        ("open(a, mode='ab')", True),
        ("sys.stdout.write(x)", True),
        ("sys.stderr.buffer.write(x)", True),
        ("json.dump(x, f)", True),
        ("console.print(x)", True),
        ("typer.echo(x)", True),
        ("logging.exception(x)", True),
        ("output.say_json(x)", True),
        ("path.open('rb')", False),
        ("path.read_text()", False),
        ("json.dumps(x)", False),
    ],
)
def test_what_is_a_writer(line: str, is_one: bool) -> None:
    [call] = [each for each in ast.walk(ast.parse(line)) if isinstance(each, ast.Call)][:1]
    assert (sink(call) is not None) is is_one


CUT_IN_MESSAGES = {
    "match/difference.py text[start:end]": "`replay/explain.py` puts a part of the clean text in its place",
    "match/matcher.py ids[:5]": "a list",
    "match/order.py models[:SHOWN]": "a list",
    "readers/exact.py digits[:40]": "a number of hundreds of digits",
    "readers/foreign.py ids[:LISTED]": "a list",
    "readers/otlp/collect.py sorted(calls)[:12]": "a list",
    "readers/spans/assemble.py lost[:12]": "a list",
    "replay/explain.py text[:size - 1]": "clean before",
    "reports/diff/markdown.py line[:LINE]": "of a report that is redacted",
    "reports/diff/markdown.py name[:200]": "of a report that is redacted",
    "reports/diff/markdown.py trace_id[:100]": "of a report that is redacted",
    "reports/diff/window.py text[start:end]": "of a report that is redacted",
    "reports/text.py line[:200]": "of a report that is redacted",
    "reports/view.py answered[-3:]": "a list",
    "reports/view.py record.digest[:19]": "of a digest",
    "run/keep.py live.header.trace_id[:8]": "of an id that was made here",
    "run/suite_environment.py said[-STDERR_SHOWN:]": "clean before",
    "trace/exact.py found[0][:40]": "a number of very many digits",
}
WHOLE = (
    "fingerprint/",
    "flow/rust_regex.py",
    "readers/again.py",
    "readers/codex/patch.py",
    "readers/langsmith/run.py",
    "secrets/",
    "trace/canonical.py",
    "trace/paths.py",
)
"""What takes texts apart and puts all of them together again, or holds no words."""


def test_messages_are_cut_by_what_cleans_them() -> None:
    """Part of a secret is not recognised as one: a message is made shorter by `shortened`, and by nothing else."""
    found = {each for each in cuts(PACKAGE) if not each.startswith(WHOLE)}
    assert found == set(CUT_IN_MESSAGES)


@contextmanager
def entered(package: Path) -> Iterator[set[str]]:
    """The functions of the package that are entered, as `file function`."""
    seen: set[str] = set()
    lead = f"{package}/"

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(lead):
            seen.add(f"{code.co_filename.removeprefix(lead)} {code.co_qualname.replace('.<locals>', '')}")

    import threading

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]  # typeshed does not know that this ends it


def told(text: str) -> list[str]:
    """What of a planted secret is in a text, a part of one included."""
    return [part for part in (*PLANTED, *PARTS) if part in text]


SCENARIOS = sorted({each for each in WRITERS.values() if callable(each)}, key=lambda each: each.__name__)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.__name__)
def test_nothing_of_a_planted_secret_comes_out(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("ORDER_TOKEN", PLAIN)
    (tmp_path / "pyproject.toml").touch()
    project = Project(tmp_path, capsys)
    with entered(PACKAGE) as seen:
        scenario(project)
    out, err = capsys.readouterr()
    assert told(project.said + out + err) == []
    planted = {"planted", "flows/look.cassette.jsonl", "agent.py", "cassettes/broken.cassette.jsonl"}
    for path in (each for each in tmp_path.rglob("*") if each.is_file()):
        name = path.relative_to(tmp_path).as_posix()
        if not any(name == each or name.startswith(f"{each}/") for each in planted):
            assert told(path.read_text()) == [], name
    missing = {place.rsplit(" ", 1)[0] for place, how in WRITERS.items() if how is scenario} - seen
    assert not missing, "this scenario does not reach them"
