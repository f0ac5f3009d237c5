"""One replay for what the recording never knew: live values by recorded id, or a refusal."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from runwright.errors import CapabilityError, FlowError, NotConvertible
from runwright.flow import load_flow
from runwright.run import RunOptions, live_exchanges
from runwright.trace import read_trace
from runwright.trace.model import ModelRecord
from tests.run.story import EXCHANGES, TWICE, Shop, cassette_of, shop
from tests.run.test_one import BARE, BUGGY

UNKNOWN = ("$.request.tools[0].parameters", "$.request.parameters.temperature")


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def adopted(made: Shop, *records: ModelRecord) -> dict[str, ModelRecord]:
    made.cassette.write_bytes(cassette_of(*(replace(each, unknown=UNKNOWN) for each in records)))
    options = RunOptions(environment=BARE, timeout=30)
    return dict(live_exchanges(load_flow(made.flow, BARE), read_trace(made.cassette), options))


def test_every_exchange_served_comes_back_with_what_was_sent(made: Shop) -> None:
    made.agent(('"temperature": 0', '"temperature": 0.5'))
    live = adopted(made, *EXCHANGES)
    assert list(live) == ["m1", "m2"]
    assert {each.request.parameters["temperature"] for each in live.values()} == {0.5}
    assert live["m1"].request.tools[0].parameters == EXCHANGES[0].request.tools[0].parameters


def test_up_to_a_later_miss_is_enough(made: Shop) -> None:
    made.spec(("cassette:", "replay: {until: m1}\ncassette:"))
    assert list(adopted(made, *TWICE)) == ["m1"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("the shop's support", "nobody's support"), "did not follow the recording"),
        (("    reply = ask(messages)", '    reply = {"content": ""}'), "never asked for m2"),
        (BUGGY, "did not follow the recording"),
    ],
)
def test_the_values_of_another_run_are_not_adopted(made: Shop, change: tuple[str, str], reason: str) -> None:
    made.agent(change)
    with pytest.raises(NotConvertible, match=reason):
        adopted(made, *EXCHANGES)


def test_an_agent_that_does_not_end_gives_nothing(made: Shop) -> None:
    made.agent(("print(reply", "import time; time.sleep(60)\nprint(reply"))
    made.spec(("steps:", "timeout: 1.5\nsteps:"))
    with pytest.raises(NotConvertible, match="did not end by itself: timeout"):
        live_exchanges(load_flow(made.flow, BARE), read_trace(made.cassette), RunOptions(environment=BARE))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (("agent: {command: python agent.py, tools: real}\n", ""), FlowError),
        (("python agent.py", "no-such-program"), FlowError),
        (("tools: real", "tools: served"), CapabilityError),
    ],
)
def test_without_a_running_agent_there_is_nothing_to_adopt(made: Shop, change: tuple[str, str], kind: type) -> None:
    made.spec(change)
    with pytest.raises(kind):
        adopted(made, *EXCHANGES)
