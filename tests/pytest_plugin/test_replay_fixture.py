"""`runwright_replay`: a cassette served to code under test, red whatever that code makes of a refusal."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from runwright.trace import dumps_trace
from tests.pytest_plugin.runs import AGENT, INSTALLED, SWITCHED_OFF, run, write_cassette
from tests.replay.cassettes import body, cassette, exchange, reply

GREEN = """
import asyncio, os
from concurrent.futures import ThreadPoolExecutor
import anyio, openai, pytest
from agent import ask, careless

CASSETTE = "cassettes/two.cassette.jsonl"
ROOTED = "elsewhere/two.cassette.jsonl"
BEFORE = {**os.environ, "PYTEST_CURRENT_TEST": ""}

@pytest.fixture(autouse=True)
def put_back():
    yield
    assert {**os.environ, "PYTEST_CURRENT_TEST": ""} == BEFORE

def test_block(runwright_replay):
    with runwright_replay(CASSETTE) as replay:
        assert (ask("hello"), ask("bye")) == ("Hi.", "Bye.")
    assert [each.request.model for each in replay.exchanges] == ["gpt-4o", "gpt-4o"]

def test_until_the_end_of_the_test(runwright_replay):
    runwright_replay(CASSETTE)
    careless("bye", "hello")

def test_a_client_of_its_own(runwright_replay):
    with runwright_replay(CASSETTE) as replay, openai.OpenAI(base_url=replay.base_url + "/v1", api_key="x") as client:
        for text in ("hello", "bye"):
            client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])

def test_from_the_root_folder(runwright_replay):
    with runwright_replay(ROOTED):
        careless("hello", "bye")

@pytest.mark.runwright_replay(CASSETTE)
def test_marked():
    careless("hello", "bye")

@pytest.fixture
def client():
    with openai.OpenAI() as client:
        yield client

@pytest.mark.runwright_replay(CASSETTE)
def test_marked_before_any_other_fixture(client, runwright_replay):
    assert str(client.base_url).startswith(runwright_replay.base_url)
    careless("hello", "bye")

@pytest.mark.runwright_replay(CASSETTE, until="m1")
def test_until():
    careless("hello", "something new")

def test_ignore(runwright_replay):
    with runwright_replay(CASSETTE, ignore=["$.request.parameters.user"]):
        careless("hello", "bye", user="me")

def test_two_at_once(runwright_replay):
    with runwright_replay(CASSETTE):
        with runwright_replay(CASSETTE):
            careless("hello", "bye")
        careless("hello", "bye")

def test_threads(runwright_replay):
    with runwright_replay(CASSETTE), ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, ("bye", "hello"))) == ["Bye.", "Hi."]

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.anyio
async def test_asynchronous(runwright_replay):
    with runwright_replay(CASSETTE):
        async with openai.AsyncOpenAI() as client:
            asked = (client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
                     for text in ("bye", "hello"))
            answers = await asyncio.gather(*asked)
    assert [each.choices[0].message.content for each in answers] == ["Bye.", "Hi."]

@pytest.mark.parametrize("text", ["hello", "bye"])
@pytest.mark.runwright_replay(CASSETTE)
def test_parametrised(text):
    careless(text, {"hello": "bye", "bye": "hello"}[text])

@pytest.mark.parametrize("served", [pytest.param(True, marks=pytest.mark.runwright_replay(CASSETTE)), False])
def test_one_of_two(served):
    assert ("OPENAI_BASE_URL" in os.environ) is served
    if served:
        careless("hello", "bye")

def test_without_a_cassette():
    assert "OPENAI_BASE_URL" not in os.environ
"""

RED = """
import contextlib, os
import openai, pytest
from agent import ask, careless

CASSETTE = "cassettes/two.cassette.jsonl"

def test_block_ended_by_an_error_before_anything_was_asked(runwright_replay):
    with pytest.raises(ValueError):
        with runwright_replay(CASSETTE):
            raise ValueError

def test_miss_caught_outside_the_block(runwright_replay):
    with pytest.raises(Exception):
        with runwright_replay(CASSETTE):
            ask("hullo")

def test_failure_suppressed(runwright_replay):
    with contextlib.suppress(Exception):
        with runwright_replay(CASSETTE):
            careless("hullo")

def test_left_over_suppressed(runwright_replay):
    replay = runwright_replay(CASSETTE)
    ask("hello")
    with contextlib.suppress(Exception):
        replay.close()

def test_generator_exit_after_a_miss(runwright_replay):
    with pytest.raises(GeneratorExit):
        with runwright_replay(CASSETTE):
            careless("hullo")
            raise GeneratorExit

def test_swallowed_in_block(runwright_replay):
    with runwright_replay(CASSETTE):
        careless("hello", "bye", temperature=1)

def test_swallowed_until_the_end(runwright_replay):
    runwright_replay(CASSETTE)
    careless("hello", "bye", temperature=1)

@pytest.mark.runwright_replay(CASSETTE)
def test_swallowed_marked():
    careless("hello", "bye", temperature=1)

def test_raised_in_block(runwright_replay):
    with runwright_replay(CASSETTE):
        ask("hullo")

@pytest.mark.runwright_replay(CASSETTE)
def test_raised_marked():
    ask("hullo")

@pytest.mark.runwright_replay(CASSETTE)
def test_other_error_after_a_miss():
    careless("hullo")
    assert "shipped" in "nothing of it"

@pytest.mark.runwright_replay(CASSETTE)
def test_skipped_after_a_miss():
    careless("hullo")
    pytest.skip("no answer")

@pytest.mark.runwright_replay(CASSETTE)
def test_exit_after_a_miss():
    careless("hullo")
    raise SystemExit(0)

@pytest.mark.runwright_replay(CASSETTE)
def test_left_over():
    ask("hello")

@pytest.mark.runwright_replay(CASSETTE)
def test_asked_again():
    careless("hello", "bye", "bye")

@pytest.mark.runwright_replay(CASSETTE)
def test_nothing_asked():
    pass

@pytest.mark.runwright_replay(CASSETTE, ignore=["$.request.parameters.seed"])
def test_stale_ignore():
    careless("hello", "bye")

@pytest.mark.runwright_replay(CASSETTE, until="m2")
def test_before_until():
    careless("hello", "good day")

def test_never_given_a_cassette(runwright_replay):
    pass

def test_no_such_cassette(runwright_replay):
    with runwright_replay("cassettes/gone.cassette.jsonl"):
        careless("hello", "bye")

def test_without_its_seal(runwright_replay):
    with runwright_replay("cassettes/unsealed.cassette.jsonl"):
        careless("hello", "bye")

def test_own_error(runwright_replay):
    with runwright_replay(CASSETTE):
        ask("hello")
        raise ZeroDivisionError("of the agent")

def test_the_second_of_two(runwright_replay):
    with runwright_replay(CASSETTE):
        with runwright_replay(CASSETTE):
            careless("hello")
        careless("hello", "bye")

@pytest.fixture
def served(runwright_replay):
    with runwright_replay(CASSETTE) as replay:
        yield replay

def test_through_another_fixture(served):
    careless("hello", "bye", temperature=1)

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.anyio
async def test_asynchronous(runwright_replay):
    runwright_replay(CASSETTE)
    async with openai.AsyncOpenAI() as client:
        try:
            await client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": "hello"}])
        except openai.APIError:
            pass

def test_the_environment_is_put_back():
    assert "OPENAI_BASE_URL" not in os.environ
"""

DIFFERENT = "$.request.messages[0].content[0].text"
TOLD = {
    "test_block_ended_by_an_error_before_anything_was_asked": "UNVERIFIED, no exchange was matched",
    "test_miss_caught_outside_the_block": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_failure_suppressed": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_left_over_suppressed": "FAIL, never asked for: m2",
    "test_generator_exit_after_a_miss": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_swallowed_in_block": "FAIL, no recorded request agrees; the nearest is m1",
    "test_swallowed_until_the_end": "$.request.parameters.temperature: (absent) -> 1",
    "test_swallowed_marked": "$.request.parameters.temperature: (absent) -> 1",
    "test_raised_in_block": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_raised_marked": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_other_error_after_a_miss": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_skipped_after_a_miss": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_exit_after_a_miss": f'{DIFFERENT}: "hello" -> "hullo"',
    "test_left_over": "FAIL, never asked for: m2",
    "test_asked_again": "was already served as often",
    "test_nothing_asked": "UNVERIFIED, no exchange was matched",
    "test_stale_ignore": "STALE, ignore $.request.parameters.seed (model) matched nothing",
    "test_before_until": f'{DIFFERENT}: "bye" -> "good day"',
    "test_never_given_a_cassette": "runwright_replay was given no cassette",
    "test_no_such_cassette": "UNVERIFIED, cassettes/gone.cassette.jsonl: there is no cassette",
    "test_without_its_seal": "UNVERIFIED, ",
    "test_own_error": "ZeroDivisionError: of the agent",
    "test_the_second_of_two": "FAIL, never asked for: m2",
    "test_through_another_fixture": "$.request.parameters.temperature: (absent) -> 1",
    "test_asynchronous": '$.request.model: "gpt-4o" -> "gpt-5"',
}


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """An agent and its recordings, in a folder of tests below the root."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    tests = pytester.mkdir("tests")
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\nfilterwarnings = ["error"]\npythonpath = ["tests"]\n')
    (tests / "agent.py").write_text(AGENT)
    for folder in (tests / "cassettes", pytester.path / "elsewhere"):
        folder.mkdir()
        whole = write_cassette(folder / "two.cassette.jsonl").read_bytes().splitlines(keepends=True)
        (folder / "unsealed.cassette.jsonl").write_bytes(b"".join(whole[:-1]))
    return pytester


def test_green(project: pytest.Pytester) -> None:
    (project.path / "tests" / "test_green.py").write_text(GREEN)
    done = run(project, apart=True)
    assert set(done.outcomes.values()) == {"passed"}, done.text
    assert done.status == 0
    assert len(done.outcomes) == GREEN.count("def test_") + 2, "two of them are parametrised"


def test_red(project: pytest.Pytester) -> None:
    (project.path / "tests" / "test_red.py").write_text(RED)
    done = run(project, apart=True)
    assert done.outcomes == {**dict.fromkeys(TOLD, "failed"), "test_the_environment_is_put_back": "passed"}, done.text
    for name, text in TOLD.items():
        assert text in done.told[name], name
    # what the body raised by itself is shown too, before the miss, and our own code is not
    for name, text in {
        "test_raised_marked": "UnprocessableEntityError",
        "test_other_error_after_a_miss": "assert 'shipped' in 'nothing of it'",
        "test_raised_in_block": "UnprocessableEntityError",
    }.items():
        told = done.told[name]
        assert told.index(text) < told.rindex("FAIL, no recorded"), name
    assert "runwright/" not in done.text
    assert "Traceback entries are hidden" not in done.text


def test_several_workers_get_the_same_verdicts(project: pytest.Pytester) -> None:
    (project.path / "tests" / "test_green.py").write_text(GREEN)
    (project.path / "tests" / "test_red.py").write_text(RED)
    words = ("-n", "2", "-k", "marked or block or two_at_once or environment")
    done = run(project, *words, apart=True)
    wanted = {name: "failed" for name in TOLD if "marked" in name or "block" in name}
    assert {name: outcome for name, outcome in done.outcomes.items() if outcome != "passed"} == wanted
    assert {"test_block", "test_marked", "test_two_at_once", "test_the_environment_is_put_back"} < set(done.outcomes)
    for name in wanted:
        assert TOLD[name] in done.told[name], name


def test_a_marked_cassette_that_cannot_be_served_is_an_error(project: pytest.Pytester) -> None:
    (project.path / "tests" / "test_marked.py").write_text(
        "import pytest\n"
        '@pytest.mark.runwright_replay("cassettes/gone.cassette.jsonl")\ndef test_gone(): pass\n'
        '@pytest.mark.runwright_replay("cassettes/unsealed.cassette.jsonl")\ndef test_unsealed(): pass\n'
        '@pytest.mark.runwright_replay("cassettes/two.cassette.jsonl", until="m9")\ndef test_until(): pass\n'
        "@pytest.fixture\ndef broken(): raise ZeroDivisionError\n"
        '@pytest.mark.runwright_replay("cassettes/two.cassette.jsonl")\ndef test_broken(broken): pass\n'
    )
    done = run(project)
    assert done.outcomes == dict.fromkeys(("test_gone", "test_unsealed", "test_until", "test_broken"), "error")
    assert "there is no cassette" in done.told["test_gone"]
    assert "4 errors" in done.text, "nothing is said twice"


def test_a_cassette_served_while_the_test_is_taken_down_is_judged_too(project: pytest.Pytester) -> None:
    (project.path / "tests" / "test_late.py").write_text(
        "import contextlib, os, pytest\nfrom agent import careless\n"
        'CASSETTE = "cassettes/two.cassette.jsonl"\n'
        "@pytest.fixture\ndef idle(runwright_replay):\n    yield\n"
        "    runwright_replay(CASSETTE)\n    runwright_replay(CASSETTE)\n"
        "@pytest.fixture\ndef caught(runwright_replay):\n    yield\n    with contextlib.suppress(Exception):\n"
        "        with runwright_replay(CASSETTE): pass\n"
        "@pytest.fixture\ndef asked(runwright_replay):\n    yield\n    runwright_replay(CASSETTE)\n"
        '    careless("hello", "bye")\n'
        "def body(serve):\n    with serve(CASSETTE): careless('hello', 'bye')\n"
        "def test_idle(idle, runwright_replay): body(runwright_replay)\n"
        "def test_caught(caught, runwright_replay): body(runwright_replay)\n"
        "def test_asked(asked, runwright_replay): body(runwright_replay)\n"
        'def test_put_back(): assert "OPENAI_BASE_URL" not in os.environ\n'
    )
    done = run(project)
    wanted = {"test_idle": "error", "test_caught": "error", "test_asked": "passed", "test_put_back": "passed"}
    assert done.outcomes == wanted, done.text
    assert done.told["test_idle"].count("UNVERIFIED, no exchange was matched") >= 2


def test_fields_that_were_never_compared_are_said_and_strict_refuses_them(project: pytest.Pytester) -> None:
    record = replace(exchange(1, body("hello"), reply("Hi.")), unknown=("$.request.parameters.seed",))
    (project.path / "x.cassette.jsonl").write_bytes(dumps_trace(cassette(record)))
    (project.path / "tests" / "test_unknown.py").write_text(
        "from agent import ask\n"
        'def test_it(runwright_replay):\n    with runwright_replay("x.cassette.jsonl"): ask("hello", seed=1)\n'
        'def test_strict(runwright_replay):\n    with runwright_replay("x.cassette.jsonl", strict=True):'
        ' ask("hello", seed=1)\n'
    )
    done = run(project, "-v")
    assert done.outcomes == {"test_it": "passed", "test_strict": "failed"}
    assert "test_it PASSED (PASS, on matching alone, 1 field never compared)" in done.text
    assert run(project, "--runwright-strict", "-k", "test_it").outcomes == {"test_it": "failed"}


def test_switched_off_nothing_is_served(project: pytest.Pytester) -> None:
    (project.path / "tests" / "test_it.py").write_text("def test_it(runwright_replay): pass\n")
    done = run(project, *SWITCHED_OFF, apart=True)
    assert done.outcomes == {"test_it": "error"}
    assert "fixture 'runwright_replay' not found" in done.text


LOADED = """
import sys
import pytest
before = set(sys.modules)
pytest.main(["--collect-only", "-q", *sys.argv[1:]])
ours = {name for name in sys.modules if name.partition(".")[0] in ("runwright", "yaml", "msgspec", "starlette")}
print("loaded", *sorted(ours - before))
"""


def test_a_run_without_flows_and_cassettes_loads_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_one(): pass")
    plugin = () if INSTALLED else ("-p", "runwright.pytest_plugin")
    command = [sys.executable, "-c", LOADED, *plugin]
    done = subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded runwright runwright.pytest_plugin"


def test_the_plugin_is_found_by_its_entry_point() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"runwright": "runwright.pytest_plugin"}
    assert any(each.startswith("pytest>=") for each in project["optional-dependencies"]["pytest"])
