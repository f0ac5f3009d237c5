"""Unknown request fields filled from one live replay; what the recording knows is never touched."""

import msgspec
import pytest

from runwright.convert import adopt
from runwright.trace.model import Message, TextBlock, ToolSpec
from tests.convert.traces import TASK, exchange, replaced, story, text, trace

TALK = [text("user", TASK)]
HI = TextBlock(text="hi")
SPECS = (
    ToolSpec(name="a", description="does a", parameters={"type": "object"}),
    ToolSpec(name="b", description="does b", parameters={"type": "object", "properties": {}}),
)
BARE = (ToolSpec(name="b"), ToolSpec(name="a"))
LIVE = exchange(1, TALK, HI, tools=SPECS, parameters={"temperature": 0.5, "seed": 7}, streamed=True)


def adopted(live=LIVE, **fields):
    run = trace(exchange(1, TALK, HI, **{"tools": BARE, "parameters": {"temperature": 0}, **fields}))
    return adopt(run, {"m1": live}).models[0]


def test_a_known_field_is_not_replaced():
    record = adopted(unknown=())
    assert record.request.parameters == {"temperature": 0}
    assert record.request.tools == BARE
    assert record.adopted == ()


def test_an_answer_is_never_adopted():
    record = adopted(unknown=("$.response.usage",))
    assert (record.unknown, record.adopted) == (("$.response.usage",), ())


def test_an_exchange_that_was_not_replayed_keeps_its_unknown_fields():
    run = replaced(story(), "m1", unknown=("$.request.tools[*].description",))
    assert adopt(run, {}) == run


@pytest.mark.parametrize("path", ["$.request.tools[*].description", "$.request.tools[0].description"])
def test_a_tools_description_is_found_by_the_tools_name(path):
    record = adopted(unknown=(path,))
    assert record.request.tools[0] == ToolSpec(name="b", description="does b")
    assert record.request.tools[1].description == ("does a" if "*" in path else None)
    assert (record.unknown, record.adopted) == ((), (path,))


def test_a_whole_list_of_tools_is_taken_as_it_was_sent():
    assert adopted(unknown=("$.request.tools",), tools=()).request.tools == SPECS


def test_the_rest_of_the_parameters_is_added_and_the_known_ones_stay():
    record = adopted(unknown=("$.request.parameters.*",))
    assert record.request.parameters == {"temperature": 0, "seed": 7}
    assert record.adopted == ("$.request.parameters.*",)


def test_one_parameter():
    record = adopted(unknown=("$.request.parameters.seed",))
    assert record.request.parameters == {"temperature": 0, "seed": 7}


def test_a_parameter_that_the_live_request_does_not_have_is_now_known_to_be_absent():
    record = adopted(unknown=("$.request.parameters.top_p",))
    assert (record.request.parameters, record.unknown) == ({"temperature": 0}, ())


def test_whether_it_was_streamed():
    assert adopted(unknown=("$.streamed",)).streamed is True


def test_a_message_cut_at_the_exporters_limit():
    cut = exchange(1, [text("user", TASK[:5])], HI, unknown=("$.request.messages[0].content[0].text",))
    record = adopt(trace(cut), {"m1": LIVE}).models[0]
    assert record.request.messages == LIVE.request.messages


def test_earlier_adoptions_are_kept():
    record = adopted(unknown=("$.streamed",), adopted=("$.request.model",))
    assert record.adopted == ("$.request.model", "$.streamed")


def test_the_trace_that_was_given_stays():
    run = trace(exchange(1, TALK, HI, tools=BARE, unknown=("$.request.tools[*].description",)))
    before = msgspec.json.encode(run)
    adopt(run, {"m1": LIVE})
    assert msgspec.json.encode(run) == before


def test_a_message_is_found_by_its_place_whatever_its_name():
    def said(*names):
        return [Message(role="user", content=(TextBlock(text=str(at)),), name=name) for at, name in enumerate(names)]

    recorded = exchange(1, said("b", None), HI, unknown=("$.request.messages[*].name",))
    live = exchange(1, said("a", "b"), HI)
    assert adopt(trace(recorded), {"m1": live}).models[0].request.messages == live.request.messages
