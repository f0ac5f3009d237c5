"""A cassette served to code in this process: what is red, what the environment sees, and that it is put back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import openai
import pytest
from msgspec.structs import replace

from runwright.errors import IncompleteTrace, ReplayFailed, TraceError, UsageError
from runwright.flow import Word
from runwright.match import Ignore
from runwright.run import replay_in_process
from runwright.run.process_environment import Layers
from runwright.trace import dumps_trace
from tests.replay.cassettes import body, call, cassette, exchange, reply

NAMES = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "NO_PROXY", "RUNWRIGHT")


def ask(text: str, **fields: object) -> str:
    """One call by a client that knows nothing but the environment."""
    with openai.OpenAI() as client:
        return client.chat.completions.create(**body(text, **fields)).choices[0].message.content


def seen() -> dict[str, str | None]:
    return {name: os.environ.get(name) for name in NAMES}


@pytest.fixture(autouse=True)
def put_back(monkeypatch: pytest.MonkeyPatch) -> object:
    """Every test starts with a key and a proxy in the environment, and leaves it as it was."""
    monkeypatch.setenv("OPENAI_API_KEY", "the real one")
    monkeypatch.setenv("NO_PROXY", "intranet.example")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    before = seen()
    yield
    assert seen() == before


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "two.cassette.jsonl"
    path.write_bytes(
        dumps_trace(
            cassette(exchange(1, body("hello"), reply("Hi.")), exchange(2, body("bye"), reply("Bye.", number=2)))
        )
    )
    return path


def both() -> None:
    assert (ask("hello"), ask("bye")) == ("Hi.", "Bye.")


def refused() -> None:
    with suppress(openai.APIError):
        ask("hello", temperature=0.5)


def too_often() -> None:
    both()
    with suppress(openai.APIError):
        ask("hello")


def elsewhere() -> None:
    both()
    with suppress(openai.APIError), openai.OpenAI() as client:
        client.embeddings.create(model="m", input="x")


def unreadable() -> None:
    both()
    with suppress(openai.APIError):
        ask("hello", n=3)


RED: Mapping[str, tuple[Callable[[], object], str]] = {
    "nothing is asked": (lambda: None, "UNVERIFIED, no exchange was matched"),
    "one call is left over": (lambda: ask("hello"), "FAIL, never asked for: m2"),
    "a miss is swallowed": (refused, "$.request.parameters.temperature: (absent) -> 0.5"),
    "a call too many is swallowed": (too_often, "was already served as often"),
    "another path is swallowed": (elsewhere, "no recorded API is served at this path"),
    "a request that cannot be read is swallowed": (unreadable, "$.n: expected 1, found 3"),
}


@pytest.mark.parametrize("name", RED)
def test_red_although_the_code_goes_on_as_if_nothing_were(name: str, recorded: Path) -> None:
    code, text = RED[name]
    with pytest.raises(ReplayFailed) as caught, replay_in_process(recorded):
        code()
    assert text in str(caught.value)
    assert str(recorded) in str(caught.value)
    assert isinstance(caught.value, AssertionError), "other test runners count it as a failure"


def test_green_and_what_was_served(recorded: Path) -> None:
    with replay_in_process(recorded) as replay:
        assert replay.result is None
        both()
    assert replay.result is not None
    assert (replay.result.word, replay.result.summary) == (Word.PASS, "PASS, on matching alone")
    assert [each.ext["recorded"] for each in replay.exchanges] == ["m1", "m2"]
    assert not replay.is_open


def test_the_environment_names_the_server_and_no_real_key(recorded: Path) -> None:
    with replay_in_process(recorded) as replay:
        assert os.environ["OPENAI_BASE_URL"] == f"{replay.base_url}/v1"
        assert os.environ["ANTHROPIC_BASE_URL"] == replay.base_url
        assert "real" not in os.environ["OPENAI_API_KEY"] + os.environ["ANTHROPIC_API_KEY"]
        assert os.environ["NO_PROXY"] == "intranet.example,127.0.0.1,localhost"
        both()


def test_an_error_of_the_code_itself_is_not_hidden_behind_what_it_left_over(recorded: Path) -> None:
    with pytest.raises(ZeroDivisionError), replay_in_process(recorded):
        raise ZeroDivisionError


def test_an_error_after_a_miss_is_the_cause_of_the_failure_and_the_failure_leads(recorded: Path) -> None:
    with pytest.raises(ReplayFailed) as caught, replay_in_process(recorded):
        ask("good day")
    assert "content[0].text" in str(caught.value)
    assert isinstance(caught.value.__cause__, openai.UnprocessableEntityError)


def test_a_failure_that_was_caught_is_told_again(recorded: Path) -> None:
    with pytest.raises(ValueError, match="its own"), replay_in_process(recorded) as idle:
        raise ValueError("its own")
    with pytest.raises(ReplayFailed, match="no exchange was matched"):
        idle.must_pass()
    with suppress(ReplayFailed), replay_in_process(recorded) as missed, suppress(openai.APIError):
        ask("hullo")
    for _ in range(2):
        with pytest.raises(ReplayFailed, match='"hello" -> "hullo"'):
            missed.must_pass()
    open_ = replay_in_process(recorded)
    both()
    open_.must_pass()
    assert not open_.is_open


def test_an_interruption_is_never_replaced(recorded: Path) -> None:
    def code() -> None:
        refused()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), replay_in_process(recorded):
        code()


def test_until(recorded: Path) -> None:
    with replay_in_process(recorded, until="m1") as replay:
        ask("hello")
        with suppress(openai.APIError):
            ask("something new")
    assert replay.result is not None
    assert replay.result.summary == "PASS, on matching alone, not judged after m1"
    with pytest.raises(ReplayFailed, match="content"), replay_in_process(recorded, until="m1"), suppress(Exception):
        ask("something new")


def test_until_an_exchange_that_is_not_there(recorded: Path) -> None:
    with pytest.raises(UsageError, match="m9"):
        replay_in_process(recorded, until="m9")


def test_ignore(recorded: Path) -> None:
    for given in ("$.request.parameters.user", Ignore("model", "$.request.parameters.user", "any")):
        with replay_in_process(recorded, ignore=[given]) as replay:
            ask("hello", user="somebody")
            ask("bye")
        assert "$.request.parameters.user ignored" in replay.result.summary
    with pytest.raises(ReplayFailed, match="STALE, ignore"), replay_in_process(recorded, ignore=["$.request.seed"]):
        both()
    with pytest.raises(UsageError, match="nothing to compare"):
        replay_in_process(recorded, ignore=["$"])


def test_results_replace_what_the_tool_said(tmp_path: Path) -> None:
    asked = [{"role": "user", "content": "when"}]
    made = [*asked, {"role": "assistant", "tool_calls": [call("c", "now", "{}")]}]

    def told(text: str) -> dict[str, object]:
        return {"model": "gpt-4o", "messages": [*made, {"role": "tool", "tool_call_id": "c", "content": text}]}

    path = tmp_path / "x.cassette.jsonl"
    records = (
        exchange(1, body("when"), reply(calls=[call("c", "now", "{}")])),
        exchange(2, told("noon"), reply("At noon.")),
    )
    path.write_bytes(dumps_trace(cassette(*records)))

    def run() -> None:
        with openai.OpenAI() as client:
            client.chat.completions.create(**body("when"))
            client.chat.completions.create(**told("midnight"))

    with replay_in_process(path, results={"now": "noon"}):
        run()
    with pytest.raises(ReplayFailed, match="noon"), replay_in_process(path):
        run()


def test_a_field_that_nobody_knows(tmp_path: Path) -> None:
    path = tmp_path / "x.cassette.jsonl"
    known = exchange(1, body("hello"), reply("Hi."))
    path.write_bytes(dumps_trace(cassette(replace(known, unknown=("$.request.parameters.temperature",)))))
    with replay_in_process(path) as replay:
        ask("hello", temperature=1)
    assert "1 field never compared" in replay.result.summary
    with pytest.raises(ReplayFailed, match="UNVERIFIED, 1 field never compared"), replay_in_process(path, strict=True):
        ask("hello", temperature=1)


def test_a_cassette_without_its_seal_serves_nothing(recorded: Path) -> None:
    lines = recorded.read_bytes().splitlines(keepends=True)
    recorded.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(IncompleteTrace):
        replay_in_process(recorded)


def test_a_cassette_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="there is no cassette"):
        replay_in_process(tmp_path / "none.cassette.jsonl")


def test_two_at_once_and_ended_in_any_order(recorded: Path) -> None:
    first, second = replay_in_process(recorded), replay_in_process(recorded)
    assert first.base_url != second.base_url
    both()
    first.close(ZeroDivisionError())
    assert os.environ["OPENAI_BASE_URL"] == f"{second.base_url}/v1"
    second.close()
    assert (first.exchanges, second.result.word) == ((), Word.PASS)


def test_threads_share_a_cassette(tmp_path: Path) -> None:
    path = tmp_path / "many.cassette.jsonl"
    path.write_bytes(dumps_trace(cassette(*(exchange(n, body(f"q{n}"), reply(f"a{n}")) for n in range(24)))))
    with replay_in_process(path), ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: ask(f"q{n}"), reversed(range(24)))) == [f"a{n}" for n in reversed(range(24))]


def test_asynchronous_code(recorded: Path) -> None:
    async def run() -> list[str]:
        with replay_in_process(recorded):
            async with openai.AsyncOpenAI() as client:
                asked = (client.chat.completions.create(**body(text)) for text in ("bye", "hello"))
                return [each.choices[0].message.content for each in await asyncio.gather(*asked)]

    assert asyncio.run(run()) == ["Bye.", "Hi."]


def test_no_request_is_served_after_the_end(recorded: Path) -> None:
    with replay_in_process(recorded) as replay:
        both()
    with pytest.raises(openai.APIConnectionError), openai.OpenAI(base_url=replay.base_url, api_key="x") as client:
        client.with_options(max_retries=0).chat.completions.create(**body("hello"))
    replay.close()
    assert replay.result.word is Word.PASS


def test_the_live_side_is_kept_on_request(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (recorded.parent / "pyproject.toml").touch()
    with replay_in_process(recorded, keep=True):
        both()
    assert len(list((recorded.parent / ".runwright" / "runs").iterdir())) == 1


def test_layers_come_off_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RW_A", "before")
    monkeypatch.delenv("RW_B", raising=False)
    layers = Layers()
    layers.put("one", {"RW_A": "1", "RW_B": "1"})
    layers.put("two", {"RW_A": "2"})
    assert (os.environ["RW_A"], os.environ["RW_B"]) == ("2", "1")
    layers.take("one")
    assert (os.environ["RW_A"], os.environ.get("RW_B")) == ("2", None)
    layers.take("two")
    assert (os.environ["RW_A"], os.environ.get("RW_B")) == ("before", None)
